/* Shapes to mass properties: textbook forms, quadrature, meshes, covariance, reference bodies. */
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "artisynth_ref.h"
#include "support/run_main.h"
#include "support/solids.h"

static const double round_off = 1e-14;

static void expect_centred(const tn_shape_def *def, double mass, double xx, double yy, double zz)
{
    tn_mass_properties got = mass_of(def), expected = centred(mass, xx, yy, zz);
    expect_same(&got, &expected, 1, round_off);
}

/* Inertias as printed in any table of moments of inertia. */
START_TEST(test_textbook)
{
    tn_shape_def def = sample_shape(TN_SHAPE_BOX);
    double a = 0.5, b = 0.7, c = 1.1, m = 3 * a * b * c;
    expect_centred(&def, m, m * (b * b + c * c) / 12, m * (a * a + c * c) / 12,
                   m * (a * a + b * b) / 12);
    def = sample_shape(TN_SHAPE_SPHERE);
    double r = 0.3, l = 1.3;
    m = 3 * 4 * PI / 3 * r * r * r;
    expect_centred(&def, m, 0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r);
    def = sample_shape(TN_SHAPE_CYLINDER);
    m = 3 * PI * r * r * l;
    double across = m * (3 * r * r + l * l) / 12;
    expect_centred(&def, m, across, across, m * r * r / 2);
    def = sample_shape(TN_SHAPE_ELLIPSOID);
    a = 0.4, b = 0.6, c = 0.9, m = 3 * 4 * PI / 3 * a * b * c;
    expect_centred(&def, m, m * (b * b + c * c) / 5, m * (a * a + c * c) / 5,
                   m * (a * a + b * b) / 5);
    def = sample_shape(TN_SHAPE_CAPSULE); /* cylinder and half-balls, by parallel axes */
    double mc = 3 * PI * r * r * l, mh = 3 * 2 * PI / 3 * r * r * r;
    across = mc * (l * l / 12 + r * r / 4) + 2 * mh * (0.4 * r * r + l * l / 4 + 3 * l * r / 8);
    expect_centred(&def, mc + 2 * mh, across, across, mc * r * r / 2 + 2 * mh * 0.4 * r * r);
}
END_TEST

/* Simpson's rule on n (even) intervals of [0, end]. */
static double simpson(double (*f)(double, const void *), const void *context, double end, int n)
{
    double h = end / n, sum = f(0, context) + f(end, context);
    for (int i = 1; i < n; i++) {
        sum += (i % 2 == 1 ? 4 : 2) * f(i * h, context);
    }
    return sum * h / 3;
}

/* Capsule as slices: radius rho(z); power 2 of rho (area) times a power of z, or rho^4. */
typedef struct slice {
    double r, l;
    int rho_power, z_power;
} slice;

static double capsule_slice(double z, const void *context)
{
    const slice *s = context;
    double over = z - s->l / 2, rho2 = over <= 0 ? s->r * s->r : s->r * s->r - over * over;
    return pow(fmax(rho2, 0), s->rho_power / 2) * pow(z, s->z_power);
}

/* The integrand has a kink in its second derivative at l/2: each side is integrated alone. */
static double capsule_integral(double r, double l, int rho_power, int z_power)
{
    slice straight = {r, l, rho_power, z_power};
    double to_cap = simpson(capsule_slice, &straight, l / 2, 2000);
    double to_pole = 0, h = r / 2000;
    for (int i = 0; i < 2000; i++) { /* 3-point Newton-Cotes, cell by cell */
        double z = l / 2 + i * h;
        to_pole += h / 6 *
                   (capsule_slice(z, &straight) + 4 * capsule_slice(z + h / 2, &straight) +
                    capsule_slice(z + h, &straight));
    }
    return 2 * (to_cap + to_pole);
}

START_TEST(test_capsule_by_quadrature)
{
    uint64_t seed = 3;
    for (int trial = 0; trial < 10; trial++) {
        tn_shape_def def = sample_shape(TN_SHAPE_CAPSULE);
        def.radius = 1.1 + random_number(&seed);
        def.length = 1.1 + random_number(&seed);
        double volume = PI * capsule_integral(def.radius, def.length, 2, 0);
        double zz = PI * capsule_integral(def.radius, def.length, 2, 2);
        double xx = PI / 4 * capsule_integral(def.radius, def.length, 4, 0);
        tn_mass_properties got = mass_of(&def);
        tn_mass_properties expected = centred(3 * volume, 3 * (xx + zz), 3 * (xx + zz), 6 * xx);
        expect_same(&got, &expected, 1, 1e-11);
        def.kind = TN_SHAPE_ROUNDED_CYLINDER; /* with no slices the same solid */
        tn_mass_properties same = mass_of(&def);
        expect_same(&same, &got, 1, DBL_EPSILON);
    }
}
END_TEST

/* The stadium in strips along z at x = r sin t: length l + 2 r cos t, dx = r cos t dt. */
static double stadium_strip(double t, const void *context)
{
    const slice *s = context; /* rho_power: power of the strip's length, z_power: power of x */
    double strip = s->l + 2 * s->r * cos(t);
    return pow(strip, s->rho_power) * pow(s->r * sin(t), s->z_power) * s->r * cos(t);
}

START_TEST(test_rounded_box_by_quadrature)
{
    uint64_t seed = 4;
    for (int trial = 0; trial < 10; trial++) {
        tn_shape_def def = sample_shape(TN_SHAPE_ROUNDED_BOX);
        def.width = 1.1 + random_number(&seed);
        def.length = 1.1 + random_number(&seed);
        double r = def.width / 2, l = def.length, d = def.depth;
        double area = 2 * simpson(stadium_strip, &(slice){r, l, 1, 0}, PI / 2, 2000);
        double xx = 2 * simpson(stadium_strip, &(slice){r, l, 1, 2}, PI / 2, 2000) * d;
        double zz = 2 * simpson(stadium_strip, &(slice){r, l, 3, 0}, PI / 2, 2000) / 12 * d;
        double yy = area * d * d * d / 12;
        tn_mass_properties got = mass_of(&def);
        tn_mass_properties expected =
            centred(3 * area * d, 3 * (yy + zz), 3 * (xx + zz), 3 * (xx + yy));
        expect_same(&got, &expected, 1, 1e-11);
    }
}
END_TEST

/* The faceted plate as an extrusion of its outline, turned so that x, y of the outline become z, x.
 */
START_TEST(test_faceted_box_is_extruded_outline)
{
    for (int32_t n = 2; n <= 40; n += 3) {
        tn_vec2 outline[82];
        tn_shape_def def = sample_shape(TN_SHAPE_ROUNDED_BOX),
                     flat = sample_shape(TN_SHAPE_EXTRUSION);
        def.slices = n;
        for (int32_t k = 0; k <= n; k++) {
            double t = PI * k / n - PI / 2, r = def.width / 2;
            outline[k] = (tn_vec2){def.length / 2 + r * cos(t), r * sin(t)};
            outline[n + 1 + k] = (tn_vec2){-outline[k].x, -outline[k].y};
        }
        flat.points = outline;
        flat.point_count = 2 * n + 2;
        flat.height = def.depth;
        flat.pose.q = tn_quat_from_axis_angle((tn_vec3){1, 1, 1}, -2 * PI / 3);
        tn_mass_properties expected = mass_of(&flat), got = mass_of(&def);
        expect_same(&got, &expected, 1, round_off);
    }
}
END_TEST

/* A mesh under construction. */
typedef struct builder {
    tn_vec3 *vertices;
    tn_triangle *triangles;
    int32_t vertex_count, triangle_count;
} builder;

static builder new_builder(size_t vertices, size_t triangles)
{
    return (builder){.vertices = calloc(vertices, sizeof(tn_vec3)),
                     .triangles = calloc(triangles, sizeof(tn_triangle))};
}

static void add_triangle(builder *mesh, int32_t a, int32_t b, int32_t c)
{
    mesh->triangles[mesh->triangle_count++] = (tn_triangle){{a, b, c}};
}

static tn_shape_def mesh_shape(const builder *mesh)
{
    tn_shape_def def = tn_default_shape_def(TN_SHAPE_MESH);
    def.density = 3;
    def.vertices = mesh->vertices;
    def.vertex_count = mesh->vertex_count;
    def.triangles = mesh->triangles;
    def.triangle_count = mesh->triangle_count;
    return def;
}

static void free_builder(builder *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
}

/* Rings of n vertices at the heights and radii given, joined and closed at poles on the axis. */
static builder lathe(int32_t n, const double *z, const double *radius, int32_t rings, double pole)
{
    builder mesh = new_builder((size_t)(n * rings + 2), (size_t)(2 * n * rings));
    for (int32_t i = 0; i < rings; i++) {
        for (int32_t k = 0; k < n; k++) {
            double t = 2 * PI * k / n;
            mesh.vertices[mesh.vertex_count++] =
                (tn_vec3){radius[i] * cos(t), radius[i] * sin(t), z[i]};
        }
    }
    int32_t south = mesh.vertex_count, north = south + 1, top = n * (rings - 1);
    mesh.vertices[south] = (tn_vec3){0, 0, -pole};
    mesh.vertices[north] = (tn_vec3){0, 0, pole};
    mesh.vertex_count += 2;
    for (int32_t k = 0; k < n; k++) {
        int32_t next = (k + 1) % n;
        add_triangle(&mesh, south, next, k);
        add_triangle(&mesh, north, top + k, top + next);
        for (int32_t i = 0; i + 1 < rings; i++) {
            add_triangle(&mesh, n * i + k, n * i + next, n * (i + 1) + next);
            add_triangle(&mesh, n * i + k, n * (i + 1) + next, n * (i + 1) + k);
        }
    }
    return mesh;
}

START_TEST(test_faceted_cylinder_is_lathe_mesh)
{
    for (int32_t n = 4; n <= 32; n += 4) {
        tn_shape_def def = sample_shape(TN_SHAPE_ROUNDED_CYLINDER);
        double z[16], radius[16];
        int32_t levels = n / 4;
        for (int32_t i = 0; i < levels; i++) {
            double t = PI / 2 * i / levels;
            radius[levels + i] = radius[levels - 1 - i] = def.radius * cos(t);
            z[levels + i] = def.length / 2 + def.radius * sin(t);
            z[levels - 1 - i] = -z[levels + i];
        }
        builder mesh = lathe(n, z, radius, 2 * levels, def.length / 2 + def.radius);
        tn_shape_def faceted = mesh_shape(&mesh);
        def.slices = n;
        tn_mass_properties got = mass_of(&def), expected = mass_of(&faceted);
        expect_same(&got, &expected, 1, 10 * round_off);
        free_builder(&mesh);
    }
}
END_TEST

/* Facets converge to the round solid at second order. */
static void expect_second_order(tn_shape_kind kind)
{
    tn_shape_def def = sample_shape(kind);
    tn_mass_properties exact = mass_of(&def);
    double last = 0;
    for (int32_t n = 16; n <= 256; n *= 2) {
        def.slices = n;
        tn_mass_properties props = mass_of(&def);
        double error = exact.inertia.m[0][0] - props.inertia.m[0][0];
        ck_assert_double_gt(error, 0); /* inscribed */
        if (n >= 64) {
            ck_assert_double_eq_tol(log2(last / error), 2, 0.01);
        }
        last = error;
    }
}

START_TEST(test_facets_converge)
{
    expect_second_order(TN_SHAPE_ROUNDED_BOX);
    expect_second_order(TN_SHAPE_ROUNDED_CYLINDER);
}
END_TEST

START_TEST(test_mesh_of_box)
{
    tn_shape_def mesh = sample_shape(TN_SHAPE_MESH), box = sample_shape(TN_SHAPE_BOX);
    box.size = (tn_vec3){1, 1, 1};
    box.pose.p = (tn_vec3){0.5, 0.5, 0.5};
    tn_mass_properties got = mass_of(&mesh), expected = mass_of(&box);
    expect_same(&got, &expected, 1, round_off);
    mesh.scale = 0.001;
    box.size = (tn_vec3){0.001, 0.001, 0.001};
    box.pose.p = (tn_vec3){0.0005, 0.0005, 0.0005};
    got = mass_of(&mesh), expected = mass_of(&box);
    expect_same(&got, &expected, 0.001, round_off);
    tn_vec3 far[8]; /* a mesh far from its frame keeps its digits */
    for (int i = 0; i < 8; i++) {
        far[i] = (tn_vec3){SAMPLE_CUBE[i].x + 1e6, SAMPLE_CUBE[i].y, SAMPLE_CUBE[i].z};
    }
    mesh = sample_shape(TN_SHAPE_MESH);
    mesh.vertices = far;
    box.size = (tn_vec3){1, 1, 1};
    box.pose.p = (tn_vec3){1e6 + 0.5, 0.5, 0.5};
    got = mass_of(&mesh), expected = mass_of(&box);
    expect_same(&got, &expected, 1e6, round_off);
}
END_TEST

/* A cube with a cubic cavity: the inner shell faces into the hollow. */
START_TEST(test_mesh_with_cavity)
{
    tn_vec3 vertices[16];
    tn_triangle triangles[24];
    for (int i = 0; i < 8; i++) {
        tn_vec3 v = SAMPLE_CUBE[i];
        vertices[i] = v;
        vertices[8 + i] = (tn_vec3){0.25 + v.x / 2, 0.25 + v.y / 2, 0.25 + v.z / 2};
    }
    for (int t = 0; t < 12; t++) {
        const int32_t *v = SAMPLE_CUBE_FACES[t].v;
        triangles[t] = SAMPLE_CUBE_FACES[t];
        triangles[12 + t] = (tn_triangle){{8 + v[0], 8 + v[2], 8 + v[1]}};
    }
    tn_shape_def hollow = sample_shape(TN_SHAPE_MESH);
    hollow.vertices = vertices;
    hollow.vertex_count = 16;
    hollow.triangles = triangles;
    hollow.triangle_count = 24;
    tn_mass_properties got = mass_of(&hollow);
    double inertia = 3.0 / 6 - 3.0 / 8 / 4 / 6;
    tn_mass_properties expected = centred(3.0 - 3.0 / 8, inertia, inertia, inertia);
    expected.com = (tn_vec3){0.5, 0.5, 0.5};
    expect_same(&got, &expected, 1, round_off);
}
END_TEST

/* Two cubes that share four vertices: the common wall is run both ways and cancels. */
START_TEST(test_mesh_of_stacked_cubes)
{
    tn_vec3 vertices[12];
    tn_triangle triangles[24];
    for (int i = 0; i < 12; i++) {
        vertices[i] = SAMPLE_CUBE[i % 8];
        vertices[i].z += i < 8 ? 0 : 2;
    }
    for (int t = 0; t < 12; t++) {
        const int32_t *v = SAMPLE_CUBE_FACES[t].v;
        triangles[t] = SAMPLE_CUBE_FACES[t];
        triangles[12 + t] = (tn_triangle){{v[0] + 4, v[1] + 4, v[2] + 4}};
    }
    tn_shape_def stack = sample_shape(TN_SHAPE_MESH), box = sample_shape(TN_SHAPE_BOX);
    stack.vertices = vertices;
    stack.vertex_count = 12;
    stack.triangles = triangles;
    stack.triangle_count = 24;
    box.size = (tn_vec3){1, 1, 2};
    box.pose.p = (tn_vec3){0.5, 0.5, 1};
    tn_mass_properties got = mass_of(&stack), expected = mass_of(&box);
    expect_same(&got, &expected, 1, round_off);
}
END_TEST

/* The middle of an edge on the unit sphere, made once per edge: key is the pair of its ends. */
static int32_t midpoint(builder *mesh, int64_t *keys, int32_t base, int32_t a, int32_t b)
{
    int64_t key = a < b ? ((int64_t)a << 32) + b : ((int64_t)b << 32) + a;
    for (int32_t i = base; i < mesh->vertex_count; i++) {
        if (keys[i - base] == key) {
            return i;
        }
    }
    tn_vec3 p = mesh->vertices[a], q = mesh->vertices[b], s = {p.x + q.x, p.y + q.y, p.z + q.z};
    double length = sqrt(s.x * s.x + s.y * s.y + s.z * s.z);
    keys[mesh->vertex_count - base] = key;
    mesh->vertices[mesh->vertex_count] = (tn_vec3){s.x / length, s.y / length, s.z / length};
    return mesh->vertex_count++;
}

static builder subdivide(const builder *coarse)
{
    size_t edges = (size_t)coarse->triangle_count * 3 / 2;
    builder fine =
        new_builder((size_t)coarse->vertex_count + edges, 4 * (size_t)coarse->triangle_count);
    int64_t *keys = calloc(edges, sizeof *keys);
    memcpy(fine.vertices, coarse->vertices, sizeof(tn_vec3) * (size_t)coarse->vertex_count);
    fine.vertex_count = coarse->vertex_count;
    for (int32_t t = 0; t < coarse->triangle_count; t++) {
        const int32_t *v = coarse->triangles[t].v;
        int32_t ab = midpoint(&fine, keys, coarse->vertex_count, v[0], v[1]);
        int32_t bc = midpoint(&fine, keys, coarse->vertex_count, v[1], v[2]);
        int32_t ca = midpoint(&fine, keys, coarse->vertex_count, v[2], v[0]);
        add_triangle(&fine, v[0], ab, ca);
        add_triangle(&fine, ab, v[1], bc);
        add_triangle(&fine, ca, bc, v[2]);
        add_triangle(&fine, ab, bc, ca);
    }
    free(keys);
    return fine;
}

/* Twelve vertices (0, +-1, +-g) and cyclic, g the golden ratio, on the unit sphere: faces are the
 * triples at the shortest mutual distance, turned outwards. */
static builder icosahedron(void)
{
    builder mesh = new_builder(12, 20);
    double g = (1 + sqrt(5)) / 2, n = sqrt(1 + g * g);
    for (int i = 0; i < 4; i++) {
        double u = (i & 1 ? -1 : 1) / n, v = (i & 2 ? -g : g) / n;
        mesh.vertices[mesh.vertex_count++] = (tn_vec3){0, u, v};
        mesh.vertices[mesh.vertex_count++] = (tn_vec3){u, v, 0};
        mesh.vertices[mesh.vertex_count++] = (tn_vec3){v, 0, u};
    }
    for (int32_t a = 0; a < 12; a++) {
        for (int32_t b = a + 1; b < 12; b++) {
            for (int32_t c = b + 1; c < 12; c++) {
                tn_vec3 p = mesh.vertices[a], q = mesh.vertices[b], r = mesh.vertices[c];
                double cosine = 1 / sqrt(5) - 1e-9; /* of the angle between neighbours */
                if (p.x * q.x + p.y * q.y + p.z * q.z < cosine ||
                    q.x * r.x + q.y * r.y + q.z * r.z < cosine ||
                    r.x * p.x + r.y * p.y + r.z * p.z < cosine) {
                    continue;
                }
                double det = p.x * (q.y * r.z - q.z * r.y) + p.y * (q.z * r.x - q.x * r.z) +
                             p.z * (q.x * r.y - q.y * r.x);
                add_triangle(&mesh, a, det > 0 ? b : c, det > 0 ? c : b);
            }
        }
    }
    return mesh;
}

START_TEST(test_icosphere_converges)
{
    tn_shape_def ball = sample_shape(TN_SHAPE_SPHERE);
    ball.radius = 1;
    tn_mass_properties exact = mass_of(&ball);
    builder mesh = icosahedron();
    ck_assert_int_eq(mesh.triangle_count, 20);
    double last_mass = 0, last_inertia = 0;
    for (int level = 0; level <= 5; level++) {
        tn_shape_def def = mesh_shape(&mesh);
        tn_mass_properties props = mass_of(&def);
        double mass = exact.mass - props.mass;
        double inertia = exact.inertia.m[0][0] - props.inertia.m[0][0];
        if (level == 0) { /* volume of the icosahedron of edge 4 / sqrt(10 + 2 sqrt 5) */
            double edge = 4 / sqrt(10 + 2 * sqrt(5));
            ck_assert_double_eq_tol(props.mass, 3 * 5 * (3 + sqrt(5)) / 12 * edge * edge * edge,
                                    1e-13);
        }
        if (level > 3) {
            ck_assert_double_eq_tol(log2(last_mass / mass), 2, 0.02);
            ck_assert_double_eq_tol(log2(last_inertia / inertia), 2, 0.02);
        }
        last_mass = mass;
        last_inertia = inertia;
        builder fine = subdivide(&mesh);
        free_builder(&mesh);
        mesh = fine;
    }
    free_builder(&mesh);
}
END_TEST

/* Moving every vertex of a mesh or turning the shape's pose is the same. */
START_TEST(test_pose_moves_matter)
{
    uint64_t seed = 9;
    for (int trial = 0; trial < 100; trial++) {
        tn_pose pose = random_pose(&seed);
        tn_vec3 moved[8];
        for (int i = 0; i < 8; i++) {
            moved[i] = tn_pose_transform_point(pose, SAMPLE_CUBE[i]);
        }
        tn_shape_def posed = sample_shape(TN_SHAPE_MESH), baked = posed;
        posed.pose = pose;
        baked.vertices = moved;
        tn_mass_properties a = mass_of(&posed), b = mass_of(&baked);
        expect_same(&a, &b, 1, round_off);
    }
    for (int kind = 0; kind < TN_SHAPE_KIND_COUNT; kind++) {
        tn_pose pose = random_pose(&seed);
        tn_shape_def def = sample_shape((tn_shape_kind)kind);
        tn_mass_properties still = mass_of(&def);
        def.pose = pose;
        tn_mass_properties posed = mass_of(&def);
        tn_mass_properties expected = tn_mass_properties_transform(pose, &still);
        expect_same(&posed, &expected, 1, round_off);
        def.pose.q = (tn_quat){-pose.q.w, -pose.q.x, -pose.q.y, -pose.q.z};
        tn_mass_properties same = mass_of(&def);
        expect_same(&same, &posed, 1, round_off);
    }
}
END_TEST

/* A quaternion of six digits turns the body, but does not make it larger. */
START_TEST(test_rounded_quaternion)
{
    tn_shape_def def = sample_shape(TN_SHAPE_BOX);
    tn_vec3 moments, expected;
    tn_mass_properties still = mass_of(&def);
    tn_mass_properties_principal(&still, &expected, NULL);
    def.pose.q = (tn_quat){0.707107, 0.707107, 0, 0};
    tn_mass_properties turned = mass_of(&def);
    tn_mass_properties_principal(&turned, &moments, NULL);
    ck_assert_double_eq_tol(moments.x, expected.x, 1e-15);
    ck_assert_double_eq_tol(moments.y, expected.y, 1e-15);
    ck_assert_double_eq_tol(moments.z, expected.z, 1e-15);
}
END_TEST

/* Two halves are the whole: cylinder lengthways, and the L outline as two boxes. */
START_TEST(test_union_of_parts)
{
    uint64_t seed = 10;
    tn_pose pose = random_pose(&seed);
    tn_shape_def whole = sample_shape(TN_SHAPE_CYLINDER), half = whole;
    whole.pose = pose;
    half.length = whole.length / 2;
    tn_mass_properties parts[2];
    for (int side = 0; side < 2; side++) {
        tn_pose shift = tn_pose_identity();
        shift.p.z = (side == 0 ? -0.25 : 0.25) * whole.length;
        half.pose = tn_pose_multiply(pose, shift);
        parts[side] = mass_of(&half);
    }
    tn_mass_properties sum = tn_mass_properties_combine(parts, 2), expected = mass_of(&whole);
    expect_same(&sum, &expected, 1, round_off);

    tn_shape_def l = sample_shape(TN_SHAPE_EXTRUSION), box = sample_shape(TN_SHAPE_BOX);
    box.size = (tn_vec3){2, 1, l.height};
    box.pose.p = (tn_vec3){1, 0.5, 0};
    parts[0] = mass_of(&box);
    box.size = (tn_vec3){1, 2, l.height};
    box.pose.p = (tn_vec3){0.5, 2, 0};
    parts[1] = mass_of(&box);
    sum = tn_mass_properties_combine(parts, 2);
    tn_mass_properties clockwise, counter = mass_of(&l);
    expect_same(&counter, &sum, 1, round_off);
    tn_vec2 reversed[6];
    for (int i = 0; i < 6; i++) {
        reversed[i] = SAMPLE_L[5 - i];
    }
    l.points = reversed;
    clockwise = mass_of(&l);
    expect_same(&clockwise, &sum, 1, round_off);
}
END_TEST

START_TEST(test_mass_instead_of_density)
{
    for (int kind = 0; kind < TN_SHAPE_KIND_COUNT; kind++) {
        tn_shape_def def = sample_shape((tn_shape_kind)kind);
        tn_mass_properties by_density = mass_of(&def), by_mass, inherited;
        def.density = (double)NAN;
        ck_assert_int_eq(tn_shape_mass_properties(&def, 3, &inherited, NULL), TN_OK);
        expect_same(&inherited, &by_density, 1, DBL_MIN);
        def.mass = by_density.mass; /* the body's density is then no matter */
        ck_assert_int_eq(tn_shape_mass_properties(&def, 1000, &by_mass, NULL), TN_OK);
        ck_assert(by_mass.mass == def.mass);
        expect_same(&by_mass, &by_density, 1, round_off);
    }
}
END_TEST

/* How the two examples of the ArtiSynth guide describe their bodies: createRoundedBox(1, 0.25,
 * depth, 20) at 1000 kg/m^3; createRoundedBox(10, 2, 3, 8) and createRoundedCylinder(1, 10, 16) at
 * 0.2, both turned by 120 degrees about (1, 1, 1). Expected: mass and inertia as ArtiSynth computed
 * them from its meshes. */
typedef struct example_body {
    const char *name;
    tn_shape_kind kind;
    double length, width, depth, radius; /* m */
    int32_t slices;
    double density; /* kg/m^3 */
    bool turned;
} example_body;

static const example_body FOUR_BAR[] = {
    {"link0", TN_SHAPE_ROUNDED_BOX, 1, 0.25, 0.2, 0, 20, 1000, false},
    {"link1", TN_SHAPE_ROUNDED_BOX, 1, 0.25, 0.3, 0, 20, 1000, false},
    {"link2", TN_SHAPE_ROUNDED_BOX, 1, 0.25, 0.2, 0, 20, 1000, false},
    {"link3", TN_SHAPE_ROUNDED_BOX, 1, 0.25, 0.3, 0, 20, 1000, false},
};
static const example_body RIGID_BODY_JOINT[] = {
    {"bodyB", TN_SHAPE_ROUNDED_BOX, 10, 2, 3, 0, 8, 0.2, true},
    {"bodyA", TN_SHAPE_ROUNDED_CYLINDER, 10, 0, 0, 1, 16, 0.2, true},
};

static tn_mass_properties build_body(const example_body *from)
{
    tn_shape_def def = tn_default_shape_def(from->kind);
    def.length = from->length;
    def.width = from->width;
    def.depth = from->depth;
    def.radius = from->radius;
    def.slices = from->slices;
    if (from->turned) {
        def.pose.q = tn_quat_from_axis_angle((tn_vec3){1, 1, 1}, 2 * PI / 3);
    }
    tn_mass_properties props;
    ck_assert_int_eq(tn_shape_mass_properties(&def, from->density, &props, NULL), TN_OK);
    return props;
}

static void expect_bodies(const char *path, const example_body *bodies, int count)
{
    artisynth_ref ref;
    ck_assert_msg(artisynth_ref_read(path, &ref), "%s", ref.error);
    ck_assert_int_eq(ref.body_count, count);
    for (int k = 0; k < count; k++) {
        const artisynth_body *theirs = &ref.bodies[k];
        ck_assert_str_eq(theirs->name, bodies[k].name);
        /* Their inertia is about the origin, 1e-15 m from the centre. */
        tn_mass_properties ours = build_body(&bodies[k]);
        tn_mass_properties expected = {theirs->mass, theirs->com, theirs->inertia};
        expect_same(&ours, &expected, bodies[k].length, 1e-13);
    }
    artisynth_ref_free(&ref);
}

START_TEST(test_bodies_of_the_examples)
{
    expect_bodies(TN_TEST_DATA "/artisynth/FourBarLinkage.csv", FOUR_BAR, 4);
    expect_bodies(TN_TEST_DATA "/artisynth/RigidBodyJoint.csv", RIGID_BODY_JOINT, 2);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("shape");
    TCase *tests = tcase_create("shape");
    tcase_add_test(tests, test_textbook);
    tcase_add_test(tests, test_capsule_by_quadrature);
    tcase_add_test(tests, test_rounded_box_by_quadrature);
    tcase_add_test(tests, test_faceted_box_is_extruded_outline);
    tcase_add_test(tests, test_faceted_cylinder_is_lathe_mesh);
    tcase_add_test(tests, test_facets_converge);
    tcase_add_test(tests, test_mesh_of_box);
    tcase_add_test(tests, test_mesh_with_cavity);
    tcase_add_test(tests, test_mesh_of_stacked_cubes);
    tcase_add_test(tests, test_icosphere_converges);
    tcase_add_test(tests, test_pose_moves_matter);
    tcase_add_test(tests, test_rounded_quaternion);
    tcase_add_test(tests, test_union_of_parts);
    tcase_add_test(tests, test_mass_instead_of_density);
    tcase_add_test(tests, test_bodies_of_the_examples);
    suite_add_tcase(suite, tests);
    return suite;
}
