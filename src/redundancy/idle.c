/* idle.c: room redundancy: bodies that can move while all their neighbours stand still.
 *
 * A rod between two ball joints spins about itself: a degree of freedom without a purpose, which
 * the mobility of the mechanism must not include. Found body by body, as the null space of the wrenches
 * of all joints on it. A body with a single neighbour (a door, a pendulum) is meant to move so and is
 * left out.
 */
#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "math/dense/jacobi_svd.h"
#include "redundancy/redundancy.h"

/* Singular values of unit wrenches below this are zero: joints may be off by 1e-5. */
#define TN_IDLE_ZERO 1e-4

/* Joints of each body. */
typedef struct tn_incidence {
    int32_t *start, *joint;
} tn_incidence;

static tn_status list_joints(const tn_red_graph *graph, int32_t bodies, tn_arena *arena,
                             tn_incidence *list)
{
    list->start = TN_ARENA_ARRAY(arena, int32_t, bodies + 3);
    list->joint = TN_ARENA_ARRAY(arena, int32_t, 2 * graph->edge_count + 1);
    if (!list->start || !list->joint)
        return TN_ERROR_MEMORY;
    for (int32_t e = 0; e < graph->edge_count; e++) {
        list->start[graph->edges[e].a + 2]++;
        list->start[graph->edges[e].b + 2]++;
    }
    for (int32_t i = 0; i <= bodies; i++)
        list->start[i + 2] += list->start[i + 1];
    for (int32_t e = 0; e < graph->edge_count; e++) {
        list->joint[list->start[graph->edges[e].a + 1]++] = e;
        list->joint[list->start[graph->edges[e].b + 1]++] = e;
    }
    return TN_OK;
}

/* At least two joints, to two different neighbours. */
static bool has_neighbours(const tn_red_graph *graph, const tn_incidence *list, int32_t body)
{
    int32_t first = -1;
    for (int32_t k = list->start[body]; k < list->start[body + 1]; k++) {
        const tn_red_edge *edge = &graph->edges[list->joint[k]];
        const int32_t other = edge->a == body ? edge->b : edge->a;
        if (edge->joint < 0)
            return false; /* planar bodies and particles turn by design or not at all */
        if (first >= 0 && other != first)
            return true;
        first = other;
    }
    return false;
}

/* Row `row` of A becomes w at length 1: whatever the unit of length, a moment holds. */
static void put_unit(const double w[6], int32_t row, int32_t m, double *A)
{
    double square = 0.0;
    for (int i = 0; i < 6; i++)
        square += w[i] * w[i];
    for (int i = 0; i < 6 && square > 0.0; i++)
        A[i * m + row] = w[i] / sqrt(square);
}

/* Wrenches of the body's joints about its centre of mass, world axes, rows (f, m / size). */
static int32_t fill_wrenches(const tn_red_pose *pose, const tn_red_graph *graph,
                             const tn_incidence *list, int32_t body, int32_t m, double *A)
{
    int32_t row = 0;
    for (int32_t k = list->start[body]; k < list->start[body + 1]; k++) {
        const int32_t j = graph->edges[list->joint[k]].joint;
        const tn_model_joint *joint = &pose->model->joints[j];
        const tn_joint_kinematics *kin = &pose->sys.kin[j];
        const tn_vec3 arm = joint->a == body ? kin->r_A : kin->r_B;
        for (int32_t n = 0; n < pose->state.switches[j].active_count; n++, row++) {
            tn_vec3 f, moment;
            double w[6];
            tn_joint_row_wrench(&joint->geometry, kin, tn_red_row(pose, j, n), &f, &moment);
            v3_store(w, f);
            v3_store(w + 3, v3_scale(1.0 / pose->size, v3_add(moment, v3_cross(arm, f))));
            put_unit(w, row, m, A);
        }
    }
    return row;
}

/* (f, m / size) of term t of a coupling on the body. */
static void add_term(const tn_red_pose *pose, int32_t body, int32_t t, double own[6])
{
    const int32_t j = pose->model->terms[t].joint;
    const tn_model_joint *joint = &pose->model->joints[j];
    const tn_joint_kinematics *kin = &pose->sys.kin[j];
    if (joint->a != body && joint->b != body)
        return;
    const tn_wrench w = tn_coupling_wrench(&pose->sys, t, joint->a == body ? 1.0 : -1.0);
    const tn_vec3 arm = joint->a == body ? kin->r_A : kin->r_B;
    double part[6];
    v3_store(part, w.f);
    v3_store(part + 3, v3_scale(1.0 / pose->size, v3_add(w.m, v3_cross(arm, w.f))));
    for (int i = 0; i < 6; i++)
        own[i] += part[i];
}

/* What couplings do to the body alone, the others standing still; rows from `row` on. */
static void fill_couplings(const tn_red_pose *pose, const tn_red_graph *graph, int32_t body,
                           int32_t row, int32_t m, double *A)
{
    const tn_model *model = pose->model;
    for (int32_t k = 0; k < model->coupling_count; k++, row++) {
        double own[6] = {0};
        for (int32_t t = model->term_start[k];
             t < model->term_start[k + 1] && graph->coupling_group[k] >= 0; t++)
            add_term(pose, body, t, own);
        put_unit(own, row, m, A);
    }
}

static void add_idle(const tn_red_pose *pose, int32_t body, const double t[6], tn_idle_motion *to)
{
    tn_vec3 v = v3_load(t), w = v3_scale(1.0 / pose->size, v3_load(t + 3));
    const tn_model_body *b = &pose->model->bodies[body];
    const tn_vec3 com = m3_mulv(&pose->sys.T[body].R, b->com); /* from the origin, world */
    v = v3_sub(v, v3_cross(w, com));
    const double length = sqrt(v3_dot(v, v) + v3_dot(w, w));
    to->body.i = body;
    to->twist = (tn_twist){v3_scale(1.0 / length, v), v3_scale(1.0 / length, w)};
}

static tn_status examine(const tn_red_pose *pose, const tn_red_graph *graph,
                         const tn_incidence *list, int32_t body, tn_idle_motion *idle,
                         int32_t *count)
{
    const int32_t m =
        TN_MAX_ROWS * (list->start[body + 1] - list->start[body]) + pose->model->coupling_count;
    double *A = TN_NEW_ARRAY(double, 6 * (int64_t)m);
    if (!A)
        return TN_ERROR_MEMORY;
    double V[36], sigma[6];
    const int32_t rows = fill_wrenches(pose, graph, list, body, m, A);
    fill_couplings(pose, graph, body, rows, m, A);
    tn_jacobi_svd(m, 6, A, V, sigma);
    tn_free(A);
    for (int i = 0; i < 6; i++) {
        if (sigma[i] < TN_IDLE_ZERO)
            add_idle(pose, body, V + 6 * i, &idle[(*count)++]);
    }
    return TN_OK;
}

tn_status tn_red_idle_find(const tn_red_pose *pose, const tn_red_graph *graph, tn_arena *arena,
                           tn_analysis *out)
{
    const int32_t bodies = pose->model->body_count;
    tn_incidence list = {0};
    tn_status status = list_joints(graph, bodies, arena, &list);
    tn_idle_motion *idle = TN_NEW_ARRAY(tn_idle_motion, 6 * (int64_t)bodies);
    if (!idle)
        status = TN_ERROR_MEMORY;
    int32_t count = 0;
    for (int32_t i = 0; i < bodies && status == TN_OK; i++) {
        if (has_neighbours(graph, &list, i))
            status = examine(pose, graph, &list, i, idle, &count);
    }
    tn_idle_motion *copy = TN_ARENA_ARRAY(arena, tn_idle_motion, count + 1);
    if (!copy)
        status = TN_ERROR_MEMORY;
    if (status == TN_OK) {
        memcpy(copy, idle, sizeof *idle * (size_t)count);
        out->idle = copy;
        out->idle_count = count;
    }
    tn_free(idle);
    return status;
}
