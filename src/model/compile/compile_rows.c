/* compile_rows.c: room model/compile: which rows of each joint act, their scale, compliance and damping.
 *
 * The scale of row i is its inverse effective mass A_ii = G_i M^-1 G_i^T at t = 0
 * (docs/explanation/constraint_solver.md, 3); critical damping follows from it: D = 2 sqrt(m_eff / C), m_eff = 1 /
 * A_ii, where the ArtiSynth Modeling Guide, (3.24), takes the bodies' total mass, which has the wrong unit for
 * rotary rows.
 */
#include <math.h>
#include <string.h>

#include "model/compile/compile.h"
#include "model/row_values.h"

/* C of a swing at so many hertz: 1/C = m (2 pi f)^2; 0, hard, when unset. */
static double compliance_of(double compliance, double hertz, double mass)
{
    const double rate = 2.0 * TN_PI * hertz; /* rad/s */
    if (!isnan(hertz))
        return 1.0 / (mass * rate * rate);
    return isnan(compliance) ? 0.0 : compliance;
}

/* Per-row values have priority over the collective ones; unset is hard. Without a given damping, rows with a
 * frequency and those of the collective values are critically damped, others undamped. */
static void compile_row_compliance(const tn_joint_def *def, const tn_row_values *own,
                                   tn_model_joint *joint, int32_t k)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    const int linear = (info->rows[k].flags & TN_ROW_LINEAR) != 0;
    const int told = !isnan(own->compliance[k]) || !isnan(own->frequency[k]);
    const double mass = 1.0 / joint->row_scale[k];
    double C = compliance_of(own->compliance[k], own->frequency[k], mass);
    double ratio = isnan(own->frequency[k]) ? 0.0 : 1.0;
    if (!told && tn_joint_row_holds(info, k)) {
        C = linear ? compliance_of(def->linear_compliance, def->linear_frequency, mass)
                   : compliance_of(def->rotary_compliance, def->rotary_frequency, mass);
        ratio = linear ? def->linear_damping_ratio : def->rotary_damping_ratio;
        ratio = isnan(ratio) ? 1.0 : ratio;
    }
    if (!isnan(own->damping_ratio[k]))
        ratio = own->damping_ratio[k];
    joint->compliance[k] = C;
    joint->damping[k] = C > 0.0 ? 2.0 * ratio * sqrt(mass / C) : 0.0;
    if (!isnan(own->damping[k]))
        joint->damping[k] = own->damping[k];
}

static tn_status compile_compliance(tn_model *model, const tn_spec *spec, int32_t j,
                                    tn_diagnostics *diags)
{
    tn_row_values own;
    const tn_status status = tn_model_row_values(model, spec, j, diags, &own);
    for (int32_t k = 0; k < model->joints[j].geometry.cls->info.row_count && status == TN_OK; k++)
        compile_row_compliance(tn_spec_joint(spec, (tn_joint){j}), &own, &model->joints[j], k);
    return status;
}

/* What the type holds unless the joint gives a range; q0 are the coordinates at the start. */
static void compile_start(const tn_joint_def *def, tn_model_joint *joint, int32_t i)
{
    const tn_joint_start start = joint->geometry.cls->info.start;
    if (!isinf(def->lower[i]) || !isinf(def->upper[i]))
        return;
    if (start == TN_START_HELD)
        joint->locked[i] = 1;
    if (start == TN_START_AT_MOST)
        joint->upper[i] = joint->q0[i];
}

/* Constraint rows: those of types that hold coordinates are motion rows. */
static int32_t count_constraints(const tn_model_joint *joint)
{
    const int held = joint->geometry.cls->info.start == TN_START_HELD;
    int32_t count = joint->kept_bilateral;
    for (int32_t n = joint->kept_bilateral; n < joint->kept_count && held; n++) {
        const int32_t i = joint->geometry.cls->info.rows[joint->kept[n]].coordinate;
        count += i >= 0 && joint->locked[i];
    }
    return count;
}

static void compile_joint_rows(tn_model *model, const tn_joint_def *def, tn_model_joint *joint)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    const tn_xform T_A = tn_model_initial_xform(model, joint->a);
    const tn_xform T_B = tn_model_initial_xform(model, joint->b);
    tn_joint_moving moving;
    tn_joint_kinematics kin = {.moving = &moving};
    tn_joint_kinematics_update(&joint->geometry, &T_A, &T_B, joint->q0, &kin);
    for (int32_t k = 0; k < info->row_count; k++) {
        int acts;
        joint->row_scale[k] = tn_model_row_scale(model, joint, &kin, &T_A.R, &T_B.R, k, &acts);
        if (!acts)
            continue;
        joint->kept[joint->kept_count++] = (int8_t)k;
        if (info->rows[k].flags & TN_ROW_BILATERAL)
            joint->kept_bilateral++;
    }
    joint->softness = isnan(def->relative_compliance) ? 1.0 : def->relative_compliance;
    /* the coordinates the joint really has at t = 0, turns counted from the initial ones */
    double q[TN_MAX_COORDINATES] = {0};
    joint->geometry.cls->pose_to_coordinates(&joint->geometry.setup, &kin.T_GD, joint->q0, q);
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        joint->q0[i] = joint->held_at[i] = q[i];
        compile_start(def, joint, i);
    }
}

/* What a joint that a simulation goes on with has of its start: scales are of the first pose. */
static void keep_rows(const tn_model_joint *old, tn_model_joint *joint)
{
    memcpy(joint->row_scale, old->row_scale, sizeof joint->row_scale);
    memcpy(joint->compliance, old->compliance, sizeof joint->compliance);
    memcpy(joint->damping, old->damping, sizeof joint->damping);
    memcpy(joint->q0, old->q0, sizeof joint->q0);
    memcpy(joint->held_at, old->held_at, sizeof joint->held_at);
    memcpy(joint->upper, old->upper, sizeof joint->upper);
    memcpy(joint->kept, old->kept, sizeof joint->kept);
    joint->kept_count = old->kept_count;
    joint->kept_bilateral = old->kept_bilateral;
}

static void drop_rows(tn_model_joint *joint)
{
    joint->kept_count = joint->kept_bilateral = 0;
}

tn_status tn_model_compile_rows(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    tn_status status = TN_OK;
    for (int32_t j = 0; j < model->joint_count; j++) {
        tn_model_joint *joint = &model->joints[j];
        compile_joint_rows(model, tn_spec_joint(spec, (tn_joint){j}), joint);
        const tn_status soft = compile_compliance(model, spec, j, diags);
        status = status == TN_OK ? soft : status;
        if (tn_model_keeps(model, TN_SECTION_JOINT, j))
            keep_rows(&model->from->model->joints[j], joint);
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            drop_rows(joint);
        model->size.rows += count_constraints(joint);
    }
    return status;
}

/* Lists those of joint j, if there is a list; how many there are. */
static int32_t list_armatures(const tn_model *model, int32_t j, tn_model_armature *list)
{
    const tn_model_joint *joint = &model->joints[j];
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    int32_t count = 0;
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        if (!(joint->armature[i] > 0.0) || !tn_model_has_motion(joint, i))
            continue;
        if (list) {
            list[count] = (tn_model_armature){
                .joint = j, .row = info->bilateral_count + i, .inertia = joint->armature[i]};
        }
        count++;
    }
    return count;
}

tn_status tn_model_compile_armatures(tn_model *model)
{
    int32_t count = 0;
    for (int32_t j = 0; j < model->joint_count; j++)
        count += list_armatures(model, j, NULL);
    model->armatures = TN_NEW_ARRAY(tn_model_armature, count);
    if (!model->armatures)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->joint_count; j++)
        model->armature_count += list_armatures(model, j, model->armatures + model->armature_count);
    return TN_OK;
}
