/* validate.h: everything that can be said against a spec without compiling it.
 *
 * Room spec/validate. Shared by tn_model_compile and the reader of model files, so that a mechanism from the
 * C API and one from a file hear the same words.
 *
 * In: a spec. Out: all that is wrong with it, at the place of each field; the spec stays as it is.
 */
#ifndef TN_SPEC_VALIDATE_VALIDATE_H
#define TN_SPEC_VALIDATE_VALIDATE_H

#include "base/base.h"
#include "base/suggest.h"
#include "tenon/spec.h"

/* Reports all problems, each at the place of its field or of its item. TN_ERROR_INPUT when there is
 * any, TN_ERROR_MEMORY. */
TN_SIBLING tn_status tn_spec_validate(const tn_spec *spec, tn_diagnostics *diags);
/* The same for the reader of files: warnings of an accepted spec are left to tn_model_compile, which validates again. */
TN_SIBLING tn_status tn_spec_judge(const tn_spec *spec, tn_diagnostics *found);

/* All joint types, also by their other names. */
TN_SIBLING void tn_joint_types_offer(tn_suggestion *suggestion);

#endif
