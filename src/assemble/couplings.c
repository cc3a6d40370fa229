/* couplings.c: room assemble: the row of a coupling, put together from those of its joints.
 *
 * In: kinematics of the joints. With c = sum f_k(q_k), G_k the motion row of coordinate q_k on the
 * velocities u and gamma_k its (dG_k/dt) u:
 *     row      G = sum f_k' G_k
 *     speed    G u = sum f_k' q_k'
 *     gamma    (dG/dt) u = sum (f_k' gamma_k + f_k'' q_k'^2)
 *     forces   G^T lambda: through each joint f_k' lambda, both bodies.
 */
#include <string.h>

#include "assemble/joint_terms.h"

void tn_coupling_refresh(tn_system *sys, const tn_state *state, int32_t k)
{
    const tn_model *model = sys->model;
    double *value = &sys->kin[model->joint_count + k].q[0];
    *value = 0.0;
    for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++) {
        const tn_model_term *term = &model->terms[t];
        double q[TN_MAX_COORDINATES] = {0}, f[3];
        tn_joint_follow(sys, state, term->joint, sys->lead, q); /* ahead of the state's */
        tn_model_term_evaluate(term, q[term->coordinate], f);
        sys->terms[t] = (tn_term_state){q[term->coordinate], f[1], f[2]};
        *value += f[0];
    }
}

/* Speed of the coordinate of a term. */
static double term_speed(const tn_system *sys, const tn_model_term *term, const double *u)
{
    const tn_model_joint *joint = &sys->model->joints[term->joint];
    const tn_joint_kinematics *kin = &sys->kin[term->joint];
    double twist[6];
    tn_assemble_joint_twist(sys, u, term->joint, twist);
    return tn_joint_row_speed(&joint->geometry, kin, term->row, twist);
}

double tn_coupling_speed(const tn_system *sys, int32_t k, const double *u)
{
    const tn_model *model = sys->model;
    double sum = 0.0;
    for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++)
        sum += sys->terms[t].slope * term_speed(sys, &model->terms[t], u);
    return sum;
}

double tn_coupling_gamma(const tn_system *sys, int32_t k, const double *u)
{
    const tn_model *model = sys->model;
    double sum = 0.0;
    for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++) {
        const tn_model_term *term = &model->terms[t];
        const tn_model_joint *joint = &model->joints[term->joint];
        const double speed = term_speed(sys, term, u);
        double all[TN_MAX_ROWS];
        tn_joint_row_accelerations(&joint->geometry, &sys->kin[term->joint],
                                   tn_system_xform(sys, joint->a), tn_system_xform(sys, joint->b),
                                   tn_assemble_twist(sys, u, joint->a),
                                   tn_assemble_twist(sys, u, joint->b), all);
        sum += sys->terms[t].slope * all[term->row] + sys->terms[t].curvature * speed * speed;
    }
    return sum;
}

tn_wrench tn_coupling_wrench(const tn_system *sys, int32_t t, double lambda)
{
    const tn_model_term *term = &sys->model->terms[t];
    tn_wrench w;
    tn_joint_row_wrench(&sys->model->joints[term->joint].geometry, &sys->kin[term->joint],
                        term->row, &w.f, &w.m);
    const double force = lambda * sys->terms[t].slope;
    return (tn_wrench){v3_scale(force, w.f), v3_scale(force, w.m)};
}

void tn_coupling_add_forces(const tn_system *sys, int32_t k, double lambda, double *f)
{
    const tn_model *model = sys->model;
    for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++)
        tn_joint_add_wrench(sys, model->terms[t].joint, tn_coupling_wrench(sys, t, lambda), f);
}

/* Adds a term's row to the block of one of its bodies. */
static void add_term(tn_system *sys, int32_t k, int32_t t, int side)
{
    const tn_model *model = sys->model;
    const tn_model_term *term = &model->terms[t];
    const int32_t place = side ? term->place_b : term->place_a;
    const int32_t incidence = sys->layout->dual_start[model->joint_count + k] + place;
    if (place < 0 || sys->layout->g_offset[incidence] < 0)
        return;
    const int32_t body = model->coupled[model->coupled_start[k] + place];
    const tn_motion_subspace *space = tn_motion_subspace_get(model->bodies[body].kind);
    double row[6], *block = sys->values->g + sys->layout->g_offset[incidence];
    tn_model_term_covector(model, term, &sys->kin[term->joint], side, &sys->T[body].R, row);
    for (int32_t c = 0; c < space->dim; c++)
        block[c] += sys->terms[t].slope * row[space->column[c]];
}

void tn_coupling_fill(tn_system *sys, int32_t k)
{
    const tn_model *model = sys->model;
    const tn_kkt_layout *layout = sys->layout;
    const int32_t j = model->joint_count + k;
    for (int32_t i = layout->dual_start[j]; i < layout->dual_start[j + 1]; i++)
        if (layout->g_offset[i] >= 0)
            memset(sys->values->g + layout->g_offset[i], 0,
                   sizeof(double) * (size_t)layout->primal_dim[layout->dual_primal[i]]);
    for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++)
        for (int side = 0; side < 2; side++)
            add_term(sys, k, t, side);
}

double tn_coupling_scale(const tn_system *sys, int32_t k)
{
    const tn_kkt_layout *layout = sys->layout;
    const int32_t j = sys->model->joint_count + k;
    double sum = 0.0;
    for (int32_t i = layout->dual_start[j]; i < layout->dual_start[j + 1]; i++) {
        const tn_model_body *body = &sys->model->bodies[layout->dual_primal[i]];
        const double *row = sys->values->g + layout->g_offset[i];
        for (int32_t c = 0; layout->g_offset[i] >= 0 && c < body->dim; c++)
            sum += row[c] * row[c] * body->inverse_inertia[c];
    }
    return sum;
}

double tn_coupling_mass(const tn_system *sys, int32_t k)
{
    const tn_model *model = sys->model;
    double sum = 0.0, felt = 0.0;
    for (int32_t i = model->coupled_start[k]; i < model->coupled_start[k + 1]; i++) {
        const int32_t body = model->coupled[i], place = i - model->coupled_start[k];
        double all[6] = {0.0}, row[6];
        for (int32_t t = 2 * model->term_start[k]; t < 2 * model->term_start[k + 1]; t++) {
            const tn_model_term *term = &model->terms[t / 2];
            if ((t % 2 ? term->place_b : term->place_a) != place)
                continue;
            tn_model_term_covector(model, term, &sys->kin[term->joint], t % 2, &sys->T[body].R,
                                   row);
            for (int c = 0; c < 6; c++)
                all[c] += sys->terms[t / 2].slope * row[c];
        }
        sum += tn_model_inverse_mass(&model->bodies[body], all, &felt);
    }
    return 1.0 / sum;
}
