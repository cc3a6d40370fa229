/* bearing.c: room model: light bodies in loops that are held by heavier ones.
 *
 * In: a model whose rows and loops are known. Out: the inertia added to such bodies in the factor (bearing of
 * tn_model_body), and the scales of the rows of loops on them.
 *
 * Singularity should be a property of the geometry. E of a row of a loop (solve/singular.h) is a share of its scale
 * A = G M^-1 G^T, and a row is weak if its eigenvalue sigma of S = G M^-1 G^T is far below A. Take two bodies of
 * mass m, held by bodies of mass M: the row between them has A of 1 / m, but sigma of the forces through both is 1 /
 * M. With m = 1e-6 M such rows look like repeated ones. If all held bodies have at least the mass TN_LIGHT M in the
 * factor, sigma is TN_LIGHT A or more. Refinement removes the effect of the added mass: each pass leaves TN_LIGHT of
 * it, as the bodies that hold the light one move it along.
 *
 * Mass is added only to held motions: those a light body cannot make while the heavier bodies stand still, that is,
 * which have no part in the null vectors of the rows of the light bodies. Where a light body can move by itself, its
 * own mass decides how fast, and nothing is added. Bounds of mass below which bodies are light are tried one after
 * the other, from the heaviest body down.
 *
 * Limits: rows at t = 0; couplings and compliant rows hold nothing; groups of more than TN_MOST_HELD light bodies
 * are not changed. A rod between ball joints that lies along no axis of its body spins with a part about each of
 * them: nothing is added to its rotations.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "math/dense/eig3.h"
#include "math/dense/null_space.h"
#include "model/model.h"
#include "real/real.h"

/* Share of the mass of the holding bodies: sigma / A of the rows between is as large, and (E / sigma)^3 is then
 * TN_ROUNDED. */
#define TN_LIGHT 1e-4
/* Factor from one bound of mass to the next: an order of magnitude. */
#define TN_NEXT_MASS 0.1
/* A singular value below this counts as zero, as in a rank (docs/explanation/redundancy.md). */
#define TN_HELD_RANK 1e-4
/* A motion is held if its part in every free motion is below this: rounding of the null vectors. */
#define TN_NOT_FREE 1e-9
/* Frames that are written as bodies stand alone or in short chains; the cost grows with the cube. */
#define TN_MOST_HELD 32

typedef struct tn_light {
    tn_model *model;
    tn_arena arena; /* memory of the arrays */
    double mass;    /* kg: bodies of less are light */
    int32_t *place; /* [bodies] index in the group; -1: not in it */
    int32_t *body;  /* [bodies] the group */
    int8_t *seen;   /* [bodies] 1: in a group for this mass already */
    int8_t *looped; /* [bodies] 1: on a joint of a loop */
    int32_t count;
    double *reach; /* [bodies] m, of the joints of a body of the group from its centre of mass */
    double size;   /* m, the largest reach, or 1 */
    double least, least_inertia; /* kg, kg m^2: smallest of the bodies that hold the group */
    tn_null_problem null;
    double *rows, kept;
} tn_light;

static bool is_light(const tn_light *l, int32_t body)
{
    return body >= 0 && l->model->bodies[body].dim > 0 && l->model->bodies[body].mass < l->mass;
}

static void take(tn_light *l, int32_t body)
{
    if (l->seen[body])
        return;
    l->seen[body] = 1;
    l->place[body] = l->count;
    l->reach[body] = 0.0;
    l->body[l->count++] = body;
}

/* The smallest principal moment about which a body can turn, kg m^2. */
static double least_inertia(const tn_model_body *body)
{
    double moments[3];
    tn_eig3(&body->J, moments, NULL);
    return (body->kind == TN_BODY_PLANAR ? body->J.m[2][2] : moments[0]) + body->stand_in_inertia;
}

/* Includes a body that holds the group in least and least_inertia. */
static void lean_on(tn_light *l, int32_t body)
{
    if (body < 0 || l->model->bodies[body].dim == 0)
        return;
    l->least = fmin(l->least, l->model->bodies[body].mass);
    if (!tn_kind_is_point(l->model->bodies[body].kind))
        l->least_inertia = fmin(l->least_inertia, least_inertia(&l->model->bodies[body]));
}

/* The group: the light bodies that joints connect to a body without heavier bodies in between. */
static void gather(tn_light *l, int32_t body)
{
    l->count = 0;
    l->size = 0.0;
    l->least = l->least_inertia = INFINITY;
    memset(l->place, -1, sizeof *l->place * (size_t)l->model->body_count);
    take(l, body);
    for (int32_t n = 0; n < l->count; n++) {
        for (int32_t j = 0; j < l->model->joint_count; j++) {
            const tn_model_joint *joint = &l->model->joints[j];
            const int32_t at = l->body[n];
            if (joint->kept_count == 0 || (joint->a != at && joint->b != at))
                continue;
            const int32_t other = joint->a == at ? joint->b : joint->a;
            const tn_xform *end = joint->a == at ? &joint->geometry.T_CA : &joint->geometry.T_DB;
            l->reach[at] = fmax(l->reach[at], v3_norm(end->p));
            l->size = fmax(l->size, l->reach[at]);
            if (is_light(l, other)) {
                take(l, other);
            } else {
                lean_on(l, other);
            }
        }
    }
}

static bool is_in(const tn_light *l, int32_t body)
{
    return body >= 0 && l->place[body] >= 0;
}

/* True if a joint is on a body of the group and has hard rows. */
static bool holds(const tn_light *l, const tn_model_joint *joint)
{
    bool hard = !joint->disabled && (is_in(l, joint->a) || is_in(l, joint->b));
    for (int32_t n = 0; n < joint->kept_bilateral && hard; n++)
        hard = joint->compliance[joint->kept[n]] == 0.0;
    return hard;
}

static int32_t count_rows(const tn_light *l)
{
    int32_t rows = 0;
    for (int32_t j = 0; j < l->model->joint_count; j++)
        rows += holds(l, &l->model->joints[j]) ? l->model->joints[j].kept_bilateral : 0;
    return rows;
}

/* Writes a row, in velocities and angular velocities times the size of the group, scaled to length 1. */
static void put_row(const tn_light *l, int32_t body, const double full[6], int32_t row)
{
    const tn_motion_subspace *s = tn_motion_subspace_get(l->model->bodies[body].kind);
    const double size = l->size > 0.0 ? l->size : 1.0;
    const double f = v3_norm(v3_load(full)), m = v3_norm(v3_load(full + 3)) / size;
    for (int32_t i = 0; i < s->dim; i++) {
        const int c = s->column[i];
        l->rows[(int64_t)(6 * l->place[body] + c) * l->null.m + row] =
            full[c] / (c < 3 ? 1.0 : size) / fmax(tn_hypot(f, m), TN_HELD_RANK);
    }
}

static void put_rows(const tn_light *l, const tn_model_joint *joint, int32_t *row)
{
    const tn_xform T[2] = {tn_model_initial_xform(l->model, joint->a),
                           tn_model_initial_xform(l->model, joint->b)};
    tn_joint_moving moving;
    tn_joint_kinematics kin = {.moving = &moving};
    tn_joint_kinematics_update(&joint->geometry, &T[0], &T[1], joint->q0, &kin);
    for (int32_t n = 0; n < joint->kept_bilateral; n++, ++*row) {
        for (int side = 0; side < 2; side++) {
            double full[6];
            if (!is_in(l, side ? joint->b : joint->a))
                continue;
            tn_joint_row_covector(&joint->geometry, &kin, joint->kept[n], &T[side].R,
                                  side ? kin.r_B : kin.r_A, side ? -1.0 : 1.0, full);
            put_row(l, side ? joint->b : joint->a, full, *row);
        }
    }
}

/* Null space: the motions of the group while all others stand still. *nulls -1: unknown. Motions that a body does not
 * have count as free. */
static tn_status find_free(tn_light *l, int32_t *nulls)
{
    const int32_t n = 6 * l->count, rows = count_rows(l), m = rows < n ? n : rows;
    *nulls = -1;
    l->rows = TN_ARENA_ARRAY(&l->arena, double, (int64_t)m *n);
    l->null = (tn_null_problem){.m = m,
                                .n = n,
                                .A = l->rows,
                                .threshold = TN_HELD_RANK,
                                .N = TN_ARENA_ARRAY(&l->arena, double, (int64_t)n *n),
                                .sigma = TN_ARENA_ARRAY(&l->arena, double, n),
                                .kept = &l->kept,
                                .pivot = TN_ARENA_ARRAY(&l->arena, int32_t, n),
                                .work = TN_ARENA_ARRAY(&l->arena, double, tn_null_work(m, n))};
    if (!l->rows || !l->null.N || !l->null.sigma || !l->null.pivot || !l->null.work)
        return TN_ERROR_MEMORY;
    int32_t row = 0;
    for (int32_t j = 0; j < l->model->joint_count; j++) {
        if (holds(l, &l->model->joints[j]))
            put_rows(l, &l->model->joints[j], &row);
    }
    *nulls = tn_null_space(&l->null);
    return TN_OK;
}

/* True if no free motion of the group moves the body along c. */
static bool is_held(const tn_light *l, int32_t body, int c, int32_t nulls)
{
    double free = 0.0;
    for (int32_t i = 0; i < nulls; i++) {
        const double part = l->null.N[(int64_t)i * l->null.n + 6 * l->place[body] + c];
        free += part * part;
    }
    return free <= TN_NOT_FREE * TN_NOT_FREE;
}

/* kg, kg m^2: least inertia of a body of the group along c in the factor. */
static double wanted(const tn_light *l, int32_t body, int c)
{
    const double turned = l->least * l->reach[body] * l->reach[body];
    const double inertia = isfinite(l->least_inertia) ? fmax(l->least_inertia, turned) : turned;
    return TN_LIGHT * (c < 3 ? l->least : inertia);
}

/* Adds inertia to the held motions of a body, unless a bound for heavier bodies has added more. */
static void bear(tn_light *l, int32_t body, int32_t nulls, bool *any)
{
    tn_model_body *b = &l->model->bodies[body];
    const tn_motion_subspace *s = tn_motion_subspace_get(b->kind);
    for (int32_t i = 0; i < s->dim; i++) {
        const int c = s->column[i];
        const double own = c < 3 ? b->mass : b->J.m[c - 3][c - 3];
        const double more = wanted(l, body, c) - own;
        if (more > b->bearing[i] && is_held(l, body, c, nulls)) {
            b->bearing[i] = more;
            *any = true;
        }
    }
}

/* Marks the joints and bodies of the group with its number; a group that was held in part keeps that number. */
static void note(tn_light *l)
{
    int32_t group = 0;
    for (int32_t j = 0; j < l->model->joint_count; j++) {
        if (holds(l, &l->model->joints[j]) && l->model->joints[j].holds)
            group = l->model->joints[j].holds;
    }
    group = group ? group : ++l->model->held_groups;
    for (int32_t j = 0; j < l->model->joint_count; j++) {
        if (holds(l, &l->model->joints[j]))
            l->model->joints[j].holds = group;
    }
    for (int32_t n = 0; n < l->count; n++)
        l->model->bodies[l->body[n]].held_by = group;
    l->model->stand_ins = 1;
}

/* True if a body of a loop in the group is so light that its rows look weak. */
static bool matters(const tn_light *l)
{
    for (int32_t n = 0; n < l->count && isfinite(l->least); n++) {
        const int32_t i = l->body[n];
        if (l->looped[i] && l->model->bodies[i].mass < TN_LIGHT * l->least)
            return true;
    }
    return false;
}

static tn_status bear_group(tn_light *l)
{
    int32_t nulls = -1;
    if (!matters(l) || l->count > TN_MOST_HELD)
        return TN_OK;
    const tn_status status = find_free(l, &nulls);
    bool any = false;
    for (int32_t n = 0; n < l->count && nulls >= 0; n++) {
        if (l->looped[l->body[n]])
            bear(l, l->body[n], nulls, &any);
    }
    if (any)
        note(l);
    return status;
}

/* All groups of bodies with less than l->mass. */
static tn_status bear_groups(tn_light *l)
{
    tn_status status = TN_OK;
    memset(l->seen, 0, (size_t)l->model->body_count);
    for (int32_t i = 0; i < l->model->body_count && status == TN_OK; i++) {
        if (!is_light(l, i) || !l->looped[i] || l->seen[i])
            continue;
        gather(l, i);
        status = bear_group(l);
    }
    return status;
}

/* Recomputes the scales of the rows of a loop with the inertia added to its bodies. */
static void rescale(const tn_model *model, tn_model_joint *joint)
{
    const tn_xform T[2] = {tn_model_initial_xform(model, joint->a),
                           tn_model_initial_xform(model, joint->b)};
    tn_model_body body[2];
    tn_joint_moving moving;
    tn_joint_kinematics kin = {.moving = &moving};
    tn_joint_kinematics_update(&joint->geometry, &T[0], &T[1], joint->q0, &kin);
    for (int side = 0; side < 2; side++) {
        const int32_t i = side ? joint->b : joint->a;
        if (i < 0)
            continue;
        body[side] = model->bodies[i];
        const tn_motion_subspace *s = tn_motion_subspace_get(body[side].kind);
        body[side].mass +=
            body[side].bearing[0]; /* motions of a centre of mass are held together */
        for (int32_t c = 0; c < s->dim; c++) {
            if (s->column[c] >= 3)
                body[side].J.m[s->column[c] - 3][s->column[c] - 3] += body[side].bearing[c];
        }
    }
    for (int32_t k = 0; k < joint->geometry.cls->info.row_count; k++) {
        int acts;
        joint->row_scale[k] = tn_model_row_scale_of(joint, &body[0], joint->b < 0 ? NULL : &body[1],
                                                    &kin, &T[0].R, &T[1].R, k, &acts);
    }
}

static void bear_rows(tn_model *model)
{
    for (int32_t i = 0; i < model->body_count; i++) {
        tn_model_body *body = &model->bodies[i];
        for (int32_t c = 0; c < body->dim && body->held_by; c++) {
            if (body->bearing[c] > 0.0)
                body->inverse_inertia[c] =
                    1.0 / (1.0 / body->inverse_inertia[c] + body->bearing[c]);
        }
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        tn_model_joint *joint = &model->joints[j];
        if (joint->holds && joint->in_loop)
            rescale(model, joint);
    }
}

/* Least and largest mass, kg, of the bodies in loops. */
static void find_masses(tn_light *l, double *least, double *most)
{
    *least = INFINITY;
    *most = 0.0;
    for (int32_t j = 0; j < l->model->joint_count; j++) {
        const tn_model_joint *joint = &l->model->joints[j];
        for (int side = 0; side < 2 && joint->in_loop; side++) {
            const int32_t i = side ? joint->b : joint->a;
            if (i < 0 || l->model->bodies[i].dim == 0)
                continue;
            l->looped[i] = 1;
            *least = fmin(*least, l->model->bodies[i].mass);
            *most = fmax(*most, l->model->bodies[i].mass);
        }
    }
}

static tn_status bear_all(tn_light *l)
{
    double least;
    tn_status status = TN_OK;
    find_masses(l, &least, &l->mass);
    for (; TN_LIGHT * l->mass > least && status == TN_OK; l->mass *= TN_NEXT_MASS)
        status = bear_groups(l);
    bear_rows(l->model);
    return status;
}

tn_status tn_model_compile_bearing(tn_model *model)
{
    tn_light l = {.model = model};
    const int32_t n = model->body_count;
    l.place = TN_ARENA_ARRAY(&l.arena, int32_t, n);
    l.body = TN_ARENA_ARRAY(&l.arena, int32_t, n);
    l.reach = TN_ARENA_ARRAY(&l.arena, double, n);
    l.seen = TN_ARENA_ARRAY(&l.arena, int8_t, n);
    l.looped = TN_ARENA_ARRAY(&l.arena, int8_t, n);
    const tn_status status =
        l.place && l.body && l.reach && l.seen && l.looped ? bear_all(&l) : TN_ERROR_MEMORY;
    tn_arena_free(&l.arena);
    return status;
}
