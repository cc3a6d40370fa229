/* couplings.c: room assemble: the row of a coupling, put together from those of its joints.
 *
 * In: kinematics of the joints. With c = sum f_k(q_k), G_k the motion row of coordinate q_k on the
 * velocities u and gamma_k its (dG_k/dt) u:
 *     row      G = sum f_k' G_k
 *     speed    G u = sum f_k' q_k'
 *     gamma    (dG/dt) u = sum (f_k' gamma_k + f_k'' q_k'^2)
 *     forces   G^T lambda: through each joint f_k' lambda, both bodies.
 */
#include <math.h>
#include <string.h>

#include "assemble/elements.h"

/* Share of the scale at the start that a row without slopes has. */
#define TN_LEAST_SCALE 1e-12

/* The terms of element j. */
typedef struct tn_term_range {
    int32_t first, end;
} tn_term_range;

static tn_term_range terms_of(const tn_model *model, int32_t j)
{
    const int32_t k = tn_model_as_coupling(model, j);
    return (tn_term_range){model->term_start[k], model->term_start[k + 1]};
}

/* Ratio times coordinate is exact, so that gears mesh after any number of turns as after none; of
 * other functions f at q.hi, and along the tangent what it leaves out. */
static tn_dd term_value(const tn_model_term *term, tn_dd q, const double f[3])
{
    if (term->function.def.kind == TN_FUNCTION_NONE) {
        const tn_dd p = dd_product(term->ratio, q.hi);
        return dd_fast_sum(p.hi, p.lo + term->ratio * q.lo);
    }
    return dd_sum(f[0], f[1] * q.lo);
}

static double rounded_from(const tn_model *model, const tn_model_term *term, double q,
                           const double f[3])
{
    const unsigned exact = model->joints[term->joint].geometry.cls->whole_turns;
    if (term->function.def.kind == TN_FUNCTION_NONE && (exact >> term->coordinate & 1u))
        return 0.0;
    return fabs(f[1] * q);
}

static void refresh(tn_system *sys, const tn_state *state, int32_t j)
{
    const tn_term_range terms = terms_of(sys->model, j);
    tn_dd value = {0.0, 0.0};
    for (int32_t t = terms.first; t < terms.end; t++) {
        const tn_model_term *term = &sys->model->terms[t];
        tn_dd q[TN_MAX_COORDINATES] = {{0.0, 0.0}};
        double f[3];
        tn_joint_follow_turns(sys, state, term->joint, sys->lead, q); /* ahead of the state's */
        tn_model_term_evaluate(term, q[term->coordinate].hi, f);
        sys->terms[t] = (tn_term_state){q[term->coordinate].hi, f[1], f[2],
                                        rounded_from(sys->model, term, q[term->coordinate].hi, f)};
        value = dd_add(value, term_value(term, q[term->coordinate], f));
    }
    sys->kin[j].moving->q[0] = value.hi;
    sys->kin[j].moving->q[1] = value.lo;
}

static void measure(const tn_system *sys, const tn_state *state, int32_t j, const double *reference,
                    tn_dd *q)
{
    (void)state;
    (void)reference;
    q[0] = (tn_dd){sys->kin[j].moving->q[0], sys->kin[j].moving->q[1]};
}

/* The coordinates of its joints are those of now already. */
static void follow(tn_system *sys, const tn_state *state, int32_t j, double h, double *q)
{
    (void)h;
    refresh(sys, state, j);
    q[0] = sys->kin[j].moving->q[0];
}

/* Speed of the coordinate of a term. */
static double term_speed(const tn_system *sys, const tn_model_term *term, const double *u)
{
    const int8_t row = (int8_t)term->row;
    double speed;
    tn_joint_speeds(sys, term->joint, u, (tn_row_list){&row, 1}, &speed);
    return speed;
}

double tn_coupling_speed(const tn_system *sys, int32_t j, const double *u)
{
    const tn_term_range terms = terms_of(sys->model, j);
    double sum = 0.0;
    for (int32_t t = terms.first; t < terms.end; t++)
        sum += sys->terms[t].slope * term_speed(sys, &sys->model->terms[t], u);
    return sum;
}

static void speeds(const tn_system *sys, int32_t j, const double *u, tn_row_list rows,
                   double *speed)
{
    if (rows.count > 0)
        speed[0] = tn_coupling_speed(sys, j, u);
}

static void accelerations(const tn_system *sys, int32_t j, const double *u, double *gamma)
{
    const tn_term_range terms = terms_of(sys->model, j);
    gamma[0] = 0.0;
    for (int32_t t = terms.first; t < terms.end; t++) {
        const tn_model_term *term = &sys->model->terms[t];
        const double speed = term_speed(sys, term, u);
        double all[TN_MAX_ROWS];
        tn_joint_accelerations(sys, term->joint, u, all);
        gamma[0] += sys->terms[t].slope * all[term->row] + sys->terms[t].curvature * speed * speed;
    }
}

static void active_accelerations(const tn_system *sys, const tn_state *state, int32_t j,
                                 const double *u, double *gamma)
{
    (void)state; /* it has one row */
    accelerations(sys, j, u, gamma);
}

tn_wrench tn_coupling_wrench(const tn_system *sys, int32_t t, double force)
{
    const tn_model_term *term = &sys->model->terms[t];
    tn_wrench w;
    tn_joint_row_wrench(&sys->model->joints[term->joint].geometry, &sys->kin[term->joint],
                        term->row, &w.f, &w.m);
    const double through = force * sys->terms[t].slope;
    return (tn_wrench){v3_scale(through, w.f), v3_scale(through, w.m)};
}

static tn_wrench wrench(const tn_system *sys, const tn_state *state, int32_t j, int32_t p,
                        const double *lambda)
{
    const double force = state->switches[j].active_count > 0 ? lambda[0] : 0.0;
    return tn_coupling_wrench(sys, p - sys->model->joint_count, force);
}

/* The known force of its drive. */
static double known_force(const tn_state *state, int32_t j)
{
    const int32_t drive = state->switches[j].drive;
    return drive == TN_NO_DRIVE ? 0.0 : tn_drive_applied(&state->drives[drive]);
}

static tn_wrench known(const tn_system *sys, const tn_state *state, int32_t j, int32_t p)
{
    return tn_coupling_wrench(sys, p - sys->model->joint_count, known_force(state, j));
}

double tn_coupling_force(const tn_state *state, int32_t j)
{
    const int active = state->switches[j].active_count > 0;
    return (active ? state->lambda[(size_t)j * TN_MAX_ROWS] : 0.0) + known_force(state, j);
}

static tn_wrench load(const tn_system *sys, const tn_state *state, int32_t j)
{
    (void)sys;
    return (tn_wrench){v3(tn_coupling_force(state, j), 0.0, 0.0), v3(0.0, 0.0, 0.0)};
}

/* Adds a term's row to the block of one of its bodies. */
static void add_term(tn_system *sys, int32_t j, int32_t t, int side)
{
    const tn_model *model = sys->model;
    const tn_model_term *term = &model->terms[t];
    const int32_t place = side ? term->place_b : term->place_a;
    const int32_t incidence = sys->layout->dual_start[j] + place;
    if (place < 0 || sys->layout->g_offset[incidence] < 0)
        return;
    const int32_t body = sys->layout->dual_primal[incidence];
    const tn_motion_subspace *space = tn_motion_subspace_get(model->bodies[body].kind);
    double row[6], *block = sys->values->g + sys->layout->g_offset[incidence];
    tn_model_term_covector(model, term, &sys->kin[term->joint], side, &sys->T[body].R, row);
    for (int32_t c = 0; c < space->dim; c++)
        block[c] += sys->terms[t].slope * row[space->column[c]];
}

static void fill(tn_system *sys, const tn_state *state, int32_t j)
{
    const tn_kkt_layout *layout = sys->layout;
    const tn_term_range terms = terms_of(sys->model, j);
    if (state->switches[j].active_count == 0)
        return;
    for (int32_t i = layout->dual_start[j]; i < layout->dual_start[j + 1]; i++) {
        if (layout->g_offset[i] >= 0) {
            memset(sys->values->g + layout->g_offset[i], 0,
                   sizeof(double) * (size_t)layout->primal_dim[layout->dual_primal[i]]);
        }
    }
    for (int32_t t = terms.first; t < terms.end; t++) {
        for (int side = 0; side < 2; side++)
            add_term(sys, j, t, side);
    }
}

/* Slopes change as it moves: the scale is that of now, if there is any. */
static double scale(const tn_system *sys, int32_t j, int32_t row)
{
    const tn_kkt_layout *layout = sys->layout;
    double sum = 0.0;
    for (int32_t i = layout->dual_start[j]; i < layout->dual_start[j + 1]; i++) {
        const tn_model_body *body = &sys->model->bodies[layout->dual_primal[i]];
        const double *g = sys->values->g + layout->g_offset[i];
        for (int32_t c = 0; layout->g_offset[i] >= 0 && c < body->dim; c++)
            sum += g[c] * g[c] * body->inverse_inertia[c];
    }
    return fmax(sum, TN_LEAST_SCALE * sys->model->joints[j].row_scale[row]);
}

static double row_mass(const tn_system *sys, const tn_state *state, int32_t j, int32_t row)
{
    const tn_model *model = sys->model;
    const tn_term_range terms = terms_of(model, j);
    const int32_t *coupled = model->coupled_start + tn_model_as_coupling(model, j);
    double sum = 0.0, felt = 0.0;
    (void)state;
    (void)row;
    for (int32_t i = coupled[0]; i < coupled[1]; i++) {
        const int32_t body = model->coupled[i], place = i - coupled[0];
        double all[6] = {0.0}, own[6];
        for (int32_t t = 2 * terms.first; t < 2 * terms.end; t++) {
            const tn_model_term *term = &model->terms[t / 2];
            if ((t % 2 ? term->place_b : term->place_a) != place)
                continue;
            tn_model_term_covector(model, term, &sys->kin[term->joint], t % 2, &sys->T[body].R,
                                   own);
            for (int c = 0; c < 6; c++)
                all[c] += sys->terms[t / 2].slope * own[c];
        }
        sum += tn_model_inverse_mass(&model->bodies[body], all, &felt);
    }
    return 1.0 / sum;
}

const tn_element_ops tn_coupling_ops = {
    .refresh = refresh,
    .measure = measure,
    .follow = follow,
    .speeds = speeds,
    .accelerations = accelerations,
    .active_accelerations = active_accelerations,
    .wrench = wrench,
    .known = known,
    .load = load,
    .fill = fill,
    .scale = scale,
    .row_mass = row_mass,
};
