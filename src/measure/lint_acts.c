/* lint_acts.c: room measure: what is said to act and does not (lint_acts.h).
 *
 * In: a simulation and its spec. Out: warnings. A run of such a model is right, and its numbers are
 * zero, or it ends early, where nobody expects that.
 */
#include "measure/lint_acts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
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
            check_coefficient(&l, j);
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
