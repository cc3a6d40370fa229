/* runs.c: fifty runs, a hash of everything they compute: ten mechanisms by five ways of stepping.
 *
 * Core library only, so that it also runs as WebAssembly. A last bit that differs anywhere grows in
 * the chaotic ones until all do. Prints a line for each run: mechanism, way, status of the last step,
 * hash (FNV-1a over the bytes of poses, velocities, coordinates and multipliers after each step).
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tenon/tenon.h"

#define STEPS 400
#define STEP  2e-3 /* s */
#define MOST  16   /* bodies and joints of a mechanism */

/* ---- parts ---------------------------------------------------------------------------------- */

static tn_body add_body(tn_spec *spec, tn_vec3 p, double mass, double size)
{
    tn_body_def def = tn_default_body_def();
    tn_body body = {-1};
    def.pose.p = p;
    def.mass = mass;
    def.com = (tn_vec3){0.0, 0.0, 0.0};
    memset(&def.inertia, 0, sizeof def.inertia);
    def.inertia.m[0][0] = 0.3 * mass * size * size;
    def.inertia.m[1][1] = 0.4 * mass * size * size;
    def.inertia.m[2][2] = 0.6 * mass * size * size;
    (void)tn_spec_add_body(spec, &def, &body);
    return body;
}

static tn_joint_def at(const char *type, tn_body a, tn_body b, tn_vec3 origin, tn_vec3 axis)
{
    tn_joint_def def = tn_default_joint_def();
    def.type = type;
    def.a = a;
    def.b = b;
    def.origin = origin;
    def.axis = axis;
    return def;
}

static tn_joint add_joint(tn_spec *spec, const char *type, tn_body a, tn_body b, tn_vec3 origin,
                          tn_vec3 axis)
{
    const tn_joint_def def = at(type, a, b, origin, axis);
    tn_joint joint = {-1};
    (void)tn_spec_add_joint(spec, &def, &joint);
    return joint;
}

static tn_vec3 v(double x, double y, double z)
{
    return (tn_vec3){x, y, z};
}

static const tn_vec3 Y = {0.0, 1.0, 0.0}, X = {1.0, 0.0, 0.0}, Z = {0.0, 0.0, 1.0};

/* ---- mechanisms ------------------------------------------------------------------------------ */

static void double_pendulum(tn_spec *spec)
{
    const tn_body a = add_body(spec, v(0.5, 0.0, 0.0), 1.0, 0.5);
    const tn_body b = add_body(spec, v(1.4, 0.0, 0.1), 0.7, 0.4);
    add_joint(spec, "hinge", a, tn_ground(), v(0.0, 0.0, 0.0), Y);
    add_joint(spec, "hinge", b, a, v(1.0, 0.0, 0.0), v(0.1, 1.0, 0.0));
}

/* Closed, overconstrained as drawn, turned in space. */
static void four_bar(tn_spec *spec)
{
    const tn_vec3 n = v(0.2, 1.0, 0.3),
                  p[4] = {{0.0, 0.0, 0.0}, {0.1, -0.11, 0.3}, {1.0, -0.47, 0.9}, {1.2, -0.24, 0.0}};
    tn_body link[3];
    for (int k = 0; k < 3; k++)
        link[k] = add_body(spec,
                           v(0.5 * (p[k].x + p[k + 1].x), 0.5 * (p[k].y + p[k + 1].y),
                             0.5 * (p[k].z + p[k + 1].z)),
                           1.0 + k, 0.4);
    add_joint(spec, "hinge", link[0], tn_ground(), p[0], n);
    add_joint(spec, "hinge", link[1], link[0], p[1], n);
    add_joint(spec, "hinge", link[2], link[1], p[2], n);
    add_joint(spec, "hinge", link[2], tn_ground(), p[3], n);
}

static void slider_crank(tn_spec *spec)
{
    const tn_body crank = add_body(spec, v(0.07, 0.0, 0.07), 0.5, 0.1);
    const tn_body rod = add_body(spec, v(0.34, 0.0, 0.07), 0.8, 0.3);
    const tn_body piston = add_body(spec, v(0.54, 0.0, 0.0), 0.6, 0.1);
    tn_joint_def shaft = at("hinge", crank, tn_ground(), v(0.0, 0.0, 0.0), Y);
    add_joint(spec, "spherical", rod, crank, v(0.14, 0.0, 0.14), Y);
    add_joint(spec, "universal", rod, piston, v(0.54, 0.0, 0.0), Y);
    add_joint(spec, "slider", piston, tn_ground(), v(0.54, 0.0, 0.0), X);
    shaft.initial[0] = 0.4;
    (void)tn_spec_add_joint(spec, &shaft, NULL);
}

static void ball_chain(tn_spec *spec)
{
    tn_body before = tn_ground();
    for (int k = 0; k < 6; k++) {
        const tn_body link = add_body(spec, v(0.2 * k + 0.1, 0.02 * k * k, 0.0), 0.3, 0.1);
        add_joint(spec, "spherical", link, before, v(0.2 * k, 0.02 * k * k, 0.0), Z);
        before = link;
    }
}

/* A shaft of two universal joints, its end free to slide. */
static void shaft(tn_spec *spec)
{
    const tn_body in = add_body(spec, v(0.1, 0.0, 0.0), 1.0, 0.1);
    const tn_body middle = add_body(spec, v(0.5, 0.1, 0.0), 0.7, 0.2);
    const tn_body out = add_body(spec, v(0.9, 0.2, 0.0), 1.3, 0.1);
    add_joint(spec, "hinge", in, tn_ground(), v(0.0, 0.0, 0.0), X);
    add_joint(spec, "universal", middle, in, v(0.2, 0.0, 0.0), Z);
    add_joint(spec, "universal", out, middle, v(0.8, 0.2, 0.0), Z);
    add_joint(spec, "cylindrical", out, tn_ground(), v(1.0, 0.2, 0.0), X);
    add_joint(spec, "spherical", add_body(spec, v(0.1, 0.3, 0.1), 0.2, 0.1), in, v(0.1, 0.1, 0.0),
              Z);
}

static void screw_with_stops(tn_spec *spec)
{
    const tn_body nut = add_body(spec, v(0.1, 0.0, 0.0), 1.0, 0.2);
    tn_joint_def def = at("screw", nut, tn_ground(), v(0.0, 0.0, 0.0), Z);
    def.parameters[0] = 0.3;
    def.lower[0] = -4.0;
    def.upper[0] = 2.0;
    def.restitution[0] = 0.5;
    (void)tn_spec_add_joint(spec, &def, NULL);
    add_joint(spec, "gimbal", add_body(spec, v(0.3, 0.2, 0.1), 0.4, 0.1), nut, v(0.2, 0.1, 0.0), Z);
}

static void bouncing_box(tn_spec *spec)
{
    const tn_body box = add_body(spec, v(0.0, 0.0, 0.4), 1.0, 0.3);
    for (int k = 0; k < 4; k++) {
        tn_joint_def def = tn_default_joint_def();
        def.type = "half_space";
        def.a = box;
        def.b = tn_ground();
        def.placement = TN_PLACE_BODY_FRAMES;
        def.frame_c = def.frame_d = tn_pose_identity();
        def.frame_c.p = v(k & 1 ? 0.2 : -0.2, k & 2 ? 0.15 : -0.15, -0.1 - 0.01 * k);
        def.restitution[0] = 0.4;
        (void)tn_spec_add_joint(spec, &def, NULL);
    }
}

static void geared_pendulums(tn_spec *spec)
{
    tn_coupling_term terms[2];
    tn_coupling_def gear = tn_default_coupling_def();
    memset(terms, 0, sizeof terms);
    for (int k = 0; k < 2; k++) {
        const tn_body wheel = add_body(spec, v(k + 0.1, 0.0, 0.05), 1.0 + k, 0.2);
        terms[k].joint = add_joint(spec, "hinge", wheel, tn_ground(), v(k, 0.0, 0.0), Y);
        terms[k].ratio = k ? 2.5 : 1.0;
    }
    gear.terms = terms;
    gear.term_count = 2;
    (void)tn_spec_add_coupling(spec, &gear, NULL);
}

static void heavy_top(tn_spec *spec)
{
    tn_body_def def = tn_default_body_def();
    tn_body top = {-1};
    def.pose.p = v(0.3, 0.0, 0.8);
    def.mass = 3.0;
    def.com = v(0.0, 0.0, 0.0);
    memset(&def.inertia, 0, sizeof def.inertia);
    def.inertia.m[0][0] = def.inertia.m[1][1] = 0.2;
    def.inertia.m[2][2] = 0.05;
    def.velocity.w = v(0.0, 0.0, 80.0);
    (void)tn_spec_add_body(spec, &def, &top);
    add_joint(spec, "gimbal", top, tn_ground(), v(0.0, 0.0, 0.0), v(0.3, 0.1, 0.8));
}

/* Soft joints and a rope that slackens. */
static void soft_and_rope(tn_spec *spec)
{
    const tn_body a = add_body(spec, v(0.5, 0.0, 0.0), 1.0, 0.3);
    const tn_body b = add_body(spec, v(0.9, 0.0, 0.3), 0.5, 0.2);
    tn_joint_def soft = at("hinge", a, tn_ground(), v(0.0, 0.0, 0.0), Y);
    tn_joint_def rope = tn_default_joint_def();
    for (int k = 0; k < 3; k++) {
        soft.compliance[k] = 1e-4;
        soft.damping[k] = 20.0;
    }
    (void)tn_spec_add_joint(spec, &soft, NULL);
    rope.type = "rope";
    rope.a = b;
    rope.b = a;
    rope.placement = TN_PLACE_BODY_FRAMES;
    rope.frame_c = rope.frame_d = tn_pose_identity();
    (void)tn_spec_add_joint(spec, &rope, NULL);
}

static const struct {
    const char *name;
    void (*build)(tn_spec *spec);
} mechanisms[] = {
    {"double_pendulum", double_pendulum},
    {"four_bar", four_bar},
    {"slider_crank", slider_crank},
    {"ball_chain", ball_chain},
    {"shaft", shaft},
    {"screw_with_stops", screw_with_stops},
    {"bouncing_box", bouncing_box},
    {"geared_pendulums", geared_pendulums},
    {"heavy_top", heavy_top},
    {"soft_and_rope", soft_and_rope},
};

static const struct {
    const char *name;
    tn_integrator integrator;
    tn_solver solver;
    tn_formulation formulation;
} ways[] = {
    {"generalized_alpha", TN_GENERALIZED_ALPHA, TN_SOLVER_DIRECT, TN_INDEX_3},
    {"index_2", TN_GENERALIZED_ALPHA, TN_SOLVER_DIRECT, TN_STABILIZED_INDEX_2},
    {"dormand_prince", TN_DORMAND_PRINCE, TN_SOLVER_DIRECT, TN_INDEX_3},
    {"backward_euler", TN_BACKWARD_EULER, TN_SOLVER_DIRECT, TN_INDEX_3},
    {"sequential_impulses", TN_CONSTRAINED_BACKWARD_EULER, TN_SOLVER_SEQUENTIAL_IMPULSES,
     TN_INDEX_3},
};

/* ---- a run ------------------------------------------------------------------------------------ */

static uint64_t add(uint64_t hash, const double *values, int count)
{
    for (int k = 0; k < count; k++) {
        uint64_t bits;
        const double value = values[k] == 0.0 ? 0.0 : values[k];
        memcpy(&bits, &value, sizeof bits);
        for (int i = 0; i < 64; i += 8)
            hash = (hash ^ (bits >> i & 0xff)) * 1099511628211u;
    }
    return hash;
}

static tn_status run(const tn_model *model, int way, uint64_t *hash)
{
    static double poses[7 * MOST], twists[6 * MOST], q[TN_MAX_COORDINATES * MOST],
        lambda[TN_MAX_ROWS * MOST];
    const tn_model_size size = tn_model_get_size(model);
    tn_sim_options options = tn_default_sim_options(model);
    tn_sim *sim = NULL;
    options.integrator = ways[way].integrator;
    options.solver = ways[way].solver;
    options.formulation = ways[way].formulation;
    tn_status status = tn_sim_create(model, &options, NULL, &sim);
    for (int k = 0; k < STEPS && status == TN_OK; k++) {
        status = tn_sim_step(sim, STEP, NULL);
        tn_sim_get_poses(sim, poses);
        tn_sim_get_velocities(sim, twists);
        tn_sim_get_coordinates(sim, q);
        tn_sim_get_multipliers(sim, lambda);
        *hash = add(*hash, poses, 7 * size.bodies);
        *hash = add(*hash, twists, 6 * size.bodies);
        *hash = add(*hash, q, TN_MAX_COORDINATES * size.joints);
        *hash = add(*hash, lambda, TN_MAX_ROWS * size.joints);
    }
    tn_sim_destroy(sim);
    return status;
}

int main(void)
{
    for (size_t m = 0; m < sizeof mechanisms / sizeof *mechanisms; m++) {
        tn_spec *spec = tn_spec_create();
        tn_model *model = NULL;
        if (!spec)
            return 1;
        mechanisms[m].build(spec);
        const tn_status compiled = tn_model_compile(spec, NULL, &model);
        for (int way = 0; way < (int)(sizeof ways / sizeof *ways); way++) {
            uint64_t hash = 14695981039346656037u;
            const tn_status status = compiled == TN_OK ? run(model, way, &hash) : compiled;
            printf("%s %s %d %08x%08x\n", mechanisms[m].name, ways[way].name, (int)status,
                   (unsigned)(hash >> 32), (unsigned)(hash & 0xffffffffu));
        }
        tn_model_destroy(model);
        tn_spec_destroy(spec);
    }
    return 0;
}
