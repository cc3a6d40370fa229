/* branches.c: room sparse/tree: see branches.h. */
#include "sparse/tree/branches.h"

#include <float.h>

static tn_twist twist_axpy(tn_twist a, double by, tn_twist b)
{
    return (tn_twist){v3_axpy(a.v, by, b.v), v3_axpy(a.w, by, b.w)};
}

static tn_twist twist_sum(tn_twist a, tn_twist b)
{
    return (tn_twist){v3_add(a.v, b.v), v3_add(a.w, b.w)};
}

/* Power of a wrench about the same point. */
static double power(tn_twist z, tn_vec3 f, tn_vec3 m)
{
    return v3_dot(z.v, f) + v3_dot(z.w, m);
}

/* Motion n becomes conjugate to those before it. */
static bool factor_motion(tn_branch *b, int32_t n)
{
    tn_branch_motion *own = &b->motions[n];
    const tn_twist z = own->z;
    own->f = limb_wrench_f(&b->I, z.v, z.w);
    own->m = limb_wrench_m(&b->I, z.v, z.w);
    double d = power(z, own->f, own->m) + own->own;
    for (int32_t k = 0; k < n; k++) {
        const tn_branch_motion *before = &b->motions[k];
        const double along = power(z, before->f, before->m), by = -along * before->by_d;
        own->z = twist_axpy(own->z, by, before->z);
        own->f = v3_axpy(own->f, by, before->f);
        own->m = v3_axpy(own->m, by, before->m);
        own->effort += by * before->effort;
        own->mixed[k] = by;
        d += along * by;
    }
    own->by_d = 1.0 / d;
    return d > 0.0 && own->by_d <= DBL_MAX;
}

/* I less what the motion takes. */
static void take_motion(const tn_branch_motion *motion, tn_inertia6 *left)
{
    const tn_vec3 f = v3_scale(motion->by_d, motion->f), m = v3_scale(motion->by_d, motion->m);
    const double row[3] = {f.x, f.y, f.z};
    s3_take(&left->A, f, motion->f);
    s3_take(&left->C, m, motion->m);
    for (int i = 0; i < 3; i++) {
        left->B.m[i][0] -= row[i] * motion->m.x;
        left->B.m[i][1] -= row[i] * motion->m.y;
        left->B.m[i][2] -= row[i] * motion->m.z;
    }
}

int32_t tn_branches_factorize(tn_branch *branches, int32_t count)
{
    for (int32_t i = count - 1; i >= 0; i--) {
        tn_branch *b = &branches[i];
        if (b->arm.x != 0.0 || b->arm.y != 0.0 || b->arm.z != 0.0)
            limb_shift(&b->I, b->arm);
        for (int32_t n = 0; n < b->free; n++) {
            if (!factor_motion(b, n))
                return i;
        }
        if (b->inner < 0)
            continue;
        tn_inertia6 left = b->I;
        for (int32_t n = 0; n < b->free; n++)
            take_motion(&b->motions[n], &left);
        limb_shift(&left, v3_scale(-1.0, b->base));
        limb_add_inertia(&branches[b->inner].I, &left);
    }
    return -1;
}

/* b of a branch, about P and with what hangs on it; s without the inner body's motion; the rest goes to the inner body. */
static void gather(tn_branch *branches, tn_branch *b)
{
    const tn_twist e = b->twist;
    b->m = v3_sub(b->m, v3_cross(b->arm, b->f));
    tn_vec3 f = v3_sub(b->f, limb_wrench_f(&b->I, e.v, e.w)),
            m = v3_sub(b->m, limb_wrench_m(&b->I, e.v, e.w));
    for (int32_t n = 0; n < b->free; n++)
        b->motions[n].s =
            b->motions[n].by_d * (power(b->motions[n].z, f, m) + b->motions[n].effort);
    if (b->inner < 0)
        return;
    for (int32_t n = 0; n < b->free; n++) {
        f = v3_axpy(f, -b->motions[n].s, b->motions[n].f);
        m = v3_axpy(m, -b->motions[n].s, b->motions[n].m);
    }
    tn_branch *inner = &branches[b->inner];
    inner->f = v3_add(inner->f, f);
    inner->m = v3_add(inner->m, v3_add(m, v3_cross(b->base, f)));
}

/* Twist and pull, after those of the inner body. */
static void scatter(const tn_branch *branches, tn_branch *b)
{
    tn_twist at_p = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (b->inner >= 0) {
        const tn_twist *inner = &branches[b->inner].twist;
        at_p = (tn_twist){v3_add(inner->v, v3_cross(inner->w, b->base)), inner->w};
    }
    tn_twist now = twist_sum(at_p, b->twist);
    for (int32_t n = 0; n < b->free; n++) {
        tn_branch_motion *motion = &b->motions[n];
        motion->s -= motion->by_d * power(at_p, motion->f, motion->m);
        now = twist_axpy(now, motion->s, motion->z);
    }
    b->pull_f = v3_sub(limb_wrench_f(&b->I, now.v, now.w), b->f);
    b->pull_m = v3_sub(limb_wrench_m(&b->I, now.v, now.w), b->m);
    b->twist = (tn_twist){v3_sub(now.v, v3_cross(now.w, b->arm)), now.w};
}

void tn_branches_solve(tn_branch *branches, int32_t count)
{
    for (int32_t i = count - 1; i >= 0; i--)
        gather(branches, &branches[i]);
    for (int32_t i = 0; i < count; i++)
        scatter(branches, &branches[i]);
}

void tn_branch_rates(const tn_branch *branch, double *rates)
{
    for (int32_t n = branch->free - 1; n >= 0; n--) {
        rates[n] = branch->motions[n].s;
        for (int32_t m = n + 1; m < branch->free; m++)
            rates[n] += branch->motions[m].mixed[n] * rates[m];
    }
}
