/* ellipsoid.c: room joint/type: a point gliding on an ellipsoid, with two rotations: the scapula on the
 * thorax.
 *
 * Surface point and frame S there, with semi-axes e = (A, B, C), longitude u and latitude g:
 *     s   = (sin g, -sin u cos g, cos u cos g),     p = e s      (component by component)
 *     z_S = unit of s / f,   x_S = unit of f s_g,   f = e, or (1, 1, 1) in OpenSim's variant,
 * z_S being the true normal n, the unit of s / e, only for f = e. Then
 *     R_CD = R_SD Rz(theta + alpha) Rx(phi) Rz(-alpha):
 * the axis a = (cos alpha, sin alpha, 0) of C, the wing axis, lies across z_S, and phi turns C
 * about it. Legal are all p on the surface with a across z_S(p): u enters neither condition.
 *
 * With x = R_CD a, z = z_S, y = z x x, and z' = Z v the rate of z_S by the velocity v of p,
 * Z = (I - z z^T) diag(1 / (e f)) / |s / f|, the rows are, force and moment in D,
 *     normal     (n; 0)
 *     tilt       (-Z^T x; y)             rate of a's sine over the plane across z_S
 *     longitude  (a_u; 0),    a_u = (e_u / cos g) / e,    e_u = (0, -cos u, -sin u)
 *     latitude   (a_g; 0),    a_g = s_g / e
 *     theta      (-c_u a_u - c_g a_g; z),     c = how fast S turns about z_S by u and by g
 *     phi        (Z^T y; x)
 * where every force but the first loses its part along n: the multiplier of the first row is the
 * whole force across the surface. All are smooth; a_u, c_u and with them theta are singular at the
 * pole cos g = 0 (pole.h), the bilateral rows are not. Rates follow by dual numbers.
 *
 * G is the nearest surface point, with C turned about the shortest way until a lies across z_S.
 * Limits: (u, g, theta) and (u + pi, pi - g, theta + pi) are one pose; the nearer to the reference
 * is taken. The zero pose is p = (0, 0, C), R = I.
 */
#include <string.h>

#include "real/real.h"
#include "joint/point/ellipsoid_surface.h"
#include "joint/turn/pole.h"
#include "joint/rotation_about_z.h"
#include "joint/row_vectors.h"
#include "joint/turn/tilt.h"
#include "math/function/dual.h"

enum { SEMI_A, SEMI_B, SEMI_C, WING_ANGLE, OPENSIM };
enum { LONGITUDE, LATITUDE, THETA, PHI };
enum { NORMAL_ROW, TILT_ROW, FIRST_MOTION };

static const tn_row_info rows[] = {
    {"normal", TN_FORCE_ROW},
    {"tilt", TN_MOMENT_ROW},
    {"longitude", TN_ANGLE_ROW(LONGITUDE)},
    {"latitude", TN_ANGLE_ROW(LATITUDE)},
    {"theta", TN_ANGLE_ROW(THETA)},
    {"phi", TN_ANGLE_ROW(PHI)},
};
static const tn_coordinate_info coordinates[] = {
    {"longitude", 1}, {"latitude", 1}, {"theta", 1}, {"phi", 1}};
static const tn_parameter_info parameter_infos[] = {
    {"semi_axis_a", "m", 1.0, 0.0, INFINITY, "semi-axis along x of D"},
    {"semi_axis_b", "m", 1.0, 0.0, INFINITY, "semi-axis along y of D"},
    {"semi_axis_c", "m", 1.0, 0.0, INFINITY, "semi-axis along z of D"},
    {"wing_angle", "rad", 0.0, -TN_PI, TN_PI, "angle of the wing axis from x towards y of C"},
    {"opensim", "1", 0.0, -1.0, 2.0, "1: surface frame of OpenSim's joint, 0: the true normal"},
};

/* e */
static tn_vec3 semi_axes(const tn_joint_setup *setup)
{
    return v3(setup->parameters[SEMI_A], setup->parameters[SEMI_B], setup->parameters[SEMI_C]);
}

/* f */
static tn_vec3 frame_axes(const tn_joint_setup *setup)
{
    return setup->parameters[OPENSIM] > 0.5 ? v3(1.0, 1.0, 1.0) : semi_axes(setup);
}

static tn_vec3 inverses(tn_vec3 k)
{
    return v3(1.0 / k.x, 1.0 / k.y, 1.0 / k.z);
}

static tn_vec3 wing_axis(const tn_joint_setup *setup)
{
    return v3(tn_cos(setup->parameters[WING_ANGLE]), tn_sin(setup->parameters[WING_ANGLE]), 0.0);
}

/* What the surface is like at a point, with the rates for given speeds of the coordinates. */
typedef struct tn_glide {
    tn_dual cg;           /* cos g, kept from the pole where it divides */
    tn_dual3 e_u, s, s_g; /* s_u = cos g e_u */
    tn_dual3 n, z;        /* true normal, z_S */
    tn_dual z_size;       /* |s / f| */
    tn_dual c_u, c_g;     /* speeds of S about z_S by u and g */
    tn_dual3 a_u, a_g;
} tn_glide;

/* The rotation of S about z_S by u or g, from the change of f s_g: with x = unit X, the part of dX
 * along y = z x x over |X|. */
static tn_dual turn_about_z(tn_dual3 z, tn_dual3 X, tn_dual3 dX)
{
    const tn_dual3 y = dual3_cross(z, dual3_unit(X));
    return dual_div(dual3_dot(dX, y), dual3_norm(X));
}

/* f without its part along the unit vector n. */
static tn_dual3 across(tn_dual3 f, tn_dual3 n)
{
    const tn_dual along = dual3_dot(f, n);
    return dual3_axpy(f, dual(-along.v, -along.d), n);
}

static tn_glide glide(const tn_joint_setup *setup, tn_dual u, tn_dual g)
{
    const tn_vec3 e = semi_axes(setup), f = frame_axes(setup);
    const tn_dual zero = {0.0, 0.0}, minus = {-1.0, 0.0};
    const tn_dual su = dual_sin(u), cu = dual_cos(u), sg = dual_sin(g), cg = dual_cos(g);
    tn_glide at;
    at.cg = fabs(cg.v) < TN_POLE_CLAMP ? dual(tn_clamped_cosine(cg.v), 0.0) : cg;
    at.e_u = dual3_scale(minus, dual3(zero, cu, su));
    const tn_dual3 out = dual3(zero, dual_mul(minus, su), cu); /* from the polar axis */
    const tn_dual3 polar = dual3(dual(1.0, 0.0), zero, zero);
    at.s = dual3_axpy(dual3_scale(sg, polar), cg, out);
    at.s_g = dual3_axpy(dual3_scale(cg, polar), dual_mul(minus, sg), out);
    at.n = dual3_unit(dual3_stretch(inverses(e), at.s));
    const tn_dual3 normal = dual3_stretch(inverses(f), at.s);
    at.z = dual3_unit(normal);
    at.z_size = dual3_norm(normal);
    const tn_dual3 X = dual3_stretch(f, at.s_g);
    at.c_u = turn_about_z(at.z, X, dual3_scale(dual_mul(minus, sg), dual3_stretch(f, at.e_u)));
    at.c_g = turn_about_z(at.z, X, dual3_scale(minus, dual3_stretch(f, at.s)));
    const tn_dual by_cg = dual_div(dual(1.0, 0.0), at.cg);
    at.a_u = across(dual3_scale(by_cg, dual3_stretch(inverses(e), at.e_u)), at.n);
    at.a_g = across(dual3_stretch(inverses(e), at.s_g), at.n);
    return at;
}

/* Z^T m, across n. */
static tn_dual3 normal_rate(const tn_joint_setup *setup, const tn_glide *at, tn_dual3 m)
{
    const tn_vec3 e = semi_axes(setup), f = frame_axes(setup);
    const tn_vec3 k = v3(1.0 / (e.x * f.x), 1.0 / (e.y * f.y), 1.0 / (e.z * f.z));
    const tn_dual3 force = dual3_stretch(k, across(m, at->z));
    return across(dual3_scale(dual_div(dual(1.0, 0.0), at->z_size), force), at->n);
}

/* R_SD at a surface point without its pole. */
static tn_mat3 surface_frame(const tn_joint_setup *setup, double u, double g)
{
    const tn_glide at = glide(setup, dual(u, 0.0), dual(g, 0.0));
    const tn_vec3 f = frame_axes(setup), s_g = at.s_g.v, z = at.z.v;
    const tn_vec3 X = v3(f.x * s_g.x, f.y * s_g.y, f.z * s_g.z);
    const tn_vec3 x = v3_scale(1.0 / v3_norm(X), X), y = v3_cross(z, x);
    return (tn_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

/* ---- poses and coordinates ---------------------------------------------------------------- */

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    const tn_vec3 e = semi_axes(setup), f = frame_axes(setup);
    const int one_point = tn_ellipsoid_nearest(e, T_CD->p, &T_GD->p);
    const tn_vec3 p = T_GD->p;
    const tn_vec3 n = v3(p.x / (e.x * f.x), p.y / (e.y * f.y), p.z / (e.z * f.z));
    const tn_vec3 z = v3_scale(1.0 / v3_norm(n), n);
    const int one_turn = tn_tilt_axis(&T_CD->R, wing_axis(setup), z, 1.0, 0.0, &T_GD->R);
    return one_point && one_turn;
}

/* The coordinates with this longitude and latitude, turns nearest to the reference. */
static void coordinates_with(const tn_joint_setup *setup, const tn_xform *T_GD, double u, double g,
                             const double *reference, double *q)
{
    const double alpha = setup->parameters[WING_ANGLE];
    const tn_mat3 R_SD = surface_frame(setup, u, g), wing = m3_rot_z(tn_cos(alpha), tn_sin(alpha));
    const tn_mat3 R_CS = m3_tmul(&R_SD, &T_GD->R), R = m3_mul(&R_CS, &wing);
    const double value[4] = {u, g, tn_atan2(R.m[1][0], R.m[0][0]) - alpha,
                             tn_atan2(R.m[2][1], R.m[2][2])};
    for (int i = 0; i < 4; i++)
        q[i] = tn_nearest_turn(value[i], reference[i]);
}

static double distance(const double a[4], const double b[4])
{
    double sum = 0.0;
    for (int i = 0; i < 4; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* On the unit sphere. */
static tn_vec3 surface_point(const tn_joint_setup *setup, const tn_xform *T_GD)
{
    const tn_vec3 e = semi_axes(setup), p = T_GD->p;
    return v3(p.x / e.x, p.y / e.y, p.z / e.z);
}

/* |cos g| */
static double distance_from_pole(tn_vec3 s)
{
    return tn_hypot(s.y, s.z);
}

/* The two sets of the pose, the nearer one to the reference first. */
static void both_sets(const tn_joint_setup *setup, const tn_xform *T_GD, const double *reference,
                      double q[4], double other[4])
{
    const tn_vec3 s = surface_point(setup, T_GD);
    const double g = tn_atan2(s.x, distance_from_pole(s)), u = tn_atan2(-s.y, s.z);
    double swap[4];
    coordinates_with(setup, T_GD, u, g, reference, q);
    coordinates_with(setup, T_GD, u + TN_PI, TN_PI - g, reference, other);
    if (distance(other, reference) < distance(q, reference)) {
        memcpy(swap, q, sizeof swap);
        memcpy(q, other, sizeof swap);
        memcpy(other, swap, sizeof swap);
    }
}

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    const double ref[4] = {reference[0], reference[1], reference[2], reference[3]}; /* may be q */
    double other[4];
    both_sets(setup, T_GD, ref, q, other);
    if (distance_from_pole(surface_point(setup, T_GD)) < TN_POLE_ZONE &&
        fabs(q[LONGITUDE] - ref[LONGITUDE]) > TN_POLE_JUMP)
        coordinates_with(setup, T_GD, ref[LONGITUDE], q[LATITUDE], ref, q);
}

/* ---- stops at the pole -------------------------------------------------------------------- */

/* The coordinates at longitude u, from s = (sin g, -sin u cos g, cos u cos g). Returns by what
 * angle the pose is off it. */
static double hold_longitude(const tn_joint_setup *setup, const tn_xform *T_GD, double u,
                             const double *reference, double q[4])
{
    const tn_vec3 s = surface_point(setup, T_GD);
    const double along = tn_cos(u) * s.z - tn_sin(u) * s.y,
                 across = -tn_cos(u) * s.y - tn_sin(u) * s.z;
    coordinates_with(setup, T_GD, u, tn_atan2(s.x, along), reference, q);
    q[LONGITUDE] = tn_nearest_turn(u, reference[LONGITUDE]);
    return tn_pole_angle(across, along);
}

/* The longitude at which the pose would have this theta: there the meridian goes along x_S, which
 * is the wing axis turned back by theta + alpha about z_S, and x_S along f s_g, s_g = (cos g, sin g
 * sin u, -sin g cos u). */
static double longitude_for(const tn_joint_setup *setup, const tn_xform *T_GD, double theta)
{
    const tn_vec3 f = frame_axes(setup), s = surface_point(setup, T_GD);
    const tn_vec3 normal = v3(s.x / f.x, s.y / f.y, s.z / f.z);
    const tn_vec3 z = v3_scale(1.0 / v3_norm(normal), normal);
    const tn_vec3 wing = m3_mulv(&T_GD->R, wing_axis(setup));
    const double back = theta + setup->parameters[WING_ANGLE], side = copysign(1.0, s.x);
    const tn_vec3 x = v3_axpy(v3_scale(tn_cos(back), wing), -tn_sin(back), v3_cross(z, wing));
    return tn_atan2(side * x.y / f.y, -side * x.z / f.z);
}

/* Held ones of longitude and theta, which turns with S as longitude does. */
static int hold(const tn_joint_setup *setup, const tn_xform *T_GD, const tn_joint_stops *stops,
                const double *reference, double q[4], double *error)
{
    const int by_longitude = tn_pole_holds(stops, LONGITUDE, reference);
    const int by_theta = tn_pole_holds(stops, THETA, reference);
    if (!(by_longitude || by_theta) ||
        distance_from_pole(surface_point(setup, T_GD)) >= TN_POLE_ZONE)
        return 0;
    const double u =
        by_longitude ? stops->value[LONGITUDE] : longitude_for(setup, T_GD, stops->value[THETA]);
    const double off = hold_longitude(setup, T_GD, u, reference, q);
    const tn_glide at = glide(setup, dual(q[LONGITUDE], 0.0), dual(q[LATITUDE], 0.0));
    if (by_longitude) {
        error[LONGITUDE] = off;
    } else {
        q[THETA] = stops->value[THETA];
    }
    if (by_theta)
        error[THETA] = -at.c_u.v * off;
    return 1;
}

static int stop_at_pole(const tn_joint_setup *setup, const tn_xform *T_GD,
                        const tn_joint_stops *stops, const double *reference, double *q,
                        double *error)
{
    const double ref[4] = {reference[0], reference[1], reference[2], reference[3]}; /* may be q */
    double other[4];
    if (hold(setup, T_GD, stops, ref, q, error))
        return 1;
    if (!tn_pole_is_limited(stops, 4))
        return 0;
    both_sets(setup, T_GD, ref, q, other);
    if (fabs(q[LONGITUDE] - ref[LONGITUDE]) > TN_POLE_JUMP &&
        tn_pole_prefers_other(stops, 4, q, other))
        memcpy(q, other, sizeof other);
    return 1;
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    const double alpha = setup->parameters[WING_ANGLE], turn = q[THETA] + alpha;
    const tn_vec3 e = semi_axes(setup);
    const tn_glide at = glide(setup, dual(q[LONGITUDE], 0.0), dual(q[LATITUDE], 0.0));
    const tn_mat3 R_SD = surface_frame(setup, q[LONGITUDE], q[LATITUDE]);
    const tn_mat3 theta = m3_rot_z(tn_cos(turn), tn_sin(turn)),
                  wing = m3_rot_z(tn_cos(alpha), -tn_sin(alpha));
    const double c = tn_cos(q[PHI]), s = tn_sin(q[PHI]);
    const tn_mat3 phi = {{{1.0, 0.0, 0.0}, {0.0, c, -s}, {0.0, s, c}}};
    const tn_mat3 a = m3_mul(&R_SD, &theta), b = m3_mul(&phi, &wing);
    T_GD->R = m3_mul(&a, &b);
    T_GD->p = v3(e.x * at.s.v.x, e.y * at.s.v.y, e.z * at.s.v.z);
}

/* ---- rows and twists ---------------------------------------------------------------------- */

/* Forces and moments of all rows in D. dR_a: rate of R_CD a. */
static void rows_in_d(const tn_joint_setup *setup, const tn_xform *T_GD, const tn_glide *at,
                      tn_vec3 dR_a, tn_dual3 force[6], tn_dual3 moment[6])
{
    const tn_dual minus = {-1.0, 0.0};
    const tn_dual3 zero = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const tn_dual3 x = {m3_mulv(&T_GD->R, wing_axis(setup)), dR_a};
    const tn_dual3 y = dual3_cross(at->z, x);
    for (int k = 0; k < 6; k++)
        moment[k] = zero;
    force[NORMAL_ROW] = at->n;
    force[TILT_ROW] = dual3_scale(minus, normal_rate(setup, at, x));
    moment[TILT_ROW] = y;
    force[FIRST_MOTION + LONGITUDE] = at->a_u;
    force[FIRST_MOTION + LATITUDE] = at->a_g;
    force[FIRST_MOTION + THETA] =
        dual3_scale(minus, dual3_axpy(dual3_scale(at->c_u, at->a_u), at->c_g, at->a_g));
    moment[FIRST_MOTION + THETA] = at->z;
    force[FIRST_MOTION + PHI] = normal_rate(setup, at, y);
    moment[FIRST_MOTION + PHI] = x;
}

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    const tn_glide at = glide(setup, dual(q[LONGITUDE], 0.0), dual(q[LATITUDE], 0.0));
    tn_dual3 force[6], moment[6];
    rows_in_d(setup, T_GD, &at, v3(0.0, 0.0, 0.0), force, moment);
    for (int k = 0; k < 6; k++)
        tn_row_set(W[k], m3_tmulv(&T_GD->R, force[k].v), m3_tmulv(&T_GD->R, moment[k].v));
}

/* d(R^T f)/dt = R^T (f' - w x f), w of G in D. */
static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    const tn_mat3 *R = &T_GD->R;
    const tn_vec3 v = m3_mulv(R, v3_load(twist_GD)), w = m3_mulv(R, v3_load(twist_GD + 3));
    tn_glide at = glide(setup, dual(q[LONGITUDE], 0.0), dual(q[LATITUDE], 0.0));
    const double du = v3_dot(at.a_u.v, v), dg = v3_dot(at.a_g.v, v);
    at = glide(setup, dual(q[LONGITUDE], du), dual(q[LATITUDE], dg));
    tn_dual3 force[6], moment[6];
    rows_in_d(setup, T_GD, &at, v3_cross(w, m3_mulv(R, wing_axis(setup))), force, moment);
    for (int k = 0; k < 6; k++) {
        tn_row_set(dW[k], m3_tmulv(R, v3_sub(force[k].d, v3_cross(w, force[k].v))),
                   m3_tmulv(R, v3_sub(moment[k].d, v3_cross(w, moment[k].v))));
    }
}

/* How S turns by u (or g): z x z' + c z, the derivative part of `at` being by u (or g). */
static tn_vec3 turn_of_s(const tn_glide *at, double c)
{
    return v3_axpy(v3_cross(at->z.v, at->z.d), c, at->z.v);
}

static void twists(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                   double T[TN_MAX_ROWS][6])
{
    const tn_vec3 e = semi_axes(setup);
    const tn_glide by_u = glide(setup, dual(q[LONGITUDE], 1.0), dual(q[LATITUDE], 0.0));
    const tn_glide by_g = glide(setup, dual(q[LONGITUDE], 0.0), dual(q[LATITUDE], 1.0));
    tn_row_set(T[LONGITUDE], m3_tmulv(&T_GD->R, dual3_stretch(e, by_u.s).d),
               m3_tmulv(&T_GD->R, turn_of_s(&by_u, by_u.c_u.v)));
    tn_row_set(T[LATITUDE], m3_tmulv(&T_GD->R, dual3_stretch(e, by_g.s).d),
               m3_tmulv(&T_GD->R, turn_of_s(&by_g, by_g.c_g.v)));
    tn_row_angular(T[THETA], m3_tmulv(&T_GD->R, by_u.z.v));
    tn_row_angular(T[PHI], wing_axis(setup));
}

static void predict(const double *q, const double *now, const double *speeds, double h,
                    double *predicted)
{
    const double latitudes[2] = {q[LATITUDE], now[LATITUDE]};
    const double guided = tn_pole_is_near(latitudes, speeds[LATITUDE], h) ? 0.0 : h;
    predicted[LONGITUDE] = q[LONGITUDE] + guided * speeds[LONGITUDE];
    predicted[LATITUDE] = q[LATITUDE] + h * speeds[LATITUDE];
    predicted[THETA] = q[THETA] + guided * speeds[THETA];
    predicted[PHI] = q[PHI] + h * speeds[PHI];
}

static const tn_draw_item draw[] = {
    {TN_DRAW_ELLIPSOID, TN_DRAW_IN_D, 0, 0},
    {TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0},
    {TN_DRAW_TRACE, TN_DRAW_IN_C, 3, 1},
    {TN_DRAW_TRACE, TN_DRAW_IN_C, 3, 2},
    {TN_DRAW_END, 0, 0, 0},
};

const tn_joint_class tn_joint_class_ellipsoid = {
    .info = {.name = "ellipsoid",
             .summary = "glides on an ellipsoid and turns about its normal and one axis across it",
             TN_JOINT_DOF(4),
             .parameter_count = 5,
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates),
             .parameters = parameter_infos},
    .draw = draw,
    .project = project,
    .whole_turns = 0xf,
    .pose_to_coordinates = pose_to_coordinates,
    .stop_at_pole = stop_at_pole,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
    .twists = twists,
    .predict = predict,
};
