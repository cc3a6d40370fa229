/* hinge_loads.c: room method/hinges: what acts on the bodies of a tree in a step in the angles of its hinges: loads, damping.
 *
 * In: a trial. Out: the wrenches of loads and damping on what bodies weigh; how they answer to a body's twist, which is
 * added to its inertia before its hinge is eliminated; poses and velocities of the trial, where loads look for them.
 *
 * Limits: the program computes no loads.
 */
#include <math.h>
#include <string.h>

#include "assemble/body_terms.h"
#include "base/base.h"
#include "method/hinges/alpha_hinges.h"
#include "motion/loads.h"

/* Bodies on which the model has something act, or whose places loads are found by. */
static void note_loaded(const tn_model *model, int8_t *loaded)
{
    for (int32_t i = 0; i < model->body_count; i++)
        loaded[i] = model->bodies[i].dim > 0 && tn_body_is_damped(&model->bodies[i]);
    for (int32_t k = 0; k < model->load_count; k++) {
        const tn_load_data *load = &model->loads[k];
        if (load->kind == TN_LOAD_EFFORT)
            continue;
        for (int32_t n = 0; n < load->body_count; n++)
            loaded[load->bodies[n]] = 1;
        for (int n = 0; n < 2; n++) {
            if (load->places[n].body >= 0)
                loaded[load->places[n].body] = 1;
        }
    }
}

/* Room for what acts on bodies, and how it answers, where the model has such. */
tn_status tn_hinge_loads_create(const tn_model *model, int64_t room, tn_hinge_acts *acts)
{
    acts->loaded = TN_NEW_ARRAY(int8_t, model->body_count);
    if (!acts->loaded)
        return TN_ERROR_MEMORY;
    note_loaded(model, acts->loaded);
    if (!memchr(acts->loaded, 1, (size_t)model->body_count))
        return TN_OK;
    acts->yielding = TN_NEW_ARRAY(tn_hinge_load, room);
    acts->is_yielding = TN_NEW_ARRAY(int8_t, room);
    return acts->yielding && acts->is_yielding ? TN_OK : TN_ERROR_MEMORY;
}

/* What bodies turn by, in axes of a welded one. */
static void turn_into(const tn_hinge_weld *weld, double *turning)
{
    v3_store(turning, hinge_in_world(q_conjugate(weld->turn), v3_load(turning)));
}

/* A velocity and its derivative. */
typedef struct tn_hinge_rates {
    double u[6], udot[6];
} tn_hinge_rates;

/* Of a link in the trial. */
static tn_hinge_rates rates_of(const tn_hinge_world *w, const tn_hinge_rule *c, int32_t k)
{
    const double *limb = hinge_limb_at(w, k);
    const int64_t at = w->places[k].u;
    tn_hinge_rates of;
    double u[6], udot[6], a[6];
    hinge_get_six(w, w->at.u, at, u);
    hinge_get_six(w, w->at.udot, at, udot);
    hinge_get_six(w, w->at.acc, at, a);
    for (size_t i = 0; i < 6; i++) {
        const double acc = c->acc_udot * udot[i] + c->acc_acc * a[i];
        of.udot[i] = limb[TN_LIMB_FIELD(udot) + i * TN_HINGE_WIDTH];
        of.u[i] = u[i] + (c->coast_a * a[i] + c->coast_acc * acc) + c->u_udot * of.udot[i];
    }
    return of;
}

/* m: where it is in the trial. */
static tn_vec3 place_in_trial(const tn_hinge_world *w, int32_t k, int32_t body,
                              tn_hinge_trial_kind trial)
{
    const double *limb = hinge_limb_at(w, k), *x0 = w->at.x + 3 * (size_t)body;
    return tn_hinge_in_plane(w, body,
                             trial == TN_HINGE_CORRECTED
                                 ? limb_v3(limb + TN_LIMB_FIELD(x))
                                 : v3_add(v3_load(x0), limb_v3(limb + TN_LIMB_FIELD(moved))));
}

/* Pose of a welded body, and where it `moves` its velocity, likewise. */
static void put_welded_motion(const tn_sim *sim, const tn_hinge_rule *c, const tn_hinge_weld *weld,
                              tn_hinge_trial_kind trial, bool moves)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_world *w = &hinges->forest.world;
    const double *limb = hinge_limb_at(w, weld->link);
    const tn_vec3 x = place_in_trial(w, weld->link, weld->carrier, trial);
    const tn_quat q = q_mul(limb_q(limb + TN_LIMB_FIELD(q)), weld->turn);
    sim->sys.T[weld->body] =
        (tn_xform){q_to_m3(q), tn_hinge_in_plane(w, weld->body, v3_add(x, weld->offset))};
    if (!moves)
        return;
    tn_hinge_rates of = rates_of(w, c, weld->link);
    v3_store(of.u, tn_hinge_weld_speed(c, weld));
    v3_store(of.udot, weld->udot);
    turn_into(weld, of.u + 3);
    turn_into(weld, of.udot + 3);
    hinge_put_six(w, of.u, hinges->acts.u, weld->u);
    hinge_put_six(w, of.udot, hinges->acts.udot, weld->u);
}

/* Pose of a body, and where it `moves` its velocity, where loads look for them. */
static void put_motion(const tn_sim *sim, const tn_hinge_rule *c, int32_t k,
                       tn_hinge_trial_kind trial, bool moves)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_world *w = &hinges->forest.world;
    const tn_hinge_place *place = &hinges->places[k];
    const tn_vec3 x = place_in_trial(w, k, place->body, trial);
    const tn_quat q = limb_q(hinge_limb_at(w, k) + TN_LIMB_FIELD(q));
    sim->sys.T[place->body] = (tn_xform){q_to_m3(q), x};
    if (!moves)
        return;
    const tn_hinge_rates of = rates_of(w, c, k);
    hinge_put_six(w, of.u, hinges->acts.u, place->u);
    hinge_put_six(w, of.udot, hinges->acts.udot, place->u);
}

void tn_hinge_push(const tn_alpha_hinges *hinges, const tn_hinge_rule *c, tn_hinge_seat seat,
                   bool predicted, tn_vec3 F, tn_vec3 M)
{
    const tn_hinge_world *w = &hinges->forest.world;
    if (seat.weld >= 0) {
        tn_hinge_weld *weld = &hinges->welds.all[seat.weld];
        weld->f = v3_add(weld->f, F);
        weld->m = v3_add(weld->m, M);
    }
    if (seat.link < 0)
        return;
    double *limb = hinge_limb_at(w, seat.link);
    const tn_vec3 arm =
        v3_sub(limb_v3(limb + TN_LIMB_FIELD(arm)), tn_hinge_seat_offset(hinges, seat));
    put_v3(limb + TN_LIMB_FIELD(f), v3_add(limb_v3(limb + TN_LIMB_FIELD(f)), F));
    put_v3(limb + TN_LIMB_FIELD(n),
           v3_add(limb_v3(limb + TN_LIMB_FIELD(n)), v3_sub(M, v3_cross(arm, F))));
    if (!predicted)
        return;
    tn_hinge_record *record = &w->records[seat.link];
    const tn_vec3 r = v3_sub(arm, limb_v3(limb + TN_LIMB_FIELD(place)));
    const tn_vec3 f = v3_scale(c->by_beta, F);
    const double to[3] = {r.x, r.y, r.z}, by[3] = {f.x, f.y, f.z};
    v3_store(record->part.D, v3_add(v3_load(record->part.D), f));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            record->part.C[i][j] += to[i] * by[j] - (i == j ? v3_dot(r, f) : 0.0);
    }
}

static void put_wrench(const tn_sim *sim, const tn_hinge_rule *c, int32_t body, bool predicted)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    double of[6];
    hinge_get_six(&hinges->forest.world, hinges->acts.f, sim->model->bodies[body].u, of);
    const tn_vec3 M = m3_mulv(&sim->sys.T[body].R, v3_load(of + 3));
    tn_hinge_push(hinges, c, hinges->welds.seats[body], predicted, v3_load(of), M);
}

/* A B^T */
static tn_mat3 times_transposed(const tn_mat3 *A, const tn_mat3 *B)
{
    tn_mat3 out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out.m[i][j] = v3_dot(v3_load(A->m[i]), v3_load(B->m[j]));
    }
    return out;
}

/* The block of rows and columns from i and j on. */
static tn_mat3 block_of(const double S[6][6], int i, int j)
{
    tn_mat3 out;
    for (int n = 0; n < 3; n++)
        v3_store(out.m[n], v3_load(S[i + n] + j));
    return out;
}

static void add_block(const tn_mat3 *from, tn_v4 *to)
{
    for (int n = 0; n < 3; n++)
        v3_store((double *)&to[n], v3_add(v3_load((double *)&to[n]), v3_load(from->m[n])));
}

/* Of a matrix in the body's motions (v of the centre of mass, w in its axes), to one in its twist about O: T^T S T,
 * T = [1, [r]; 0, R^T], r from the centre of mass to O. */
static void add_yielding(const tn_mat3 *R, tn_vec3 r, const double S[6][6], tn_hinge_load *to)
{
    const tn_mat3 across = {{{0.0, -r.z, r.y}, {r.z, 0.0, -r.x}, {-r.y, r.x, 0.0}}};
    const tn_mat3 A = block_of(S, 0, 0), vw = block_of(S, 0, 3), ww = block_of(S, 3, 3);
    const tn_mat3 A_r = m3_mul(&A, &across), vw_R = times_transposed(&vw, R);
    tn_mat3 B, D, C;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            B.m[i][j] = A_r.m[i][j] + vw_R.m[i][j];
    }
    const tn_mat3 R_ww = m3_mul(R, &ww), R_ww_R = times_transposed(&R_ww, R);
    const tn_mat3 wv_r = m3_tmul(&vw_R, &across), r_B = m3_mul(&across, &B);
    for (int i = 0; i < 3; i++) { /* [r]^T = -[r] */
        for (int j = 0; j < 3; j++) {
            D.m[i][j] = B.m[j][i];
            C.m[i][j] = R_ww_R.m[i][j] + wv_r.m[i][j] - r_B.m[i][j];
        }
    }
    add_block(&A, to->A);
    add_block(&B, to->B);
    add_block(&D, to->D);
    add_block(&C, to->C);
}

static bool is_nothing(const tn_load_matrix *of)
{
    const double *numbers = of->stiffness[0];
    for (size_t n = 0; n < sizeof *of / sizeof *numbers; n++) {
        if (numbers[n] != 0.0)
            return false;
    }
    return true;
}

/* In the body's motions, of those it has, to all. False: it has none that the inertia bears. */
static bool find_slopes(const tn_model_body *body, const tn_load_matrix *of, const tn_hinge_rule *c,
                        double S[6][6])
{
    const tn_motion_subspace *space = tn_motion_subspace_get(body->kind);
    const int32_t dim = space->dim;
    double mass[6][6] = {{0.0}}, block[36], own[36];
    for (int n = 0; n < 3; n++) {
        mass[n][n] = body->mass;
        v3_store(mass[3 + n] + 3, v3_load(body->J.m[n]));
    }
    for (int32_t i = 0; i < dim * dim; i++)
        block[i] = mass[space->column[i / dim]][space->column[i % dim]];
    if (!tn_load_matrix_of(body, of, block, NULL, c->by_beta, c->eps, own))
        return false;
    memset(S, 0, 36 * sizeof(double));
    for (int32_t i = 0; i < dim * dim; i++)
        S[space->column[i / dim]][space->column[i % dim]] = own[i];
    return true;
}

/* How loads and damping of a body answer. */
static void yield_on(const tn_sim *sim, const tn_hinge_rule *c, int32_t i,
                     const tn_load_matrix *matrices)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_seat seat = hinges->welds.seats[i];
    const tn_model_body *body = &sim->model->bodies[i];
    const tn_mat3 *R = &sim->sys.T[i].R;
    const double *limb = hinge_limb_at(&hinges->forest.world, seat.link);
    tn_load_matrix of = {{{0.0}}, {{0.0}}};
    double S[6][6];
    if (matrices)
        of = matrices[i];
    if (tn_body_is_damped(body))
        tn_body_add_damping(body, R, 1.0, of.damping);
    if (seat.link < 0 || is_nothing(&of))
        return;
    if (!find_slopes(body, &of, c, S))
        return;
    const tn_vec3 r =
        v3_sub(v3_sub(limb_v3(limb + TN_LIMB_FIELD(arm)), tn_hinge_seat_offset(hinges, seat)),
               limb_v3(limb + TN_LIMB_FIELD(place)));
    if (!hinges->acts.is_yielding[seat.link])
        memset(&hinges->acts.yielding[seat.link], 0, sizeof *hinges->acts.yielding);
    hinges->acts.is_yielding[seat.link] = 1;
    add_yielding(R, r, (const double(*)[6])S, &hinges->acts.yielding[seat.link]);
}

static void add_damping(const tn_sim *sim, const double *u, double *f)
{
    for (int32_t i = 0; sim->model->damped && i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        tn_vec3 force = {0.0, 0.0, 0.0}, moment = {0.0, 0.0, 0.0};
        if (body->dim == 0 || !tn_body_is_damped(body))
            continue;
        tn_vec3 v, turn;
        tn_body_unpack(body, u, &v, &turn);
        tn_body_damping_force(body, &sim->sys.T[i].R, v, turn, &force, &moment);
        tn_body_add(body, force, moment, f);
    }
}

/* Of body i, which moves or is welded. */
static bool is_loaded(const tn_alpha_hinges *hinges, int32_t i)
{
    return hinges->acts.on_any || hinges->acts.loaded[i];
}

/* The body of link or weld n, links first; -1: of a link that is a shadow. */
static int32_t body_at(const tn_alpha_hinges *hinges, int32_t n)
{
    if (n >= hinges->count)
        return hinges->welds.all[n - hinges->count].body;
    return hinges->places[n].part == TN_LIMB_SHADOW ? -1 : hinges->places[n].body;
}

/* Poses of all bodies that something of the trial goes by; cuts on which nothing acts go by no velocities. */
void tn_hinges_put_motions(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_trial_kind trial)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_acts *acts = &hinges->acts;
    const int32_t count = hinges->count + hinges->welds.count;
    if (trial == TN_HINGE_SHOWN || !(acts->on_bodies || acts->on_chains || hinges->cuts))
        return;
    for (int32_t n = 0; n < count; n++) {
        const int32_t i = body_at(hinges, n);
        const bool is_cut = i >= 0 && hinges->cuts && hinges->is_cut[i],
                   moves = i >= 0 && ((acts->on_bodies && is_loaded(hinges, i)) ||
                                      acts->on_chains || (acts->on_cuts && is_cut));
        if (!moves && !is_cut)
            continue;
        if (n < hinges->count)
            put_motion(sim, c, n, trial, moves);
        else if (hinges->welds.all[n - hinges->count].link >= 0)
            put_welded_motion(sim, c, &hinges->welds.all[n - hinges->count], trial, moves);
    }
}

void tn_hinges_weigh_loads(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_trial_kind trial)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    const tn_hinge_acts *acts = &hinges->acts;
    const bool predicted = trial == TN_HINGE_PREDICTED;
    const int32_t count = hinges->count + hinges->welds.count;
    if (!acts->on_bodies)
        return;
    for (int32_t n = 0; n < count; n++) {
        const int32_t i = body_at(hinges, n);
        if (i >= 0 && is_loaded(hinges, i))
            memset(acts->f + sim->model->bodies[i].u, 0,
                   sizeof *acts->f * (size_t)sim->model->bodies[i].dim);
    }
    if (predicted && acts->yielding)
        memset(acts->is_yielding, 0, (size_t)hinges->count);
    const double *u = trial == TN_HINGE_SHOWN ? hinges->forest.world.to.u : acts->u;
    const tn_load_matrix *matrices = tn_loads_add_to_bodies(sim, u, predicted, acts->f);
    add_damping(sim, u, acts->f);
    for (int32_t n = 0; n < count; n++) {
        const int32_t i = body_at(hinges, n);
        if (i < 0 || !is_loaded(hinges, i))
            continue;
        put_wrench(sim, c, i, predicted);
        if (predicted && acts->loaded[i])
            yield_on(sim, c, i, matrices);
    }
}

void tn_hinges_load(const tn_sim *sim, const tn_hinge_rule *c, tn_hinge_trial_kind trial)
{
    tn_hinges_put_motions(sim, c, trial);
    tn_hinges_weigh_loads(sim, c, trial);
}
