/* row_values.h: compliance and damping of a joint by the rows of its type.
 *
 * In: a joint whose rows are known. Out: a number, or NaN, for each row.
 */
#ifndef TN_MODEL_ROW_VALUES_H
#define TN_MODEL_ROW_VALUES_H

#include "model/model.h"

typedef struct tn_row_values {
    double compliance[TN_MAX_ROWS], damping[TN_MAX_ROWS];      /* as in tn_joint_def */
    double frequency[TN_MAX_ROWS], damping_ratio[TN_MAX_ROWS]; /* Hz; 1 */
} tn_row_values;

/* TN_ERROR_INPUT after reporting a value for a row that is not there. */
tn_status tn_model_row_values(const tn_model *model, const tn_spec *spec, int32_t j,
                              tn_diagnostics *diags, tn_row_values *out);

#endif
