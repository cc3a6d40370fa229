/* test_artisynth_runs.c: constrained_backward_euler reproduces runs of ArtiSynth step by step.
 *
 * Every reference run of the joints that exist here, hard and compliant, grounded and free, over
 * all of its steps; and the ArtiSynth guide's two examples with the masses of the files' headers.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/artisynth_ref.h"
#include "support/run_main.h"
#include "tenon/tenon.h"

typedef struct run_case {
    const char *file;
    tn_vec3 gravity;
    double frame_damping, rotary_damping;
    double tolerance;            /* poses, velocities, coordinates */
    double multiplier_tolerance; /* relative to the largest of the row */
} run_case;

static const run_case cases[] = {
    {"hinge_gnd_cbe", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"hinge_gnd_cbe_compliant", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"hinge_two_cbe", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"hinge_two_cbe_compliant", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"cylindrical_gnd_cbe", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"cylindrical_gnd_cbe_compliant", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"cylindrical_two_cbe", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"cylindrical_two_cbe_compliant", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"spherical_gnd_cbe", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"spherical_gnd_cbe_compliant", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"spherical_two_cbe", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"spherical_two_cbe_compliant", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"solid_gnd_cbe", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"solid_gnd_cbe_compliant", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"solid_two_cbe", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"solid_two_cbe_compliant", {0, 0, -9.8}, 0, 0, 1e-9, 1e-6},
    {"RigidBodyJoint", {0, 0, -98}, 1, 4, 1e-7, 1e-6},
    {"FourBarLinkage", {0, 0, -9.8}, 1, 4, 1e-7, 1e-6},
};

static tn_pose to_pose(artisynth_pose p)
{
    return (tn_pose){p.p, tn_quat_from_matrix(&p.R)};
}

/* Inertia about the centre of mass from that about the origin. */
static tn_mat3 central_inertia(const artisynth_body *body)
{
    tn_mat3 J = body->inertia;
    const double c[3] = {body->com.x, body->com.y, body->com.z};
    const double c2 = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            J.m[i][j] -= body->mass * ((i == j ? c2 : 0.0) - c[i] * c[j]);
    return J;
}

static void add_bodies(const artisynth_ref *ref, tn_spec *spec)
{
    for (int i = 0; i < ref->body_count; i++) {
        const artisynth_body *body = &ref->bodies[i];
        tn_body_def def = tn_default_body_def();
        def.name = body->name;
        def.kind = body->dynamic ? TN_BODY_RIGID : TN_BODY_FIXED;
        def.mass = body->mass;
        def.com = body->com;
        def.inertia = central_inertia(body);
        if (body->dynamic) {
            const artisynth_motion motion = artisynth_ref_motion(ref, 0, body->slot);
            def.pose = to_pose(motion.pose);
            def.velocity = motion.velocity;
        }
        ck_assert_int_eq(tn_spec_add_body(spec, &def, NULL), TN_OK);
    }
}

static void add_joints(const artisynth_ref *ref, tn_spec *spec)
{
    for (int j = 0; j < ref->joint_count; j++) {
        const artisynth_joint *joint = &ref->joints[j];
        tn_joint_def def = tn_default_joint_def();
        def.type = joint->type;
        def.a.i = joint->body_a;
        def.b.i = joint->body_b;
        def.placement = TN_PLACE_WORLD_FRAMES;
        def.frame_c = to_pose(joint->T_CW);
        def.frame_d = to_pose(joint->T_DW);
        for (int k = 0; k < joint->bilateral_count; k++) {
            def.compliance[k] = joint->compliance[k];
            def.damping[k] = joint->damping[k];
        }
        ck_assert_int_eq(tn_spec_add_joint(spec, &def, NULL), TN_OK);
    }
}

static tn_sim *make_sim(const artisynth_ref *ref, const run_case *c, tn_model **model)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = c->gravity;
    world.frame_damping = c->frame_damping;
    world.rotary_damping = c->rotary_damping;
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_OK);
    add_bodies(ref, spec);
    add_joints(ref, spec);
    tn_sim *sim = NULL;
    tn_status status = tn_model_compile(spec, diags, model);
    if (status == TN_OK) {
        tn_sim_options options = tn_default_sim_options(*model);
        options.integrator = TN_CONSTRAINED_BACKWARD_EULER;
        status = tn_sim_create(*model, &options, diags, &sim);
    }
    for (int i = 0; i < tn_diagnostics_count(diags); i++)
        printf("%s: %s\n", c->file, tn_diagnostics_get(diags, i)->message);
    ck_assert_int_eq(status, TN_OK);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
    return sim;
}

static double difference(const double *a, const double *b, int n)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

/* Largest deviation of positions, rotation matrices and velocities from the file. */
static double body_deviation(const artisynth_ref *ref, const tn_sim *sim, int row)
{
    double worst = 0.0;
    for (int i = 0; i < ref->body_count; i++) {
        if (!ref->bodies[i].dynamic)
            continue;
        const artisynth_motion want = artisynth_ref_motion(ref, row, ref->bodies[i].slot);
        const tn_pose pose = tn_sim_body_pose(sim, (tn_body){i});
        const tn_twist twist = tn_sim_body_velocity(sim, (tn_body){i});
        const tn_mat3 R = tn_quat_to_matrix(pose.q);
        worst = fmax(worst, difference(&pose.p.x, &want.pose.p.x, 3));
        worst = fmax(worst, difference(&R.m[0][0], &want.pose.R.m[0][0], 9));
        worst = fmax(worst, difference(&twist.v.x, &want.velocity.v.x, 3));
        worst = fmax(worst, difference(&twist.w.x, &want.velocity.w.x, 3));
    }
    return worst;
}

static double coordinate_deviation(const artisynth_ref *ref, const tn_sim *sim, int row)
{
    double worst = 0.0;
    for (int j = 0; j < ref->joint_count; j++) {
        double q[TN_MAX_COORDINATES] = {0};
        tn_sim_joint_coordinates(sim, (tn_joint){j}, q);
        const double *want = artisynth_ref_coordinates(ref, row) + ref->joints[j].first_coordinate;
        /* whole turns apart at the start is a choice of origin, the same in every row */
        for (int i = 0; i < ref->joints[j].coordinate_count; i++) {
            const double d = q[i] - want[i];
            worst = fmax(worst, fabs(d - 2.0 * M_PI * round(d / (2.0 * M_PI))));
        }
    }
    return worst;
}

/* Relative to the largest multiplier of the row of the file. */
static double multiplier_deviation(const artisynth_ref *ref, const tn_sim *sim, int row)
{
    double worst = 0.0, largest = 0.0;
    const double *want = artisynth_ref_multipliers(ref, row);
    for (int k = 0; k < ref->multiplier_count; k++)
        largest = fmax(largest, fabs(want[k]));
    for (int j = 0; j < ref->joint_count; j++) {
        double lambda[TN_MAX_ROWS];
        tn_sim_joint_multipliers(sim, (tn_joint){j}, lambda);
        worst = fmax(worst, difference(lambda, want + ref->joints[j].first_multiplier,
                                       ref->joints[j].bilateral_count));
    }
    return worst / largest;
}

START_TEST(reproduces_run)
{
    const run_case *c = &cases[_i];
    char path[512];
    snprintf(path, sizeof path, "%s/artisynth/%s.csv", TN_TEST_DATA, c->file);
    artisynth_ref ref;
    ck_assert_msg(artisynth_ref_read(path, &ref), "%s", ref.error);
    tn_model *model = NULL;
    tn_sim *sim = make_sim(&ref, c, &model);

    double motion = 0.0, coordinate = 0.0, multiplier = 0.0;
    for (int row = 1; row < ref.row_count; row++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(sim, ref.step, &report), TN_OK);
        motion = fmax(motion, body_deviation(&ref, sim, row));
        coordinate = fmax(coordinate, coordinate_deviation(&ref, sim, row));
        multiplier = fmax(multiplier, multiplier_deviation(&ref, sim, row));
    }
    printf("%-30s steps %d  motion %.1e  coordinates %.1e  multipliers %.1e\n", c->file,
           ref.row_count - 1, motion, coordinate, multiplier);
    ck_assert_double_le(motion, c->tolerance);
    ck_assert_double_le(coordinate, c->tolerance);
    ck_assert_double_le(multiplier, c->multiplier_tolerance);

    tn_sim_destroy(sim);
    tn_model_destroy(model);
    artisynth_ref_free(&ref);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("artisynth_runs");
    TCase *runs = tcase_create("runs");
    tcase_set_timeout(runs, 120);
    tcase_add_loop_test(runs, reproduces_run, 0, (int)(sizeof cases / sizeof cases[0]));
    suite_add_tcase(suite, runs);
    return suite;
}
