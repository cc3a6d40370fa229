/* coords_mechanisms.c: test support: see coords_mechanisms.h. */
#include "coords_mechanisms.h"

#include <check.h>
#include <math.h>

#define PI 3.14159265358979323846

static const tn_vec3 z_axis = {0.0, 0.0, 1.0};

static tn_body link_between(mechanism *m, tn_vec3 p, tn_vec3 q)
{
    const double length = vec_norm(vec_sub(q, p));
    const rod r = {.p = p,
                   .q = q,
                   .mass = length,
                   .along = 1e-3 * length,
                   .across = length * length * length / 12.0 + 1e-3 * length};
    return mechanism_rod(m, &r);
}

static tn_joint hinge(mechanism *m, tn_body a, tn_body b, tn_vec3 at)
{
    return mechanism_axis_joint(m, "hinge", a, b, at, z_axis);
}

static void start(mechanism *m)
{
    mechanism_start(m, TN_GENERALIZED_ALPHA);
}

mechanism coords_siblings(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const tn_body base = link_between(&m, vec(0.0, 0.0, 0.0), vec(1.0, 0.0, 0.0));
    const tn_body left = link_between(&m, vec(1.0, 0.0, 0.0), vec(2.0, 0.0, 0.0));
    const tn_body right = link_between(&m, vec(1.0, 0.0, 0.0), vec(1.0, 2.0, 0.0));
    hinge(&m, left, base, vec(1.0, 0.0, 0.0));
    hinge(&m, right, base, vec(1.0, 0.0, 0.0));
    hinge(&m, base, tn_ground(), vec(0.0, 0.0, 0.0));
    start(&m);
    return m;
}

mechanism coords_chain(int n)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body before = tn_ground();
    for (int k = 0; k < n; k++) {
        const tn_body body = link_between(&m, vec(k, 0.0, 0.0), vec(k + 1.0, 0.0, 0.0));
        hinge(&m, body, before, vec(k, 0.0, 0.0));
        mechanism_marker(&m, body, vec(0.0, 0.0, 0.5));
        before = body;
    }
    start(&m);
    return m;
}

mechanism coords_floating(double mass_a, double mass_b)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const double mass[2] = {mass_a, mass_b};
    tn_body body[2];
    for (int k = 0; k < 2; k++) {
        const rod r = {.p = vec(k, 0.0, 0.0),
                       .q = vec(k + 1.0, 0.0, 0.0),
                       .mass = mass[k],
                       .along = 0.01,
                       .across = 0.1};
        body[k] = mechanism_rod(&m, &r);
    }
    hinge(&m, body[0], body[1], vec(1.0, 0.0, 0.0));
    start(&m);
    return m;
}

mechanism coords_ranged_and_locked(void)
{
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    tn_body before = tn_ground();
    for (int k = 0; k < 2; k++) {
        const tn_body body = link_between(&m, vec(k, 0.0, 0.0), vec(k + 1.0, 0.0, 0.0));
        tn_joint_def def = tn_default_joint_def();
        def.type = "hinge";
        def.a = body;
        def.b = before;
        def.placement = TN_PLACE_ORIGIN;
        def.origin = vec(k, 0.0, 0.0);
        def.lower[0] = k == 0 ? -0.5 : -INFINITY;
        def.upper[0] = k == 0 ? 0.5 : INFINITY;
        def.locked[0] = k == 1;
        mechanism_joint(&m, &def);
        before = body;
    }
    start(&m);
    return m;
}

/* Where circles of radius r about p and s about q meet, on the left of the way from p to q. */
static tn_vec3 circles(tn_vec3 p, double r, tn_vec3 q, double s)
{
    const tn_vec3 d = vec_sub(q, p);
    const double l = vec_norm(d), a = (r * r - s * s + l * l) / (2.0 * l), h = sqrt(r * r - a * a);
    return vec(p.x + (a * d.x - h * d.y) / l, p.y + (a * d.y + h * d.x) / l, 0.0);
}

#define CRANK   1.0
#define COUPLER 3.0
#define ROCKER  2.5
#define GROUND  3.0
#define CRANK_0 (0.5 * PI)

static double rocker_angle(double crank)
{
    const tn_vec3 p = vec(CRANK * cos(crank), CRANK * sin(crank), 0.0);
    const tn_vec3 q = circles(p, COUPLER, vec(GROUND, 0.0, 0.0), ROCKER);
    return atan2(q.y, q.x - GROUND);
}

double coords_rocker_angle(double q)
{
    return rocker_angle(CRANK_0 + q);
}

/* Crank and coupler in one line: folded, or stretched. */
double coords_rocker_angle_at_dead_point(void)
{
    const int opens = rocker_angle(CRANK_0 + 1e-4) > rocker_angle(CRANK_0);
    const double reach = opens ? COUPLER - CRANK : COUPLER + CRANK;
    return PI - acos((GROUND * GROUND + ROCKER * ROCKER - reach * reach) / (2.0 * GROUND * ROCKER));
}

mechanism coords_four_bar(coords_four_bar_kind kind)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const int parallel = kind == COORDS_PARALLELOGRAM;
    const tn_vec3 o = vec(0.0, 0.0, 0.0), g = vec(parallel ? 2.0 : GROUND, 0.0, 0.0);
    const double angle = parallel ? 0.25 * PI : CRANK_0;
    const tn_vec3 p = vec(cos(angle), sin(angle), 0.0);
    const tn_vec3 q = parallel ? vec(p.x + 2.0, p.y, 0.0) : circles(p, COUPLER, g, ROCKER);
    const tn_body crank = link_between(&m, o, p), coupler = link_between(&m, p, q);
    const tn_body rocker = link_between(&m, g, q);
    tn_joint_def def = tn_default_joint_def();
    def.type = "hinge";
    def.a = crank;
    def.placement = TN_PLACE_ORIGIN;
    def.initial[0] = parallel ? angle : 0.0;
    mechanism_joint(&m, &def);
    hinge(&m, coupler, crank, p);
    hinge(&m, rocker, coupler, q);
    tn_joint_def ground = tn_default_joint_def();
    ground.type = "hinge";
    ground.a = rocker;
    ground.placement = TN_PLACE_ORIGIN;
    ground.origin = g;
    if (kind == COORDS_CRANK_ROCKER_RANGED)
        ground.upper[0] = 0.2;
    mechanism_joint(&m, &ground);
    start(&m);
    return m;
}

mechanism coords_universal_four_bar(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const tn_vec3 p[4] = {vec(0.0, 0.0, 0.0), vec(0.7, 0.7, 0.0), vec(1.7, 0.7, 0.0),
                          vec(1.0, 0.0, 0.0)};
    tn_body body[3];
    for (int k = 0; k < 3; k++)
        body[k] = link_between(&m, p[k], p[k + 1]);
    mechanism_axis_joint(&m, "universal", body[0], tn_ground(), p[0], z_axis);
    mechanism_axis_joint(&m, "universal", body[1], body[0], p[1], z_axis);
    mechanism_axis_joint(&m, "universal", body[2], body[1], p[2], z_axis);
    mechanism_axis_joint(&m, "universal", body[2], tn_ground(), p[3], z_axis);
    start(&m);
    return m;
}

/* A triangle of two moving bars and ground; the slots lie along x. */
mechanism coords_slotted_three_bar(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const tn_vec3 p[3] = {vec(0.0, 0.0, 0.0), vec(0.5, 0.9, 0.0), vec(1.0, 0.0, 0.0)};
    const tn_body a = link_between(&m, p[0], p[1]), b = link_between(&m, p[2], p[1]);
    mechanism_axis_joint(&m, "slotted_hinge", a, tn_ground(), p[0], z_axis);
    mechanism_axis_joint(&m, "slotted_hinge", b, a, p[1], z_axis);
    mechanism_axis_joint(&m, "slotted_hinge", b, tn_ground(), p[2], z_axis);
    start(&m);
    return m;
}

mechanism coords_stewart(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body_def def = tn_default_body_def();
    def.pose.p = vec(0.0, 0.0, 1.0);
    def.mass = 5.0;
    def.com = vec(0.0, 0.0, 0.0);
    def.inertia = mat_diagonal(0.3, 0.3, 0.6);
    const tn_body platform = mechanism_body(&m, &def);
    tn_body lower[6], upper[6];
    tn_vec3 foot[6], top[6];
    for (int k = 0; k < 6; k++) {
        const double side = k % 2 ? 1.0 : -1.0;
        const double at = 2.0 * PI / 3.0 * (k / 2), base = at + side * 0.2, head = at + side * 0.8;
        foot[k] = vec(cos(base), sin(base), 0.0);
        top[k] = vec(0.6 * cos(head), 0.6 * sin(head), 1.0);
        const tn_vec3 d = vec_sub(top[k], foot[k]);
        lower[k] =
            link_between(&m, foot[k], vec(foot[k].x + 0.5 * d.x, foot[k].y + 0.5 * d.y, 0.5));
        upper[k] = link_between(&m, vec(foot[k].x + 0.5 * d.x, foot[k].y + 0.5 * d.y, 0.5), top[k]);
        mechanism_axis_joint(&m, "slider", upper[k], lower[k], foot[k], d);
    }
    for (int k = 0; k < 6; k++) {
        mechanism_axis_joint(&m, "universal", lower[k], tn_ground(), foot[k], vec(1.0, 0.0, 0.0));
        mechanism_axis_joint(&m, "spherical", platform, upper[k], top[k], z_axis);
    }
    start(&m);
    return m;
}

/* A four-bar whose coupler is a ternary link that carries a second loop to a rocker of its own. */
mechanism coords_watt(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const tn_vec3 o = vec(0.0, 0.0, 0.0), g = vec(3.0, 0.0, 0.0), p = vec(0.0, 1.0, 0.0);
    const tn_vec3 q = circles(p, 3.0, g, 2.5);
    const tn_vec3 e = vec(q.x + 0.8, q.y + 1.6, 0.0); /* on the rocker, which is ternary */
    const tn_vec3 h = vec(6.5, 0.0, 0.0), f = circles(e, 4.0, h, 4.0);
    const tn_body crank = link_between(&m, o, p), coupler = link_between(&m, p, q);
    const tn_body rocker = link_between(&m, g, q), arm = link_between(&m, e, f);
    const tn_body last = link_between(&m, h, f);
    hinge(&m, crank, tn_ground(), o);
    hinge(&m, coupler, crank, p);
    hinge(&m, rocker, coupler, q);
    hinge(&m, rocker, tn_ground(), g);
    hinge(&m, arm, rocker, e);
    hinge(&m, last, arm, f);
    hinge(&m, last, tn_ground(), h);
    start(&m);
    return m;
}

mechanism coords_multi_loop(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body base = tn_ground();
    tn_vec3 at = vec(0.0, 0.0, 0.0);
    for (int unit = 0; unit < 4; unit++) {
        const tn_vec3 up = vec(at.x, at.y + 0.5, at.z), top = vec(at.x + 0.5, at.y + 0.5, at.z);
        const tn_body yaw = link_between(&m, at, up), pitch = link_between(&m, up, top);
        mechanism_axis_joint(&m, "hinge", yaw, base, at, vec(0.0, 1.0, 0.0));
        mechanism_axis_joint(&m, "hinge", pitch, yaw, up, vec(1.0, 0.0, 0.0));
        tn_vec3 p[6];
        for (int k = 0; k < 5; k++)
            p[k] = vec(top.x + cos(0.4 * PI * k), top.y + sin(0.4 * PI * k), at.z);
        p[5] = p[0];
        tn_body body[4], before = pitch;
        for (int k = 0; k < 4; k++) {
            body[k] = link_between(&m, p[k], p[k + 1]);
            hinge(&m, body[k], before, p[k]);
            before = body[k];
        }
        hinge(&m, body[3], pitch, p[4]);
        base = body[1];
        at = p[2];
    }
    start(&m);
    return m;
}

mechanism coords_ring(int n)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const double radius = 0.5 / sin(PI / n);
    tn_body first = tn_ground(), before = tn_ground();
    tn_vec3 from = vec(0.0, 0.0, 0.0);
    for (int k = 0; k < n; k++) {
        const double a = 2.0 * PI * k / n, b = 2.0 * PI * (k + 1) / n;
        const tn_vec3 p = vec(radius * cos(a), radius * sin(a), 0.0);
        const tn_vec3 q = vec(radius * cos(b), radius * sin(b), 0.0);
        tn_body body = k == 0 ? tn_ground() : link_between(&m, p, q);
        if (k > 0)
            hinge(&m, body, before, p);
        else
            from = p;
        first = k == 1 ? body : first;
        before = body;
    }
    hinge(&m, before, tn_ground(), from);
    start(&m);
    return m;
}
