/* sample_mechanisms.c: test support: see sample_mechanisms.h. */
#include <check.h>
#include <math.h>
#include <stddef.h>

#include "elliptic.h"
#include "sample_mechanisms.h"

#define PI 3.14159265358979323846

static const tn_vec3 X = {1.0, 0.0, 0.0}, Y = {0.0, 1.0, 0.0}, Z = {0.0, 0.0, 1.0};
static const tn_vec3 zero = {0.0, 0.0, 0.0};

/* ---- four-bar ---- */

static const double bar_gravity = 9.8; /* m/s^2 */
/* The swinging bars and the one they carry: kg, kg m^2 about y. */
static const double swing_mass = 89.665731097521640, swing_inertia = 11.197604349629472;
static const double carried_mass = 59.777154065014450, carried_inertia = 7.4650695664196585;

mechanism sample_four_bar(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -bar_gravity));
    const tn_vec3 corner[4] = {
        {-0.5, 0.0, -0.5}, {-0.5, 0.0, 0.5}, {0.5, 0.0, 0.5}, {0.5, 0.0, -0.5}};
    tn_body bar[4];
    for (int i = 0; i < 4; i++) {
        const tn_vec3 p = corner[i], q = corner[(i + 1) % 4];
        const int swings = i % 2;
        tn_body_def def = tn_default_body_def();
        def.kind = i == 0 ? TN_BODY_FIXED : TN_BODY_RIGID;
        def.pose.p = vec(0.5 * (p.x + q.x), 0.0, 0.5 * (p.z + q.z));
        def.pose.q = tn_quat_from_axis_angle(Y, 0.5 * PI * i);
        def.mass = swings ? swing_mass : carried_mass;
        def.com = zero;
        def.inertia = swings
                          ? mat_diagonal(11.422419424258845, swing_inertia, 1.1201708918334545)
                          : mat_diagonal(7.3658748075683410, carried_inertia, 0.4977091192847469);
        bar[i] = mechanism_body(&m, &def);
    }
    for (int i = 0; i < 4; i++)
        mechanism_axis_joint(&m, "hinge", bar[i == 3 ? 3 : i + 1], bar[i == 3 ? 0 : i],
                             corner[(i + 1) % 4], Y);
    return m;
}

/* Bars 1 and 3 turn alike, bar 2 only translates: I theta'' = -G g sin theta. */
static double four_bar_rate_squared(void)
{
    const double I = 2.0 * (swing_inertia + 0.25 * swing_mass) + carried_mass;
    return bar_gravity * (swing_mass + carried_mass) / I;
}

double four_bar_angle(double t)
{
    return pendulum_angle(0.5 * PI, four_bar_rate_squared(), t);
}

double four_bar_swing_energy(void)
{
    return bar_gravity * (swing_mass + carried_mass);
}

/* ---- Bricard ---- */

static mechanism bricard(double along, double across)
{
    static const tn_vec3 J[6] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                 {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
    const tn_vec3 axis[6] = {Y, Z, X, Y, Z, X};
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    tn_body link[5];
    for (int k = 0; k < 5; k++) {
        link[k] = mechanism_rod(
            &m, &(rod){.p = J[k], .q = J[k + 1], .mass = 1.0, .along = along, .across = across});
        mechanism_axis_joint(&m, "hinge", link[k], k ? link[k - 1] : tn_ground(), J[k], axis[k]);
    }
    mechanism_axis_joint(&m, "hinge", link[4], tn_ground(), J[5], axis[5]);
    for (int k = 0; k < 4; k++)
        mechanism_marker(&m, link[k], vec(0.0, 0.0, 0.5));
    return m;
}

mechanism sample_bricard(void)
{
    return bricard(0.01 / 6.0, 1.01 / 12.0);
}

mechanism sample_bricard_slender(void)
{
    return bricard(0.0, 1.0 / 12.0);
}

/* ---- N-four-bar ---- */

static tn_body parallelogram_bar(mechanism *m, tn_body_kind kind, tn_vec3 middle, double angle,
                                 tn_twist velocity)
{
    tn_body_def def = tn_default_body_def();
    def.kind = kind;
    def.pose.p = middle;
    def.pose.q = tn_quat_from_axis_angle(Z, angle);
    def.velocity = velocity;
    def.mass = 1.0;
    def.com = zero;
    def.inertia = mat_diagonal(0.0, 1.0 / 12.0, 1.0 / 12.0); /* x along the bar */
    return mechanism_body(m, &def);
}

mechanism sample_n_four_bar(int n, tn_body_kind kind)
{
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    for (int k = 0; k <= n; k++)
        parallelogram_bar(&m, kind, vec(k, 0.5, 0.0), 0.5 * PI,
                          (tn_twist){{0.5, 0.0, 0.0}, {0.0, 0.0, -1.0}});
    for (int k = 0; k < n; k++)
        parallelogram_bar(&m, kind, vec(k + 0.5, 1.0, 0.0), 0.0, (tn_twist){{1.0, 0.0, 0.0}, zero});
    for (int k = 0; k <= n; k++)
        mechanism_axis_joint(&m, "hinge", (tn_body){k}, tn_ground(), vec(k, 0.0, 0.0), Z);
    for (int k = 0; k < n; k++) {
        const tn_body coupler = {n + 1 + k};
        mechanism_axis_joint(&m, "hinge", coupler, (tn_body){k}, vec(k, 1.0, 0.0), Z);
        mechanism_axis_joint(&m, "hinge", coupler, (tn_body){k + 1}, vec(k + 1.0, 1.0, 0.0), Z);
    }
    mechanism_marker(&m, (tn_body){0}, vec(0.5, 0.0, 0.0));
    return m;
}

double n_four_bar_swing_energy(int n)
{
    return 2.0 * 9.81 * (0.5 * (n + 1) + n);
}

/* ---- Bennett ---- */

/* Denavit-Hartenberg: Rz(theta) Tx(a) Rx(alpha). */
static tn_pose bennett_link(double theta, double a, double alpha)
{
    const tn_pose turn = {zero, tn_quat_from_axis_angle(Z, theta)};
    const tn_pose link = {{a, 0.0, 0.0}, tn_quat_from_axis_angle(X, alpha)};
    return tn_pose_multiply(turn, link);
}

mechanism sample_bennett(void)
{
    const double short_twist = 40.0 * PI / 180.0, long_twist = 70.0 * PI / 180.0;
    const double b = sin(long_twist) / sin(short_twist), theta1 = 1.2, rate1 = 1.5;
    const double K = sin(0.5 * (long_twist + short_twist)) / sin(0.5 * (long_twist - short_twist));
    const double theta2 = 2.0 * atan(K / tan(0.5 * theta1));
    const double angle[3] = {theta1, theta2, -theta1};
    const double rate[3] = {rate1, -rate1 * sin(theta2) / sin(theta1), -rate1};
    const double length[3] = {1.0, b, 1.0}, twist[3] = {short_twist, long_twist, short_twist};
    const double mass[3] = {1.2, 2.0, 1.0};

    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    tn_pose T = tn_pose_identity(); /* frame of joint k: z is its axis */
    tn_vec3 w = zero, v = zero;     /* of the link; of the joint's point */
    tn_body link[3];
    for (int k = 0; k < 3; k++) {
        const tn_vec3 axis = tn_pose_rotate_vector(T, Z);
        w = vec(w.x + rate[k] * axis.x, w.y + rate[k] * axis.y, w.z + rate[k] * axis.z);
        const tn_pose next = tn_pose_multiply(T, bennett_link(angle[k], length[k], twist[k]));
        const tn_vec3 dv = vec_cross(w, vec_sub(next.p, T.p));
        rod r = {.p = T.p,
                 .q = next.p,
                 .mass = mass[k],
                 .along = 1e-3,
                 .across = mass[k] * length[k] * length[k] / 12.0};
        r.velocity = (tn_twist){vec(v.x + 0.5 * dv.x, v.y + 0.5 * dv.y, v.z + 0.5 * dv.z), w};
        link[k] = mechanism_rod(&m, &r);
        mechanism_axis_joint(&m, "hinge", link[k], k ? link[k - 1] : tn_ground(), T.p, axis);
        v = vec(v.x + dv.x, v.y + dv.y, v.z + dv.z);
        T = next;
    }
    mechanism_axis_joint(&m, "hinge", link[2], tn_ground(), T.p, tn_pose_rotate_vector(T, Z));
    mechanism_marker(&m, link[0], vec(0.0, 0.0, 0.5));
    mechanism_marker(&m, link[1], vec(0.0, 0.0, 0.5 * b));
    return m;
}

/* ---- slider-crank ---- */

mechanism sample_slider_crank(void)
{
    const double r = 0.15, l = 0.30, phi = 0.3, rate = 15.0;
    const double psi = asin(-r * sin(phi) / l);
    const double psi_rate = -r * cos(phi) * rate / (l * cos(psi));
    const double m1 = 0.36, m2 = 0.151104, m3 = 0.075552;
    const tn_vec3 B = vec(r * cos(phi), r * sin(phi), 0.0);
    const tn_vec3 C = vec(B.x + l * cos(psi), 0.0, 0.0);
    const tn_vec3 vB = vec(-B.y * rate, B.x * rate, 0.0);
    const tn_vec3 vC = vec(vB.x - l * sin(psi) * psi_rate, 0.0, 0.0);

    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    const tn_body crank =
        mechanism_rod(&m, &(rod){zero,
                                 B,
                                 m1,
                                 0.0,
                                 m1 * r * r / 12.0,
                                 {vec(0.5 * vB.x, 0.5 * vB.y, 0.0), vec(0.0, 0.0, rate)}});
    const tn_body bar = mechanism_rod(
        &m, &(rod){B,
                   C,
                   m2,
                   0.0,
                   m2 * l * l / 12.0,
                   {vec(0.5 * (vB.x + vC.x), 0.5 * vB.y, 0.0), vec(0.0, 0.0, psi_rate)}});
    tn_body_def def = tn_default_body_def();
    def.pose.p = C;
    def.velocity.v = vC;
    def.mass = m3;
    def.com = zero;
    def.inertia = mat_diagonal(1e-5, 1e-5, 1e-5);
    const tn_body slider = mechanism_body(&m, &def);
    mechanism_axis_joint(&m, "hinge", crank, tn_ground(), zero, Z);
    mechanism_axis_joint(&m, "hinge", bar, crank, B, Z);
    mechanism_axis_joint(&m, "hinge", bar, slider, C, Z);
    mechanism_axis_joint(&m, "slider", slider, tn_ground(), C, X);
    return m;
}

/* ---- one body ---- */

mechanism sample_pendulum(void)
{
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    tn_body_def ball = tn_default_body_def();
    ball.kind = TN_BODY_PARTICLE;
    ball.mass = 1.0;
    ball.pose.p = vec(-1.0, 0.0, 0.0);
    tn_joint_def bar = tn_default_joint_def();
    bar.type = "rod";
    bar.a = mechanism_body(&m, &ball);
    bar.b = tn_ground();
    bar.placement = TN_PLACE_BODY_FRAMES;
    mechanism_joint(&m, &bar);
    return m;
}

mechanism sample_rod_above_a_stop(double restitution)
{
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    const tn_body body = mechanism_rod(
        &m, &(rod){.p = zero, .q = X, .mass = 2.0, .along = 0.01, .across = 2.0 / 12.0});
    tn_joint_def def = mechanism_axis_def("hinge", body, tn_ground(), zero, Z);
    def.lower[0] = -1.0471975511965977462;
    def.upper[0] = 3.0;
    def.restitution[0] = restitution;
    mechanism_joint(&m, &def);
    return m;
}

mechanism sample_inclined_cylinder(void)
{
    const double tilt = 25.0 * PI / 180.0, z = 0.3, speed = 1.2, theta = 2.0, rate = 0.5;
    const tn_mat3 R = {
        {{sin(tilt), 0.0, cos(tilt)}, {0.0, 1.0, 0.0}, {-cos(tilt), 0.0, sin(tilt)}}};
    const tn_pose T_DW = {zero, tn_quat_from_matrix(&R)};
    const tn_pose T_CD = {{0.0, 0.0, z}, tn_quat_from_axis_angle(Z, theta)};

    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    tn_body_def def = tn_default_body_def();
    def.pose = tn_pose_multiply(T_DW, T_CD);
    def.velocity.v = tn_pose_rotate_vector(T_DW, vec(0.0, 0.0, speed));
    def.velocity.w = tn_pose_rotate_vector(T_DW, vec(0.0, 0.0, rate));
    def.mass = 1.5;
    def.com = vec(0.2, 0.0, 0.0);
    def.inertia = (tn_mat3){{{0.06, 0.004, 0.007}, {0.004, 0.05, -0.005}, {0.007, -0.005, 0.04}}};
    const tn_body body = mechanism_body(&m, &def);

    tn_joint_def joint = tn_default_joint_def();
    joint.type = "cylindrical";
    joint.a = body;
    joint.b = tn_ground();
    joint.placement = TN_PLACE_BODY_FRAMES;
    joint.frame_c = tn_pose_identity();
    joint.frame_d = T_DW;
    mechanism_joint(&m, &joint);
    return m;
}

mechanism sample_top(void)
{
    mechanism m = mechanism_new(zero);
    tn_body_def def = tn_default_body_def();
    def.velocity.w = vec(0.01, 3.0, 0.02);
    def.mass = 1.0;
    def.com = zero;
    def.inertia = mat_diagonal(1.0, 2.0, 3.0);
    const tn_body body = mechanism_body(&m, &def);
    mechanism_axis_joint(&m, "spherical", body, tn_ground(), zero, Z);
    return m;
}

/* ---- without reference files ---- */

mechanism sample_hinge_chain(int n)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    tn_body last = tn_ground();
    for (int k = 0; k < n; k++) {
        const double turn = 40.0 * PI / 180.0 * k;
        const tn_body body = mechanism_rod(&m, &(rod){.p = vec(k, 0.0, 0.0),
                                                      .q = vec(k + 1.0, 0.0, 0.0),
                                                      .mass = 1.0,
                                                      .along = 0.01,
                                                      .across = 1.0 / 12.0});
        mechanism_axis_joint(&m, "hinge", body, last, vec(k, 0.0, 0.0),
                             vec(0.0, cos(turn), sin(turn)));
        last = body;
    }
    return m;
}

mechanism sample_mixed(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    tn_body_def def = tn_default_body_def();
    def.com = vec(0.03, -0.02, 0.05);
    def.inertia = (tn_mat3){{{0.06, 0.004, 0.007}, {0.004, 0.05, -0.005}, {0.007, -0.005, 0.04}}};
    tn_body body[5];
    const tn_vec3 at[5] = {
        {0.0, 0.0, 0.0}, {0.8, 0.1, 0.2}, {1.5, -0.3, 0.4}, {2.2, 0.2, 0.1}, {2.6, 0.5, 0.0}};
    for (int i = 0; i < 5; i++) {
        def.pose.p = at[i];
        def.pose.q = tn_quat_from_rpy(0.3 * i, -0.2 * i, 0.5 - 0.4 * i);
        def.mass = 1.0 + 0.5 * i;
        body[i] = mechanism_body(&m, &def);
    }
    mechanism_axis_joint(&m, "slider", body[0], tn_ground(), at[0], vec(1.0, 0.2, 0.7));
    mechanism_axis_joint(&m, "cylindrical", body[1], body[0], vec(0.4, 0.1, 0.1),
                         vec(0.2, 1.0, 0.3));
    mechanism_axis_joint(&m, "spherical", body[2], body[1], vec(1.1, -0.1, 0.3), Z);
    mechanism_axis_joint(&m, "solid", body[3], body[2], vec(1.8, 0.0, 0.2), Z);
    mechanism_axis_joint(&m, "hinge", body[4], body[3], vec(2.4, 0.3, 0.1), vec(0.3, -0.5, 1.0));
    mechanism_axis_joint(&m, "spherical", body[4], tn_ground(), vec(2.9, 0.6, 0.3), Z);
    return m;
}

mechanism sample_turret(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    const tn_vec3 corner[4] = {{0, 0, 2}, {1, 0, 2}, {1, 0, 3}, {0, 0, 3}};
    const tn_body yaw = mechanism_rod(&m, &(rod){.p = zero,
                                                 .q = Z,
                                                 .mass = 2.0,
                                                 .along = 0.1,
                                                 .across = 0.2,
                                                 .velocity = {zero, {0.0, 0.0, 1.0}}});
    const tn_body pitch = mechanism_rod(
        &m, &(rod){.p = Z, .q = corner[0], .mass = 1.0, .along = 0.05, .across = 0.1});
    mechanism_axis_joint(&m, "hinge", yaw, tn_ground(), zero, Z);
    mechanism_axis_joint(&m, "hinge", pitch, yaw, Z, Y);
    tn_body last = pitch;
    for (int k = 0; k < 4; k++) {
        const tn_body bar = mechanism_rod(&m, &(rod){.p = corner[k],
                                                     .q = corner[(k + 1) % 4],
                                                     .mass = 0.5,
                                                     .along = 0.01,
                                                     .across = 0.05});
        mechanism_axis_joint(&m, "hinge", bar, last, corner[k], Y);
        last = bar;
    }
    mechanism_axis_joint(&m, "hinge", last, pitch, corner[0], Y);
    return m;
}
