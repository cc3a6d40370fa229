/* joint_sims.c: see joint_sims.h. */
#include "joint_sims.h"
#include "model_text.h"

#include <check.h>
#include <stdio.h>

tn_pose pose_of(const tn_xform *T)
{
    return (tn_pose){T->p, tn_quat_from_matrix(&T->R)};
}

joint_sim joint_sim_of_spec(tn_spec *spec, const tn_sim_options *options)
{
    joint_sim s = {0};
    tn_diagnostics *diags = tn_diagnostics_create();
    expect_ok(tn_model_compile(spec, diags, &s.model), diags, "a joint");
    expect_ok(tn_sim_create(s.model, options, diags, &s.sim), diags, "a joint");
    s.bodies = tn_model_get_size(s.model).bodies;
    tn_diagnostics_destroy(diags);
    return s;
}

static tn_sim_options tight_options(void)
{
    tn_sim_options options = tn_default_sim_options(NULL);
    options.position_tolerance = 1e-13;
    return options;
}

void joint_sim_restart(joint_sim *s, tn_formulation formulation)
{
    tn_sim_options options = tight_options();
    options.formulation = formulation;
    tn_sim_destroy(s->sim);
    ck_assert_int_eq(tn_sim_create(s->model, &options, NULL, &s->sim), TN_OK);
}

void joint_sim_destroy(joint_sim *s)
{
    tn_sim_destroy(s->sim);
    tn_model_destroy(s->model);
}

/* Adds a body whose centre of mass frame is T; *com is its centre in the body frame. */
static tn_body add_body(tn_spec *spec, const tn_xform *T, tn_twist u, tn_vec3 *com, uint64_t *seed)
{
    tn_body_def def = tn_default_body_def();
    *com = v3_scale(0.3, random_vector(seed));
    const tn_vec3 arm = m3_mulv(&T->R, *com);
    def.pose = (tn_pose){v3_sub(T->p, arm), tn_quat_from_matrix(&T->R)};
    def.velocity = (tn_twist){v3_sub(u.v, v3_cross(u.w, arm)), u.w};
    def.mass = 1.2 + 0.8 * random_number(seed);
    def.com = *com;
    def.inertia = (tn_mat3){{{0.0}}};
    for (int i = 0; i < 3; i++)
        def.inertia.m[i][i] = 0.3 + 0.1 * random_number(seed);
    tn_body body = {-1};
    ck_assert_int_eq(tn_spec_add_body(spec, &def, &body), TN_OK);
    return body;
}

/* A frame at the centre of mass, in the body frame. */
static tn_pose in_body(tn_xform T, tn_vec3 com)
{
    T.p = v3_add(T.p, com);
    return pose_of(&T);
}

/* Without limits, also the type's own, which would end the motion. */
static void open_ranges(tn_joint_def *def, const tn_joint_type_info *info, double restitution)
{
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        def->restitution[i] = restitution;
        if (!info->ranges)
            continue;
        def->lower[i] = -1e6;
        def->upper[i] = 1e6;
    }
}

static void add_joint(tn_spec *spec, const joint_scene *scene, tn_body a, tn_body b,
                      tn_pose frame_c, tn_pose frame_d, const joint_ranges *ranges)
{
    tn_joint_def def = tn_default_joint_def();
    def.type = scene->joint.cls->info.name;
    def.data = scene->joint.data;
    def.a = a;
    def.b = b;
    def.placement = TN_PLACE_BODY_FRAMES;
    def.frame_c = frame_c;
    def.frame_d = frame_d;
    for (int32_t i = 0; i < scene->joint.cls->info.parameter_count; i++)
        def.parameters[i] = scene->joint.setup.parameters[i];
    open_ranges(&def, &scene->joint.cls->info, ranges ? ranges->restitution : 0.0);
    ck_assert_int_eq(tn_spec_add_joint(spec, &def, NULL), TN_OK);
}

/* Velocity of A when B does not move. */
static tn_twist relative_velocity(const joint_scene *scene)
{
    const tn_vec3 arm = v3_sub(scene->T_A.p, scene->T_B.p);
    const tn_vec3 carried = v3_add(scene->B.v, v3_cross(scene->B.w, arm));
    return (tn_twist){v3_sub(scene->A.v, carried), v3_sub(scene->A.w, scene->B.w)};
}

/* Lets go what the type holds (a rod) as well. */
static void limit_coordinates(const joint_sim *s, int32_t count, double reach)
{
    const tn_joint joint = {0};
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(s->sim, joint, q);
    for (int32_t i = 0; i < count; i++) {
        ck_assert_int_eq(tn_sim_set_locked(s->sim, joint, i, 0), TN_OK);
        ck_assert_int_eq(tn_sim_set_range(s->sim, joint, i, q[i] - reach, q[i] + reach), TN_OK);
    }
}

joint_sim joint_sim_create(const joint_scene *scene, int grounded, tn_vec3 gravity,
                           tn_integrator integrator, uint64_t seed)
{
    return joint_sim_create_in_ranges(scene, grounded, gravity, integrator, seed, NULL);
}

joint_sim joint_sim_create_in_ranges(const joint_scene *scene, int grounded, tn_vec3 gravity,
                                     tn_integrator integrator, uint64_t seed,
                                     const joint_ranges *ranges)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = gravity;
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_OK);
    tn_simulation_def simulation = tn_default_simulation_def();
    simulation.integrator = integrator;
    ck_assert_int_eq(tn_spec_set_simulation(spec, &simulation), TN_OK);

    tn_vec3 com_a, com_b;
    const tn_twist u = grounded ? relative_velocity(scene) : scene->A;
    const tn_body a = add_body(spec, &scene->T_A, u, &com_a, &seed);
    const tn_pose frame_c = in_body(scene->geometry.T_CA, com_a);
    if (grounded) {
        const tn_xform T_DW = xf_mul(&scene->T_B, &scene->geometry.T_DB);
        add_joint(spec, scene, a, tn_ground(), frame_c, pose_of(&T_DW), ranges);
    } else {
        const tn_body b = add_body(spec, &scene->T_B, scene->B, &com_b, &seed);
        add_joint(spec, scene, a, b, frame_c, in_body(scene->geometry.T_DB, com_b), ranges);
    }
    tn_sim_options options = tight_options();
    options.integrator = integrator;
    const joint_sim s = joint_sim_of_spec(spec, &options);
    tn_spec_destroy(spec);
    if (ranges)
        limit_coordinates(&s, scene->joint.cls->info.coordinate_count, ranges->reach);
    return s;
}

void joint_sim_run(joint_sim *s, double h, int32_t steps)
{
    for (int32_t n = 0; n < steps; n++) {
        tn_step_report report;
        const tn_status status = tn_sim_step(s->sim, h, &report);
        ck_assert_msg(status == TN_OK && report.fallbacks == 0, "step %d: %s, error %g m, %g rad",
                      (int)n, tn_status_text(status), report.position_error, report.angle_error);
    }
}

momenta joint_sim_momenta(const joint_sim *s)
{
    momenta sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.0, 0.0};
    for (int32_t i = 0; i < s->bodies; i++) {
        const tn_mass_properties mass = tn_model_body_mass(s->model, (tn_body){i});
        const tn_pose pose = tn_sim_body_pose(s->sim, (tn_body){i});
        const tn_twist u = tn_sim_body_velocity(s->sim, (tn_body){i});
        const tn_mat3 R = q_to_m3(pose.q);
        const tn_vec3 arm = m3_mulv(&R, mass.com), x = v3_add(pose.p, arm);
        const tn_vec3 p = v3_scale(mass.mass, v3_add(u.v, v3_cross(u.w, arm)));
        const tn_vec3 spin = m3_mulv(&R, m3_mulv(&mass.inertia, m3_tmulv(&R, u.w)));
        sum.linear = v3_add(sum.linear, p);
        sum.angular = v3_add(sum.angular, v3_add(v3_cross(x, p), spin));
        sum.linear_size += v3_norm(p);
        sum.angular_size += v3_norm(x) * v3_norm(p) + v3_norm(spin);
    }
    return sum;
}
