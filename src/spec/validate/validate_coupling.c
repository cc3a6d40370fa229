/* validate_coupling.c: can such a coupling of coordinates be built?
 *
 * Room spec/validate. Joints, whose types say what coordinates there are, have been checked before.
 */
#include <math.h>

#include "math/function/function.h"
#include "spec/validate/check.h"

/* What a term's joint has; NULL: no such joint, or one that has been complained about. */
static const tn_joint_type_info *type_of(const tn_check *check, const tn_coupling_term *term,
                                         tn_joint_own_info *own)
{
    tn_joint_type type = {-1};
    if (term->joint.i < 0 || term->joint.i >= check->spec->joint_count)
        return NULL;
    const tn_joint_def *def = &check->spec->joints[term->joint.i].def;
    if (def->type == NULL || tn_joint_type_find(def->type, &type) != TN_OK)
        return NULL;
    return tn_joint_info(type, def->data, own);
}

static void check_coordinate(tn_check *check, const tn_coupling_def *def, int32_t k)
{
    const tn_coupling_term *term = &def->terms[k];
    if (!tn_spec_had(check->spec, TN_SECTION_JOINT, term->joint.i, term->joint.of) ||
        tn_spec_is_removed(check->spec, TN_SECTION_JOINT, term->joint.i)) {
        tn_complain(check, "terms", k, NULL, "term %d: there is no joint number %d", (int)k,
                    (int)term->joint.i);
        return;
    }
    tn_joint_own_info own;
    const tn_joint_type_info *info = type_of(check, term, &own);
    if (info != NULL && (term->coordinate < 0 || term->coordinate >= info->coordinate_count)) {
        tn_complain(check, "terms", k, NULL, "joint '%.100s': %s has no coordinate number %d",
                    check->spec->joints[term->joint.i].def.name, info->name, (int)term->coordinate);
        return;
    }
    for (int32_t i = 0; info != NULL && i < k; i++) {
        if (def->terms[i].joint.i == term->joint.i &&
            def->terms[i].coordinate == term->coordinate) {
            tn_complain(check, "terms", k, "add up its ratios or functions",
                        "coordinate '%.100s.%s' is named twice",
                        check->spec->joints[term->joint.i].def.name,
                        info->coordinates[term->coordinate].name);
        }
    }
}

/* Share of a slope by which the digits of a file bend a straight line. */
#define DIGITS 1e-6

/* x of the first corner of a table; NaN: none. */
static double first_corner(const tn_function_def *def)
{
    const double *p = def->numbers;
    for (int32_t n = 2; def->kind == TN_FUNCTION_TABLE && n + 3 < def->count; n += 2) {
        const double before = (p[n + 1] - p[n - 1]) / (p[n] - p[n - 2]),
                     after = (p[n + 3] - p[n + 1]) / (p[n + 2] - p[n]);
        if (fabs(after - before) > DIGITS * fmax(fabs(before), fabs(after)))
            return p[n];
    }
    return (double)NAN;
}

static void check_term(tn_check *check, const tn_coupling_def *def, int32_t k)
{
    const tn_coupling_term *term = &def->terms[k];
    check_coordinate(check, def, k);
    if (!isnan(term->ratio) && tn_check_finite(check, "terms", k, term->ratio, "ratio") &&
        term->ratio == 0.0) {
        tn_complain(check, "terms", k, "leave the term out", "term %d: the ratio is zero", (int)k);
    }
    char text[TN_FUNCTION_TEXT];
    const char *problem = tn_function_explain(&term->function, 'x', text);
    const double jump =
        problem == NULL ? tn_function_jump(&term->function, (double)-INFINITY) : (double)NAN;
    if (problem != NULL) {
        tn_complain(check, "terms", k, NULL, "term %d: the function %s", (int)k, problem);
    } else if (!isnan(jump)) {
        tn_complain(check, "terms", k, NULL, "term %d: the function jumps at x = %.9g", (int)k,
                    jump);
    } else if (!isnan(first_corner(&term->function))) {
        tn_advise(check, "terms", k, "use 'spline' through the same points",
                  "term %d: the table has a corner at x = %.9g, where speeds jump and methods with "
                  "an accuracy stop",
                  (int)k, first_corner(&term->function));
    }
}

static void check_hold(tn_check *check, const tn_coupling_def *def)
{
    if ((unsigned)def->hold >= TN_COUPLING_HOLD_COUNT) {
        tn_complain(check, "hold", TN_WHOLE_FIELD, NULL, "there is no hold number %d",
                    (int)def->hold);
        return;
    }
    const int ranged = def->hold == TN_COUPLING_IN_RANGE;
    const int open = isinf(def->lower) && def->lower < 0.0 && isinf(def->upper) && def->upper > 0.0;
    if (!isnan(def->value))
        tn_check_finite(check, "value", TN_WHOLE_FIELD, def->value, "value");
    if (ranged && !isnan(def->value)) {
        tn_complain(check, "value", TN_WHOLE_FIELD, "give lower and upper instead",
                    "a coupling in a range has no value to be held at");
    }
    if (!ranged && !open) {
        tn_complain(check, "range", TN_WHOLE_FIELD, "set hold to in_range",
                    "a coupling that is %s takes a value, not a range",
                    tn_coupling_hold_name(def->hold));
    }
    if (isnan(def->lower) || isnan(def->upper) || def->lower > def->upper ||
        (def->lower == def->upper && isinf(def->lower))) {
        tn_complain(check, "range", TN_WHOLE_FIELD, NULL, "the range from %g to %g is empty",
                    def->lower, def->upper);
    }
}

void tn_check_coupling(tn_check *check, const tn_coupling_def *def)
{
    if (def->term_count == 0 && !tn_spec_is_removed(check->spec, TN_SECTION_COUPLING, check->item))
        tn_complain(check, "terms", TN_WHOLE_FIELD, NULL, "couples nothing: it has no terms");
    for (int32_t k = 0; k < def->term_count; k++)
        check_term(check, def, k);
    check_hold(check, def);
    if (!isnan(def->restitution) && !(def->restitution >= 0.0 && def->restitution <= 1.0)) {
        tn_complain(check, "restitution", TN_WHOLE_FIELD, NULL,
                    "restitution must be between 0 and 1, not %g", def->restitution);
    }
    if (!isnan(def->compliance))
        tn_check_not_negative(check, "compliance", TN_WHOLE_FIELD, def->compliance, "compliance");
    if (!isnan(def->damping))
        tn_check_not_negative(check, "damping", TN_WHOLE_FIELD, def->damping, "damping");
    if (!isnan(def->break_force) && !(def->break_force > 0.0)) {
        tn_complain(check, "break_force", TN_WHOLE_FIELD, NULL,
                    "break force must be positive, not %g", def->break_force);
    }
    tn_check_coupling_drive(check, def);
}
