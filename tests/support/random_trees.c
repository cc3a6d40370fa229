/* random_trees.c: see random_trees.h. */
#include "random_trees.h"

#include <check.h>
#include <math.h>

/* Drawn from z on, as when the seeds of the tests were chosen. */
static tn_vec3 any_vector(uint64_t *seed)
{
    const double z = random_number(seed), y = random_number(seed);
    return (tn_vec3){random_number(seed), y, z};
}

static tn_vec3 any_axis(uint64_t *seed)
{
    const tn_vec3 a = any_vector(seed);
    const double by = 1.0 / sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    return (tn_vec3){by * a.x, by * a.y, by * a.z};
}

static void add_body(tn_spec *spec, uint64_t *seed, int32_t k, bool floating)
{
    tn_body_def body = tn_default_body_def();
    body.pose.p = (tn_vec3){k, 0.3 * (k % 3), 0.1 * k};
    body.pose.q = tn_quat_from_z_axis(any_axis(seed));
    body.mass = pow(10.0, random_between(seed, -1.0, 1.0));
    body.com = (tn_vec3){0.0, 0.0, 0.0};
    body.inertia = (tn_mat3){{{0.2 * body.mass, 0.01 * body.mass, 0.0},
                              {0.01 * body.mass, 0.3 * body.mass, 0.0},
                              {0.0, 0.0, 0.15 * body.mass}}};
    body.velocity.w = floating ? any_vector(seed) : (tn_vec3){0.0, 0.0, 0.0};
    ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
}

/* Tilts and swings, of every second joint, begin at 0 and are not less: they have a stop above only. */
static void hold(uint64_t *seed, int32_t k, const tree_stops *stops, tn_joint_def *joint)
{
    tn_joint_type type;
    ck_assert_int_eq(tn_joint_type_find(joint->type, &type), TN_OK);
    for (int i = 0; i < tn_joint_type_get(type)->coordinate_count; i++) {
        const bool from_zero = k % 2 == 1 && i == 0;
        const double what = random_between(seed, 0.0, 1.0);
        if (what < stops->locked && !from_zero && k % 4 < 2) {
            joint->locked[i] = 1;
        } else if (what < stops->held) {
            joint->lower[i] = from_zero ? -(double)INFINITY
                                        : random_between(seed, -stops->furthest, -stops->nearest);
            joint->upper[i] = random_between(seed, stops->nearest, stops->furthest);
        }
    }
}

/* Of limb k; the bodies of limbs are numbered from `first` on, in steps of `sign`. */
static void add_joint(tn_spec *spec, uint64_t *seed, const tree_plan *plan, int32_t k)
{
    const int32_t first = plan->backwards ? plan->count - 1 : 0, sign = plan->backwards ? -1 : 1;
    const int32_t inner = k == 0 ? -1 : (int32_t)random_between(seed, 0.0, k - 1e-9);
    const int32_t outer_body = first + sign * k, inner_body = inner < 0 ? -1 : first + sign * inner;
    const bool swap = inner >= 0 && k % 2 == 1;
    tn_joint_def joint = tn_default_joint_def();
    joint.type = plan->types[k % plan->type_count];
    joint.a.i = swap ? inner_body : outer_body;
    joint.b.i = swap ? outer_body : inner_body;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = (tn_vec3){k - 0.5, 0.1, 0.1 * k};
    joint.axis = any_axis(seed);
    if (plan->stops)
        hold(seed, k, plan->stops, &joint);
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
}

tn_spec *random_tree_spec(uint64_t *seed, const tree_plan *plan)
{
    tn_spec *spec = tn_spec_create();
    for (int32_t i = 0; i < plan->count; i++)
        add_body(spec, seed, plan->backwards ? plan->count - 1 - i : i, plan->floating);
    for (int32_t k = plan->floating ? 1 : 0; k < plan->count; k++)
        add_joint(spec, seed, plan, k);
    return spec;
}
