/* row_values.c: room model: which row each number of a joint's lists of rows is for.
 *
 * In: the lists as they were given, and the rows that act. Out: the same by the rows of the type, or what is
 * wrong with them. Between planar bodies the three rows there are have numbers of their own: of a weld,
 * whose type has fx, fy, fz, mx, my, mz, they are fx, fy, mz.
 */
#include "model/row_values.h"

#include <math.h>
#include <stdio.h>

#include "spec/validate/check.h"

/* What acts between bodies in the plane: two forces and a moment, held or not. */
#define PLANE_ROWS 3

static bool is_in_plane(const tn_model *model, const tn_model_joint *joint)
{
    const bool moves = tn_kind_is_flat(model->bodies[joint->a].kind) ||
                       (joint->b >= 0 && tn_kind_is_flat(model->bodies[joint->b].kind));
    return moves && tn_model_stays_in_plane(model, joint->a) &&
           tn_model_stays_in_plane(model, joint->b);
}

static bool is_kept(const tn_model_joint *joint, int32_t row)
{
    bool kept = false;
    for (int32_t n = 0; n < joint->kept_count; n++)
        kept |= joint->kept[n] == row;
    return kept;
}

/* "fx, fy, mz" */
static const char *name_rows(const tn_model_joint *joint, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int32_t n = 0; n < joint->kept_count && used < size; n++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", n > 0 ? ", " : "",
                                 joint->geometry.cls->info.rows[joint->kept[n]].name);
    }
    return text;
}

static void take(tn_check *check, const tn_model_joint *joint, const char *key, const double *given,
                 int32_t told, double *out)
{
    char rows[64], hint[128];
    const bool counted = told == TN_ROWS_OF_PLANE;
    for (int32_t k = 0; k < TN_MAX_ROWS; k++)
        out[k] = counted ? (double)NAN : given[k];
    for (int32_t k = 0; k < TN_MAX_ROWS && told != TN_ROWS_ALIKE; k++) {
        if (isnan(given[k]))
            continue;
        if (counted && k < PLANE_ROWS && k < joint->kept_count) {
            out[joint->kept[k]] = given[k];
        } else if (counted || !is_kept(joint, k)) {
            snprintf(hint, sizeof hint, "a list of three is for the rows there are: %s",
                     name_rows(joint, rows, sizeof rows));
            tn_complain(check, key, k, hint, "between planar bodies it has no row %s for '%s'",
                        joint->geometry.cls->info.rows[k].name, key);
        }
    }
}

tn_status tn_model_row_values(const tn_model *model, const tn_spec *spec, int32_t j,
                              tn_diagnostics *diags, tn_row_values *out)
{
    const tn_joint_def *def = tn_spec_joint(spec, (tn_joint){j});
    const tn_model_joint *joint = &model->joints[j];
    tn_check check = {spec, diags, TN_OK, TN_SECTION_JOINT, j, "joint", def->name, def->at};
    /* what came out of the plane by being aslant has rows as in space */
    const bool plane = is_in_plane(model, joint) && joint->kept_count == PLANE_ROWS;
    const int32_t as_is = TN_ROWS_ALIKE;
    const char *soft = tn_spec_written_key(spec, TN_SECTION_JOINT, j, "compliance", "stiffness");
    take(&check, joint, soft, def->compliance, plane ? def->compliance_rows : as_is,
         out->compliance);
    take(&check, joint, "damping", def->damping, plane ? def->damping_rows : as_is, out->damping);
    take(&check, joint, "frequency", def->frequency, plane ? def->frequency_rows : as_is,
         out->frequency);
    take(&check, joint, "damping_ratio", def->damping_ratio,
         plane ? def->damping_ratio_rows : as_is, out->damping_ratio);
    return check.status;
}
