/* scenes.c: the mechanisms of bench_speed.c, made by calls or read from the examples.
 *
 * Chains, ropes and trees: boxes of 0.1 x 0.02 x 0.02 m, density 1000 kg/m^3, in a row along +x,
 * let go at rest. Loops: bars of 1 kg.
 */
#include "scenes/scenes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tenon/io.h"

#define LINK  0.1  /* m */
#define WIDTH 0.02 /* m */
#define PI    3.14159265358979323846

static int32_t add_box(tn_spec *spec, tn_vec3 centre, tn_quat turned, tn_vec3 size, double density)
{
    tn_shape_def shape = tn_default_shape_def(TN_SHAPE_BOX);
    shape.size = size;
    tn_body_def box = tn_default_body_def();
    box.pose.p = centre;
    box.pose.q = turned;
    box.shapes = &shape;
    box.shape_count = 1;
    box.density = density;
    tn_body id = {0};
    tn_spec_add_body(spec, &box, &id);
    return id.i;
}

static int32_t add_link(tn_spec *spec, tn_vec3 centre, double density)
{
    return add_box(spec, centre, (tn_quat){1.0, 0.0, 0.0, 0.0}, (tn_vec3){LINK, WIDTH, WIDTH},
                   density);
}

static tn_joint_def joint_between(const char *type, int32_t a, int32_t b, tn_vec3 origin,
                                  tn_vec3 axis)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.type = type;
    joint.a.i = a;
    joint.b.i = b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = origin;
    joint.axis = axis;
    return joint;
}

static void add_joint(tn_spec *spec, const char *type, int32_t a, int32_t b, tn_vec3 origin,
                      tn_vec3 axis)
{
    const tn_joint_def joint = joint_between(type, a, b, origin, axis);
    tn_spec_add_joint(spec, &joint, NULL);
}

static void mark(tn_spec *spec, int32_t body, tn_vec3 position)
{
    tn_marker_def marker = tn_default_marker_def();
    marker.body.i = body;
    marker.position = position;
    tn_spec_add_marker(spec, &marker, NULL);
}

static const tn_vec3 y_axis = {0.0, 1.0, 0.0}, z_axis = {0.0, 0.0, 1.0};

/* A row of n boxes; axes in turn. stop: a range of so much on either side, rad; 0: none. */
static tn_spec *make_row(int32_t n, const char *type, int axis_count, double tip_density,
                         double stop)
{
    static const tn_vec3 axes[3] = {
        {0.0, 1.0, 0.0},
        {1.0, 0.0, 0.0},
        {0.57735026918962576, 0.57735026918962576, 0.57735026918962576}};
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < n; k++) {
        add_link(spec, (tn_vec3){LINK * (k + 0.5), 0.0, 0.0}, k + 1 == n ? tip_density : 1000.0);
        tn_joint_def joint =
            joint_between(type, k, k - 1, (tn_vec3){LINK * k, 0.0, 0.0}, axes[k % axis_count]);
        if (stop > 0.0) {
            joint.lower[0] = -stop;
            joint.upper[0] = stop;
        }
        tn_spec_add_joint(spec, &joint, NULL);
    }
    mark(spec, n - 1, (tn_vec3){LINK / 2, 0.0, 0.0});
    return spec;
}

static tn_spec *make_chain(int32_t n)
{
    return make_row(n, "hinge", 2, 1000.0, 0.0);
}

static tn_spec *make_chain3(int32_t n)
{
    return make_row(n, "hinge", 3, 1000.0, 0.0);
}

static tn_spec *make_ball(int32_t n)
{
    return make_row(n, "spherical", 2, 1000.0, 0.0);
}

static tn_spec *make_rope(int32_t n)
{
    return make_row(n, "spherical", 2, 1e6, 0.0);
}

static tn_spec *make_stops(int32_t n)
{
    return make_row(n, "hinge", 3, 1000.0, 0.05);
}

/* A tree in which link k hangs on link (k - 1) / branches, all in a row as seen from the joints. */
static tn_spec *make_branches(int32_t n, int32_t branches)
{
    static const tn_vec3 axes[3] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {0.3, 0.5, 0.8}};
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < n; k++) {
        const int32_t parent = k == 0 ? -1 : (k - 1) / branches;
        const tn_vec3 at = {
            k == 0 ? 0.0 : tn_spec_body(spec, (tn_body){parent})->pose.p.x + LINK / 2, 0.0, 0.0};
        add_link(spec, (tn_vec3){at.x + LINK / 2, 0.0, 0.0}, 1000.0);
        add_joint(spec, "hinge", k, parent, at, axes[k % 3]);
    }
    mark(spec, n - 1, (tn_vec3){LINK / 2, 0.0, 0.0});
    return spec;
}

static tn_spec *make_tree(int32_t n)
{
    return make_branches(n, 2);
}

/* All links on the first. */
static tn_spec *make_star(int32_t n)
{
    return make_branches(n, n);
}

/* Two rails of links with a rung a cell, four ball joints each; the rails hang on the ground. */
static tn_spec *make_ladder(int32_t n)
{
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < n; k++) {
        int32_t rail[2];
        for (int side = 0; side < 2; side++) {
            const double y = side * LINK;
            rail[side] = add_link(spec, (tn_vec3){LINK * (k + 0.5), y, 0.0}, 1000.0);
            add_joint(spec, "spherical", rail[side], k == 0 ? -1 : rail[side] - 3,
                      (tn_vec3){LINK * k, y, 0.0}, z_axis);
        }
        const int32_t rung =
            add_box(spec, (tn_vec3){LINK * (k + 1), LINK / 2, 0.0}, (tn_quat){1.0, 0.0, 0.0, 0.0},
                    (tn_vec3){WIDTH, LINK, WIDTH}, 1000.0);
        for (int side = 0; side < 2; side++)
            add_joint(spec, "spherical", rung, rail[side],
                      (tn_vec3){LINK * (k + 1), side * LINK, 0.0}, z_axis);
    }
    mark(spec, 0, (tn_vec3){LINK / 2, 0.0, 0.0});
    return spec;
}

static void add_bar(tn_spec *spec, tn_vec3 middle, int upright)
{
    const double across = 1.0 / 12.0, along = 0.01 / 6.0; /* kg m^2 */
    tn_body_def bar = tn_default_body_def();
    bar.pose.p = middle;
    bar.mass = 1.0;
    bar.inertia = (tn_mat3){{{0.0}}};
    bar.inertia.m[0][0] = upright ? across : along;
    bar.inertia.m[1][1] = upright ? along : across;
    bar.inertia.m[2][2] = across;
    bar.velocity.v.x = upright ? 0.5 : 1.0;
    bar.velocity.w.z = upright ? -1.0 : 0.0;
    tn_spec_add_body(spec, &bar, NULL);
}

/* The N-four-bar of the IFToMM library. */
static tn_spec *make_four_bars(int32_t n)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = (tn_vec3){0.0, -9.81, 0.0};
    tn_spec_set_world(spec, &world);
    for (int32_t k = 0; k <= n; k++)
        add_bar(spec, (tn_vec3){k, 0.5, 0.0}, 1);
    for (int32_t k = 0; k < n; k++)
        add_bar(spec, (tn_vec3){k + 0.5, 1.0, 0.0}, 0);
    for (int32_t k = 0; k <= n; k++)
        add_joint(spec, "hinge", k, -1, (tn_vec3){k, 0.0, 0.0}, z_axis);
    for (int32_t k = 0; k < n; k++)
        for (int32_t side = 0; side < 2; side++)
            add_joint(spec, "hinge", n + 1 + k, k + side, (tn_vec3){k + side, 1.0, 0.0}, z_axis);
    mark(spec, 0, (tn_vec3){0.0, 0.5, 0.0});
    return spec;
}

/* n links on a circle, its plane upright, hinges square to it; the first is hinged to the ground. */
static tn_spec *make_ring(int32_t n)
{
    const double radius = LINK / (2.0 * sin(PI / n));
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < n; k++) {
        const double a = 2.0 * PI * (k + 0.5) / n, r = radius * cos(PI / n);
        add_box(spec, (tn_vec3){r * cos(a), 0.0, r * sin(a)},
                (tn_quat){cos(PI / 4 - a / 2), 0.0, sin(PI / 4 - a / 2), 0.0},
                (tn_vec3){WIDTH, WIDTH, LINK}, 1000.0);
    }
    for (int32_t k = 0; k < n; k++) {
        const double a = 2.0 * PI * k / n;
        const tn_vec3 at = {radius * cos(a), 0.0, radius * sin(a)};
        if (k == 0)
            add_joint(spec, "hinge", 0, -1, at, y_axis);
        add_joint(spec, "hinge", k, (k + n - 1) % n, at, y_axis);
    }
    mark(spec, n / 2, (tn_vec3){0.0, 0.0, 0.0});
    return spec;
}

/* n x n crosses, ball joints between neighbours half-way, two corners on the ground. */
static tn_vec3 hill(double i, double k, double height)
{
    return (tn_vec3){LINK * i, LINK * k, height * LINK * sin(0.7 * i) * cos(0.9 * k)};
}

static tn_spec *make_net(int32_t n, double height)
{
    tn_spec *spec = tn_spec_create();
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < n; k++)
            add_box(spec, hill(i, k, height), (tn_quat){1.0, 0.0, 0.0, 0.0},
                    (tn_vec3){LINK, LINK, WIDTH}, 1000.0);
    add_joint(spec, "spherical", 0, -1, hill(-0.5, 0.0, height), z_axis);
    add_joint(spec, "spherical", n - 1, -1, hill(-0.5, n - 1.0, height), z_axis);
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < n; k++) {
            if (i + 1 < n)
                add_joint(spec, "spherical", (i + 1) * n + k, i * n + k, hill(i + 0.5, k, height),
                          z_axis);
            if (k + 1 < n)
                add_joint(spec, "spherical", i * n + k + 1, i * n + k, hill(i, k + 0.5, height),
                          z_axis);
        }
    mark(spec, n * n - 1, (tn_vec3){0.0, 0.0, 0.0});
    return spec;
}

static tn_spec *make_wavy_net(int32_t n)
{
    return make_net(n, 0.3);
}

static tn_spec *make_flat_net(int32_t n)
{
    return make_net(n, 0.0);
}

/* Links of 1 m and 1 kg hinged in the plane. */
static tn_spec *make_planar(int32_t n)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = (tn_vec3){0.0, -9.81, 0.0};
    tn_spec_set_world(spec, &world);
    for (int32_t k = 0; k < n; k++) {
        tn_body_def link = tn_default_body_def();
        link.kind = TN_BODY_PLANAR;
        link.pose.p.x = k + 0.5;
        link.mass = 1.0;
        link.com = (tn_vec3){0.0, 0.0, 0.0};
        link.inertia = (tn_mat3){{{0.0}}};
        link.inertia.m[2][2] = 1.0 / 12.0;
        tn_spec_add_body(spec, &link, NULL);
        tn_joint_def hinge = tn_default_joint_def();
        hinge.type = "hinge";
        hinge.a.i = k;
        hinge.b.i = k - 1;
        hinge.placement = TN_PLACE_ORIGIN;
        hinge.origin.x = k;
        tn_spec_add_joint(spec, &hinge, NULL);
    }
    mark(spec, n - 1, (tn_vec3){0.5, 0.0, 0.0});
    return spec;
}

static tn_spec *read_example(const char *name)
{
    char path[512];
    tn_spec *spec = NULL;
    snprintf(path, sizeof path, TN_EXAMPLES "/%s.yaml", name);
    return tn_spec_read_file(path, NULL, &spec) == TN_OK ? spec : NULL;
}

#define EXAMPLE(name)                                                                              \
    static tn_spec *make_##name(int32_t n)                                                         \
    {                                                                                              \
        (void)n;                                                                                   \
        return read_example(#name);                                                                \
    }
EXAMPLE(bricard)
EXAMPLE(jansen)
EXAMPLE(stewart)
EXAMPLE(ragdoll)
EXAMPLE(double_pendulum)
EXAMPLE(car_suspension)
EXAMPLE(excavator)
EXAMPLE(four_bar_hard)

/* Worlds of many that share nothing but the ground. Each starts with another share of the speed, so that
 * their limits are met at other times. */
static double share_of(int32_t k)
{
    const double golden = 0.61803398874989485;
    return 0.8 + 0.4 * (golden * k - floor(golden * k));
}

static void add_doll(tn_spec *spec, const tn_spec *doll, int32_t k, bool limits)
{
    const tn_vec3 aside = {0.0, 4.0 * k, 0.0};
    const int32_t first = tn_spec_body_count(spec);
    for (int32_t i = 0; i < tn_spec_body_count(doll); i++) {
        tn_body_def body = *tn_spec_body(doll, (tn_body){i});
        body.name = NULL;
        body.pose.p.y += aside.y;
        body.velocity.v.x *= share_of(k);
        body.velocity.v.y *= share_of(k);
        body.velocity.w.z *= share_of(k);
        tn_spec_add_body(spec, &body, NULL);
    }
    for (int32_t j = 0; j < tn_spec_joint_count(doll); j++) {
        tn_joint_def joint = *tn_spec_joint(doll, (tn_joint){j});
        joint.name = NULL;
        joint.a.i += first;
        joint.b.i += joint.b.i < 0 ? 0 : first;
        joint.a.of = joint.b.of = 0;
        joint.origin.y += aside.y;
        for (int i = 0; i < TN_MAX_COORDINATES && !limits; i++) {
            joint.lower[i] = -INFINITY;
            joint.upper[i] = INFINITY;
        }
        tn_spec_add_joint(spec, &joint, NULL);
    }
}

static tn_spec *make_dolls_with(int32_t n, bool limits)
{
    tn_spec *doll = read_example("ragdoll"), *spec = tn_spec_create();
    tn_spec_set_world(spec, tn_spec_world(doll));
    for (int32_t k = 0; k < n; k++)
        add_doll(spec, doll, k, limits);
    tn_spec_destroy(doll);
    return spec;
}

static tn_spec *make_dolls(int32_t n)
{
    return make_dolls_with(n, true);
}

static tn_spec *make_free_dolls(int32_t n)
{
    return make_dolls_with(n, false);
}

/* Chains of ten with hard stops at 0.3 rad, or without. */
static tn_spec *make_chains_with(int32_t n, bool stops)
{
    static const tn_vec3 axes[3] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {0.6, 0.0, 0.8}};
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < n; k++) {
        for (int32_t i = 0; i < 10; i++) {
            const int32_t body =
                add_link(spec, (tn_vec3){LINK * (i + 0.5), 0.5 * k, 0.0}, 1000.0 * share_of(k));
            tn_joint_def joint = joint_between("hinge", body, i == 0 ? -1 : body - 1,
                                               (tn_vec3){LINK * i, 0.5 * k, 0.0}, axes[i % 3]);
            if (stops) {
                joint.lower[0] = -0.3 * share_of(k + i);
                joint.upper[0] = 0.3 * share_of(k + i);
            }
            tn_spec_add_joint(spec, &joint, NULL);
        }
    }
    return spec;
}

static tn_spec *make_stop_chains(int32_t n)
{
    return make_chains_with(n, true);
}

static tn_spec *make_free_chains(int32_t n)
{
    return make_chains_with(n, false);
}

static const speed_scene scenes[] = {
    {"chain", "hinges y, x: moves in a plane", make_chain, 1e-3, 0.02},
    {"chain3", "hinges y, x, (1,1,1): moves in space", make_chain3, 1e-3, 0.02},
    {"ball", "ball joints", make_ball, 1e-3, 0.02},
    {"rope", "ball joints, last link 1000 times as heavy", make_rope, 1e-3, 0.02},
    {"tree", "binary tree of hinges", make_tree, 1e-3, 0.02},
    {"star", "n - 1 links hinged to one", make_star, 1e-3, 0.02},
    {"ladder", "n cells of ball joints, four each", make_ladder, 1e-3, 0.02},
    {"ring", "n hinges in a closed ring, and one to the ground", make_ring, 1e-3, 0.02},
    {"wavy_net", "n x n crosses, ball joints between, on a wavy surface", make_wavy_net, 1e-3,
     0.005},
    {"flat_net", "the same, flat", make_flat_net, 1e-3, 0.005},
    {"n_four_bar", "n parallelograms in a row", make_four_bars, 1e-3, 0.02},
    {"stops", "chain3 with hard stops at 0.05 rad", make_stops, 1e-3, 0.1},
    {"planar", "chain in the plane, at 1/60 s", make_planar, 1.0 / 60, 0.5},
    {"bricard", "one loop of six hinges", make_bricard, 1e-3, 0.02},
    {"four_bar", "a four-bar linkage that folds", make_four_bar_hard, 1e-3, 0.02},
    {"jansen", "a leg", make_jansen, 1e-3, 0.02},
    {"stewart", "a platform on six driven legs", make_stewart, 1e-3, 0.02},
    {"ragdoll", "ten limbs, hard stops", make_ragdoll, 1e-3, 0.5},
    {"dolls", "n ragdolls in one world", make_dolls, 1e-3, 0.5},
    {"free_dolls", "the same without limits", make_free_dolls, 1e-3, 0.5},
    {"stop_chains", "n chains of 10 with hard stops in one world", make_stop_chains, 1e-3, 0.3},
    {"free_chains", "the same without stops", make_free_chains, 1e-3, 0.3},
    {"double_pendulum", "an example", make_double_pendulum, 1e-3, 0.02},
    {"car_suspension", "an example", make_car_suspension, 1e-3, 0.02},
    {"excavator", "an example", make_excavator, 1e-3, 0.02},
};

const speed_scene *speed_scene_at(int k)
{
    return k >= 0 && k < (int)(sizeof scenes / sizeof scenes[0]) ? &scenes[k] : NULL;
}

const speed_scene *speed_scene_find(const char *name)
{
    for (int k = 0; speed_scene_at(k); k++)
        if (strcmp(speed_scene_at(k)->name, name) == 0)
            return speed_scene_at(k);
    return NULL;
}

static const speed_truth truths[] = {
    {"chain", 10, 1.0, NULL, {-0.8857568183, 0.0, -0.1077240120}},
    {"chain", 100, 1.0, NULL, {7.5336801, 0.0, -4.90499985}},
    {"chain", 1000, 1.0, NULL, {99.0369794, 0.0, -4.905}},
    {"rope", 100, 1.0, NULL, {8.750957676, 0.0, -4.775925840}},
    {"bricard", 0, 8.0, "J4", {-0.964949, -1.234860, 0.737561}},
    {"n_four_bar", 1, 10.0, NULL, {0.4783850578, 0.8781501788, 0.0}},
    {"n_four_bar", 40, 10.0, NULL, {0.1805122267, 0.9835727406, 0.0}},
};

const speed_truth *speed_truth_of(const char *scene, int32_t n)
{
    for (size_t k = 0; k < sizeof truths / sizeof truths[0]; k++)
        if (strcmp(truths[k].scene, scene) == 0 && (truths[k].n == n || truths[k].n == 0))
            return &truths[k];
    return NULL;
}
