/* acts.c: room measure/lint: what is said to act and does not (acts.h).
 *
 * In: a simulation and its spec. Out: warnings. A run of such a model is right, and its numbers are
 * zero, or it ends early, which is unexpected.
 */
#include "measure/lint/acts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/row_values.h"
#include "spec/spec_internal.h"

typedef struct lint {
    const tn_model *model;
    const tn_spec *spec;
    tn_diagnostics *diags;
} lint;

static bool is_positive(double value)
{
    return !isnan(value) && value > 0.0;
}

static const tn_drive_def *drive_of(const tn_joint_def *def, int32_t coordinate)
{
    for (int32_t k = 0; k < def->drive_count; k++) {
        if (def->drives[k].coordinate == coordinate) {
            return &def->drives[k];
        }
    }
    return NULL;
}

/* friction ---------------------------------------------------------------------------------------
 */

static void check_coefficient(const lint *l, int32_t j)
{
    const tn_joint_def *def = tn_spec_joint(l->spec, (tn_joint){j});
    const tn_joint_type_info *info = tn_model_joint_info(l->model, (tn_joint){j});
    if (l->model->joints[j].kept_bilateral > 0) {
        return;
    }
    for (int32_t k = 0; k < def->drive_count; k++) {
        const tn_friction_def *friction = &def->drives[k].friction;
        if (is_positive(friction->coefficient) || is_positive(friction->static_coefficient)) {
            tn_diagnostics_add(
                l->diags, TN_WARNING, TN_OK, def->at,
                "'force' is friction of its own; limits carry none",
                "the coefficient of friction of %s.%s does nothing: no constraint of "
                "a %s carries a force",
                def->name, info->coordinates[def->drives[k].coordinate].name, info->name);
        }
    }
}

/* rows that do not act, or are hard ---------------------------------------------------------------
 */

typedef struct joint_lint {
    const lint *l;
    int32_t j;
    const tn_joint_def *def;
    const tn_model_joint *joint;
    const tn_joint_type_info *info;
} joint_lint;

/* Where a key of the joint was written, or the joint. */
static tn_location place_of(const joint_lint *c, const char *key)
{
    const tn_place *place =
        tn_spec_find_place(c->l->spec, TN_SECTION_JOINT, c->j, key, TN_WHOLE_FIELD);
    tn_location at = c->def->at;
    if (place) {
        at.line = place->line;
        at.column = place->column;
    }
    return at;
}

static const char *written(const joint_lint *c, const char *key, const char *other)
{
    return tn_spec_written_key(c->l->spec, TN_SECTION_JOINT, c->j, key, other);
}

static void warn(const joint_lint *c, const char *key, const char *hint, const char *why)
{
    tn_diagnostics_add(c->l->diags, TN_WARNING, TN_OK, place_of(c, key), hint,
                       "joint '%s': '%s' does nothing: %s", c->def->name, key, why);
}

/* Has the coordinate a lock or a limit, as the model begins? */
static bool is_held(const joint_lint *c, int32_t i)
{
    return c->joint->locked[i] || isfinite(c->joint->lower[i]) || isfinite(c->joint->upper[i]);
}

/* Does a row between the bodies carry anything, as the model begins? */
static bool acts(const joint_lint *c, int32_t row)
{
    bool kept = false;
    for (int32_t n = 0; n < c->joint->kept_count; n++) {
        kept |= c->joint->kept[n] == row;
    }
    const int32_t i = c->info->rows[row].coordinate;
    return kept && (row < c->info->bilateral_count || (i >= 0 && is_held(c, i)));
}

/* How many rows of a kind act and are soft, or all that act. */
static int32_t count_rows(const joint_lint *c, uint32_t kind, bool only_soft)
{
    int32_t count = 0;
    for (int32_t k = 0; k < c->info->row_count; k++) {
        const bool wanted = acts(c, k) && (c->info->rows[k].flags & kind) != 0;
        count += wanted && (!only_soft || c->joint->compliance[k] > 0.0);
    }
    return count;
}

#define ANY_ROW (TN_ROW_LINEAR | TN_ROW_ROTARY)

/* Damping of one number is meant where a row is soft; of a list each entry is. */
static void check_damping(const joint_lint *c, const char *key, const double *values, int32_t told)
{
    char why[80];
    const bool any_soft = told == TN_ROWS_ALIKE && count_rows(c, ANY_ROW, true) > 0;
    for (int32_t k = 0; k < c->info->row_count && !any_soft; k++) {
        if (is_positive(values[k]) && c->joint->compliance[k] <= 0.0) {
            snprintf(why, sizeof why, "row %s is hard", c->info->rows[k].name);
            warn(c, key, "damping needs a compliance, stiffness or frequency",
                 told == TN_ROWS_ALIKE ? "the joint is hard" : why);
            return;
        }
    }
}

/* Compliance, or a frequency, of a row that nothing holds. */
static void check_soft(const joint_lint *c, const char *key, const double *values, int32_t told)
{
    char why[80];
    const bool any_acts = told == TN_ROWS_ALIKE && count_rows(c, ANY_ROW, false) > 0;
    for (int32_t k = 0; k < c->info->row_count && !any_acts; k++) {
        if (is_positive(values[k]) && !acts(c, k)) {
            snprintf(why, sizeof why, "nothing acts in row %s", c->info->rows[k].name);
            warn(c, key, "a 'spring' pulls; 'range' and 'locked' hold a coordinate",
                 told == TN_ROWS_ALIKE ? "the joint holds nothing" : why);
            return;
        }
    }
}

static void check_group(const joint_lint *c, const char *const keys[3], const double values[3],
                        uint32_t kind)
{
    for (int i = 0; i < 3; i++) {
        if (is_positive(values[i]) && count_rows(c, kind, i == 2) == 0) {
            warn(c, keys[i], NULL,
                 i == 2 ? "no row of the kind is soft" : "no row of the kind acts");
        }
    }
}

static void check_rows(const joint_lint *c)
{
    tn_row_values own;
    const tn_joint_def *def = c->def;
    if (tn_model_row_values(c->l->model, c->l->spec, c->j, NULL, &own) != TN_OK) {
        return;
    }
    check_soft(c, written(c, "compliance", "stiffness"), own.compliance, def->compliance_rows);
    check_soft(c, "frequency", own.frequency, def->frequency_rows);
    check_damping(c, "damping", own.damping, def->damping_rows);
    check_damping(c, "damping_ratio", own.damping_ratio, def->damping_ratio_rows);
    check_group(
        c,
        (const char *const[]){written(c, "linear_compliance", "linear_stiffness"),
                              "linear_frequency", "linear_damping_ratio"},
        (const double[]){def->linear_compliance, def->linear_frequency, def->linear_damping_ratio},
        TN_ROW_LINEAR);
    check_group(
        c,
        (const char *const[]){written(c, "rotary_compliance", "rotary_stiffness"),
                              "rotary_frequency", "rotary_damping_ratio"},
        (const double[]){def->rotary_compliance, def->rotary_frequency, def->rotary_damping_ratio},
        TN_ROW_ROTARY);
}

static void check_bounce(const joint_lint *c)
{
    char why[TN_HINT_SIZE];
    for (int32_t i = 0; i < c->info->coordinate_count; i++) {
        const bool limited = isfinite(c->joint->lower[i]) || isfinite(c->joint->upper[i]);
        if (is_positive(c->def->restitution[i]) && !limited) {
            snprintf(why, sizeof why, "'%.60s' has no limit to bounce at",
                     c->info->coordinates[i].name);
            warn(c, "restitution", "give it a 'range'", why);
        }
    }
}

/* Can anything of a kind act between the bodies: constraints, or what acts on coordinates? */
static bool carries(const joint_lint *c, uint32_t kind)
{
    bool any = count_rows(c, kind, false) > 0;
    for (int32_t k = c->info->bilateral_count; k < c->info->row_count; k++) {
        const int32_t i = c->info->rows[k].coordinate;
        any |= i >= 0 && (c->info->rows[k].flags & kind) != 0 && drive_of(c->def, i) != NULL;
    }
    return any;
}

static void check_breaks(const joint_lint *c)
{
    if (!isnan(c->def->break_force) && !carries(c, TN_ROW_LINEAR)) {
        warn(c, "break_force", NULL, "the joint carries no force");
    }
    if (!isnan(c->def->break_torque) && !carries(c, TN_ROW_ROTARY)) {
        warn(c, "break_torque", NULL, "the joint carries no moment");
    }
}

static void check_joint(const lint *l, int32_t j)
{
    const joint_lint c = {l, j, tn_spec_joint(l->spec, (tn_joint){j}), &l->model->joints[j],
                          tn_model_joint_info(l->model, (tn_joint){j})};
    check_coefficient(l, j);
    check_rows(&c);
    check_bounce(&c);
    check_breaks(&c);
}

/* parts of efforts -------------------------------------------------------------------------------
 */

/* Can the coordinate have such a part, as the model begins? Along a coordinate no constraint acts. */
static bool has_part(const tn_joint_def *def, int32_t i, tn_wrench_part part)
{
    const tn_drive_def *drive = drive_of(def, i);
    switch (part) {
    case TN_WRENCH_CONSTRAINT:
    case TN_WRENCH_COMPLIANCE:
        return false;
    case TN_WRENCH_LOCK:
        return def->locked[i] != 0;
    case TN_WRENCH_LIMIT:
        return true; /* of many types by themselves */
    case TN_WRENCH_DRIVER:
        return drive && drive->position.kind != TN_FUNCTION_NONE;
    case TN_WRENCH_MOTOR:
        return drive && (drive->motor.speed.kind != TN_FUNCTION_NONE ||
                         drive->motor.position.kind != TN_FUNCTION_NONE);
    case TN_WRENCH_FRICTION:
        return drive &&
               (is_positive(drive->friction.force) || is_positive(drive->friction.coefficient) ||
                is_positive(drive->friction.viscous));
    case TN_WRENCH_SPRING:
        return drive &&
               (is_positive(drive->spring.stiffness) || is_positive(drive->spring.frequency) ||
                is_positive(drive->spring.damping) || drive->spring.force.kind != TN_FUNCTION_NONE);
    default:
        return true;
    }
}

/* "drive, limit": what there is. */
static const char *name_parts(const tn_joint_def *def, int32_t i, char *text, size_t size)
{
    text[0] = '\0';
    for (int32_t part = 0; part < TN_WRENCH_PART_COUNT; part++) {
        if (has_part(def, i, (tn_wrench_part)part)) {
            const size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s",
                     used > 0 ? ", " : "there are: ", tn_wrench_part_name((tn_wrench_part)part));
        }
    }
    return text;
}

static void check_part(const lint *l, int32_t m)
{
    const tn_measure_def *def = tn_spec_measure(l->spec, (tn_measure_id){m});
    const bool of_effort =
        def->quantity == TN_QUANTITY_EFFORT || def->quantity == TN_QUANTITY_POWER;
    char parts[160];
    if (!of_effort || def->joint.i >= TN_COUPLING_JOINTS || def->part == TN_WRENCH_PART_COUNT) {
        return;
    }
    const tn_joint_def *joint = tn_spec_joint(l->spec, def->joint);
    if (!has_part(joint, def->coordinate, def->part)) {
        tn_diagnostics_add(
            l->diags, TN_WARNING, TN_OK, def->at,
            name_parts(joint, def->coordinate, parts, sizeof parts),
            "measure '%s' stays 0: %s.%s has no part '%s'", def->name, joint->name,
            tn_model_joint_info(l->model, def->joint)->coordinates[def->coordinate].name,
            tn_wrench_part_name(def->part));
    }
}

/* tables -----------------------------------------------------------------------------------------
 */

/* The last time of a table that says nothing beyond it; infinite: it does. */
static double end_of(const tn_function_def *f)
{
    const bool table = f->kind == TN_FUNCTION_TABLE || f->kind == TN_FUNCTION_SPLINE;
    return table && f->bounded && f->count >= 2 ? f->numbers[f->count - 2] : (double)INFINITY;
}

static void check_ends(const lint *l, int32_t k)
{
    const tn_load_def *def = tn_spec_load(l->spec, (tn_load){k});
    const tn_function_def *const functions[] = {&def->force[0],  &def->force[1],  &def->force[2],
                                                &def->moment[0], &def->moment[1], &def->moment[2],
                                                &def->thrust,    &def->effort};
    const double duration = tn_model_simulation(l->model)->duration;
    double end = (double)INFINITY;
    for (size_t i = 0; i < TN_COUNT_OF(functions); i++) {
        end = fmin(end, end_of(functions[i]));
    }
    if (end < duration) {
        tn_diagnostics_add(l->diags, TN_WARNING, TN_OK, def->at,
                           "'outside: straight' lets it go on",
                           "the table of load '%s' ends at %.6g s, the simulation at %.6g s",
                           def->name, end, duration);
    }
}

void tn_lint_acts(const tn_sim *sim, const tn_spec *spec, tn_diagnostics *diags)
{
    const lint l = {tn_sim_model(sim), spec, diags};
    for (int32_t j = 0; j < tn_spec_joint_count(spec); j++) {
        if (!tn_spec_is_removed(spec, TN_SECTION_JOINT, j)) {
            check_joint(&l, j);
        }
    }
    for (int32_t m = 0; m < tn_spec_measure_count(spec); m++) {
        if (!tn_spec_is_removed(spec, TN_SECTION_MEASURE, m)) {
            check_part(&l, m);
        }
    }
    for (int32_t k = 0; k < tn_spec_load_count(spec); k++) {
        if (!tn_spec_is_removed(spec, TN_SECTION_LOAD, k)) {
            check_ends(&l, k);
        }
    }
}
