/* loops.c: room redundancy/loops: the equations of every loop by itself, and the wrenches that
 * flow around it (closing.h).
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "math/dense/jacobi_svd.h"
#include "redundancy/loops/closing.h"

/* Joints within this share of the mechanism's size are at one point: their distance is no length.
 */
#define TN_ONE_POINT 1e-3
/* A loop alone decides only what is clear: the rest waits for the group, where another loop may
 * make up for a value that is neither zero nor not. */
#define TN_CLEAR_LOCAL 0.3

static void find_frame(tn_closing *c, const tn_red_loop *loop, tn_loop_frame *f)
{
    f->origin = v3(0.0, 0.0, 0.0);
    f->length = 0.0;
    for (int32_t k = 0; k < loop->count; k++)
        f->origin = v3_axpy(f->origin, 1.0 / loop->count, c->motions[loop->edge[k]].at);
    for (int32_t k = 0; k < loop->count; k++)
        f->length = fmax(f->length, v3_norm(v3_sub(c->motions[loop->edge[k]].at, f->origin)));
    if (f->length <= TN_ONE_POINT * c->pose->size)
        f->length = c->pose->size;
}

tn_status tn_red_split_loop(tn_closing *c, int32_t l)
{
    const tn_red_loop *loop = &c->graph->loops[l];
    tn_loop_frame *f = &c->frames[l];
    find_frame(c, loop, f);
    double *A = TN_NEW_ARRAY(double, 36 * (int64_t)loop->count);
    if (!A)
        return TN_ERROR_MEMORY;
    const int32_t m = 6 * loop->count; /* motions that are not free stay rows of zeros */
    for (int32_t e = 0; e < loop->count; e++) {
        const tn_edge_motions *motions = &c->motions[loop->edge[e]];
        for (int32_t k = 0; k < 6; k++) {
            double t[6];
            tn_red_twist_at(motions, k, f, t);
            const double scale = motions->is_free[k] ? 1.0 / tn_red_twist_length(t) : 0.0;
            for (int i = 0; i < 6; i++)
                A[(int64_t)i * m + 6 * e + k] = scale * t[i];
        }
    }
    double V[36], sigma[6];
    tn_jacobi_svd(m, 6, A, V, sigma);
    tn_free(A);
    for (int i = 0; i < 6; i++) {
        const int null = sigma[i] < TN_CLEAR_LOCAL * c->threshold;
        memcpy(null ? f->null[f->nulls++] : f->keep[f->kept++], V + 6 * i, sizeof f->keep[0]);
        if (null)
            c->out->gap_low = fmax(c->out->gap_low, sigma[i]);
    }
    return TN_OK;
}

void tn_red_add_flow(const tn_closing *c, int32_t l, const double mu[6], double *lambda)
{
    const tn_red_loop *loop = &c->graph->loops[l];
    const tn_loop_frame *f = &c->frames[l];
    const tn_vec3 force = v3_scale(1.0 / f->length, v3_load(mu)), moment = v3_load(mu + 3);
    for (int32_t e = 0; e < loop->count; e++) {
        const int32_t j = c->graph->edges[loop->edge[e]].joint;
        if (j < 0)
            continue;
        const tn_edge_motions *m = &c->motions[loop->edge[e]];
        const tn_vec3 here = v3_add(moment, v3_cross(v3_sub(f->origin, m->at), force));
        for (int32_t n = 0; n < c->pose->state.switches[j].active_count; n++) {
            const double *X = m->twist[tn_red_row(c->pose, j, n)];
            lambda[c->pose->sys.layout->y_offset[j] + n] +=
                loop->direction[e] * (v3_dot(v3_load(X), force) + v3_dot(v3_load(X + 3), here));
        }
    }
}

double *tn_red_new_stress(tn_closing *c, int32_t loop, int32_t group)
{
    tn_red_closure *out = c->out;
    if (out->count == c->capacity) {
        const int32_t larger = 2 * c->capacity + 8;
        tn_red_stress *grown = TN_ARENA_ARRAY(c->arena, tn_red_stress, larger);
        if (!grown)
            return NULL;
        if (out->count > 0)
            memcpy(grown, out->stress, sizeof *grown * (size_t)out->count);
        out->stress = grown;
        c->capacity = larger;
    }
    double *lambda = TN_ARENA_ARRAY(c->arena, double, c->slots + 1);
    if (lambda)
        out->stress[out->count++] = (tn_red_stress){.lambda = lambda, .loop = loop, .group = group};
    return lambda;
}

void tn_red_mask_rows(const tn_closing *c, double *lambda)
{
    for (int32_t i = 0; i < c->slots; i++) {
        if (!c->taking_part[i])
            lambda[i] = 0.0;
    }
}

tn_status tn_red_local_stresses(tn_closing *c)
{
    for (int32_t l = 0; l < c->graph->loop_count; l++) {
        for (int32_t k = 0; k < c->frames[l].nulls; k++) {
            double *lambda = tn_red_new_stress(c, l, c->graph->loops[l].group);
            if (!lambda)
                return TN_ERROR_MEMORY;
            tn_red_add_flow(c, l, c->frames[l].null[k], lambda);
            tn_red_mask_rows(c, lambda);
        }
    }
    return TN_OK;
}
