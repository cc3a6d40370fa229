/* drive_scenes.c: test support: see drive_scenes.h. */
#include "drive_scenes.h"

#include <check.h>
#include <math.h>

static tn_joint_def joint_def(const char *type, tn_body a, tn_vec3 axis)
{
    tn_joint_def def = tn_default_joint_def();
    def.type = type;
    def.a = a;
    def.placement = TN_PLACE_AXIS;
    def.axis = axis;
    return def;
}

mechanism drive_pendulum(const pendulum_data *data, const tn_drive_def *drive)
{
    mechanism m = mechanism_new(vec(0.0, -data->gravity, 0.0));
    tn_body_def body = tn_default_body_def();
    body.mass = data->mass;
    body.com = vec(data->arm, 0.0, 0.0);
    body.inertia = mat_diagonal(data->inertia, data->inertia, data->inertia);
    body.pose.q = (tn_quat){cos(0.5 * data->start), 0.0, 0.0, sin(0.5 * data->start)};
    body.velocity.w = vec(0.0, 0.0, data->speed);
    tn_joint_def def = joint_def("hinge", mechanism_body(&m, &body), vec(0.0, 0.0, 1.0));
    def.placement = TN_PLACE_BODY_FRAMES;
    def.drives = drive;
    def.drive_count = drive ? 1 : 0;
    mechanism_joint(&m, &def);
    return m;
}

mechanism drive_slope(const slope_data *data, const tn_drive_def *drive)
{
    mechanism m = mechanism_new(vec(0.0, -data->gravity, 0.0));
    const tn_vec3 up = vec(cos(data->angle), sin(data->angle), 0.0);
    tn_body_def body = tn_default_body_def();
    body.mass = data->mass;
    body.com = vec(0.0, 0.0, 0.0);
    body.inertia = mat_diagonal(0.1, 0.2, 0.25);
    body.velocity.v = vec(data->speed * up.x, data->speed * up.y, 0.0);
    tn_joint_def def = joint_def("slider", mechanism_body(&m, &body), up);
    if (data->lower != 0.0 || data->upper != 0.0) {
        def.lower[0] = data->lower;
        def.upper[0] = data->upper;
    }
    def.drives = drive;
    def.drive_count = drive ? 1 : 0;
    mechanism_joint(&m, &def);
    return m;
}

double drive_coordinate(const mechanism *m, int32_t joint, int32_t coordinate)
{
    double q[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_coordinates(m->sim, (tn_joint){joint}, q);
    return q[coordinate];
}

double drive_speed(const mechanism *m, int32_t joint, int32_t coordinate)
{
    double v[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_speeds(m->sim, (tn_joint){joint}, v);
    return v[coordinate];
}

int drive_run(mechanism *m, double h, int count)
{
    int events = 0;
    for (int k = 0; k < count; k++) {
        tn_step_report report;
        const tn_status status = tn_sim_step(m->sim, h, &report);
        ck_assert_msg(status == TN_OK, "%s at t = %g", tn_status_text(status), tn_sim_time(m->sim));
        ck_assert_msg(report.fallbacks == 0, "fallback at t = %g", tn_sim_time(m->sim));
        events += report.events;
    }
    return events;
}

double drive_balance_of_energy(const mechanism *m)
{
    const tn_energy e = tn_sim_energy(m->sim);
    return e.total - e.work + e.lost;
}

void drive_check_parts(const mechanism *m, tn_joint joint)
{
    static const tn_wrench_frame frames[] = {TN_WRENCH_IN_C, TN_WRENCH_IN_D, TN_WRENCH_ON_A,
                                             TN_WRENCH_ON_B};
    for (int f = 0; f < 4; f++) {
        const tn_wrench whole = tn_sim_joint_wrench(m->sim, joint, frames[f]);
        tn_vec3 force = whole.f, moment = whole.m;
        for (int part = 0; part < TN_WRENCH_PART_COUNT; part++) {
            const tn_wrench w =
                tn_sim_joint_wrench_part(m->sim, joint, (tn_wrench_part)part, frames[f]);
            force = vec_sub(force, w.f);
            moment = vec_sub(moment, w.m);
        }
        const double size = 1.0 + vec_norm(whole.f) + vec_norm(whole.m);
        ck_assert_double_le(vec_norm(force), 1e-12 * size);
        ck_assert_double_le(vec_norm(moment), 1e-12 * size);
    }
}

tn_function_def drive_sine(const double numbers[4])
{
    return (tn_function_def){.kind = TN_FUNCTION_SINE, .numbers = numbers, .count = 4};
}

tn_function_def drive_polynomial(const double *numbers, int32_t count)
{
    return (tn_function_def){.kind = TN_FUNCTION_POLYNOMIAL, .numbers = numbers, .count = count};
}

tn_function_def drive_constant(const double *number)
{
    return (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = number, .count = 1};
}
