/* Mistakes that other engines made with joints: one named test each. */
#include <check.h>
#include <string.h>

#include "joint_sims.h"
#include "run_main.h"

static tn_joint_type type_of(const char *name)
{
    tn_joint_type type = {-1};
    ck_assert_int_eq(tn_joint_type_find(name, &type), TN_OK);
    return type;
}

static tn_xform turned_about(tn_vec3 axis, double angle)
{
    return (tn_xform){q_to_m3(tn_quat_from_axis_angle(axis, angle)), {0.0, 0.0, 0.0}};
}

/* A body at the origin, 1 kg, 1 kg m^2 about every axis, turning and moving. */
static tn_body_def unit_body(tn_vec3 v, tn_vec3 w)
{
    tn_body_def def = tn_default_body_def();
    def.mass = 1.0;
    def.com = v3(0.0, 0.0, 0.0);
    def.inertia = m3_identity();
    def.velocity = (tn_twist){v, w};
    return def;
}

static tn_spec *weightless_spec(void)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = v3(0.0, 0.0, 0.0);
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_OK);
    return spec;
}

/* A unit body joined to the ground at the origin. */
static joint_sim unit_body_on_ground(const char *type, tn_vec3 v, tn_vec3 w)
{
    tn_spec *spec = weightless_spec();
    const tn_body_def body = unit_body(v, w);
    tn_joint_def joint = tn_default_joint_def();
    joint.type = type;
    joint.placement = TN_PLACE_ORIGIN;
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &joint.a), TN_OK);
    joint.b = tn_ground();
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    const joint_sim s = joint_sim_of_spec(spec, NULL);
    tn_spec_destroy(spec);
    return s;
}

/* ---- projections -------------------------------------------------------------------------- */

/* Half turns about any axis, far away, on the origin: always a legal pose, never a NaN. */
START_TEST(no_pose_is_too_far_to_project)
{
    uint64_t seed = 1;
    const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
    const tn_vec3 axes[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0},
                            {1.0, 1.0, 0.0}, {0.0, 1.0, 1.0}, {0.6, 0.0, 0.8}};
    const double distances[] = {0.0, 1e-300, 1e-9, 1.0, 1e6};
    for (int n = 0; n < 6 * 5; n++) {
        tn_xform T_CD = turned_about(axes[n % 6], TN_PI), once, twice;
        T_CD.p = v3_scale(distances[n / 6], v3(1.0, 0.0, -1.0));
        tn_joint_project(s.cls, &s.setup, &T_CD, s.q, &once);
        ck_assert(isfinite(once.p.x + once.p.y + once.p.z) && isfinite(once.R.m[0][0]));
        if (!s.cls->project)
            continue; /* searched near the reference only */
        ck_assert_int_eq(tn_joint_project(s.cls, &s.setup, &once, s.q, &twice), 1);
        const double d = pose_distance(&once, &twice);
        ck_assert_msg(d <= 1e-13 * fmax(1.0, distances[n / 6]), "%s: case %d is off by %g",
                      s.cls->info.name, n, d);
    }
}
END_TEST

static const char *const turning_about_z[] = {"hinge",         "cylindrical", "screw",
                                              "slotted_hinge", "planar",      "parallel_axes"};

/* z_C against z_D: 180 degrees about x, and the caller is told. */
START_TEST(opposite_axes_turn_about_x)
{
    uint64_t seed = 2;
    const joint_sample s = sample_joint(type_of(turning_about_z[_i]), &seed);
    const double angle = 0.7;
    const tn_xform about_x = turned_about(v3(1.0, 0.0, 0.0), TN_PI);
    const tn_xform about_z = turned_about(v3(0.0, 0.0, 1.0), angle);
    const tn_xform T_CD = xf_mul(&about_x, &about_z);
    tn_xform T_GD;
    ck_assert_int_eq(tn_joint_project(s.cls, &s.setup, &T_CD, s.q, &T_GD), 0);
    T_GD.p = v3(0.0, 0.0, 0.0);
    ck_assert_double_le(pose_distance(&T_GD, &about_z), 1e-13);
}
END_TEST

/* Drawn with a half turn (or almost) between C and D, a weld assembles C on D. */
START_TEST(weld_of_180_degrees_is_not_upside_down)
{
    const double angle[] = {TN_PI, TN_PI - 1e-9, TN_PI + 1e-9, 3.0};
    uint64_t seed = 3;
    for (int n = 0; n < 40; n++) {
        tn_spec *spec = weightless_spec();
        const tn_body_def body = unit_body(v3(0.0, 0.0, 0.0), v3(0.0, 0.0, 0.0));
        const tn_xform T_CW = turned_about(random_vector(&seed), angle[n % 4]);
        tn_joint_def joint = tn_default_joint_def();
        joint.type = "solid";
        joint.placement = TN_PLACE_WORLD_FRAMES;
        joint.frame_c = pose_of(&T_CW);
        ck_assert_int_eq(tn_spec_add_body(spec, &body, &joint.a), TN_OK);
        joint.b = tn_ground();
        ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
        joint_sim s = joint_sim_of_spec(spec, NULL);
        const tn_xform T_A = xf_from_pose(tn_sim_body_pose(s.sim, (tn_body){0}));
        const tn_xform C = xf_mul(&T_A, &T_CW), identity = xf_identity();
        ck_assert_double_le(pose_distance(&C, &identity), 1e-12);
        joint_sim_destroy(&s);
        tn_spec_destroy(spec);
    }
}
END_TEST

/* Two free bodies drawn apart: assembling them does not move their common centre of mass. */
START_TEST(position_pass_keeps_the_centre_of_mass)
{
    uint64_t seed = 4;
    for (int n = 0; n < 5; n++) {
        joint_scene scene = sample_scene((tn_joint_type){_i}, &seed);
        double twist[6];
        v3_store(twist, v3_scale(0.1, random_vector(&seed)));
        v3_store(twist + 3, v3_scale(0.1, random_vector(&seed)));
        scene.T_A = moved_in_frame(&scene.T_A, twist, 1.0);
        joint_sim s = joint_sim_create(&scene, 0, v3(0.0, 0.0, 0.0), TN_GENERALIZED_ALPHA, 9);
        const double m_a = tn_model_body_mass(s.model, (tn_body){0}).mass;
        const double m_b = tn_model_body_mass(s.model, (tn_body){1}).mass;
        const tn_xform *drawn[2] = {&scene.T_A, &scene.T_B};
        tn_vec3 moment = {0.0, 0.0, 0.0};
        for (int i = 0; i < 2; i++) {
            const tn_mass_properties mass = tn_model_body_mass(s.model, (tn_body){i});
            const tn_vec3 x =
                tn_pose_transform_point(tn_sim_body_pose(s.sim, (tn_body){i}), mass.com);
            moment = v3_axpy(moment, mass.mass / (m_a + m_b), v3_sub(x, drawn[i]->p));
        }
        ck_assert_double_le(v3_norm(moment), 1e-14);
        joint_sim_destroy(&s);
    }
}
END_TEST

/* ---- coordinates -------------------------------------------------------------------------- */

static const struct {
    const char *type;
    int angle; /* the coordinate that turns about z */
} about_z[] = {{"hinge", 0},     {"cylindrical", 1}, {"slotted_hinge", 1},    {"planar", 2},
               {"universal", 0}, {"gimbal", 0},      {"skewed_universal", 0}, {"free", 3},
               {"wheel", 2}};

/* 20 rad/s for 3 s are 60 rad; so are 15 steps of 4 rad, more than half a turn each. */
START_TEST(angle_beyond_180_degrees_does_not_wrap)
{
    const double steps[] = {0.01, 0.2};
    for (int n = 0; n < 2; n++) {
        joint_sim s = unit_body_on_ground(about_z[_i].type, v3(0.0, 0.0, 0.0), v3(0.0, 0.0, -20.0));
        joint_sim_run(&s, steps[n], (int32_t)(3.0 / steps[n] + 0.5));
        double q[TN_MAX_COORDINATES];
        tn_sim_joint_coordinates(s.sim, (tn_joint){0}, q);
        ck_assert_double_eq_tol(q[about_z[_i].angle], -60.0, 1e-9);
        joint_sim_destroy(&s);
    }
}
END_TEST

/* The coordinates after a step are those of the poses after the step, corrections included. */
START_TEST(coordinate_is_not_stale_after_a_step)
{
    for (int integrator = 0; integrator < TN_INTEGRATOR_COUNT; integrator++) {
        uint64_t seed = 5;
        const joint_scene scene = sample_scene((tn_joint_type){_i}, &seed);
        joint_sim s = joint_sim_create(&scene, 1, v3(0.0, 0.0, -9.0), (tn_integrator)integrator, 9);
        joint_sim_run(&s, 0.01, 20);
        tn_pose t_ca, t_db;
        tn_model_joint_frames(s.model, (tn_joint){0}, &t_ca, &t_db);
        const tn_pose t_cw = tn_pose_multiply(tn_sim_body_pose(s.sim, (tn_body){0}), t_ca);
        const tn_pose t_cd = tn_pose_multiply(tn_pose_inverse(t_db), t_cw);
        double told[TN_MAX_COORDINATES] = {0}, q[TN_MAX_COORDINATES] = {0};
        tn_sim_joint_coordinates(s.sim, (tn_joint){0}, told);
        tn_joint_def def = tn_default_joint_def();
        def.type = scene.joint.cls->info.name;
        def.data = scene.joint.data;
        memcpy(def.parameters, scene.joint.setup.parameters, sizeof def.parameters);
        ck_assert_int_eq(tn_joint_def_pose_to_coordinates(&def, t_cd, told, q, NULL), TN_OK);
        for (int i = 0; i < TN_MAX_COORDINATES; i++)
            ck_assert_double_eq_tol(told[i], q[i], 1e-11);
        joint_sim_destroy(&s);
    }
}
END_TEST

/* Pitch goes up through 90 degrees and down again, missing the pole by `off`. Followed in small
 * steps, no coordinate ever jumps, and all come back. */
static void pass_the_pole(const tn_joint_class *cls, double off, double step)
{
    const double about = 0.4; /* the roll, or longitude, at which the pole is passed */
    const tn_joint_setup setup = {.parameters = {1.0, 1.3, 0.8}};
    const int first = cls->info.coordinate_count == 6 ? 3 : 0;
    double q[TN_MAX_COORDINATES] = {0}, start[TN_MAX_COORDINATES];
    q[first] = about;
    memcpy(start, q, sizeof q);
    const int steps = 2 * (int)(3.0 / step);
    for (int n = 0; n <= steps; n++) {
        /* the path turns about an axis that leads past the pole */
        double path[TN_MAX_COORDINATES] = {0}, next[TN_MAX_COORDINATES] = {0};
        path[first] = about;
        path[first + 1] = step * (n <= steps / 2 ? n : steps - n);
        tn_xform T;
        cls->coordinates_to_pose(&setup, path, &T);
        const tn_mat3 aside = m3_rot_z(cos(off), sin(off));
        if (cls->info.dof != 4)
            T.R = m3_mul(&T.R, &aside);
        cls->pose_to_coordinates(&setup, &T, q, next);
        for (int i = 0; i < cls->info.coordinate_count; i++)
            ck_assert_msg(fabs(next[i] - q[i]) < 0.5 * TN_PI,
                          "%s: coordinate %d jumps from %g to %g", cls->info.name, i, q[i],
                          next[i]);
        memcpy(q, next, sizeof q);
    }
    for (int i = 0; i < cls->info.coordinate_count; i++)
        ck_assert_msg(fabs(q[i] - start[i]) < 2.0 * off + 1e-9,
                      "%s, off %g: coordinate %d ends at %g", cls->info.name, off, i, q[i]);
}

static const char *const with_a_pole[] = {"gimbal", "free", "ellipsoid"};

START_TEST(coordinates_pass_the_pole)
{
    const tn_joint_class *cls = tn_joint_class_get(type_of(with_a_pole[_i]));
    const double offs[] = {0.0, 1e-300, 1e-16, 1e-9, 1e-5, 1e-3, 2e-3};
    const double steps[] = {0.001, 0.01, 0.1};
    for (int n = 0; n < 7 * 3; n++)
        pass_the_pole(cls, offs[n % 7], steps[n / 7]);
}
END_TEST

/* Rz Ry(90) Rx: yaw - roll is left; Rx Ry(90) Rz of the ellipsoid: the sum. */
static double sense_of_third(const tn_joint_class *cls)
{
    return cls->info.dof == 4 ? -1.0 : 1.0;
}

/* Coordinates at a distance from the pole, with roll (longitude) and yaw (theta) turned by `turn`.
 */
static void near_the_pole(const tn_joint_class *cls, double distance, double turn, double *q)
{
    const int first = cls->info.coordinate_count == 6 ? 3 : 0;
    q[first] = 0.4 + turn;
    q[first + 1] = 0.5 * TN_PI - distance;
    q[first + 2] = 0.1 + sense_of_third(cls) * turn;
}

/* Inside the zone of the pole a jump of roll is not followed, only what is defined is; outside, and
 * for small changes everywhere, the pose is reproduced. */
START_TEST(only_the_defined_sum_moves_at_the_pole)
{
    const tn_joint_class *cls = tn_joint_class_get(type_of(with_a_pole[_i]));
    const tn_joint_setup setup = {.parameters = {1.0, 1.0, 1.0}};
    const int first = cls->info.coordinate_count == 6 ? 3 : 0;
    const double distances[] = {1e-3, 1e-3, 2e-2}, turns[] = {1.2, 0.5, 1.2};
    const double followed[] = {0.0, 0.5, 1.2};
    for (int n = 0; n < 3; n++) {
        double reference[TN_MAX_COORDINATES] = {0}, q[TN_MAX_COORDINATES] = {0};
        tn_xform T;
        near_the_pole(cls, distances[n], turns[n], q);
        near_the_pole(cls, distances[n], 0.0, reference);
        cls->coordinates_to_pose(&setup, q, &T);
        cls->pose_to_coordinates(&setup, &T, reference, q);
        ck_assert_double_eq_tol(q[first], 0.4 + followed[n], 1e-12);
        ck_assert_double_eq_tol(q[first + 2], 0.1 + sense_of_third(cls) * followed[n], 1e-5);
    }
}
END_TEST

START_TEST(speeds_are_no_guide_at_the_pole)
{
    const tn_joint_class *cls = tn_joint_class_get(type_of(with_a_pole[_i]));
    const int first = cls->info.coordinate_count == 6 ? 3 : 0;
    const double distances[] = {1e-3, 0.05, 1.0}, guided[] = {0.0, 0.0, 1.0};
    for (int n = 0; n < 3; n++) {
        double q[TN_MAX_COORDINATES] = {0}, speeds[TN_MAX_COORDINATES], next[TN_MAX_COORDINATES];
        for (int i = 0; i < TN_MAX_COORDINATES; i++)
            speeds[i] = 5.0 + i;
        near_the_pole(cls, distances[n], 0.0, q);
        tn_joint_predict(cls, q, q, speeds, 0.01, next);
        for (int i = 0; i < cls->info.coordinate_count; i++) {
            const int neighbour = i == first || i == first + 2;
            const double step = (neighbour ? guided[n] : 1.0) * 0.01 * speeds[i];
            ck_assert_double_eq_tol(next[i], q[i] + step, 1e-14);
        }
    }
}
END_TEST

/* At the pole itself rows stay finite and the bilateral ones, which know nothing of it, exact. */
START_TEST(rows_are_finite_at_the_pole)
{
    const tn_joint_class *cls = tn_joint_class_get(type_of(with_a_pole[_i]));
    const tn_joint_setup setup = {.parameters = {1.0, 1.3, 0.8}};
    const int first = cls->info.coordinate_count == 6 ? 3 : 0;
    double q[TN_MAX_COORDINATES] = {0}, W[TN_MAX_ROWS][6], T[TN_MAX_ROWS][6];
    double dW[TN_MAX_ROWS][6] = {{0}};
    q[first] = 0.4;
    q[first + 1] = 0.5 * TN_PI;
    tn_xform pose;
    cls->coordinates_to_pose(&setup, q, &pose);
    const double twist[6] = {0.0, 0.0, 0.0, 0.3, -0.2, 0.1};
    tn_joint_wrenches(cls, &setup, &pose, q, W);
    tn_joint_twists(cls, &setup, &pose, q, T);
    cls->wrench_rates(&setup, &pose, q, twist, dW);
    ck_assert_double_le(largest(W[0], 36), 1e5);
    ck_assert_double_le(largest(dW[0], 36), 1e10);
    for (int k = 0; k < cls->info.bilateral_count; k++) {
        for (int i = 0; i < cls->info.dof; i++) {
            double power = 0.0;
            for (int c = 0; c < 6; c++)
                power += W[k][c] * T[i][c];
            ck_assert_double_le(fabs(power), 1e-14);
        }
    }
}
END_TEST

/* Speeds near a pole are no guide: a gimbal thrown past it keeps its turns. */
START_TEST(turns_survive_the_pole)
{
    joint_sim s = unit_body_on_ground("gimbal", v3(0.0, 0.0, 0.0), v3(0.01, 10.0, 0.0));
    double q[TN_MAX_COORDINATES] = {0}, last[TN_MAX_COORDINATES] = {0};
    for (int n = 0; n < 400; n++) {
        joint_sim_run(&s, 0.01, 1);
        tn_sim_joint_coordinates(s.sim, (tn_joint){0}, q);
        for (int i = 0; i < 3; i++)
            ck_assert_msg(fabs(q[i] - last[i]) < TN_PI,
                          "step %d: coordinate %d jumps from %g to %g", n, i, last[i], q[i]);
        memcpy(last, q, sizeof q);
    }
    ck_assert_double_eq_tol(q[1], 40.0, 0.1);
    joint_sim_destroy(&s);
}
END_TEST

/* ---- rows and reactions ------------------------------------------------------------------- */

/* The guide's table: constraint 4 is roll, 5 is pitch. */
START_TEST(universal_rows_are_numbered_as_in_the_guide)
{
    const char *const types[] = {"universal", "skewed_universal"};
    for (int n = 0; n < 2; n++) {
        const tn_joint_type_info *info = tn_joint_type_get(type_of(types[n]));
        ck_assert_str_eq(info->rows[4].name, "roll");
        ck_assert_str_eq(info->rows[5].name, "pitch");
        ck_assert_str_eq(info->coordinates[0].name, "roll");
        ck_assert_str_eq(info->coordinates[1].name, "pitch");
    }
}
END_TEST

START_TEST(slotted_hinge_to_ground_does_not_crash)
{
    joint_sim s = unit_body_on_ground("slotted_hinge", v3(0.5, 0.0, 0.0), v3(0.0, 0.0, 1.0));
    joint_sim_run(&s, 0.01, 100);
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(s.sim, (tn_joint){0}, q);
    ck_assert_double_eq_tol(q[0], 0.5, 1e-9);
    ck_assert_double_eq_tol(q[1], 1.0, 1e-9);
    joint_sim_destroy(&s);
}
END_TEST

/* A slider locked against gravity: its one motion row carries the weight, up on A, down on B. */
START_TEST(locked_slider_carries_the_weight)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = v3(0.0, 0.0, -10.0);
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_OK);
    const tn_body_def body = unit_body(v3(0.0, 0.0, 0.0), v3(0.0, 0.0, 0.0));
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "slider";
    joint.placement = TN_PLACE_ORIGIN;
    joint.locked[0] = 1;
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &joint.a), TN_OK);
    joint.b = tn_ground();
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    joint_sim s = joint_sim_of_spec(spec, NULL);
    joint_sim_run(&s, 0.01, 10);
    double lambda[TN_MAX_ROWS];
    tn_sim_joint_multipliers(s.sim, (tn_joint){0}, lambda);
    ck_assert_double_eq_tol(lambda[5], 10.0, 1e-9);
    const tn_wrench a = tn_sim_joint_wrench(s.sim, (tn_joint){0}, TN_WRENCH_ON_A);
    const tn_wrench b = tn_sim_joint_wrench(s.sim, (tn_joint){0}, TN_WRENCH_ON_B);
    ck_assert_double_eq_tol(a.f.z, 10.0, 1e-9);
    ck_assert_double_eq_tol(b.f.z, -10.0, 1e-9);
    joint_sim_destroy(&s);
    tn_spec_destroy(spec);
}
END_TEST

/* ---- refused input ------------------------------------------------------------------------ */

/* 1 when a model with this joint on a unit body compiles; it is built of nothing else. */
static int is_accepted(tn_joint_def joint)
{
    tn_spec *spec = weightless_spec();
    const tn_body_def body = unit_body(v3(0.0, 0.0, 0.0), v3(0.0, 0.0, 0.0));
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &joint.a), TN_OK);
    joint.b = tn_ground();
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_model *model = NULL;
    const tn_status status = tn_model_compile(spec, diags, &model);
    ck_assert((status == TN_OK) == (tn_diagnostics_error_count(diags) == 0));
    tn_model_destroy(model);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
    return status == TN_OK;
}

static tn_joint_def joint_along_x(const char *type)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.type = type;
    joint.placement = TN_PLACE_AXIS;
    joint.axis = v3(1.0, 0.0, 0.0);
    return joint;
}

START_TEST(nan_axis_anchor_and_limit_are_refused)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    ck_assert_int_eq(is_accepted(joint_along_x("hinge")), 1);
    for (int n = 0; n < 3; n++) {
        tn_joint_def joint = joint_along_x("hinge");
        joint.axis.y = bad[n];
        ck_assert_int_eq(is_accepted(joint), 0);
        joint = joint_along_x("hinge");
        joint.origin.z = bad[n];
        ck_assert_int_eq(is_accepted(joint), 0);
    }
    tn_joint_def joint = joint_along_x("hinge");
    joint.axis.x = 0.0;
    ck_assert_int_eq(is_accepted(joint), 0);
    joint = joint_along_x("hinge");
    joint.upper[0] = NAN;
    ck_assert_int_eq(is_accepted(joint), 0);
}
END_TEST

static const struct {
    const char *type;
    int parameter;
    double value;
    int accepted;
} parameter_cases[] = {
    {"screw", 0, 0.0, 1},
    {"screw", 0, -1e-3, 1},
    {"screw", 0, INFINITY, 0},
    {"skewed_universal", 0, 1.5, 1},
    {"skewed_universal", 0, 0.5 * TN_PI, 0},
    {"skewed_universal", 0, -2.0, 0},
    {"ellipsoid", 0, 0.2, 1},
    {"ellipsoid", 1, 0.0, 0},
    {"ellipsoid", 2, -1.0, 0},
    {"ellipsoid", 4, 1.0, 1},
    {"ellipsoid", 4, 2.0, 0},
    {"hinge", 0, 1.0, 0}, /* has none */
};
enum { PARAMETER_CASES = sizeof parameter_cases / sizeof parameter_cases[0] };

START_TEST(impossible_parameters_are_refused)
{
    tn_joint_def joint = joint_along_x(parameter_cases[_i].type);
    joint.parameters[parameter_cases[_i].parameter] = parameter_cases[_i].value;
    ck_assert_int_eq(is_accepted(joint), parameter_cases[_i].accepted);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("joint mistakes");
    TCase *tc = tcase_create("named");
    const int types = tn_joint_type_count();
    tcase_add_loop_test(tc, no_pose_is_too_far_to_project, 0, types);
    tcase_add_loop_test(tc, opposite_axes_turn_about_x, 0,
                        sizeof turning_about_z / sizeof turning_about_z[0]);
    tcase_add_test(tc, weld_of_180_degrees_is_not_upside_down);
    tcase_add_loop_test(tc, position_pass_keeps_the_centre_of_mass, 0, types);
    tcase_add_loop_test(tc, angle_beyond_180_degrees_does_not_wrap, 0,
                        sizeof about_z / sizeof about_z[0]);
    tcase_add_loop_test(tc, coordinate_is_not_stale_after_a_step, 0, types);
    tcase_add_loop_test(tc, coordinates_pass_the_pole, 0, 3);
    tcase_add_loop_test(tc, rows_are_finite_at_the_pole, 0, 3);
    tcase_add_loop_test(tc, only_the_defined_sum_moves_at_the_pole, 0, 3);
    tcase_add_loop_test(tc, speeds_are_no_guide_at_the_pole, 0, 3);
    tcase_add_test(tc, turns_survive_the_pole);
    tcase_add_test(tc, universal_rows_are_numbered_as_in_the_guide);
    tcase_add_test(tc, slotted_hinge_to_ground_does_not_crash);
    tcase_add_test(tc, locked_slider_carries_the_weight);
    tcase_add_test(tc, nan_axis_anchor_and_limit_are_refused);
    tcase_add_loop_test(tc, impossible_parameters_are_refused, 0, PARAMETER_CASES);
    suite_add_tcase(suite, tc);
    return suite;
}
