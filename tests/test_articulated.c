/* test_articulated.c: trees eliminated through what their joints leave free (sparse/tree/articulated.h):
 * the solution satisfies the equations it is said to solve, and a simulation by it, or in the angles of
 * hinges (method/angles/hinge_kernel.h), is the one that the general elimination gives.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alpha_sims.h"
#include "method/hinges/alpha_hinges.h"
#include "random_trees.h"
#include "run_main.h"
#include "sparse/tree/articulated.h"
#include "tenon/tenon.h"

static tn_vec3 any_of_size(uint64_t *r, double size)
{
    return v3(size * random_between(r, -1.0, 1.0), size * random_between(r, -1.0, 1.0),
              size * random_between(r, -1.0, 1.0));
}

static tn_vec3 unit(tn_vec3 a)
{
    return v3_scale(1.0 / v3_norm(a), a);
}

static tn_vec3 times(const tn_sym3 *a, tn_vec3 v)
{
    return v3(a->xx * v.x + a->xy * v.y + a->xz * v.z, a->xy * v.x + a->yy * v.y + a->yz * v.z,
              a->xz * v.x + a->yz * v.y + a->zz * v.z);
}

/* ---- the equations ---- */

enum { MOST = 60 };

typedef struct tree {
    int32_t count;
    tn_limb in[MOST], out[MOST];
    double mass[MOST];
} tree;

/* Positive definite: a a^T + b b^T + 0.1. */
static tn_sym3 random_inertia(uint64_t *r)
{
    const tn_vec3 a = any_of_size(r, 1.0), b = any_of_size(r, 1.0);
    return (tn_sym3){a.x * a.x + b.x * b.x + 0.1, a.y * a.y + b.y * b.y + 0.1,
                     a.z * a.z + b.z * b.z + 0.1, a.x * a.y + b.x * b.y,
                     a.x * a.z + b.x * b.z,       a.y * a.z + b.y * b.z};
}

/* Several roots: on the ground or floating. Masses over four decades. */
static tree random_tree(uint64_t *r, int32_t count)
{
    tree t = {.count = count};
    for (int32_t k = 0; k < count; k++) {
        tn_limb *limb = &t.in[k];
        const bool root = k == 0 || random_between(r, 0.0, 1.0) < 0.1;
        const double scale = pow(10.0, random_between(r, -2.0, 2.0));
        limb->inner = root ? -1 : (int32_t)random_between(r, 0.0, k - 1e-9);
        limb->joint = (tn_limb_joint)random_between(r, 0.0, root ? 5.0 - 1e-9 : 4.0 - 1e-9);
        t.mass[k] = scale;
        limb->I.A = (tn_sym3){scale, scale, scale, 0.0, 0.0, 0.0};
        limb->I.C = random_inertia(r);
        limb->I.C.xx *= scale, limb->I.C.yy *= scale, limb->I.C.zz *= scale;
        limb->I.C.xy *= scale, limb->I.C.xz *= scale, limb->I.C.yz *= scale;
        limb->f = any_of_size(r, scale);
        limb->m = any_of_size(r, scale);
        if (limb->joint == TN_LIMB_FREE)
            continue;
        limb->arm = any_of_size(r, 1.0);
        limb->base = limb->inner < 0 ? v3(0.0, 0.0, 0.0) : any_of_size(r, 1.0);
        limb->v = any_of_size(r, 1.0);
        if (limb->joint == TN_LIMB_WELD)
            limb->w = any_of_size(r, 1.0);
        if (limb->joint == TN_LIMB_CROSS) {
            limb->of.cross.axis[0] = unit(any_of_size(r, 1.0));
            limb->of.cross.axis[1] = unit(v3_cross(limb->of.cross.axis[0], any_of_size(r, 1.0)));
            limb->w = any_of_size(r, 1.0);
        }
        if (limb->joint == TN_LIMB_HINGE) {
            limb->of.hinge.axis = unit(any_of_size(r, 1.0));
            const tn_vec3 e = any_of_size(r, 1.0); /* errors are square to the axis */
            limb->w = v3_axpy(e, -v3_dot(e, limb->of.hinge.axis), limb->of.hinge.axis);
        }
    }
    memcpy(t.out, t.in, sizeof t.out);
    ck_assert_int_eq(tn_limbs_factorize(t.out, count), -1);
    tn_limbs_solve(t.out, count);
    return t;
}

/* M v - pulls = f of body k, relative to the largest term; likewise the moments. */
static double imbalance(const tree *t, int32_t k)
{
    const tn_limb *in = &t->in[k], *out = &t->out[k];
    const tn_vec3 momentum = v3_scale(t->mass[k], out->v), spin = times(&in->I.C, out->w);
    tn_vec3 f = v3_sub(v3_sub(momentum, in->f), out->pull_f);
    tn_vec3 m = v3_sub(v3_sub(spin, in->m), v3_add(out->pull_m, v3_cross(in->arm, out->pull_f)));
    double size = v3_norm(momentum) + v3_norm(spin) + v3_norm(out->pull_f) + v3_norm(out->pull_m);
    for (int32_t c = k + 1; c < t->count; c++) {
        if (t->in[c].inner != k)
            continue;
        const tn_limb *hung = &t->out[c];
        f = v3_add(f, hung->pull_f);
        m = v3_add(m, v3_add(hung->pull_m, v3_cross(t->in[c].base, hung->pull_f)));
        size += v3_norm(hung->pull_f) + v3_norm(hung->pull_m);
    }
    return (v3_norm(f) + v3_norm(m)) / size;
}

/* How far the relative twist at P is from what was asked for, but for free motions; and what the
 * joint pulls along those. */
static double joint_error(const tree *t, int32_t k, double *along)
{
    const tn_limb *in = &t->in[k], *out = &t->out[k];
    *along = 0.0;
    if (in->joint == TN_LIMB_FREE)
        return 0.0;
    tn_vec3 v = v3_add(out->v, v3_cross(out->w, in->arm)), w = out->w;
    double size = 1.0 + v3_norm(v) + v3_norm(w);
    if (in->inner >= 0) {
        const tn_limb *inner = &t->out[in->inner];
        v = v3_sub(v, v3_add(inner->v, v3_cross(inner->w, in->base)));
        w = v3_sub(w, inner->w);
        size += v3_norm(inner->v) + v3_norm(inner->w);
    }
    const double pull = v3_norm(out->pull_f) + v3_norm(out->pull_m);
    v = v3_sub(v, in->v);
    w = v3_sub(w, in->w);
    if (in->joint == TN_LIMB_BALL) {
        *along = v3_norm(out->pull_m) / pull;
        return v3_norm(v) / size;
    }
    if (in->joint == TN_LIMB_WELD)
        return (v3_norm(v) + v3_norm(w)) / size;
    if (in->joint == TN_LIMB_CROSS) {
        const tn_vec3 *axis = in->of.cross.axis, n = unit(v3_cross(axis[0], axis[1]));
        *along = (fabs(v3_dot(out->pull_m, axis[0])) + fabs(v3_dot(out->pull_m, axis[1]))) / pull;
        return (v3_norm(v) + fabs(v3_dot(w, n))) / size;
    }
    const tn_vec3 z = in->of.hinge.axis;
    *along = fabs(v3_dot(out->pull_m, z)) / pull;
    return (v3_norm(v) + v3_norm(v3_axpy(w, -v3_dot(w, z), z))) / size;
}

START_TEST(test_equations)
{
    uint64_t r = (uint64_t)_i + 1;
    for (int trial = 0; trial < 20; trial++) {
        const tree t = random_tree(&r, 1 + (int32_t)random_between(&r, 0.0, MOST - 1e-9));
        for (int32_t k = 0; k < t.count; k++) {
            double along;
            ck_assert_double_lt(joint_error(&t, k, &along), 1e-12);
            /* what a light body feels is the difference of what heavy ones do */
            ck_assert_double_lt(imbalance(&t, k), 1e-9);
            ck_assert_double_lt(along, 1e-9);
        }
    }
}
END_TEST

START_TEST(test_refusal)
{
    tn_limb limbs[2] = {{.inner = -1, .joint = TN_LIMB_BALL}, {.inner = 0, .joint = TN_LIMB_HINGE}};
    for (int k = 0; k < 2; k++) {
        limbs[k].I.A = limbs[k].I.C = (tn_sym3){1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
        limbs[k].of.hinge.axis = v3(0.0, 0.0, (double)k);
    }
    limbs[1].I.C.zz = 0.0; /* nothing turns about the axis */
    ck_assert_int_eq(tn_limbs_factorize(limbs, 2), 1);
    limbs[1].I.C.zz = (double)NAN;
    ck_assert_int_eq(tn_limbs_factorize(limbs, 2), 1);
}
END_TEST

/* ---- the simulation ---- */

static const tree_plan hinge_tree = {.types = {"hinge"}, .type_count = 1},
                       ball_tree = {.types = {"hinge", "hinge", "spherical"}, .type_count = 3};
/* Stops are reached within some hundredths of a second. */
static const tree_stops near_stops = {0.25, 0.8, 0.005, 0.1};
static const tree_plan held_tree = {
    .types = {"hinge", "spherical_swing_twist", "spherical_rotation", "spherical_tilt"},
    .type_count = 4,
    .stops = &near_stops};

static tn_model *make_model(uint64_t *r, int32_t count, bool floating, bool backwards,
                            tree_plan plan)
{
    plan.count = count;
    plan.floating = floating;
    plan.backwards = backwards;
    return compiled(random_tree_spec(r, &plan));
}

/* Asked for forces to a tolerance, the general elimination is taken. */
static tn_sim *run(const tn_model *model, double force_tolerance, int steps, double *iterations)
{
    tn_sim_options options = tn_default_sim_options(model);
    options.integrator = TN_GENERALIZED_ALPHA;
    options.force_tolerance = force_tolerance;
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_sim_create(model, &options, NULL, &sim), TN_OK);
    *iterations = 0.0;
    for (int k = 0; k < steps; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(sim, 1e-3, &report), TN_OK);
        *iterations += (double)report.iterations / steps;
    }
    return sim;
}

static double distance(const double *a, const double *b, int32_t count)
{
    double largest = 0.0, size = 0.0;
    for (int32_t k = 0; k < count; k++) {
        largest = fmax(largest, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return largest / fmax(size, 1.0);
}

/* How far the ends of two ways may be apart: poses, velocities, multipliers. */
typedef struct likeness {
    double poses, velocities, multipliers;
} likeness;

static void expect_alike(const tn_sim *one, const tn_sim *other, const likeness *most)
{
    enum { ROOM = 400 };
    double a[ROOM], b[ROOM];
    const tn_model_size size = tn_model_get_size(tn_sim_model(one));
    ck_assert_int_le(size.bodies * 7, ROOM);
    ck_assert_int_le(size.joints * TN_MAX_ROWS, ROOM);
    tn_sim_get_poses(one, a);
    tn_sim_get_poses(other, b);
    ck_assert_double_lt(distance(a, b, size.bodies * 7), most->poses);
    tn_sim_get_velocities(one, a);
    tn_sim_get_velocities(other, b);
    ck_assert_double_lt(distance(a, b, size.bodies * 6), most->velocities);
    tn_sim_get_multipliers(one, a);
    tn_sim_get_multipliers(other, b);
    ck_assert_double_lt(distance(a, b, size.joints * TN_MAX_ROWS), most->multipliers);
}

START_TEST(test_same_as_general)
{
    enum { BODIES = 12, STEPS = 300 };
    uint64_t r = (uint64_t)_i + 11;
    tn_model *model = make_model(&r, BODIES, _i % 2 == 1, _i >= 3, ball_tree);
    double iterations;
    tn_sim *packed = run(model, INFINITY, STEPS, &iterations);
    tn_sim *general = run(model, 1e-9, STEPS, &iterations);
    expect_alike(packed, general, &(likeness){1e-9, 1e-7, 1e-5});
    ck_assert_double_lt(tn_sim_residuals(packed).position, 1e-12);
    tn_sim_destroy(packed);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}
END_TEST

static int32_t held_at(const tn_sim *sim)
{
    const tn_model_size size = tn_model_get_size(tn_sim_model(sim));
    int32_t held = 0;
    for (int32_t j = 0; j < size.joints; j++)
        held += !sim->state.plain[j];
    return held;
}

/* Joints that hold coordinates, by locks and by limits that are reached and let go on the way. */
START_TEST(test_held_as_general)
{
    enum { BODIES = 9, STEPS = 150 };
    uint64_t r = (uint64_t)_i + 301;
    tn_model *model = make_model(&r, BODIES, _i % 2 == 1, _i % 3 == 1, held_tree);
    tn_sim *sims[2];
    int32_t events = 0, in_tree = 0, held = 0;
    for (int g = 0; g < 2; g++) {
        tn_sim_options options = tn_default_sim_options(model);
        options.integrator = TN_GENERALIZED_ALPHA;
        options.force_tolerance = g ? 1e-9 : INFINITY;
        ck_assert_int_eq(tn_sim_create(model, &options, NULL, &sims[g]), TN_OK);
    }
    for (int k = 0; k < STEPS; k++) {
        tn_step_report report;
        for (int g = 0; g < 2; g++) {
            const tn_status status = tn_sim_step(sims[g], 1e-3, &report);
            ck_assert_msg(status == TN_OK, "%d: %s in step %d", g, tn_status_text(status), k);
        }
        events += report.events;
        in_tree += tn_alpha_of(sims[0])->tree->on || sims[0]->reactions_balance;
        held = held_at(sims[0]) > held ? held_at(sims[0]) : held;
        ck_assert(!tn_alpha_of(sims[1])->tree->on);
        expect_alike(sims[0], sims[1], &(likeness){1e-8, 1e-6, 1e-4});
        ck_assert_double_lt(tn_sim_residuals(sims[0]).angle, 1e-11);
    }
    printf("%d: %d events, %d of %d steps as a tree, up to %d joints held\n", _i, (int)events,
           (int)in_tree, STEPS, (int)held);
    ck_assert_int_gt(in_tree, STEPS / 2);
    ck_assert_int_gt(held, 0);
    tn_sim_destroy(sims[0]);
    tn_sim_destroy(sims[1]);
    tn_model_destroy(model);
}
END_TEST

/* Reactions of the end are those that its accelerations ask for, of every body. */
static void expect_balance(const tn_sim *sim)
{
    tn_balance balance;
    ck_assert_int_eq(tn_sim_balance(sim, &balance), TN_OK);
    ck_assert_double_lt(balance.force, 1e-12);
    ck_assert_double_lt(balance.moment, 1e-9);
}

/* Of hinges alone a step is found in their angles: the end is that of the general elimination iterated to
 * round-off, at little more than one iteration a step. */
START_TEST(test_hinges_alone)
{
    enum { BODIES = 10, STEPS = 400 };
    uint64_t r = (uint64_t)_i + 31;
    tn_model *model = make_model(&r, BODIES, false, _i >= 3, hinge_tree);
    double few, many;
    tn_sim *packed = run(model, INFINITY, STEPS, &few), *general = run(model, 1e-13, STEPS, &many);
    expect_alike(packed, general, &(likeness){1e-11, 1e-10, 1e-7});
    expect_balance(packed);
    ck_assert_double_lt(tn_sim_residuals(packed).position, 1e-14);
    ck_assert_double_le(few, 1.1);
    tn_sim_destroy(packed);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}
END_TEST

/* rad: by which hinges are off at the end of the last step, of which the factor is. */
static double left_by(const tn_sim *sim)
{
    const tn_alpha c = tn_alpha_coefficients(sim, 1e-3);
    const tn_hinge_rule rule = tn_hinge_rule_of(&c);
    tn_hinge_sizes left;
    ck_assert(tn_hinges_look(&tn_alpha_of(sim)->hinges->forest, &rule, &left));
    return left.largest;
}

static void let_whirl(tn_sim *sim, int32_t joints, uint64_t *r)
{
    for (int32_t j = 0; j < joints; j++) {
        const tn_coordinate_request rate = {{j}, 0, 6.0 * random_between(r, -1.0, 1.0)};
        ck_assert_int_eq(tn_sim_set_coordinate_speeds(sim, &rate, 1, NULL, NULL, NULL), TN_OK);
    }
}

/* What a correction leaves is told from how others contracted, and is worked out in few steps only: asked of
 * every step afterwards, it is what it was told to be. */
START_TEST(test_corrections_are_believed)
{
    enum { BODIES = 10, STEPS = 1500 };
    const double enough = 1e-12;
    uint64_t r = (uint64_t)_i + 51;
    tn_model *model = make_model(&r, BODIES, false, _i >= 3, hinge_tree);
    tn_sim *sim = alpha_sim_to(model, enough);
    let_whirl(sim, BODIES, &r);
    int believed = 0, in_angles = 0;
    for (int k = 0; k < STEPS; k++) {
        const bool goes_on = tn_alpha_hinges_go_on(sim, 1e-3);
        const double before = tn_alpha_remembers(model, &sim->state).balance->hinge_believed;
        ck_assert_int_eq(tn_sim_step(sim, 1e-3, NULL), TN_OK);
        const tn_alpha_balance *balance = tn_alpha_remembers(model, &sim->state).balance;
        if (!goes_on || balance->hinge_steps < TN_HINGE_DEGREE || balance->hinge_believed == 0.0)
            continue;
        const bool looked = balance->hinge_believed >= before;
        in_angles++;
        believed += !looked;
        ck_assert_double_le(left_by(sim), looked ? enough : TN_HINGE_MET * enough);
    }
    ck_assert_int_ge(in_angles, STEPS / 5);
    ck_assert_int_ge(believed, in_angles / 2);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

/* ---- far away ---- */

enum { FAR_LINKS = 50, FAR_STEPS = 300, TAUT_STEPS = 80 };

/* Links of 0.1 m and a gram, with so many kilograms at their end, from a place on. */
static tn_model *make_rope(int32_t links, double from, double tip)
{
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < links; k++) {
        tn_body_def body = tn_default_body_def();
        tn_joint_def joint = tn_default_joint_def();
        body.pose.p.x = from + 0.1 * k + 0.05;
        body.mass = k < links - 1 ? 1e-3 : tip;
        const double J = body.mass * 0.01 / 12;
        body.com = v3(0.0, 0.0, 0.0);
        body.inertia = (tn_mat3){{{J, 0.0, 0.0}, {0.0, J, 0.0}, {0.0, 0.0, J}}};
        joint.type = "hinge";
        joint.a.i = k;
        joint.b.i = k - 1;
        joint.placement = TN_PLACE_AXIS;
        joint.origin = v3(from + 0.1 * k, 0.0, 0.0);
        joint.axis = k % 2 ? v3(0.0, 0.6, 0.8) : v3(0.0, 1.0, 0.0);
        tn_spec_add_body(spec, &body, NULL);
        tn_spec_add_joint(spec, &joint, NULL);
    }
    return compiled(spec);
}

/* Where the last link is, from where the rope hangs, after steps none of which was halved. */
static tn_vec3 swing(double from)
{
    tn_model *model = make_rope(FAR_LINKS, from, 30.0);
    tn_sim *sim = alpha_sim(model);
    for (int k = 0; k < FAR_STEPS; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(sim, 1e-3, &report), TN_OK);
        ck_assert_int_eq(report.halvings, 0);
    }
    tn_vec3 at = tn_sim_body_pose(sim, (tn_body){FAR_LINKS - 1}).p;
    at.x -= from;
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    return at;
}

/* A hundred kilometres from where places are counted from they are rounded to 1.5e-11 m, which turns what pulls thirty
 * thousand times as hard as a link's inertia: Newton's iteration ends where that does. */
START_TEST(test_far_away)
{
    const tn_vec3 near = swing(0.0), far = swing(1e5);
    ck_assert_double_gt(near.z, -0.46);
    ck_assert_double_lt(near.z, -0.3);
    ck_assert_double_le(v3_norm(v3_sub(near, far)), 1e-6);
}
END_TEST

/* A rope as above, from rest. */
typedef struct taut {
    tn_model *model;
    tn_sim *sim;
} taut;

static taut make_taut(int32_t links, double from, double tip)
{
    tn_model *model = make_rope(links, from, tip);
    return (taut){model, alpha_sim(model)};
}

static void free_taut(taut *t)
{
    tn_sim_destroy(t->sim);
    tn_model_destroy(t->model);
}

/* Where places are rounded to more than the tolerance, steps are taken in the angles of hinges from the first on, by the
 * differences that tell most, with another matrix where one step's wears or a prediction pushes the rope together: what
 * they leave is what the equations allow, none is cut, and they end where those of a rope end that hangs near. */
START_TEST(test_taut)
{
    static const double tips[] = {1.0, 30.0, 1e3};
    const double from = _i < 3 ? 1e3 : 1e4, tip = tips[_i % 3];
    taut near = make_taut(FAR_LINKS, 0.0, tip), far = make_taut(FAR_LINKS, from, tip);
    int in_angles = 0, renewed = 0;
    for (int k = 0; k < TAUT_STEPS; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(near.sim, 1e-3, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(far.sim, 1e-3, &report), TN_OK);
        ck_assert_int_eq(report.halvings, 0);
        if (!far.sim->reactions_balance)
            continue;
        in_angles++;
        renewed += report.factorizations > 1;
        ck_assert_double_le(left_by(far.sim), TN_ROUND_OFF * (from + 6.0));
    }
    ck_assert_int_eq(in_angles, TAUT_STEPS);
    ck_assert(tip < 1e3 || renewed > in_angles / 2);
    for (size_t j = 0; j < FAR_LINKS; j++)
        ck_assert_double_eq_tol(far.sim->state.coordinates[TN_MAX_COORDINATES * j],
                                near.sim->state.coordinates[TN_MAX_COORDINATES * j],
                                tip < 1e3 ? 1e-8 : 3e-5);
    free_taut(&near);
    free_taut(&far);
}
END_TEST

/* What is corrected widely, in one pass, as the step before was, ends where it does when each step finds that out anew: ropes
 * of more limbs than are gone through at a time. */
START_TEST(test_wide)
{
    const int32_t links = 150 + 90 * _i;
    const double from = 1e3, tip = _i % 2 ? 1.0 : 30.0;
    taut told = make_taut(links, from, tip), anew = make_taut(links, from, tip);
    int wide = 0;
    for (int k = 0; k < TAUT_STEPS; k++) {
        tn_step_report report;
        tn_alpha_remembers(anew.model, &anew.sim->state).balance->hinge_wide = 0.0;
        wide += tn_alpha_remembers(told.model, &told.sim->state).balance->hinge_wide > 0.0;
        ck_assert_int_eq(tn_sim_step(anew.sim, 1e-3, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(told.sim, 1e-3, &report), TN_OK);
        ck_assert_int_eq(report.halvings, 0);
        if (told.sim->reactions_balance)
            ck_assert_double_le(left_by(told.sim), TN_ROUND_OFF * (from + 0.2 * links));
    }
    ck_assert_int_ge(wide, 10);
    for (size_t j = 0; j < (size_t)links; j++)
        ck_assert_double_eq_tol(told.sim->state.coordinates[TN_MAX_COORDINATES * j],
                                anew.sim->state.coordinates[TN_MAX_COORDINATES * j], 1e-9);
    free_taut(&told);
    free_taut(&anew);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("articulated");
    TCase *tests = tcase_create("trees");
    tcase_add_loop_test(tests, test_equations, 0, 5);
    tcase_add_test(tests, test_refusal);
    tcase_add_loop_test(tests, test_same_as_general, 0, 6);
    tcase_add_loop_test(tests, test_held_as_general, 0, 12);
    tcase_add_loop_test(tests, test_hinges_alone, 0, 6);
    tcase_add_loop_test(tests, test_corrections_are_believed, 0, 6);
    tcase_add_test(tests, test_far_away);
    tcase_add_loop_test(tests, test_taut, 0, 6);
    tcase_add_loop_test(tests, test_wide, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
