/* bench_cliffs: steps of a mechanism to which one thing is attached, at one place or at all, for bench/cliffs to count the
 * instructions of beside the same mechanism without it.
 *
 *     bench_cliffs                                            lists shapes, attachments and places
 *     bench_cliffs SHAPE ATTACHMENT PLACE N STEPS [METHOD]    takes the steps; prints the number of joints
 *
 * Shapes have N bodies: a chain whose axes alternate, a binary tree of such hinges, a chain and a row of four-bars whose axes
 * are parallel, and the same two of planar bodies. Bodies are boxes of 0.2 x 0.04 x 0.03 m, 1000 kg/m^3; they begin at rest under gravity, steps are of 1 ms.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/tenon.h"

#define LINK 0.2  /* m */
#define STEP 1e-3 /* s */

typedef enum shape { CHAIN, TREE, PLANAR, FOUR_BARS, PINS, PIN_FOUR_BARS, SHAPES } shape;
static const char *const shape_names[SHAPES] = {"chain",     "tree", "planar",
                                                "four_bars", "pins", "pin_four_bars"};

static bool is_flat(shape s)
{
    return s == PINS || s == PIN_FOUR_BARS;
}

typedef enum place { ONE, ALL, PLACES } place;
static const char *const place_names[PLACES] = {"one", "all"};

/* Numbers of functions must outlast the definition. */
static const double fast[] = {100.0}, sway[] = {0.3, 6.0, 0.0, 0.0}, push[] = {0.5},
                    fall[] = {-0.1};

static tn_function_def constant(const double *number)
{
    return (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = number, .count = 1};
}

static tn_function_def sine(void)
{
    return (tn_function_def){.kind = TN_FUNCTION_SINE, .numbers = sway, .count = 4};
}

/* What is being described: one joint and its drive, one body, one load. */
typedef struct piece {
    tn_joint_def joint;
    tn_drive_def drive;
    tn_body_def body;
    tn_load_def load;
    bool has_drive, has_load;
    bool flat; /* in a planar world */
} piece;

static void damper(piece *p)
{
    p->has_drive = true;
    p->drive.friction.viscous = 0.01;
}

static void spring(piece *p)
{
    p->has_drive = true;
    p->drive.spring.stiffness = 5.0;
}

static void armature(piece *p)
{
    p->joint.armature[0] = 0.01;
}

static void servo(piece *p)
{
    p->has_drive = true;
    p->drive.spring.stiffness = 50.0;
    p->drive.spring.damping = 0.5;
    p->drive.spring.rest = sine();
}

static void speed_motor(piece *p)
{
    p->has_drive = true;
    p->drive.motor.speed = sine();
}

static void position_motor(piece *p)
{
    p->has_drive = true;
    p->drive.motor.position = sine();
}

static void capped_motor(piece *p)
{
    speed_motor(p);
    p->drive.motor.speed = constant(fast);
    p->drive.motor.max_force = 0.01;
}

static void motion(piece *p)
{
    p->has_drive = true;
    p->drive.position = sine();
}

static void friction(piece *p)
{
    p->has_drive = true;
    p->drive.friction.force = 0.01;
}

static void lock(piece *p)
{
    p->joint.locked[0] = 1;
}

static void range(piece *p)
{
    p->joint.lower[0] = -20.0;
    p->joint.upper[0] = 20.0;
}

static void solid(piece *p)
{
    p->joint.type = "solid";
}

static void ball(piece *p)
{
    p->joint.type = "ball";
}

static void slider(piece *p)
{
    p->joint.type = "slider";
    if (p->flat)
        p->joint.axis = (tn_vec3){1.0, 0.0, 0.0};
}

static void screw(piece *p)
{
    p->joint.type = "screw";
    p->joint.parameters[0] = 0.01; /* m/rad */
}

static void cylindrical(piece *p)
{
    p->joint.type = "cylindrical";
}

static void universal(piece *p)
{
    p->joint.type = "universal";
}

/* In all that the joint holds. */
static void soft(piece *p)
{
    for (int row = 0; row < (p->flat ? 2 : 5); row++) {
        p->joint.compliance[row] = 1e-5;
        p->joint.damping[row] = 10.0;
    }
}

static void body_damping(piece *p)
{
    p->body.rotary_damping = 1e-4;
}

static void force(piece *p)
{
    p->has_load = true;
    p->load = tn_default_load_def(TN_LOAD_WRENCH);
    p->load.force[p->flat ? 1 : 0] = constant(push);
}

static void field(piece *p)
{
    p->has_load = true;
    p->load = tn_default_load_def(TN_LOAD_UNIFORM);
    p->load.acceleration[1] = constant(fall);
}

static void drag(piece *p)
{
    p->has_load = true;
    p->load = tn_default_load_def(TN_LOAD_DRAG);
    p->load.quadratic = 0.1;
}

static void effort(piece *p)
{
    p->has_load = true;
    p->load = tn_default_load_def(TN_LOAD_EFFORT);
    p->load.effort = constant(fall);
}

static void nothing(piece *p)
{
    (void)p;
}

static const struct {
    const char *name;
    void (*put)(piece *p);
} attachments[] = {
    {"nothing", nothing},
    {"damper", damper},
    {"spring", spring},
    {"armature", armature},
    {"servo", servo},
    {"speed_motor", speed_motor},
    {"position_motor", position_motor},
    {"capped_motor", capped_motor},
    {"motion", motion},
    {"friction", friction},
    {"lock", lock},
    {"range", range},
    {"effort", effort},
    {"force", force},
    {"field", field},
    {"drag", drag},
    {"body_damping", body_damping},
    {"solid", solid},
    {"ball", ball},
    {"slider", slider},
    {"screw", screw},
    {"cylindrical", cylindrical},
    {"universal", universal},
    {"soft", soft},
};
enum { ATTACHMENTS = sizeof attachments / sizeof *attachments };

static void stop(const char *what, const tn_diagnostics *problems)
{
    fprintf(stderr, "bench_cliffs: %s\n", what);
    for (int32_t i = 0; i < tn_diagnostics_count(problems) && i < 5; i++)
        fprintf(stderr, "  %s\n", tn_diagnostics_get(problems, i)->message);
    exit(1);
}

/* Body k from one place to another, by a hinge at the first. */
static void begin_piece(piece *p, int32_t inner, int32_t k, tn_vec3 from, tn_vec3 to, tn_vec3 axis)
{
    static tn_shape_def box;
    box = tn_default_shape_def(TN_SHAPE_BOX);
    box.size = (tn_vec3){LINK, 0.04, 0.03};
    *p = (piece){.flat = p->flat,
                 .joint = tn_default_joint_def(),
                 .drive = tn_default_drive_def(),
                 .body = tn_default_body_def()};
    p->body.pose.p = (tn_vec3){0.5 * (from.x + to.x), 0.5 * (from.y + to.y), 0.5 * (from.z + to.z)};
    const double half = 0.5 * atan2(to.y - from.y, to.x - from.x);
    p->body.pose.q = (tn_quat){cos(half), 0.0, 0.0, sin(half)};
    if (p->flat)
        p->body.kind = TN_BODY_PLANAR;
    p->body.shapes = &box;
    p->body.shape_count = 1;
    p->body.density = 1000.0; /* kg/m^3 */
    p->joint.type = "hinge";
    p->joint.a.i = k;
    p->joint.b.i = inner;
    p->joint.placement = TN_PLACE_AXIS;
    p->joint.origin = from;
    p->joint.axis = axis;
}

static void add_piece(tn_spec *spec, piece *p)
{
    tn_body body;
    tn_joint joint;
    p->joint.drives = p->has_drive ? &p->drive : NULL;
    p->joint.drive_count = p->has_drive;
    tn_spec_add_body(spec, &p->body, &body);
    tn_spec_add_joint(spec, &p->joint, &joint);
    if (!p->has_load)
        return;
    p->load.bodies = &body;
    p->load.body_count = p->load.kind != TN_LOAD_EFFORT;
    p->load.joint = joint;
    tn_spec_add_load(spec, &p->load, NULL);
}

/* Where body k ends, of a tree: each has two, side by side. */
static tn_vec3 end_in_tree(int32_t k)
{
    const double depth = floor(log2(k + 1.0)), row = k + 1.0 - exp2(depth);
    return (tn_vec3){LINK * (depth + 1.0), 0.3 * LINK * row, 0.0};
}

static void put_limb(piece *p, shape s, int32_t k)
{
    static const tn_vec3 axes[3] = {{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {0.0, 0.6, 0.8}};
    const tn_vec3 z = {0.0, 0.0, 1.0}, start = {0.0, 0.0, 0.0};
    if (s == TREE) {
        const int32_t inner = k == 0 ? -1 : (k - 1) / 2;
        begin_piece(p, inner, k, inner < 0 ? start : end_in_tree(inner), end_in_tree(k),
                    axes[k % 3]);
        return;
    }
    const tn_vec3 from = {LINK * k, 0.0, 0.0}, to = {LINK * (k + 1), 0.0, 0.0};
    begin_piece(p, k - 1, k, from, to, s == PLANAR || s == PINS ? z : axes[k % 3]);
}

/* Post k up from the ground, and a bar from its top to that of the one before, both hinges of which are along z. */
static void add_four_bar(tn_spec *spec, int32_t k, piece *p, void (*put)(piece *), place where)
{
    const tn_vec3 z = {0.0, 0.0, 1.0}, foot = {LINK * k, 0.0, 0.0}, top = {LINK * k, LINK, 0.0},
                  before = {LINK * (k - 1), LINK, 0.0};
    begin_piece(p, TN_GROUND_INDEX, k == 0 ? 0 : 2 * k - 1, foot, top, z);
    if (where == ALL || k == 1)
        put(p);
    add_piece(spec, p);
    if (k == 0)
        return;
    begin_piece(p, k == 1 ? 0 : 2 * k - 3, 2 * k, before, top, z);
    add_piece(spec, p);
    begin_piece(p, 2 * k, 2 * k - 1, top, foot, z);
    tn_spec_add_joint(spec, &p->joint, NULL);
}

static tn_spec *make(shape s, void (*put)(piece *), place where, int32_t n)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    piece p = {.flat = is_flat(s)};
    if (is_flat(s))
        world.kind = TN_WORLD_PLANAR;
    if (s == PLANAR || s == FOUR_BARS || is_flat(s))
        world.gravity = (tn_vec3){0.0, -9.81, 0.0};
    tn_spec_set_world(spec, &world);
    for (int32_t k = 0; k < n; k++) {
        if (s == FOUR_BARS || s == PIN_FOUR_BARS) {
            add_four_bar(spec, k, &p, put, where);
            continue;
        }
        put_limb(&p, s, k);
        if (where == ALL || k == n / 2)
            put(&p);
        add_piece(spec, &p);
    }
    return spec;
}

static void list(const char *title, const char *name, int first)
{
    printf("%s%s", first ? title : " ", name);
}

static int list_all(void)
{
    for (int k = 0; k < SHAPES; k++)
        list("shapes: ", shape_names[k], k == 0);
    for (int k = 0; k < ATTACHMENTS; k++)
        list("\nattachments: ", attachments[k].name, k == 0);
    for (int k = 0; k < PLACES; k++)
        list("\nplaces: ", place_names[k], k == 0);
    puts("");
    return 0;
}

static int find(const char *const *names, int count, const char *name)
{
    for (int k = 0; k < count; k++) {
        if (strcmp(names[k], name) == 0)
            return k;
    }
    fprintf(stderr, "bench_cliffs: no %s\n", name);
    exit(1);
}

static int attachment_of(const char *name)
{
    const char *names[ATTACHMENTS];
    for (int k = 0; k < ATTACHMENTS; k++)
        names[k] = attachments[k].name;
    return find(names, ATTACHMENTS, name);
}

int main(int count, char **words)
{
    if (count < 6)
        return list_all();
    const shape s = (shape)find(shape_names, SHAPES, words[1]);
    const place where = (place)find(place_names, PLACES, words[3]);
    const int32_t n = (int32_t)strtol(words[4], NULL, 10),
                  steps = (int32_t)strtol(words[5], NULL, 10);
    tn_spec *spec = make(s, attachments[attachment_of(words[2])].put, where, n);
    tn_diagnostics *problems = tn_diagnostics_create();
    tn_model *model = NULL;
    if (tn_model_compile(spec, problems, &model) != TN_OK)
        stop("compile", problems);
    tn_sim_options options = tn_default_sim_options(model);
    options.integrator = TN_GENERALIZED_ALPHA;
    if (count > 6 && tn_integrator_find(words[6], &options.integrator) != TN_OK)
        stop(words[6], problems);
    tn_sim *sim = NULL;
    if (tn_sim_create(model, &options, problems, &sim) != TN_OK)
        stop("create", problems);
    for (int32_t k = 0; k < steps; k++) {
        if (tn_sim_step(sim, STEP, NULL) != TN_OK)
            stop("a step fails", problems);
    }
    printf("%d\n", (int)tn_model_get_size(model).joints);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_diagnostics_destroy(problems);
    tn_spec_destroy(spec);
    return 0;
}
