/* mechanism.c: test support: see mechanism.h. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mechanism.h"
#include "model_text.h"
#include "tenon/io.h"

tn_vec3 vec_sub(tn_vec3 a, tn_vec3 b)
{
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

tn_vec3 vec_cross(tn_vec3 a, tn_vec3 b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

double vec_norm(tn_vec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

tn_mat3 mat_diagonal(double x, double y, double z)
{
    return (tn_mat3){{{x, 0.0, 0.0}, {0.0, y, 0.0}, {0.0, 0.0, z}}};
}

mechanism mechanism_new(tn_vec3 gravity)
{
    mechanism m = {tn_spec_create(), NULL, NULL};
    ck_assert_ptr_nonnull(m.spec);
    tn_world_def world = tn_default_world_def();
    world.gravity = gravity;
    ck_assert_int_eq(tn_spec_set_world(m.spec, &world), TN_OK);
    return m;
}

mechanism mechanism_read(const char *text)
{
    return (mechanism){.spec = read_text(text)};
}

mechanism mechanism_of(const char *text, int method)
{
    mechanism m = mechanism_read(text);
    mechanism_start(&m, method);
    return m;
}

mechanism mechanism_read_file(const char *name)
{
    char path[512];
    mechanism m = {NULL, NULL, NULL};
    snprintf(path, sizeof path, "%s/%s", TN_TEST_DATA, name);
    ck_assert_int_eq(tn_spec_read_file(path, NULL, &m.spec), TN_OK);
    return m;
}

void mechanism_free(mechanism *m)
{
    tn_sim_destroy(m->sim);
    tn_model_destroy(m->model);
    tn_spec_destroy(m->spec);
    memset(m, 0, sizeof *m);
}

tn_body mechanism_body(mechanism *m, const tn_body_def *def)
{
    tn_body body = {-1};
    ck_assert_int_eq(tn_spec_add_body(m->spec, def, &body), TN_OK);
    return body;
}

tn_joint mechanism_joint(mechanism *m, const tn_joint_def *def)
{
    tn_joint joint = {-1};
    ck_assert_int_eq(tn_spec_add_joint(m->spec, def, &joint), TN_OK);
    return joint;
}

tn_marker mechanism_marker(mechanism *m, tn_body body, tn_vec3 position)
{
    tn_marker marker = {-1};
    tn_marker_def def = tn_default_marker_def();
    def.body = body;
    def.position = position;
    ck_assert_int_eq(tn_spec_add_marker(m->spec, &def, &marker), TN_OK);
    return marker;
}

tn_body mechanism_rod(mechanism *m, const rod *r)
{
    tn_body_def def = tn_default_body_def();
    def.pose.p = vec(0.5 * (r->p.x + r->q.x), 0.5 * (r->p.y + r->q.y), 0.5 * (r->p.z + r->q.z));
    def.pose.q = tn_quat_from_z_axis(vec_sub(r->q, r->p));
    def.velocity = r->velocity;
    def.mass = r->mass;
    def.com = vec(0.0, 0.0, 0.0);
    def.inertia = mat_diagonal(r->across, r->across, r->along);
    return mechanism_body(m, &def);
}

tn_joint_def mechanism_axis_def(const char *type, tn_body a, tn_body b, tn_vec3 origin,
                                tn_vec3 axis)
{
    tn_joint_def def = tn_default_joint_def();
    def.type = type;
    def.a = a;
    def.b = b;
    def.placement = TN_PLACE_AXIS;
    def.origin = origin;
    def.axis = axis;
    return def;
}

tn_joint mechanism_axis_joint(mechanism *m, const char *type, tn_body a, tn_body b, tn_vec3 origin,
                              tn_vec3 axis)
{
    const tn_joint_def def = mechanism_axis_def(type, a, b, origin, axis);
    return mechanism_joint(m, &def);
}

/* Of forces, relative: reactions to round-off. */
static const double tight_forces = 1e-10;

const char *method_name(int method)
{
    return method == BY_SPEEDS ? "generalized_alpha, index 2"
                               : tn_integrator_name((tn_integrator)method);
}

int method_order(int method)
{
    return method == BY_SPEEDS ? 2 : tn_integrator_order((tn_integrator)method);
}

int method_is_second_order(int method)
{
    return method_order(method) >= 2;
}

void method_choose(int method, tn_sim_options *options)
{
    options->integrator = method == BY_SPEEDS ? TN_GENERALIZED_ALPHA : (tn_integrator)method;
    options->formulation = method == BY_SPEEDS ? TN_STABILIZED_INDEX_2 : TN_INDEX_3;
}

static void check(tn_status status, tn_diagnostics *diags)
{
    expect_ok(status, diags, "a mechanism");
    tn_diagnostics_destroy(diags);
}

tn_sim_options mechanism_compile(mechanism *m, int method)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_sim_destroy(m->sim);
    tn_model_destroy(m->model);
    m->sim = NULL;
    m->model = NULL;
    check(tn_model_compile(m->spec, diags, &m->model), diags);
    tn_sim_options options = tn_default_sim_options(m->model);
    method_choose(method, &options);
    return options;
}

void mechanism_start_with(mechanism *m, const tn_sim_options *options)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    check(tn_sim_create(m->model, options, diags, &m->sim), diags);
}

void mechanism_start(mechanism *m, int method)
{
    tn_sim_options options = mechanism_compile(m, method);
    options.force_tolerance = INFINITY;
    mechanism_start_with(m, &options);
}

void mechanism_start_tight(mechanism *m, int method)
{
    tn_sim_options options = mechanism_compile(m, method);
    options.force_tolerance = tight_forces;
    mechanism_start_with(m, &options);
}

void mechanism_start_exact(mechanism *m, double tolerance)
{
    tn_sim_options options = mechanism_compile(m, TN_DORMAND_PRINCE);
    options.relative_tolerance = tolerance;
    options.absolute_tolerance = 0.01 * tolerance;
    mechanism_start_with(m, &options);
}

void mechanism_start_as_given(mechanism *m)
{
    tn_sim_options options = mechanism_compile(m, TN_GENERALIZED_ALPHA);
    options.keep_velocities = 1;
    mechanism_start_with(m, &options);
}

void mechanism_run(mechanism *m, double h, int count, run_stats *stats)
{
    run_stats local = {0};
    stats = stats ? stats : &local;
    const double start = tn_sim_energy(m->sim).total;
    for (int k = 0; k < count; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m->sim, h, &report), TN_OK);
        stats->position_error = fmax(stats->position_error, report.position_error);
        stats->angle_error = fmax(stats->angle_error, report.angle_error);
        stats->iterations += report.iterations;
        stats->fallbacks += report.fallbacks;
        stats->halvings += report.halvings;
        stats->energy_drift = fmax(stats->energy_drift, fabs(tn_sim_energy(m->sim).total - start));
    }
}

void mechanism_check_rank(const tn_sim *sim, int rows, int rank)
{
    tn_rank found;
    ck_assert_int_eq(tn_sim_rank(sim, &found), TN_OK);
    ck_assert_int_eq(found.rows, rows);
    ck_assert_int_eq(found.rank, rank);
    ck_assert_int_eq(found.dof, tn_model_get_size(tn_sim_model(sim)).velocities - rank);
}
