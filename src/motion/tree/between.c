/* between.c: room motion/tree: see between.h. */
#include "motion/tree/between.h"

#include <math.h>

#include "assemble/body_terms.h"
#include "assemble/holds.h"
#include "assemble/joint_terms.h"
#include "motion/tree/tree_impl.h"

/* A body as it moves at an end, in the world. */
typedef struct tn_moving {
    tn_xform T;
    tn_vec3 v, w; /* m/s, rad/s: of its centre of mass, and its turn */
} tn_moving;

/* A body that does not move: the ground. */
static const tn_moving ground = {
    .T = {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}, {0.0, 0.0, 0.0}}};

static tn_moving moving_of(const tn_model *model, const tn_state *s, int32_t i)
{
    if (i < 0)
        return ground;
    const tn_model_body *body = &model->bodies[i];
    tn_moving m = {.T = {tn_body_rotation(body, s->q[i]), s->x[i]}};
    if (body->dim == 0)
        return m;
    tn_body_unpack(body, s->u, &m.v, &m.w);
    m.w = m3_mulv(&m.T.R, m.w);
    return m;
}

/* The bodies that C and D of a link are of, and their frames. */
typedef struct tn_between_frames {
    int32_t a, b; /* -1: the world */
    const tn_xform *T_CA, *T_DB;
} tn_between_frames;

/* Does the link hang by its joint now, on one other body? */
static bool hangs(const tn_sim *sim, const tn_tree_link *link)
{
    return link->joint >= 0 && tn_state_is_on(sim->model, &sim->state, link->joint) &&
           sim->model->joints[link->joint].mean == 0;
}

static tn_between_frames frames_of(const tn_sim *sim, const tn_tree_link *link)
{
    if (!hangs(sim, link))
        return (tn_between_frames){link->body, -1, &tn_ground_xform, &tn_ground_xform};
    const tn_model_joint *joint = &sim->model->joints[link->joint];
    return (tn_between_frames){joint->a, joint->b, &joint->geometry.T_CA, &joint->geometry.T_DB};
}

/* Row n of those that are active keeps its component where it is. */
static bool keeps(const tn_sim *sim, int32_t j, const tn_row_list *rows, int32_t n)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_switches *s = &sim->state.switches[j];
    const int32_t row = rows->row[n], i = joint->geometry.cls->info.rows[row].coordinate;
    if (sim->state.plain[j])
        return true;
    return !(s->compliance[row] > 0.0) && (row < joint->geometry.cls->info.bilateral_count ||
                                           i < 0 || !tn_hold_kinds[s->hold[i]].moves);
}

/* Components of shifts, bits 0 to 2, and turns, 3 to 5, that its hard rows keep; of rows that are axes, or a point. */
static unsigned components_kept(const tn_sim *sim, int32_t j)
{
    const tn_joint_geometry *geometry = &sim->model->joints[j].geometry;
    const int8_t *axes = tn_joint_axes(geometry, &sim->sys.kin[j]);
    const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
    const bool is_point = tn_joint_is_told_by_pose(geometry->cls);
    unsigned kept = 0;
    for (int32_t n = 0; n < rows.count && (axes || is_point); n++) {
        const int32_t axis = axes ? axes[rows.row[n]] : rows.row[n] < 3 ? rows.row[n] : -1;
        if (axis >= 0 && keeps(sim, j, &rows, n))
            kept |= 1u << axis;
    }
    return kept;
}

/* Are these components the same ones, in axes of C and D, whatever turns are left free? Else none is left out. */
static unsigned same_in_all_axes(unsigned kept)
{
    const unsigned shifts = kept & 7u, turns = kept >> 3;
    const bool all_or_none = shifts == 0u || shifts == 7u;
    if (turns == 7u || (turns == 0u && all_or_none))
        return kept;
    for (unsigned k = 0; k < 3; k++) { /* turns about axis k alone */
        const unsigned others = 7u & ~(1u << k), across = shifts & others;
        if (turns == others && (across == 0u || across == others))
            return kept;
    }
    return all_or_none ? shifts : 0u;
}

static tn_vec3 left(unsigned kept, tn_vec3 v)
{
    return v3(kept & 1u ? 0.0 : v.x, kept & 2u ? 0.0 : v.y, kept & 4u ? 0.0 : v.z);
}

/* Speeds at an end, times the length, of C against D; *T: the pose. */
static void put_end(const tn_sim *sim, const tn_between_frames *f, const tn_state *s, unsigned kept,
                    double length, tn_tree_end *end, tn_xform *T)
{
    const tn_moving A = moving_of(sim->model, s, f->a), B = moving_of(sim->model, s, f->b);
    const tn_mat3 R_C = m3_mul(&A.T.R, &f->T_CA->R), R_D = m3_mul(&B.T.R, &f->T_DB->R);
    const tn_vec3 r_C = m3_mulv(&A.T.R, f->T_CA->p), r_D = m3_mulv(&B.T.R, f->T_DB->p);
    const tn_vec3 d = v3_sub(v3_add(A.T.p, r_C), v3_add(B.T.p, r_D));
    const tn_vec3 v_C = v3_add(A.v, v3_cross(A.w, r_C)), v_D = v3_add(B.v, v3_cross(B.w, r_D));
    const tn_vec3 v = v3_sub(v3_sub(v_C, v_D), v3_cross(B.w, d));
    *T = (tn_xform){m3_tmul(&R_D, &R_C), m3_tmulv(&R_D, d)};
    end->v = left(kept, m3_tmulv(&R_D, v3_scale(length, v)));
    end->w = left(kept >> 3, m3_tmulv(&R_C, v3_scale(length, v3_sub(A.w, B.w))));
}

/* Does the joint keep no more than these components? */
static bool is_all(const tn_sim *sim, int32_t j, unsigned kept)
{
    int32_t rest = 0;
    const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
    for (int32_t n = 0; n < rows.count; n++)
        rest += sim->state.plain[j] || !(tn_active_compliance(&sim->state, j, n) > 0.0);
    for (int32_t k = 0; k < 6; k++)
        rest -= (int32_t)(kept >> k & 1u);
    return rest == 0;
}

/* Out: are poses between those that the joint allows? */
static bool begin_link(const tn_sim *sim, const tn_state *from, double length, int32_t k)
{
    const tn_tree_link *link = &sim->tree->links[k];
    tn_tree_course *c = &sim->tree->courses[k];
    const tn_between_frames f = frames_of(sim, link);
    const bool on = hangs(sim, link);
    const unsigned kept = on ? same_in_all_axes(components_kept(sim, link->joint)) : 0u;
    tn_xform T_0, T_1;
    put_end(sim, &f, from, kept, length, &c->ends[0], &T_0);
    put_end(sim, &f, &sim->state, kept, length, &c->ends[1], &T_1);
    const tn_mat3 turned = m3_tmul(&T_0.R, &T_1.R);
    c->begins = T_0.p;
    c->shift = left(kept, v3_sub(T_1.p, T_0.p));
    c->turn = left(kept >> 3, m3_log(&turned));
    c->ends[1].w = tn_m3_rate_of_turn(c->turn, c->ends[1].w);
    const int32_t inner = !on ? -1 : link->sign > 0.0 ? f.b : f.a;
    c->rel =
        inner < 0 ? from->q[link->body] : q_mul(q_conjugate(from->q[inner]), from->q[link->body]);
    c->root = on ? (link->inner < 0 ? -1 : sim->tree->courses[link->inner].root) : k;
    return !on || is_all(sim, link->joint, kept);
}

/* Adds the body of a link to the common centre of mass of what floats with it, which moves by its momentum alone. */
static void add_to_centre(const tn_sim *sim, const tn_state *from, double length, int32_t k)
{
    const tn_tree_link *link = &sim->tree->links[k];
    const int32_t i = link->body, root = sim->tree->courses[k].root;
    tn_tree_course *c = &sim->tree->courses[root < 0 ? k : root];
    if (root < 0)
        return;
    if (root == k) {
        c->mass = 0.0;
        c->centre = c->rise = c->rate[0] = c->rate[1] = v3(0.0, 0.0, 0.0);
    }
    const tn_model_body *body = &sim->model->bodies[i];
    tn_vec3 v_0, v_1, w;
    tn_body_unpack(body, from->u, &v_0, &w);
    tn_body_unpack(body, sim->state.u, &v_1, &w);
    c->mass += link->mass;
    c->centre = v3_axpy(c->centre, link->mass, from->x[i]);
    c->rise = v3_axpy(c->rise, link->mass, v3_sub(sim->state.x[i], from->x[i]));
    c->rate[0] = v3_axpy(c->rate[0], length * link->mass, v_0);
    c->rate[1] = v3_axpy(c->rate[1], length * link->mass, v_1);
}

bool tn_body_tree_between_begin(tn_sim *sim, const tn_state *from, double length)
{
    bool all = true;
    for (int32_t k = 0; k < sim->tree->count; k++)
        all &= begin_link(sim, from, length, k);
    for (int32_t k = 0; k < sim->tree->count; k++)
        add_to_centre(sim, from, length, k);
    return all;
}

/* The cubic at s from 0 by `rise`, with these rates at its ends. */
static tn_vec3 cubic_at(double s, tn_vec3 rise, tn_vec3 d_0, tn_vec3 d_1)
{
    const double r = 1.0 - s;
    return v3_axpy(v3_axpy(v3_scale(s * s * (1.0 + 2.0 * r), rise), s * r * r, d_0), -s * s * r,
                   d_1);
}

/* The body of a link from the inner one. */
static void put_body(tn_sim *sim, int32_t k, double s)
{
    const tn_tree_link *link = &sim->tree->links[k];
    const tn_tree_course *c = &sim->tree->courses[k];
    const tn_between_frames f = frames_of(sim, link);
    const bool outward = f.a == link->body;
    const int32_t i = link->body, inner = outward ? f.b : f.a;
    const double sign = outward ? 1.0 : -1.0;
    const tn_xform *own = outward ? f.T_CA : f.T_DB, *base = outward ? f.T_DB : f.T_CA;
    const tn_vec3 turned = cubic_at(s, c->turn, c->ends[0].w, c->ends[1].w),
                  p = v3_add(c->begins, cubic_at(s, c->shift, c->ends[0].v, c->ends[1].v));
    const tn_quat turn = q_exp(v3_scale(sign, m3_mulv(&f.T_CA->R, turned))),
                  rel = outward ? q_mul(c->rel, turn) : q_mul(turn, c->rel);
    tn_state *to = &sim->state;
    to->q[i] = q_normalize(inner < 0 ? rel : q_mul(to->q[inner], rel));
    const tn_mat3 R = tn_body_rotation(&sim->model->bodies[i], to->q[i]);
    const tn_xform T =
        inner < 0
            ? tn_ground_xform
            : (tn_xform){tn_body_rotation(&sim->model->bodies[inner], to->q[inner]), to->x[inner]};
    const tn_vec3 in_b = m3_mulv(&f.T_DB->R, p),
                  d = outward ? m3_mulv(&T.R, in_b) : m3_mulv(&R, in_b);
    to->x[i] = v3_sub(v3_axpy(xf_point(&T, base->p), sign, d), m3_mulv(&R, own->p));
}

/* What floats is shifted so that its common centre of mass is where its momentum has it: angular momentum goes by that. */
static void put_centres(tn_sim *sim, double s)
{
    const tn_body_tree *tree = sim->tree;
    for (int32_t k = 0; k < tree->count; k++) {
        tn_tree_course *c = &tree->courses[k];
        if (c->root == k)
            c->off = v3_add(c->centre, cubic_at(s, c->rise, c->rate[0], c->rate[1]));
        if (c->root >= 0)
            tree->courses[c->root].off = v3_axpy(tree->courses[c->root].off, -tree->links[k].mass,
                                                 sim->state.x[tree->links[k].body]);
    }
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_tree_course *c = &tree->courses[k];
        tn_vec3 *x = &sim->state.x[tree->links[k].body];
        if (c->root >= 0)
            *x = v3_axpy(*x, 1.0 / tree->courses[c->root].mass, tree->courses[c->root].off);
    }
}

void tn_body_tree_between_put(tn_sim *sim, double s)
{
    for (int32_t k = 0; k < sim->tree->count; k++)
        put_body(sim, k, s);
    put_centres(sim, s);
}
