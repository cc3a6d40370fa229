/* attachments.c: test support: see attachments.h. */
#include "attachments.h"

#include <math.h>

#include "method/hinges/alpha_hinges.h"
#include "random_numbers.h"

static const double pulling[] = {-6.0};
static const double hum[] = {0.4, 9.0, 0.3, 0.1}, turning[] = {0.5},
                    swaying[] = {0.3, 5.0, 0.2, 0.0}, softening[] = {0.0, -8.0, 0.0, 6.0},
                    points[] = {-2.0, 25.0, -0.5, 4.0, 0.5, -4.0, 2.0, -25.0};

static tn_function_def function(tn_function_kind kind, const double *numbers, int32_t count)
{
    return (tn_function_def){.kind = kind, .numbers = numbers, .count = count};
}

static void spring(tn_drive_def *d, tn_joint_def *j)
{
    (void)j;
    d->spring.stiffness = 30.0;
    d->spring.rest = function(TN_FUNCTION_CONSTANT, turning, 1);
}

static void stiff_spring(tn_drive_def *d, tn_joint_def *j)
{
    (void)j;
    d->spring.stiffness = 2e5;
    d->spring.damping = 400.0;
}

static void moved_spring(tn_drive_def *d, tn_joint_def *j)
{
    (void)j;
    d->spring.stiffness = 12.0;
    d->spring.damping = 0.7;
    d->spring.rest = function(TN_FUNCTION_SINE, hum, 4);
}

static void law(tn_drive_def *d, tn_joint_def *j)
{
    (void)j;
    d->spring.force = function(TN_FUNCTION_SPLINE, points, 8);
    d->spring.damping = 0.2;
}

/* It pushes away from rest: a known force of the coordinate. */
static void pushing_law(tn_drive_def *d, tn_joint_def *j)
{
    (void)j;
    d->spring.force = function(TN_FUNCTION_POLYNOMIAL, softening, 4);
}

static void capped_spring(tn_drive_def *d, tn_joint_def *j)
{
    moved_spring(d, j);
    d->spring.max_force = 2.0;
}

static void viscous(tn_drive_def *d, tn_joint_def *j)
{
    (void)j;
    d->friction.viscous = 0.9;
}

static void motor(tn_drive_def *d, tn_joint_def *j)
{
    (void)j;
    d->motor.speed = function(TN_FUNCTION_SINE, swaying, 4);
    d->friction.viscous = 0.4;
}

static void position_motor(tn_drive_def *d, tn_joint_def *j)
{
    (void)j;
    d->motor.position = function(TN_FUNCTION_SINE, hum, 4);
    d->spring.stiffness = 3.0;
}

static const double no_load_speed[] = {400.0}; /* rad/s */

/* At its cap all the time. */
static void weak_motor(tn_drive_def *d, tn_joint_def *j)
{
    (void)j;
    d->motor.speed = function(TN_FUNCTION_CONSTANT, no_load_speed, 1);
    d->motor.max_force = 0.5;
}

static void given_motion(tn_drive_def *d, tn_joint_def *j)
{
    (void)j;
    d->position = function(TN_FUNCTION_SINE, swaying, 4);
}

/* It slips or sticks all the time, as loads are far from the bound. */
static void stuck(tn_drive_def *d, tn_joint_def *j)
{
    (void)j;
    d->friction.force = 1e6;
}

static void armature(tn_drive_def *d, tn_joint_def *j)
{
    (void)d;
    j->armature[0] = 0.05;
}

static void geared_servo(tn_drive_def *d, tn_joint_def *j)
{
    moved_spring(d, j);
    armature(d, j);
}

static void geared_motion(tn_drive_def *d, tn_joint_def *j)
{
    given_motion(d, j);
    armature(d, j);
}

static void lock(tn_drive_def *d, tn_joint_def *j)
{
    (void)d;
    j->locked[0] = 1;
}

/* Met, as joints move on: before and after the motion is smooth. */
void attach_range(tn_drive_def *d, tn_joint_def *j)
{
    (void)d;
    j->lower[0] = -0.02;
    j->upper[0] = 0.02;
}

static void nothing(tn_drive_def *d, tn_joint_def *j)
{
    (void)d;
    (void)j;
}

static void damping(tn_body_def *body, tn_load_def *load)
{
    (void)load;
    body->frame_damping = 0.8;
    body->rotary_damping = 0.1;
}

static void stiff_damping(tn_body_def *body, tn_load_def *load)
{
    (void)load;
    body->frame_damping = 200.0;
}

static void dead_force(tn_body_def *body, tn_load_def *load)
{
    (void)body;
    *load = tn_default_load_def(TN_LOAD_WRENCH);
    load->point = (tn_vec3){0.3, 0.1, -0.2};
    load->force[1] = function(TN_FUNCTION_SINE, swaying, 4);
    load->force[2] = function(TN_FUNCTION_CONSTANT, pulling, 1);
}

static void follower(tn_body_def *body, tn_load_def *load)
{
    dead_force(body, load);
    load->axes = TN_AXES_BODY;
    load->moment[0] = function(TN_FUNCTION_CONSTANT, turning, 1);
}

static void field(tn_body_def *body, tn_load_def *load)
{
    (void)body;
    *load = tn_default_load_def(TN_LOAD_UNIFORM);
    load->acceleration[0] = function(TN_FUNCTION_SINE, hum, 4);
}

static void drag(tn_body_def *body, tn_load_def *load)
{
    (void)body;
    *load = tn_default_load_def(TN_LOAD_DRAG);
    load->linear = 0.5;
    load->quadratic = 2.0;
    load->rotary = 0.1;
}

static void attraction(tn_body_def *body, tn_load_def *load)
{
    (void)body;
    *load = tn_default_load_def(TN_LOAD_CENTRAL);
    load->point = (tn_vec3){4.0, 30.0, 2.0};
    load->strength = 100.0;
}

static void effort(tn_body_def *body, tn_load_def *load)
{
    (void)body;
    *load = tn_default_load_def(TN_LOAD_EFFORT);
    load->effort = function(TN_FUNCTION_SINE, hum, 4);
}

const attachment attachments[] = {
    {"nothing", nothing, false, NULL},
    {"a spring", spring, false, NULL},
    {"a stiff spring", stiff_spring, false, NULL},
    {"a spring that is moved", moved_spring, false, NULL},
    {"a law by points", law, false, NULL},
    {"a law that pushes", pushing_law, false, NULL},
    {"a spring with a cap", capped_spring, false, NULL},
    {"viscous friction", viscous, false, NULL},
    {"a motor", motor, false, NULL},
    {"a motor to a place", position_motor, false, NULL},
    {"a motor at its cap", weak_motor, false, NULL},
    {"a given motion", given_motion, false, NULL},
    {"friction that sticks", stuck, true, NULL},
    {"a lock", lock, true, NULL},
    {"damping", NULL, false, damping},
    {"stiff damping", NULL, false, stiff_damping},
    {"a force", NULL, false, dead_force},
    {"a force that turns along", NULL, false, follower},
    {"a field", NULL, false, field},
    {"drag", NULL, false, drag},
    {"an attraction", NULL, false, attraction},
    {"an effort", NULL, false, effort},
    {"drag and a spring", moved_spring, false, drag},
    {"a lock and an effort", lock, true, effort},
    {"an armature", armature, false, NULL},
    {"an armature with a servo", geared_servo, false, NULL},
    {"an armature that is moved", geared_motion, false, NULL},
    {"an armature and a field", armature, false, field},
};
_Static_assert(sizeof attachments / sizeof *attachments == ATTACHMENTS, "");

static tn_body add_body(tn_spec *spec, int32_t k, tn_body_def body, const attachment *what,
                        tn_load_def *load, uint64_t *random)
{
    tn_body added;
    body.pose.p = (tn_vec3){k, 0.3 * (k % 3), 0.1 * k};
    body.mass = pow(10.0, random_between(random, -0.5, 0.5));
    body.com = random_within(random, 0.1);
    body.inertia = (tn_mat3){{{0.06, 0.01, 0.0}, {0.01, 0.08, 0.0}, {0.0, 0.0, 0.07}}};
    if (what && what->load)
        what->load(&body, load);
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &added), TN_OK);
    return added;
}

tn_body attach_body(tn_spec *spec, int32_t k, const attachment *what, tn_load_def *load,
                    uint64_t *random)
{
    tn_body_def body = tn_default_body_def();
    body.pose.q = tn_quat_from_rpy(random_number(random), random_number(random), 0.3);
    return add_body(spec, k, body, what, load, random);
}

tn_body attach_planar_body(tn_spec *spec, int32_t k, const attachment *what, tn_load_def *load,
                           uint64_t *random)
{
    const double half = random_number(random);
    tn_body_def body = tn_default_body_def();
    body.kind = TN_BODY_PLANAR;
    body.pose.q = (tn_quat){cos(half), 0.0, 0.0, sin(half)};
    return add_body(spec, k, body, what, load, random);
}

tn_joint attach_joint(tn_spec *spec, tn_joint_def *joint, const attachment *what)
{
    tn_drive_def drive = tn_default_drive_def();
    tn_joint added;
    if (what && what->put) {
        what->put(&drive, joint);
        joint->drives = &drive;
        joint->drive_count = 1;
    }
    ck_assert_int_eq(tn_spec_add_joint(spec, joint, &added), TN_OK);
    return added;
}

void attach_load(tn_spec *spec, tn_load_def *load, tn_body body)
{
    if (load->kind == TN_LOAD_KIND_COUNT)
        return;
    load->bodies = &body;
    load->body_count = load->kind == TN_LOAD_EFFORT ? 0 : 1;
    ck_assert_int_eq(tn_spec_add_load(spec, load, NULL), TN_OK);
}

bool hang_at_random(tn_joint_def *joint, int32_t k, const char *type, bool in_row, uint64_t *random)
{
    int32_t inner = k == 0 ? -1 : (int32_t)random_between(random, 0.0, k - 1e-9);
    if (in_row)
        inner = k - 1;
    const bool is_b = inner >= 0 && random_number(random) > 0.0;
    *joint = tn_default_joint_def();
    if (!type)
        return false;
    joint->type = type;
    joint->parameters[0] = strcmp(type, "screw") == 0              ? 0.05 /* m/rad */
                           : strcmp(type, "skewed_universal") == 0 ? 0.3  /* rad */
                                                                   : NAN;
    joint->a.i = is_b ? inner : k;
    joint->b.i = is_b ? k : inner;
    joint->placement = TN_PLACE_AXIS;
    joint->origin = (tn_vec3){k - 0.5, 0.1, 0.1 * k};
    return true;
}

void forget_hinges(tn_sim *sim)
{
    tn_alpha_hinges_destroy(tn_alpha_of(sim)->hinges);
    tn_alpha_of(sim)->hinges = NULL;
}

static double largest(const double *a, int64_t count)
{
    double most = 0.0;
    for (int64_t n = 0; n < count; n++)
        most = fmax(fabs(a[n]), most);
    return most;
}

void expect_near(const double *a, const double *b, int64_t count, double off, const char *what)
{
    for (int64_t n = 0; n < count; n++)
        ck_assert_msg(fabs(a[n] - b[n]) <= off, "%s %d: %.17g, not %.17g", what, (int)n, a[n],
                      b[n]);
}

static void expect_same_drives(const tn_sim *one, const tn_sim *other, double same_force)
{
    for (int32_t k = 0; k < one->state.head->drive_count; k++) {
        const tn_drive *a = &one->state.drives[k], *b = &other->state.drives[k];
        const double is[] = {a->motor_known, a->friction_known, a->spring_known, a->power_in,
                             a->power_out};
        const double was[] = {b->motor_known, b->friction_known, b->spring_known, b->power_in,
                              b->power_out};
        const double size = 1.0 + largest(was, 5);
        expect_near(is, was, 5, same_force * size, "what a drive does");
        ck_assert_int_eq(a->motor_side, b->motor_side);
        ck_assert_int_eq(a->slip, b->slip);
        ck_assert_int_eq(a->spring_side, b->spring_side);
    }
}

void expect_same(const tn_sim *one, const tn_sim *other, double same_force)
{
    const tn_state *a = &one->state, *b = &other->state;
    const int64_t u = one->model->size.velocities, rows = TN_MAX_ROWS * one->model->joint_count;
    const tn_energy e = tn_sim_energy(one), f = tn_sim_energy(other);
    const double force = same_force * (3.0 + largest(b->lambda, rows));
    const double energy =
        SAME_ENERGY * (1.0 + f.kinetic + fabs(f.potential) + f.elastic + fabs(f.work));
    expect_near(&a->x[0].x, &b->x[0].x, 3 * one->model->body_count, SAME_MOTION, "place");
    expect_near(a->coordinates, b->coordinates, TN_MAX_COORDINATES * one->model->joint_count,
                SAME_MOTION, "angle");
    expect_near(a->u, b->u, u, SAME_SPEED * (1.0 + largest(b->u, u)), "velocity");
    expect_near(a->udot, b->udot, u, same_force * (1.0 + largest(b->udot, u)), "acceleration");
    expect_near(a->lambda, b->lambda, rows, force, "multiplier");
    expect_near(&e.kinetic, &f.kinetic, 6, energy, "energy");
    expect_near(one->sys.phi, other->sys.phi, one->sys.layout->y_size, SAME_MOTION, "error");
    expect_same_drives(one, other, same_force);
}
