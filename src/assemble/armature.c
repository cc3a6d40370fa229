/* armature.c: room assemble: inertia along coordinates (armature.h). */
#include "assemble/armature.h"

#include "assemble/joint_terms.h"

static double speed_of(const tn_system *sys, const tn_model_armature *armature, const double *u)
{
    const int8_t row = (int8_t)armature->row;
    double speed;
    tn_joint_speeds(sys, armature->joint, u, (tn_row_list){&row, 1}, &speed);
    return speed;
}

/* (dc/dt) u */
static double turning_of(const tn_system *sys, const tn_model_armature *armature, const double *u)
{
    double all[TN_MAX_ROWS];
    tn_joint_accelerations(sys, armature->joint, u, all);
    return all[armature->row];
}

/* Of a force along its coordinate, on A. */
static tn_wrench wrench_of(const tn_system *sys, const tn_model_armature *armature, double force)
{
    const int32_t j = armature->joint;
    tn_wrench w;
    tn_joint_row_wrench(&sys->model->joints[j].geometry, &sys->kin[j], armature->row, &w.f, &w.m);
    return (tn_wrench){v3_scale(force, w.f), v3_scale(force, w.m)};
}

/* f += c^T force */
static void push(const tn_system *sys, const tn_model_armature *armature, double force, double *f)
{
    tn_joint_add_wrench(sys, armature->joint, wrench_of(sys, armature, force), f);
}

/* -a c udot, unless that is NULL, and what turns c. */
static double force_of(const tn_system *sys, const tn_model_armature *armature, const double *u,
                       const double *udot)
{
    const double turning = turning_of(sys, armature, u);
    return -armature->inertia * (udot ? turning + speed_of(sys, armature, udot) : turning);
}

static bool is_on(const tn_system *sys, const tn_state *state, int32_t n)
{
    return tn_state_is_on(sys->model, state, sys->model->armatures[n].joint);
}

void tn_armatures_fill(tn_system *sys, const tn_state *state)
{
    const tn_model *model = sys->model;
    const tn_kkt_layout *layout = sys->layout;
    for (int32_t n = 0; n < model->armature_count; n++) {
        const tn_model_armature *armature = &model->armatures[n];
        const int32_t dual = model->element_count + n;
        const int64_t slot = layout->y_offset[dual];
        sys->values->rows[dual] = is_on(sys, state, n);
        if (!sys->values->rows[dual])
            continue;
        sys->values->a[slot] = model->joints[armature->joint].row_scale[armature->row];
        sys->values->e[slot] = 0.0;
        sys->values->r[slot] = 1.0 / armature->inertia;
        for (int32_t k = layout->dual_start[dual]; k < layout->dual_start[dual + 1]; k++) {
            if (layout->g_offset[k] >= 0) {
                tn_joint_fill_row(sys, armature->joint, armature->row, k - layout->dual_start[dual],
                                  sys->values->g + layout->g_offset[k]);
            }
        }
    }
}

void tn_armatures_leave_out(tn_system *sys)
{
    for (int32_t n = 0; n < sys->model->armature_count; n++)
        sys->values->rows[sys->model->element_count + n] = 0;
}

void tn_armatures_add_forces(const tn_system *sys, const tn_state *state, const double *u,
                             const double *udot, double *f)
{
    for (int32_t n = 0; n < sys->model->armature_count; n++) {
        const tn_model_armature *armature = &sys->model->armatures[n];
        if (is_on(sys, state, n))
            push(sys, armature, force_of(sys, armature, u, udot), f);
    }
}

void tn_armatures_add_momenta(const tn_system *sys, const tn_state *state, const double *u,
                              double *f)
{
    for (int32_t n = 0; n < sys->model->armature_count; n++) {
        const tn_model_armature *armature = &sys->model->armatures[n];
        if (is_on(sys, state, n))
            push(sys, armature, armature->inertia * speed_of(sys, armature, u), f);
    }
}

/* Of coordinates from n on that are of one joint: their speeds. Returns how many these are. */
static int32_t speeds_of_joint(const tn_system *sys, const tn_state *state, const double *u,
                               int32_t n, double *speeds)
{
    const tn_model_armature *of = &sys->model->armatures[n];
    const int32_t left = sys->model->armature_count - n;
    int8_t rows[TN_MAX_ROWS];
    int32_t count = 0;
    while (count < left && count < TN_MAX_ROWS && of[count].joint == of->joint) {
        rows[count] = (int8_t)of[count].row;
        speeds[count++] = 0.0;
    }
    if (is_on(sys, state, n))
        tn_joint_speeds(sys, of->joint, u, (tn_row_list){rows, count}, speeds);
    return count;
}

void tn_armatures_speeds(const tn_system *sys, const tn_state *state, const double *u,
                         double *speeds)
{
    for (int32_t n = 0; n < sys->model->armature_count;)
        n += speeds_of_joint(sys, state, u, n, speeds + n);
}

double tn_armatures_energy(const tn_system *sys, const tn_state *state, const double *u)
{
    double sum = 0.0;
    for (int32_t n = 0; n < sys->model->armature_count;) {
        double speeds[TN_MAX_ROWS];
        const int32_t count = speeds_of_joint(sys, state, u, n, speeds);
        for (int32_t i = 0; i < count; i++)
            sum += 0.5 * sys->model->armatures[n + i].inertia * speeds[i] * speeds[i];
        n += count;
    }
    return sum;
}

tn_wrench tn_armature_wrench(const tn_system *sys, const tn_state *state, int32_t n,
                             const double *u, const double *udot)
{
    const tn_model_armature *armature = &sys->model->armatures[n];
    const double force = is_on(sys, state, n) ? force_of(sys, armature, u, udot) : 0.0;
    return wrench_of(sys, armature, force);
}

double tn_armature_force(const tn_system *sys, const tn_state *state, int32_t j, int32_t i,
                         const double *u, const double *udot)
{
    const tn_model_joint *joint = &sys->model->joints[j];
    if (!(joint->armature[i] > 0.0) || !tn_state_is_on(sys->model, state, j))
        return 0.0;
    const tn_model_armature of = {
        .joint = j, .row = tn_motion_row(joint, i), .inertia = joint->armature[i]};
    return force_of(sys, &of, u, udot);
}
