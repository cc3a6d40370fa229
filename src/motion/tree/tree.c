/* tree.c: room motion/tree: see tree.h. */
#include "motion/tree/tree.h"

#include <math.h>
#include <string.h>

#include "tenon/limits.h"

#include "assemble/body_terms.h"
#include "base/base.h"
#include "motion/tree/freedoms.h"
#include "motion/tree/tree_impl.h"

/* Residual of the bodies' equations, relative to what acts, that iterative refinement reaches, and the solves it may take. */
#define TN_TREE_ROUNDING 1e-13
#define TN_TREE_PASSES   4

/* ---- making ---- */

static bool moves(const tn_model *model, int32_t body)
{
    return body >= 0 && model->bodies[body].dim > 0;
}

static bool has_inertia(const tn_model_body *body)
{
    bool has = body->mass > 0.0 && tn_body_is_plain(body);
    for (int32_t k = 0; k < body->dim && has; k++)
        has = body->inverse_inertia[k] > 0.0;
    return has;
}

/* All bodies in space or all in the plane, each free or on one joint. */
static bool fits(const tn_model *model, bool *flat)
{
    bool fits = model->loop_joints == 0 && !model->stand_ins && model->solid_count == 0;
    int32_t in_plane = 0, in_space = 0;
    for (int32_t i = 0; i < model->body_count && fits; i++) {
        const tn_model_body *body = &model->bodies[i];
        in_plane += body->kind == TN_BODY_PLANAR;
        in_space += body->dim == 6;
        fits = body->dim == 0 ||
               ((body->dim == 6 || body->kind == TN_BODY_PLANAR) && has_inertia(body));
    }
    for (int32_t j = 0; j < model->joint_count && fits; j++) {
        const tn_model_joint *joint = &model->joints[j];
        const bool acts = moves(model, joint->a) || moves(model, joint->b);
        fits = !acts || joint->kept_count == 0 || joint->hangs >= 0;
    }
    *flat = in_plane > 0;
    return fits && (in_plane == 0) != (in_space == 0);
}

static bool make_factor(tn_sim *sim, tn_tree_factor *f)
{
    f->branches = TN_ARENA_ARRAY(&sim->seldom, tn_branch, sim->tree->count);
    f->held = TN_ARENA_ARRAY(&sim->seldom, tn_freedoms, sim->tree->count);
    f->x = TN_ARENA_ARRAY(&sim->seldom, tn_vec3, sim->model->body_count);
    f->q = TN_ARENA_ARRAY(&sim->seldom, tn_quat, sim->model->body_count);
    return f->branches && f->held && f->x && f->q;
}

tn_status tn_body_tree_create(tn_sim *sim)
{
    bool flat;
    if (!fits(sim->model, &flat))
        return TN_OK;
    tn_body_tree *tree = sim->tree = TN_NEW(tn_body_tree);
    if (!tree)
        return TN_ERROR_MEMORY;
    tree->flat = flat;
    const tn_status status = tn_tree_links_create(sim->model, false, &tree->links, &tree->count);
    if (status != TN_OK)
        return status;
    bool good = true;
    for (int k = 0; k < 2; k++)
        good &= make_factor(sim, &tree->factors[k]);
    tree->bodies = TN_ARENA_ARRAY(&sim->seldom, tn_tree_part, tree->count);
    tree->courses = TN_ARENA_ARRAY(&sim->seldom, tn_tree_course, tree->count);
    return good && tree->bodies && tree->courses ? TN_OK : TN_ERROR_MEMORY;
}

void tn_body_tree_destroy(tn_sim *sim)
{
    if (!sim->tree)
        return;
    tn_free(sim->tree->links);
    tn_free(sim->tree);
    sim->tree = NULL;
}

bool tn_body_tree_serves(const tn_sim *sim)
{
    return sim->tree && !tn_gap_is_on(&sim->state);
}

/* ---- the factor ---- */

/* In the plane no motion has the components of J but zz: they are set to it, which keeps the matrix definite. */
static void put_inertia(const tn_sim *sim, const tn_tree_link *link, tn_branch *b)
{
    const double m = link->mass;
    const tn_sym3 spin = {link->J.zz, link->J.zz, link->J.zz, 0.0, 0.0, 0.0};
    b->I =
        (tn_inertia6){.A = {m, m, m, 0.0, 0.0, 0.0},
                      .C = sim->tree->flat ? spin : s3_turned(&link->J, &sim->sys.T[link->body].R)};
}

/* Arms and free motions of the joint of link k. false: the general way is to be taken. */
static bool take_joint(const tn_sim *sim, const tn_row_law *law, int32_t k)
{
    const tn_body_tree *tree = sim->tree;
    const tn_tree_link *link = &tree->links[k];
    tn_branch *b = &tree->factors[0].branches[k];
    tn_freedoms *held = &tree->factors[0].held[k];
    held->motions = b->motions;
    b->inner = -1;
    b->arm = b->base = v3(0.0, 0.0, 0.0);
    if (link->joint < 0 || !tn_state_is_on(sim->model, &sim->state, link->joint)) {
        tn_freedoms_of_none(tree->flat, held);
        b->free = held->free;
        return true;
    }
    const tn_joint_kinematics *kin = &sim->sys.kin[link->joint];
    b->inner = link->inner;
    b->arm = link->sign > 0.0 ? kin->r_A : kin->r_B;
    b->base = link->sign > 0.0 ? kin->r_B : kin->r_A;
    const bool good = tn_freedoms_find(sim, link->joint, law, tree->flat, held);
    b->free = held->free;
    return good;
}

/* Bodies and switches of now are those of a factor. */
static bool is_of_now(const tn_sim *sim, const tn_tree_factor *f)
{
    const size_t bodies = (size_t)sim->model->body_count;
    return f->is_known && !sim->pieces && tn_same_edition(f->switched, sim->state.edition) &&
           memcmp(f->x, sim->state.x, sizeof *f->x * bodies) == 0 &&
           memcmp(f->q, sim->state.q, sizeof *f->q * bodies) == 0;
}

static void note_now(const tn_sim *sim, tn_tree_factor *f)
{
    const size_t bodies = (size_t)sim->model->body_count;
    memcpy(f->x, sim->state.x, sizeof *f->x * bodies);
    memcpy(f->q, sim->state.q, sizeof *f->q * bodies);
    f->switched = sim->state.edition;
    f->is_known = true;
}

static void put_other_first(tn_body_tree *tree)
{
    const tn_tree_factor first = tree->factors[0];
    tree->factors[0] = tree->factors[1];
    tree->factors[1] = first;
}

tn_status tn_body_tree_take(tn_sim *sim, const tn_row_law *law, tn_step_report *report)
{
    tn_body_tree *tree = sim->tree;
    put_other_first(tree);
    tree->factors[0].is_known = false;
    for (int32_t k = 0; k < tree->count; k++) {
        if (!take_joint(sim, law, k))
            return TN_ERROR_SINGULAR;
        put_inertia(sim, &tree->links[k], &tree->factors[0].branches[k]);
    }
    if (tn_branches_factorize(tree->factors[0].branches, tree->count) >= 0)
        return TN_ERROR_SINGULAR;
    return tn_spend(&report->factorizations, TN_MOST_FACTORIZATIONS);
}

tn_status tn_body_tree_take_hard(tn_sim *sim, tn_step_report *report)
{
    static const tn_row_law hard = {.leave_out_compliant = 1};
    tn_body_tree *tree = sim->tree;
    if (is_of_now(sim, &tree->factors[0]))
        return TN_OK;
    if (is_of_now(sim, &tree->factors[1])) {
        put_other_first(tree);
        return TN_OK;
    }
    const tn_status status = tn_body_tree_take(sim, &hard, report);
    if (status == TN_OK)
        note_now(sim, &tree->factors[0]);
    return status;
}

/* ---- a solve ---- */

/* The twist of a body against the inner one that g requires. */
static tn_twist required_twist(const tn_sim *sim, int32_t k, const double *g)
{
    const tn_tree_link *link = &sim->tree->links[k];
    const tn_freedoms *held = &sim->tree->factors[0].held[k];
    tn_twist e = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (!g || held->held == 0)
        return e;
    const double *rows = g + sim->sys.layout->y_offset[link->joint];
    for (int32_t n = 0; n < held->held; n++) {
        const double by = link->sign * rows[held->rows[n].slot];
        e.v = v3_axpy(e.v, by, held->rows[n].dual.v);
        e.w = v3_axpy(e.w, by, held->rows[n].dual.w);
    }
    return e;
}

/* f and g as the right sides of the branches, world axes. */
static void put_right_sides(const tn_sim *sim, const double *f, const double *g)
{
    const tn_body_tree *tree = sim->tree;
    for (int32_t k = 0; k < tree->count; k++) {
        const int32_t i = tree->links[k].body;
        tn_branch *b = &tree->factors[0].branches[k];
        tn_tree_part *body = &tree->bodies[k];
        body->f = body->m = v3(0.0, 0.0, 0.0);
        if (f) {
            tn_body_unpack(&sim->model->bodies[i], f, &body->f, &body->m);
            body->m = tree->flat ? body->m : m3_mulv(&sim->sys.T[i].R, body->m);
        }
        b->f = body->f;
        b->m = body->m;
        b->twist = required_twist(sim, k, g);
    }
}

static bool floats(const tn_sim *sim, int32_t k)
{
    return sim->tree->factors[0].held[k].held == 0 && sim->tree->factors[0].branches[k].inner < 0;
}

/* The solution of one solve is added to the sum of those before. */
static void add_solution(const tn_sim *sim)
{
    const tn_body_tree *tree = sim->tree;
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_branch *b = &tree->factors[0].branches[k];
        tn_tree_part *body = &tree->bodies[k];
        body->v = v3_add(body->v, b->twist.v);
        body->w = v3_add(body->w, b->twist.w);
        if (floats(sim, k))
            continue;
        body->pull_f = v3_add(body->pull_f, b->pull_f);
        body->pull_m = v3_add(body->pull_m, b->pull_m);
    }
}

static void begin_solution(const tn_body_tree *tree)
{
    const tn_vec3 none = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < tree->count; k++) {
        tn_tree_part *body = &tree->bodies[k];
        body->v = body->w = body->pull_f = body->pull_m = none;
    }
}

/* N^2/kg: the square of a force and a moment in the norm of the inverse inertia. */
static double size_of_wrench(const tn_sim *sim, const tn_tree_link *link, tn_vec3 f, tn_vec3 m)
{
    const double *inverse = sim->inverse_inertia + link->u;
    if (sim->tree->flat)
        return v3_dot(f, f) / link->mass + m.z * m.z * inverse[2];
    const tn_vec3 own = m3_tmulv(&sim->sys.T[link->body].R, m);
    return v3_dot(f, f) / link->mass + own.x * own.x * inverse[3] + own.y * own.y * inverse[4] +
           own.z * own.z * inverse[5];
}

/* Adds to the residuals of body k and of the inner one what k and its joint give; *most: the largest wrench that acts. */
static void add_residual(const tn_sim *sim, int32_t k, double *most)
{
    const tn_tree_link *link = &sim->tree->links[k];
    const tn_branch *branch = &sim->tree->factors[0].branches[k];
    tn_tree_part *b = &sim->tree->bodies[k];
    const tn_mat3 *R = &sim->sys.T[link->body].R;
    const tn_vec3 pull_m = v3_add(b->pull_m, v3_cross(branch->arm, b->pull_f));
    const tn_vec3 spin = sim->tree->flat ? v3_scale(link->J.zz, b->w)
                                         : m3_mulv(R, s3_mulv(&link->J, m3_tmulv(R, b->w)));
    *most = fmax(*most, fmax(size_of_wrench(sim, link, b->f, b->m),
                             size_of_wrench(sim, link, b->pull_f, pull_m)));
    b->left_f = v3_add(v3_axpy(b->f, -link->mass, b->v), b->pull_f);
    b->left_m = v3_add(v3_sub(b->m, spin), pull_m);
    if (branch->inner < 0)
        return;
    tn_tree_part *inner = &sim->tree->bodies[branch->inner];
    inner->left_f = v3_sub(inner->left_f, b->pull_f);
    inner->left_m = v3_sub(inner->left_m, v3_add(b->pull_m, v3_cross(branch->base, b->pull_f)));
}

/* The largest residual of a body's equations, relative to the largest wrench. */
static double residual(const tn_sim *sim)
{
    const tn_body_tree *tree = sim->tree;
    double left = 0.0, most = 0.0;
    for (int32_t k = 0; k < tree->count; k++)
        add_residual(sim, k, &most);
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_tree_part *b = &tree->bodies[k];
        const double size = size_of_wrench(sim, &tree->links[k], b->left_f, b->left_m);
        left = size > left || isnan(size) ? size : left; /* NaN stays */
    }
    return left == 0.0 ? 0.0 : sqrt(left / most);
}

/* The residuals as right sides, for refinement; g is met. */
static void put_residuals(const tn_body_tree *tree)
{
    const tn_vec3 none = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < tree->count; k++) {
        tn_branch *b = &tree->factors[0].branches[k];
        b->f = tree->bodies[k].left_f;
        b->m = tree->bodies[k].left_m;
        b->twist = (tn_twist){none, none};
    }
}

static void solve(const tn_sim *sim, tn_step_report *report)
{
    tn_branches_solve(sim->tree->factors[0].branches, sim->tree->count);
    report->solves++;
    add_solution(sim);
}

/* The multipliers of a joint's rows: its wrench by their twists, less what accelerates armatures. */
static void put_multipliers(const tn_sim *sim, int32_t k, const double *g, double *y)
{
    const tn_tree_link *link = &sim->tree->links[k];
    const tn_tree_part *b = &sim->tree->bodies[k];
    const tn_freedoms *held = &sim->tree->factors[0].held[k];
    if (held->held == 0)
        return;
    const int64_t first = sim->sys.layout->y_offset[link->joint];
    for (int32_t n = 0; n < held->held; n++) {
        const tn_hard_row *row = &held->rows[n];
        const int64_t slot = first + row->slot;
        y[slot] = link->sign * (v3_dot(row->dual.v, b->pull_f) + v3_dot(row->dual.w, b->pull_m)) +
                  (g ? row->own * g[slot] : 0.0);
    }
}

static void put_solution(const tn_sim *sim, const double *g, double *u, double *y)
{
    const tn_body_tree *tree = sim->tree;
    memset(y, 0, sizeof(double) * (size_t)sim->sys.layout->y_size);
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_tree_part *b = &tree->bodies[k];
        const int32_t i = tree->links[k].body;
        tn_body_put(&sim->model->bodies[i], b->v,
                    tree->flat ? b->w : m3_tmulv(&sim->sys.T[i].R, b->w), u);
        put_multipliers(sim, k, g, y);
    }
}

bool tn_body_tree_solve(tn_sim *sim, const double *f, const double *g, double enough, double *u,
                        double *y, tn_step_report *report)
{
    const double most = fmax(enough, TN_TREE_ROUNDING);
    double left = 0.0, before = INFINITY;
    put_right_sides(sim, f, g);
    begin_solution(sim->tree);
    solve(sim, report);
    for (int pass = 1; !((left = residual(sim)) <= most); pass++) {
        if (pass == TN_TREE_PASSES || !(left < before))
            return false;
        before = left;
        put_residuals(sim->tree);
        solve(sim, report);
    }
    put_solution(sim, g, u, y);
    return true;
}
