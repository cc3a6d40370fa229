/* stance.c: room motion/stance: see stance.h. */
#include "motion/stance/stance.h"

#include <math.h>
#include <string.h>

#include "tenon/limits.h"

#include "assemble/elements.h"
#include "base/base.h"
#include "motion/closing/project.h"
#include "motion/loads.h"
#include "motion/stance/stance_impl.h"

/* Of the sizes that act, what rounding may leave of a body's equations, as refined solves leave it; and so many
 * solves may be needed for that. */
#define TN_STANCE_ROUNDING 1e-13
#define TN_STANCE_PASSES   4

static tn_status make_pose(const tn_stance *stance, tn_stance_pose *at)
{
    at->limbs = TN_NEW_ARRAY(tn_limb, stance->count);
    at->held = TN_NEW_ARRAY(tn_held_turns, stance->count);
    return at->limbs && at->held ? TN_OK : TN_ERROR_MEMORY;
}

tn_status tn_stance_create(tn_sim *sim)
{
    if (!sim->traits.accelerations || sim->traits.divides_steps ||
        !tn_model_has_range(sim->model) || !tn_tree_is_bare(sim->model) || !tn_is_tree(sim->model))
        return TN_OK;
    tn_stance *stance = sim->stance = TN_NEW(tn_stance);
    if (!stance)
        return TN_ERROR_MEMORY;
    tn_status status = tn_tree_links_create(sim->model, &stance->links, &stance->count);
    for (int k = 0; k < TN_STANCE_PLACES && status == TN_OK && stance->links; k++)
        status = make_pose(stance, &stance->at[k]);
    if (status == TN_OK && stance->links) {
        stance->bodies = TN_NEW_ARRAY(tn_stance_body, stance->count);
        stance->courses = TN_NEW_ARRAY(tn_stance_course, stance->count);
        status = stance->bodies && stance->courses ? TN_OK : TN_ERROR_MEMORY;
    }
    return status;
}

void tn_stance_destroy(tn_sim *sim)
{
    if (!sim->stance)
        return;
    for (int k = 0; k < TN_STANCE_PLACES; k++) {
        tn_free(sim->stance->at[k].limbs);
        tn_free(sim->stance->at[k].held);
    }
    tn_free(sim->stance->links);
    tn_free(sim->stance->bodies);
    tn_free(sim->stance->courses);
    tn_free(sim->stance);
}

bool tn_stance_serves(const tn_sim *sim)
{
    if (!sim->stance || !sim->stance->links || tn_gap_is_on(&sim->state) || !tn_holds_hard(sim) ||
        tn_loads_from_outside(sim))
        return false;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        if (!sim->state.plain[j] && !sim->state.switches[j].enabled)
            return false;
    }
    return true;
}

static bool look_at_joint(const tn_sim *sim, const tn_tree_link *link, tn_limb *limb,
                          tn_held_turns *held)
{
    const tn_joint_kinematics *kin = &sim->sys.kin[link->joint];
    const bool is_a = link->sign > 0.0;
    limb->arm = is_a ? kin->r_A : kin->r_B;
    limb->base = is_a ? kin->r_B : kin->r_A;
    limb->joint = link->is_hinge ? TN_LIMB_HINGE : TN_LIMB_BALL;
    if (link->is_hinge)
        limb->of.hinge.axis = m3_column(&kin->R_GW, 2);
    held->count = 0;
    if (sim->state.plain[link->joint])
        return true;
    const int32_t kept = sim->model->joints[link->joint].kept_bilateral;
    if (sim->state.switches[link->joint].active_count == kept)
        return true;
    const bool good = tn_held_turns_find(sim, link->joint, held);
    if (good)
        tn_held_turns_leave(held, link->is_hinge, limb);
    return good;
}

tn_status tn_stance_look(tn_sim *sim, tn_stance_place place)
{
    const tn_stance *stance = sim->stance;
    const tn_stance_pose *at = &stance->at[place];
    bool good = true;
    for (int32_t k = 0; k < stance->count; k++) {
        tn_limb *limb = &at->limbs[k];
        limb->inner = stance->links[k].inner;
        limb->joint = TN_LIMB_FREE;
        limb->arm = limb->base = v3(0.0, 0.0, 0.0);
        if (stance->links[k].joint >= 0)
            good &= look_at_joint(sim, &stance->links[k], limb, &at->held[k]);
    }
    return good ? TN_OK : TN_ERROR_SINGULAR;
}

/* R J R^T. */
static tn_sym3 turned(const tn_sym3 *J, const tn_mat3 *R)
{
    tn_vec3 row[3], by[3];
    for (int i = 0; i < 3; i++) {
        row[i] = v3_load(R->m[i]);
        by[i] = s3_mulv(J, row[i]);
    }
    return (tn_sym3){v3_dot(row[0], by[0]), v3_dot(row[1], by[1]), v3_dot(row[2], by[2]),
                     v3_dot(row[0], by[1]), v3_dot(row[0], by[2]), v3_dot(row[1], by[2])};
}

static void put_stance_inertia(const tn_sim *sim, const tn_tree_link *link, tn_limb *limb)
{
    const double m = link->mass;
    limb->I = (tn_inertia6){.A = {m, m, m, 0.0, 0.0, 0.0},
                            .C = turned(&link->J, &sim->sys.T[link->body].R)};
}

tn_status tn_stance_take(tn_sim *sim, tn_stance_place place, tn_step_report *report)
{
    const tn_stance *stance = sim->stance;
    const tn_stance_pose *at = &stance->at[place];
    const tn_status status = tn_stance_look(sim, place);
    if (status != TN_OK)
        return status;
    for (int32_t k = 0; k < stance->count; k++)
        put_stance_inertia(sim, &stance->links[k], &at->limbs[k]);
    const tn_status spent = tn_spend(&report->factorizations, TN_MOST_FACTORIZATIONS);
    if (spent != TN_OK)
        return spent;
    return tn_limbs_factorize(at->limbs, stance->count) < 0 ? TN_OK : TN_ERROR_SINGULAR;
}

/* Nothing is asked of any joint, and nothing acts. */
static void clear_limb(tn_limb *limb)
{
    limb->v = limb->w = limb->f = limb->m = v3(0.0, 0.0, 0.0);
}

/* What closes joint: the errors of its rows, as turns and a way of the outer body against the inner one. */
static void ask_to_close(const tn_sim *sim, const tn_tree_link *link, const tn_held_turns *held,
                         tn_limb *limb)
{
    const tn_joint_kinematics *kin = &sim->sys.kin[link->joint];
    const double *off = kin->error;
    limb->v = v3_scale(-link->sign, m3_mulv(&kin->R_GW, v3_load(off)));
    if (link->is_hinge)
        limb->w = v3_scale(-link->sign, m3_mulv(&kin->R_GW, v3(off[3], off[4], 0.0)));
    for (int32_t k = 0; k < held->count; k++) {
        const double by = tn_element_hold_error(&sim->sys, &sim->state, link->joint, held->row[k]);
        limb->w = v3_axpy(limb->w, -link->sign * by, held->dual[k]);
    }
}

/* Twists of centres of mass as they are packed, into sys.du. */
static void pack_twists(tn_sim *sim, const tn_stance_pose *at)
{
    for (int32_t k = 0; k < sim->stance->count; k++) {
        const tn_tree_link *link = &sim->stance->links[k];
        double *d = sim->sys.du + link->u;
        v3_store(d, at->limbs[k].v);
        v3_store(d + 3, m3_tmulv(&sim->sys.T[link->body].R, at->limbs[k].w));
    }
}

static void solve_limbs(tn_sim *sim, const tn_stance_pose *at, tn_step_report *report)
{
    tn_limbs_solve(at->limbs, sim->stance->count);
    report->solves++;
}

void tn_stance_close(tn_sim *sim, tn_stance_place place, tn_step_report *report)
{
    const tn_stance *stance = sim->stance;
    const tn_stance_pose *at = &stance->at[place];
    for (int32_t k = 0; k < stance->count; k++) {
        clear_limb(&at->limbs[k]);
        if (stance->links[k].joint >= 0)
            ask_to_close(sim, &stance->links[k], &at->held[k], &at->limbs[k]);
    }
    solve_limbs(sim, at, report);
    pack_twists(sim, at);
    tn_apply_correction(sim);
}

/* What of a relative turn the joint does not let pass. */
static tn_vec3 not_free(const tn_tree_link *link, const tn_held_turns *held, const tn_limb *limb,
                        tn_vec3 turn)
{
    tn_vec3 sum = v3(0.0, 0.0, 0.0);
    if (limb->joint == TN_LIMB_WELD)
        return turn;
    if (link->is_hinge)
        return v3_axpy(turn, -v3_dot(limb->of.hinge.axis, turn), limb->of.hinge.axis);
    for (int32_t k = 0; k < held->count; k++)
        sum = v3_axpy(sum, v3_dot(held->n[k], turn), held->dual[k]);
    return sum;
}

/* Angular velocities in world axes. */
static void find_turns(const tn_sim *sim)
{
    const tn_stance *stance = sim->stance;
    for (int32_t k = 0; k < stance->count; k++) {
        const tn_tree_link *link = &stance->links[k];
        stance->bodies[k].turn =
            m3_mulv(&sim->sys.T[link->body].R, v3_load(sim->state.u + link->u + 3));
    }
}

/* By how much bodies k and its inner one move apart at their joint. */
static void ask_to_part_no_more(const tn_sim *sim, int32_t k, const tn_held_turns *held,
                                tn_limb *limb)
{
    const tn_stance *stance = sim->stance;
    const tn_tree_link *link = &stance->links[k];
    tn_vec3 turn = stance->bodies[k].turn;
    tn_vec3 way = v3_add(v3_load(sim->state.u + link->u), v3_cross(turn, limb->arm));
    if (link->inner >= 0) {
        const tn_vec3 other = stance->bodies[link->inner].turn;
        const double *u = sim->state.u + stance->links[link->inner].u;
        way = v3_sub(way, v3_add(v3_load(u), v3_cross(other, limb->base)));
        turn = v3_sub(turn, other);
    }
    limb->v = v3_scale(-1.0, way);
    limb->w = v3_scale(-1.0, not_free(link, held, limb, turn));
}

void tn_stance_velocity(tn_sim *sim, tn_stance_place place, tn_step_report *report)
{
    const tn_stance *stance = sim->stance;
    const tn_stance_pose *at = &stance->at[place];
    find_turns(sim);
    for (int32_t k = 0; k < stance->count; k++) {
        clear_limb(&at->limbs[k]);
        if (stance->links[k].joint >= 0)
            ask_to_part_no_more(sim, k, &at->held[k], &at->limbs[k]);
    }
    solve_limbs(sim, at, report);
    pack_twists(sim, at);
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        sim->state.u[k] += sim->sys.du[k];
}

/* The accelerations against each other that the joint has by its bodies' motion, as held rows have theirs. */
static tn_vec3 turn_of_rows(const tn_sim *sim, const tn_tree_link *link, const tn_held_turns *held)
{
    double gamma[TN_MAX_ROWS] = {0};
    tn_vec3 sum = v3(0.0, 0.0, 0.0);
    tn_joint_active_accelerations(&sim->sys, &sim->state, link->joint, sim->state.u, gamma);
    for (int32_t k = 0; k < held->count; k++)
        sum = v3_axpy(sum, -link->sign * gamma[held->row[k]], held->dual[k]);
    return sum;
}

/* w x (w x r). */
static tn_vec3 to_axis(tn_vec3 w, tn_vec3 r)
{
    return v3_cross(w, v3_cross(w, r));
}

static void ask_to_follow(const tn_sim *sim, int32_t k, const tn_held_turns *held, tn_limb *limb)
{
    const tn_stance *stance = sim->stance;
    const tn_tree_link *link = &stance->links[k];
    const tn_vec3 turn = stance->bodies[k].turn;
    limb->v = v3_scale(-1.0, to_axis(turn, limb->arm));
    if (link->inner >= 0) {
        const tn_vec3 other = stance->bodies[link->inner].turn;
        limb->v = v3_add(limb->v, to_axis(other, limb->base));
        if (link->is_hinge)
            limb->w = v3_cross(other, turn);
    }
    if (!link->is_hinge && held->count > 0)
        limb->w = turn_of_rows(sim, link, held);
}

/* Weight, and what turns about itself. */
static void act(const tn_sim *sim, const tn_tree_link *link, tn_stance_body *body, tn_limb *limb)
{
    const tn_vec3 w = v3_load(sim->state.u + link->u + 3);
    body->f = v3_scale(link->mass, sim->model->gravity);
    body->m = m3_mulv(&sim->sys.T[link->body].R, v3_cross(s3_mulv(&link->J, w), w));
    limb->f = body->f;
    limb->m = body->m;
}

/* What has been solved for. */
static void take_solution(const tn_stance *stance, const tn_stance_pose *at)
{
    for (int32_t k = 0; k < stance->count; k++) {
        const tn_limb *limb = &at->limbs[k];
        const bool floats = limb->joint == TN_LIMB_FREE;
        tn_stance_body *body = &stance->bodies[k];
        body->v = limb->v;
        body->w = limb->w;
        body->pull_f = floats ? v3(0.0, 0.0, 0.0) : limb->pull_f;
        body->pull_m = floats ? v3(0.0, 0.0, 0.0) : limb->pull_m;
    }
}

/* On top of what there is. */
static void add_solution(const tn_stance *stance, const tn_stance_pose *at)
{
    for (int32_t k = 0; k < stance->count; k++) {
        const tn_limb *limb = &at->limbs[k];
        tn_stance_body *body = &stance->bodies[k];
        body->v = v3_add(body->v, limb->v);
        body->w = v3_add(body->w, limb->w);
        if (limb->joint == TN_LIMB_FREE)
            continue;
        body->pull_f = v3_add(body->pull_f, limb->pull_f);
        body->pull_m = v3_add(body->pull_m, limb->pull_m);
    }
}

/* J, per kg or kg m^2: of a force and a moment, each as what it moves the body by. */
static double size_of_wrench(const tn_sim *sim, const tn_tree_link *link, tn_vec3 f, tn_vec3 m)
{
    const tn_vec3 own = m3_tmulv(&sim->sys.T[link->body].R, m);
    const double *inverse = sim->inverse_inertia + link->u + 3;
    const double turning =
        own.x * own.x * inverse[0] + own.y * own.y * inverse[1] + own.z * own.z * inverse[2];
    return v3_dot(f, f) / link->mass + turning;
}

/* What is left of every body's equations. Returns its size relative to that of what acts, weights and joints. */
static double find_left(const tn_sim *sim, const tn_stance_pose *at)
{
    const tn_stance *stance = sim->stance;
    double left = 0.0, most = 0.0;
    for (int32_t k = 0; k < stance->count; k++) {
        tn_stance_body *b = &stance->bodies[k];
        const tn_tree_link *link = &stance->links[k];
        const tn_mat3 *R = &sim->sys.T[link->body].R;
        const tn_vec3 pull_m = v3_add(b->pull_m, v3_cross(at->limbs[k].arm, b->pull_f));
        const tn_vec3 spin = m3_mulv(R, s3_mulv(&link->J, m3_tmulv(R, b->w)));
        most = fmax(most, fmax(size_of_wrench(sim, link, b->f, b->m),
                               size_of_wrench(sim, link, b->pull_f, pull_m)));
        b->left_f = v3_add(v3_axpy(b->f, -link->mass, b->v), b->pull_f);
        b->left_m = v3_add(v3_sub(b->m, spin), pull_m);
        if (link->inner < 0)
            continue;
        tn_stance_body *inner = &stance->bodies[link->inner];
        const tn_vec3 back = v3_add(b->pull_m, v3_cross(at->limbs[k].base, b->pull_f));
        inner->left_f = v3_sub(inner->left_f, b->pull_f);
        inner->left_m = v3_sub(inner->left_m, back);
    }
    for (int32_t k = 0; k < stance->count; k++) {
        const tn_stance_body *b = &stance->bodies[k];
        const double size = size_of_wrench(sim, &stance->links[k], b->left_f, b->left_m);
        left = size <= left ? left : size; /* NaN stays */
    }
    return left == 0.0 ? 0.0 : sqrt(left / most);
}

/* By what was left of every body, with joints that are asked for nothing. */
static void ask_for_left(const tn_stance *stance, const tn_stance_pose *at)
{
    for (int32_t k = 0; k < stance->count; k++) {
        clear_limb(&at->limbs[k]);
        at->limbs[k].f = stance->bodies[k].left_f;
        at->limbs[k].m = stance->bodies[k].left_m;
    }
}

/* Into bodies. `exactly`: what is left of their equations is looked at, and solved for; false: it stays above
 * rounding. */
static bool solve_motion(tn_sim *sim, const tn_stance_pose *at, bool exactly,
                         tn_step_report *report)
{
    solve_limbs(sim, at, report);
    take_solution(sim->stance, at);
    for (int pass = 1; exactly && !(find_left(sim, at) <= TN_STANCE_ROUNDING); pass++) {
        if (pass == TN_STANCE_PASSES)
            return false;
        ask_for_left(sim->stance, at);
        solve_limbs(sim, at, report);
        add_solution(sim->stance, at);
    }
    return true;
}

/* Of a joint's rows, in the order of its slots. */
static void multipliers_of(const tn_sim *sim, int32_t k, const tn_held_turns *held, double *rows)
{
    const tn_tree_link *link = &sim->stance->links[k];
    const tn_stance_body *body = &sim->stance->bodies[k];
    const tn_mat3 *R = &sim->sys.kin[link->joint].R_GW;
    v3_store(rows, m3_tmulv(R, v3_scale(link->sign, body->pull_f)));
    int32_t n = 3;
    if (link->is_hinge) {
        const tn_vec3 moment = m3_tmulv(R, v3_scale(link->sign, body->pull_m));
        rows[n++] = moment.x;
        rows[n++] = moment.y;
    }
    for (int32_t i = 0; i < held->count; i++)
        rows[n++] = link->sign * v3_dot(body->pull_m, held->dual[i]);
}

static void put_multipliers(tn_sim *sim, int32_t k, const tn_held_turns *held)
{
    const tn_tree_link *link = &sim->stance->links[k];
    const int32_t kept = link->is_hinge ? 5 : 3;
    double *lambda = sim->state.lambda + (size_t)link->joint * TN_MAX_ROWS, rows[TN_MAX_ROWS];
    multipliers_of(sim, k, held, rows);
    memset(lambda, 0, sizeof(double) * TN_MAX_ROWS);
    memcpy(lambda, rows, sizeof(double) * (size_t)kept);
    for (int32_t i = 0; i < held->count; i++)
        lambda[held->row[i]] = rows[kept + i];
}

static void put_accelerations(tn_sim *sim, const tn_stance_pose *at)
{
    const tn_stance *stance = sim->stance;
    for (int32_t k = 0; k < stance->count; k++) {
        const tn_tree_link *link = &stance->links[k];
        const tn_stance_body *body = &stance->bodies[k];
        double *du = sim->sys.du + link->u, *udot = sim->state.udot + link->u, now[6];
        v3_store(now, body->v);
        v3_store(now + 3, m3_tmulv(&sim->sys.T[link->body].R, body->w));
        for (int i = 0; i < 6; i++) {
            du[i] = now[i] - udot[i];
            udot[i] = now[i];
        }
        if (link->joint >= 0)
            put_multipliers(sim, k, &at->held[k]);
    }
}

bool tn_stance_accelerate(tn_sim *sim, tn_stance_place place, bool exactly, tn_step_report *report)
{
    const tn_stance *stance = sim->stance;
    const tn_stance_pose *at = &stance->at[place];
    find_turns(sim);
    for (int32_t k = 0; k < stance->count; k++) {
        clear_limb(&at->limbs[k]);
        if (stance->links[k].joint >= 0)
            ask_to_follow(sim, k, &at->held[k], &at->limbs[k]);
        act(sim, &stance->links[k], &stance->bodies[k], &at->limbs[k]);
    }
    const bool good = solve_motion(sim, at, exactly, report);
    if (good)
        put_accelerations(sim, at);
    return good;
}

/* Speeds that a joint's rows are asked for, as those of the outer body against the inner one. */
static void ask_by_rows(const tn_sim *sim, const tn_tree_link *link, const tn_held_turns *held,
                        const double *g, tn_limb *limb)
{
    const tn_mat3 *R = &sim->sys.kin[link->joint].R_GW;
    const double *rows = g + sim->sys.layout->y_offset[link->joint];
    limb->v = v3_scale(link->sign, m3_mulv(R, v3_load(rows)));
    if (link->is_hinge)
        limb->w = v3_scale(link->sign, m3_mulv(R, v3(rows[3], rows[4], 0.0)));
    rows += link->is_hinge ? 5 : 3;
    for (int32_t i = 0; i < held->count; i++)
        limb->w = v3_axpy(limb->w, link->sign * rows[i], held->dual[i]);
}

bool tn_stance_push(tn_sim *sim, tn_stance_place place, const double *g, bool exactly, double *u,
                    double *y, tn_step_report *report)
{
    const tn_stance *stance = sim->stance;
    const tn_stance_pose *at = &stance->at[place];
    for (int32_t k = 0; k < stance->count; k++) {
        clear_limb(&at->limbs[k]);
        stance->bodies[k].f = stance->bodies[k].m = v3(0.0, 0.0, 0.0);
        if (stance->links[k].joint >= 0)
            ask_by_rows(sim, &stance->links[k], &at->held[k], g, &at->limbs[k]);
    }
    const bool good = solve_motion(sim, at, exactly, report);
    for (int32_t k = 0; k < stance->count; k++) {
        const tn_tree_link *link = &stance->links[k];
        v3_store(u + link->u, stance->bodies[k].v);
        v3_store(u + link->u + 3, m3_tmulv(&sim->sys.T[link->body].R, stance->bodies[k].w));
        if (link->joint >= 0)
            multipliers_of(sim, k, &at->held[k], y + sim->sys.layout->y_offset[link->joint]);
    }
    return good;
}
