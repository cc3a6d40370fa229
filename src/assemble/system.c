/* system.c: room assemble: making the workspace, and the small passes between state and slots. */
#include <string.h>

#include "assemble/armature.h"
#include "base/base.h"

const tn_xform tn_ground_xform = {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}},
                                  {0.0, 0.0, 0.0}};

tn_vec3 tn_system_place(const tn_system *sys, const tn_model_joint *joint)
{
    return xf_point(tn_system_xform(sys, joint->a), joint->geometry.T_CA.p);
}

/* A body without inertia about some axis, or a light one while it is held, has more in the factor. */
static void set_stand_in(tn_system *sys, const tn_model_body *body, bool held)
{
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    for (int32_t c = 0; c < s->dim; c++) {
        sys->values->delta[body->u + c] =
            (s->column[c] < 3 ? 0.0 : body->stand_in_inertia) + (held ? body->bearing[c] : 0.0);
    }
}

static bool is_hard(const tn_model_joint *joint, const tn_switches *s)
{
    bool hard = s->active_count >= joint->kept_bilateral;
    for (int32_t n = 0; n < joint->kept_bilateral && hard; n++)
        hard = s->compliance[s->active[n]] == 0.0;
    return hard;
}

void tn_assemble_stand_ins(tn_system *sys, const tn_state *state)
{
    const tn_model *model = sys->model;
    if (model->held_groups == 0)
        return;
    memset(sys->loose, 0, (size_t)model->held_groups + 1);
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_model_joint *joint = &model->joints[j];
        if (joint->holds > 0 && !is_hard(joint, &state->switches[j]))
            sys->loose[joint->holds] = 1;
    }
    for (int32_t i = 0; i < model->body_count; i++) {
        const int32_t group = model->bodies[i].held_by;
        if (group > 0)
            set_stand_in(sys, &model->bodies[i], !sys->loose[group]);
    }
}

tn_status tn_system_create(const tn_model *model, tn_system *sys)
{
    memset(sys, 0, sizeof *sys);
    sys->model = model;
    sys->layout = tn_kkt_get_layout(model->kkt);
    sys->T = TN_NEW_ARRAY(tn_xform, model->body_count);
    sys->kin = tn_joint_kinematics_create(model->element_count);
    sys->terms = TN_NEW_ARRAY(tn_term_state, model->term_start[model->coupling_count]);
    sys->frames = TN_NEW_ARRAY(tn_mean_frame, model->mean_count);
    sys->loose = TN_NEW_ARRAY(int8_t, model->held_groups + 1);
    sys->f = TN_NEW_ARRAY(double, sys->layout->u_size);
    sys->du = TN_NEW_ARRAY(double, sys->layout->u_size);
    sys->phi = TN_NEW_ARRAY(double, sys->layout->y_size);
    sys->g = TN_NEW_ARRAY(double, sys->layout->y_size);
    sys->gap = TN_NEW_ARRAY(double, model->loop_joints > 0 ? sys->layout->y_size : 0);
    sys->y = TN_NEW_ARRAY(double, sys->layout->y_size);
    if (!sys->T || !sys->frames || !sys->loose || !sys->kin || !sys->terms || !sys->f || !sys->du ||
        !sys->phi || !sys->g || !sys->y || !sys->gap)
        return TN_ERROR_MEMORY;
    tn_status status = tn_kkt_values_create(model->kkt, &sys->values);
    if (status == TN_OK)
        status = tn_kkt_factor_create(model->kkt, &sys->factor);
    for (int32_t i = 0; i < model->body_count && status == TN_OK; i++)
        set_stand_in(sys, &model->bodies[i], true);
    if (status == TN_OK)
        tn_armatures_leave_out(sys); /* until the mass is assembled */
    return status;
}

void tn_system_destroy(tn_system *sys)
{
    tn_kkt_values_destroy(sys->values);
    tn_kkt_factor_destroy(sys->factor);
    tn_free(sys->T);
    tn_free(sys->kin);
    tn_free(sys->terms);
    tn_free(sys->frames);
    tn_free(sys->loose);
    tn_free(sys->f);
    tn_free(sys->du);
    tn_free(sys->phi);
    tn_free(sys->g);
    tn_free(sys->gap);
    tn_free(sys->y);
    memset(sys, 0, sizeof *sys);
}

void tn_assemble_gather_lambda(const tn_system *sys, const tn_state *state, double *y)
{
    for (int32_t j = 0; j < sys->model->element_count; j++) {
        const tn_switches *s = &state->switches[j];
        const double *lambda = state->lambda + (size_t)j * TN_MAX_ROWS;
        double *slot = y + sys->layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++)
            slot[n] = lambda[s->active[n]];
    }
    tn_clear_armatures(sys, y);
}

void tn_assemble_scatter_lambda(const tn_system *sys, tn_state *state, const double *y,
                                double factor)
{
    for (int32_t j = 0; j < sys->model->element_count; j++) {
        const tn_switches *s = &state->switches[j];
        double *lambda = state->lambda + (size_t)j * TN_MAX_ROWS;
        const double *slot = y + sys->layout->y_offset[j];
        memset(lambda, 0, sizeof(double) * TN_MAX_ROWS);
        for (int32_t n = 0; n < s->active_count; n++)
            lambda[s->active[n]] = factor * slot[n];
    }
}
