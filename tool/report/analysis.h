/* analysis.h: what is overconstrained in a model, in sentences and as JSON.
 *
 * Room tool/report, in: an analysis of a model, or a simulation. Out: sentences and JSON on what
 * is overconstrained, free or turned away.
 */
#ifndef TN_TOOL_ANALYSIS_H
#define TN_TOOL_ANALYSIS_H

#include "json.h"
#include "tenon/analysis.h"

/* Sentences on stdout; nothing when there is nothing to tell. */
void analysis_print(const tn_model *model, const tn_analysis *analysis);

/* Members of the open object. */
void analysis_write(tool_json *json, const tn_model *model, const tn_analysis *analysis);

/* "joint0.lambda2": rows whose multiplier is not unique, as an array of the open object. The names
 * are those of the columns in CSV files. */
void analysis_write_indeterminate(tool_json *json, const tn_model *model,
                                  const tn_analysis *analysis);

/* Name of row k of a joint. */
const char *analysis_row_name(const tn_model *model, tn_joint joint, int32_t k);

/* fx fy fz mx my mz. */
extern const char *const analysis_components[6];

#endif
