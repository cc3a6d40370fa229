/* barrel_cam.c: a joint of the program's own. A nut of 2 kg turns on a vertical drum and follows
 * its groove, which climbs by pitch theta + lift sin(2 theta): a screw whose pitch changes. It is
 * let go at rest, and its speed compared with that its energy tells. */
#include <math.h>
#include <stdio.h>
#include <tenon/tenon.h>

typedef struct groove {
    double pitch, lift; /* m/rad, m */
} groove;

/* T_CD = Rz(theta), p = (0, 0, f(theta)); its twist: v = (0, 0, f'), w = (0, 0, 1); their rates. */
static void follow_groove(void *context, const double *q, tn_joint_motion *out)
{
    const groove *g = context;
    out->pose.q = tn_quat_from_axis_angle((tn_vec3){0, 0, 1}, q[0]);
    out->pose.p.z = g->pitch * q[0] + g->lift * sin(2 * q[0]);
    out->v[0].z = g->pitch + 2 * g->lift * cos(2 * q[0]);
    out->w[0].z = 1;
    out->dv[0][0].z = -4 * g->lift * sin(2 * q[0]);
}

int main(void)
{
    const double mass = 2, inertia = 0.01, gravity = 9.81; /* kg, kg m^2, m/s^2 */
    groove g = {0.02, 0.008};
    const tn_coordinate_info theta = {"theta", 1};
    const tn_joint_data data = {.coordinates = &theta,
                                .coordinate_count = 1,
                                .motion = follow_groove,
                                .motion_context = &g};
    tn_spec *spec = tn_spec_create();
    tn_body_def nut = tn_default_body_def();
    nut.mass = mass, nut.com = (tn_vec3){0, 0, 0};
    nut.inertia = (tn_mat3){{{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}}};
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "custom", joint.data = &data, joint.placement = TN_PLACE_ORIGIN;
    tn_spec_add_body(spec, &nut, &joint.a);
    joint.b = tn_ground();
    tn_spec_add_joint(spec, &joint, NULL);

    tn_model *model = NULL;
    tn_sim *sim = NULL;
    tn_status status = tn_model_compile(spec, NULL, &model);
    if (status == TN_OK)
        status = tn_sim_create(model, NULL, NULL, &sim);
    for (int step = 0; step < 2000 && status == TN_OK; step++)
        status = tn_sim_step(sim, 1e-3, NULL);
    double q = NAN, speed = NAN, expected = NAN;
    if (status == TN_OK) {
        tn_joint_motion at = {0};
        tn_sim_joint_coordinates(sim, (tn_joint){0}, &q);
        tn_sim_joint_speeds(sim, (tn_joint){0}, &speed);
        follow_groove(&g, &q, &at);
        const double moved = inertia + mass * at.v[0].z * at.v[0].z;
        expected = -sqrt(-2 * mass * gravity * at.pose.p.z / moved);
    }
    printf("%s: %.3f turns, %.6f rad/s, by its energy %.6f\n", tn_status_text(status),
           q / 6.2831853, speed, expected);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    return fabs(speed - expected) < 1e-3 * fabs(expected) ? 0 : 1;
}
