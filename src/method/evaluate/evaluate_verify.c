/* evaluate_verify.c: room method/evaluate: are the accelerations of a stage those of the equations? See evaluate.h.
 *
 * The elimination loses digits where bodies are light against what they carry, or where two columns are nearly one. So the
 * equations of Newton and Euler are put together again, of every body by what acts on it and by the wrenches of its joints, and
 * those along all free coordinates. What they leave is a force: its square times an inverse inertia is compared with the
 * largest of what acts.
 */
#include <math.h>

#include "math/m3.h"
#include "method/evaluate/evaluate.h"

/* What the equations may leave, relative to the largest wrench: a share of what a sub-step may err, at most the first, and not
 * less than rounding. */
#define TN_STAGE_LEFT     1e-10
#define TN_STAGE_OF_ERROR 1e-2
#define TN_STAGE_ROUNDING 1e-13

/* N^2/kg: of a wrench in axes of the body. */
static double size_of(const tn_sim *sim, const tn_tree_link *link, tn_vec3 f, tn_vec3 m)
{
    const double *inverse = sim->inverse_inertia + link->u;
    return inverse[0] * v3_dot(f, f) +
           (inverse[3] * m.x * m.x + inverse[4] * m.y * m.y + inverse[5] * m.z * m.z);
}

/* The wrenches of all joints, to what they act on. */
static void gather_pulls(const tn_joint_stages *w)
{
    for (int32_t k = 0; k < w->count; k++) {
        const tn_branch *branch = &w->branches[k];
        tn_stage_body *b = &w->bodies[k + 1];
        b->pull_f = branch->pull_f;
        b->pull_m = branch->pull_m;
        if (branch->inner < 0)
            continue;
        tn_stage_body *inner = &w->bodies[branch->inner + 1];
        inner->pull_f = v3_sub(inner->pull_f, branch->pull_f);
        inner->pull_m =
            v3_sub(inner->pull_m, v3_add(branch->pull_m, v3_cross(branch->base, branch->pull_f)));
    }
}

/* What body k leaves, and *most: the largest of what acts on it. */
static double left_of_body(const tn_joint_stages *w, const tn_sim *sim, int32_t k, double *most)
{
    const tn_tree_link *link = &w->joints[k].link;
    const tn_stage_body *b = &w->bodies[k + 1];
    const tn_branch *branch = &w->branches[k];
    const double *f = sim->sys.f + link->u, *a = sim->state.udot + link->u;
    const tn_vec3 force = v3_load(f), moment = v3_load(f + 3);
    const tn_vec3 left_f = v3_add(v3_axpy(force, -link->mass, v3_load(a)), b->pull_f);
    const tn_vec3 left_m =
        v3_add(v3_sub(moment, s3_mulv(&link->J, v3_load(a + 3))), m3_tmulv(&b->R, b->pull_m));
    *most = fmax(*most, size_of(sim, link, force, moment));
    *most = fmax(*most, size_of(sim, link, branch->pull_f, m3_tmulv(&b->R, branch->pull_m)));
    return size_of(sim, link, left_f, left_m);
}

/* Of the coordinates of its joint: the most that one leaves. */
static double left_along(const tn_joint_stages *w, int32_t k, const double *sdot)
{
    const tn_stage_joint *joint = &w->joints[k];
    const tn_stage_body *b = &w->bodies[k + 1];
    const tn_branch *branch = &w->branches[k];
    double most = 0.0;
    for (int32_t n = 0, at = 0; n < joint->count; n++) {
        if (!isnan(b->given[n])) /* the multiplier is what is left */
            continue;
        const double by = v3_dot(b->z[n].v, branch->pull_f) + v3_dot(b->z[n].w, branch->pull_m) +
                          joint->armature[n] * sdot[joint->first + n] - b->effort[n];
        const double left = by * by * branch->motions[at++].by_d;
        most = left > most || isnan(left) ? left : most; /* NaN stays */
    }
    return most;
}

bool tn_stage_is_solved(const tn_joint_stages *w, const tn_sim *sim, const double *sdot)
{
    const double error = TN_STAGE_OF_ERROR * sim->options.relative_tolerance;
    const double share = fmax(fmin(error, TN_STAGE_LEFT), TN_STAGE_ROUNDING);
    double most = 0.0, left = 0.0;
    gather_pulls(w);
    for (int32_t k = 0; k < w->count; k++) {
        const double body = left_of_body(w, sim, k, &most), along = left_along(w, k, sdot);
        left = body > left || isnan(body) ? body : left;
        left = along > left || isnan(along) ? along : left;
    }
    return left <= share * share * most;
}
