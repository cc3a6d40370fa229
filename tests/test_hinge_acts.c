/* test_hinge_acts.c: what acts along hinges, on bodies, or holds hinges, in steps in their angles (method/hinges/hinge_acts.c), beside the
 * same in the general iteration of bodies and rows: random trees, each kind at one place, at some or at all. Poses, velocities,
 * accelerations, multipliers, what drives do, and energies are the same; and the order is two. Likewise where sliders and
 * screws are among the hinges; of these closed forms too, and the balance of bodies by the wrenches that joints report.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attachments.h"
#include "method/hinges/alpha_hinges.h"
#include "random_numbers.h"
#include "run_main.h"
#include "same_sims.h"
#include "tenon/tenon.h"

enum { BODIES = 9, STEPS = 60 };

#define STEP 1e-3 /* s */

typedef enum where { ON_FIRST, ON_ONE, ON_SOME, ON_ALL, WHERES } where;

static bool is_there(where w, int32_t k)
{
    return w == ON_ALL || (w == ON_FIRST && k == 0) || (w == ON_ONE && k == 4) ||
           (w == ON_SOME && k % 3 != 1);
}

/* Where joints that are no hinges are: at the root, at the tip, one that carries hinges, or among them. */
typedef struct mixture {
    const char *name;
    const char *(*type)(int32_t k);
    bool in_row; /* each body hangs on the one before; else they branch */
} mixture;

static const char *hinges(int32_t k)
{
    (void)k;
    return "hinge";
}

static const char *slider_at_root(int32_t k)
{
    return k == 0 ? "slider" : "hinge";
}

static const char *slider_at_tip(int32_t k)
{
    return k == BODIES - 1 ? "slider" : "hinge";
}

static const char *slider_within(int32_t k)
{
    return k == 4 ? "slider" : "hinge";
}

static const char *screw_within(int32_t k)
{
    return k == 0 || k == 4 ? "screw" : "hinge";
}

static const char *every_type(int32_t k)
{
    static const char *const types[] = {"slider", "hinge", "screw", "hinge", "slider"};
    return types[k % 5];
}

static const char *sliders(int32_t k)
{
    (void)k;
    return "slider";
}

static const char *solid_base(int32_t k)
{
    return k == 0 ? "solid" : "hinge";
}

static const char *some_solid(int32_t k)
{
    static const char *const types[] = {"hinge", "solid", "slider", "solid"};
    return types[k % 4];
}

static const char *many_freedoms(int32_t k)
{
    static const char *const types[] = {"universal", "hinge", "cylindrical", "gimbal",
                                        "skewed_universal"};
    return types[k % 5];
}

static const char *planes(int32_t k)
{
    static const char *const types[] = {"planar", "hinge", "slotted_hinge", "planar_translation",
                                        "hinge"};
    return types[k % 5];
}

static const char *balls(int32_t k)
{
    static const char *const types[] = {"spherical", "hinge", "slider", "spherical_swing_twist"};
    return types[k % 4];
}

static const char *floating(int32_t k)
{
    return k == 0 ? NULL : "hinge";
}

static const char *floating_with_others(int32_t k)
{
    return k == 0 ? NULL : many_freedoms(k);
}

static const char *free_coordinates(int32_t k)
{
    return k == 0 ? "free" : "hinge";
}

static const char *customs(int32_t k)
{
    return k % 2 == 0 ? "custom" : "hinge";
}

/* Is there something of it along which things act? */
static bool has_coordinate(const mixture *of, int32_t k)
{
    const char *type = of->type(k);
    return type && strcmp(type, "solid") != 0 && strncmp(type, "spherical", 9) != 0;
}

static const mixture mixtures[] = {
    {"hinges", hinges, false},
    {"a slider at the root", slider_at_root, true},
    {"a slider at the tip", slider_at_tip, true},
    {"a slider that carries hinges", slider_within, false},
    {"screws", screw_within, false},
    {"sliders and screws among hinges", every_type, false},
    {"sliders and screws among hinges, in a row", every_type, true},
    {"a solid base", solid_base, true},
    {"solid joints among others", some_solid, false},
    {"joints of several freedoms", many_freedoms, false},
    {"joints of several freedoms in a row", many_freedoms, true},
    {"joints in planes", planes, false},
    {"balls", balls, false},
    {"a floating body", floating, false},
    {"a floating body that carries others", floating_with_others, true},
    {"a free joint", free_coordinates, false},
    {"custom joints", customs, false},
    {"sliders alone", sliders, false},
};
/* Those before, and the last, have joints of one freedom or none. */
enum { MIXTURES = sizeof mixtures / sizeof *mixtures, SINGLE = 9 };

static const double pitch[] = {0.05}; /* m/rad */

/* A shift, a turn that stands still, and two that move, with coordinates in an order of their own. */
static void give_axes(tn_joint_def *joint)
{
    static const double still[] = {0.4};
    static const tn_coordinate_info coordinates[] = {{"swing", 1}, {"way", 0}, {"twist", 1}};
    static const tn_joint_axis axes[] = {
        {1, {0.0, 1.0, 0.0}, 2, {.kind = TN_FUNCTION_NONE}},
        {0, {0.6, 0.0, 0.8}, 1, {.kind = TN_FUNCTION_NONE}},
        {1, {1.0, 0.0, 0.0}, -1, {.kind = TN_FUNCTION_CONSTANT, .numbers = still, .count = 1}},
        {1, {0.0, 0.8, 0.6}, 0, {.kind = TN_FUNCTION_NONE}},
    };
    static const tn_joint_data data = {
        .coordinates = coordinates, .coordinate_count = 3, .axes = axes, .axis_count = 4};
    joint->data = &data;
}

static void add_link(tn_spec *spec, int32_t k, const attachment *what, const mixture *of,
                     bool there, uint64_t *r)
{
    tn_load_def load = tn_default_load_def(TN_LOAD_KIND_COUNT);
    const tn_body added = attach_body(spec, k, there ? what : NULL, &load, r);
    tn_joint_def joint;
    if (!hang_at_random(&joint, k, of->type(k), of->in_row, r))
        return;
    if (strcmp(joint.type, "custom") == 0)
        give_axes(&joint);
    joint.axis = random_axis(r);
    load.joint = attach_joint(spec, &joint, there ? what : NULL);
    if (there)
        attach_load(spec, &load, added);
}

static tn_model *make_tree(const attachment *what, const mixture *of, where w, uint64_t seed)
{
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < BODIES; k++)
        add_link(spec, k, what, of, is_there(w, k) && has_coordinate(of, k), &seed);
    return compiled(spec);
}

static void set_going(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        if (sim->model->joints[j].geometry.cls->info.coordinate_count == 0 ||
            sim->state.switches[j].hold[0] > TN_HOLD_SPRING || sim->state.switches[j].drive >= 0)
            continue;
        const tn_coordinate_request rate = {{j}, 0, 1.0 - 0.3 * (j % 7)};
        ck_assert_int_eq(tn_sim_set_coordinate_speeds(sim, &rate, 1, NULL, NULL, NULL), TN_OK);
    }
}

static void compare(const attachment *what, const mixture *of, where w, uint64_t seed)
{
    tn_model *model = make_tree(what, of, w, seed);
    tn_sim *sim = alpha_sim_to(model, TOLERANCE), *general = alpha_sim_to(model, TOLERANCE);
    int in_angles = 0;
    forget_hinges(general);
    set_going(sim);
    set_going(general);
    for (int k = 0; k < STEPS; k++) {
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(general, STEP, NULL), TN_OK);
        in_angles += sim->reactions_balance;
        ck_assert(!general->reactions_balance);
        expect_same(sim, general, SAME_FORCE);
        ck_assert_double_le(balance_of(sim), 1e-6);
    }
    ck_assert_msg(in_angles > STEPS / 2 || (what->still && w == ON_ALL),
                  "%s, %s: %d steps in coordinates", what->name, of->name, in_angles);
    tn_sim_destroy(sim);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}

START_TEST(test_beside_general)
{
    compare(&attachments[_i], &mixtures[0], (where)(_i % WHERES), (uint64_t)_i + 3);
}
END_TEST

/* Each attachment with two mixtures of joints of one freedom, and with one of others, in turn. */
START_TEST(test_mixed)
{
    const int n = _i / 3, of = _i % 3, single = 1 + (n + 3 * of) % SINGLE;
    const int m = of == 2           ? SINGLE + n % (MIXTURES - 1 - SINGLE)
                  : single < SINGLE ? single
                                    : MIXTURES - 1;
    const int turn = 2 * n + of;
    compare(&attachments[n], &mixtures[m], (where)((n + turn) % WHERES), (uint64_t)turn + 3);
}
END_TEST

static void expect_bits(const tn_sim *one, const tn_sim *other)
{
    const tn_model *model = one->model;
    const size_t bodies = (size_t)model->body_count, n = (size_t)model->size.velocities,
                 elements = (size_t)model->element_count;
    const tn_state *a = &one->state, *b = &other->state;
    ck_assert(!a->elsewhere && !b->elsewhere);
    ck_assert_mem_eq(a->x, b->x, sizeof *a->x * bodies);
    ck_assert_mem_eq(a->q, b->q, sizeof *a->q * bodies);
    ck_assert_mem_eq(a->u, b->u, sizeof *a->u * n);
    ck_assert_mem_eq(a->udot, b->udot, sizeof *a->udot * n);
    ck_assert_mem_eq(a->lambda, b->lambda, sizeof *a->lambda * TN_MAX_ROWS * elements);
    ck_assert_mem_eq(a->coordinates, b->coordinates,
                     sizeof *a->coordinates * TN_MAX_COORDINATES * elements);
    ck_assert_mem_eq(a->memory, b->memory, a->memory_size);
    ck_assert_mem_eq(a->drives, b->drives, sizeof *a->drives * (size_t)a->head->drive_count);
    ck_assert_double_eq(a->head->work, b->head->work);
    ck_assert_double_eq(a->head->lost, b->head->lost);
}

/* Steps that share the arrays of their start, and list what acts only when switches change, have the bits of those that copy and list
 * each time. Motions and laws that change switches in every step copy too. */
START_TEST(test_shared_start)
{
    tn_model *model = make_tree(&attachments[_i], &mixtures[_i % MIXTURES], (where)(_i % WHERES),
                                (uint64_t)_i + 5);
    tn_sim *shares = alpha_sim_to(model, TOLERANCE), *copies = alpha_sim_to(model, TOLERANCE);
    int shared = 0, may = 0;
    set_going(shares);
    set_going(copies);
    for (int k = 0; k < STEPS; k++) {
        const tn_edition before = shares->state.edition;
        tn_state_written(&copies->state);
        ck_assert_int_eq(tn_sim_step(shares, STEP, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(copies, STEP, NULL), TN_OK);
        may += k > 0 && shares->reactions_balance && shares->state.edition.number == before.number;
        shared += tn_state_are_twins(&shares->state, &shares->backup);
        expect_bits(shares, copies);
    }
    ck_assert_int_ge(shared, may);
    tn_sim_destroy(shares);
    tn_sim_destroy(copies);
    tn_model_destroy(model);
}
END_TEST

/* Ranges are met, and left, in both ways. */
START_TEST(test_range)
{
    static const attachment what = {"a range", attach_range, false, NULL};
    tn_model *model = make_tree(&what, &mixtures[_i], ON_SOME, (uint64_t)_i + 21);
    tn_sim *sim = alpha_sim_to(model, TOLERANCE), *general = alpha_sim_to(model, TOLERANCE);
    int in_angles = 0;
    forget_hinges(general);
    set_going(sim);
    set_going(general);
    for (int k = 0; k < 2 * STEPS; k++) {
        ck_assert_int_eq(tn_sim_step(sim, 0.5 * STEP, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(general, 0.5 * STEP, NULL), TN_OK);
        in_angles += sim->reactions_balance;
        expect_near(sim->state.coordinates, general->state.coordinates,
                    TN_MAX_COORDINATES * model->joint_count, SAME_MOTION, "coordinate");
        for (int32_t j = 0; j < model->joint_count; j++)
            ck_assert_int_eq(sim->state.switches[j].hold[0], general->state.switches[j].hold[0]);
    }
    ck_assert_msg(in_angles > STEPS / 2, "%s: %d steps in coordinates", mixtures[_i].name,
                  in_angles);
    tn_sim_destroy(sim);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}
END_TEST

/* Angles after a time, of so many steps. */
static void run(const tn_model *model, int steps, double *angles)
{
    tn_sim *sim = alpha_sim_to(model, TOLERANCE);
    set_going(sim);
    for (int k = 0; k < steps; k++)
        ck_assert_int_eq(tn_sim_step(sim, 0.04 / steps, NULL), TN_OK);
    for (int32_t j = 0; j < model->joint_count; j++)
        angles[j] = tn_state_coordinate(&sim->state, j, 0);
    tn_sim_destroy(sim);
}

START_TEST(test_order)
{
    const attachment *what = &attachments[3 * _i];
    tn_model *model = make_tree(what, &mixtures[_i % MIXTURES], ON_SOME, (uint64_t)_i + 40);
    double at[3][BODIES] = {{0.0}}, off[2] = {0.0, 0.0};
    for (int n = 0; n < 3; n++)
        run(model, 40 << n, at[n]);
    for (int32_t j = 0; j < BODIES; j++) {
        off[0] = fmax(fabs(at[0][j] - at[1][j]), off[0]);
        off[1] = fmax(fabs(at[1][j] - at[2][j]), off[1]);
    }
    ck_assert_msg(off[0] >= 3.5 * off[1], "%s: %g, then %g", what->name, off[0], off[1]);
    tn_model_destroy(model);
}
END_TEST

/* One body on a joint to the ground, or, of which it is b, to a body that does not move. */
static tn_sim *one_joint(const char *type, tn_vec3 axis, bool is_b)
{
    tn_spec *spec = tn_spec_create();
    tn_body_def body = tn_default_body_def();
    tn_joint_def joint = tn_default_joint_def();
    body.mass = 2.0;
    body.inertia = (tn_mat3){{{0.06, 0.0, 0.0}, {0.0, 0.08, 0.0}, {0.0, 0.0, 0.07}}};
    ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
    joint.type = type;
    joint.parameters[0] = strcmp(type, "screw") == 0 ? pitch[0] : NAN;
    body.kind = TN_BODY_FIXED;
    if (is_b)
        ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
    joint.a.i = is_b ? 1 : 0;
    joint.b.i = is_b ? 0 : TN_GROUND_INDEX;
    joint.placement = TN_PLACE_AXIS;
    joint.axis = axis;
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    return alpha_sim_to(compiled(spec), TOLERANCE);
}

/* q = v t + a t^2 / 2, which the method has no error in. */
static void expect_even(tn_sim *sim, double v, double a)
{
    const tn_coordinate_request rate = {{0}, 0, v};
    int in_coordinates = 0;
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(sim, &rate, 1, NULL, NULL, NULL), TN_OK);
    for (int k = 1; k <= 500; k++) {
        const double t = 2.0 * STEP * k;
        double q;
        ck_assert_int_eq(tn_sim_step(sim, 2.0 * STEP, NULL), TN_OK);
        tn_sim_joint_coordinates(sim, (tn_joint){0}, &q);
        ck_assert_double_eq_tol(q, t * (v + 0.5 * a * t), 1e-9);
        ck_assert_double_le(balance_of(sim), 1e-6);
        in_coordinates += sim->reactions_balance;
    }
    ck_assert_int_gt(in_coordinates, 400);
    destroy_with_model(sim);
}

/* Down an incline of angle s: a = g sin s. */
START_TEST(test_incline)
{
    const double angle = 0.4, g = 9.81;
    const tn_vec3 axis = {cos(angle), 0.0, -sin(angle)};
    const double sign = _i ? -1.0 : 1.0; /* the coordinate is of A against B */
    expect_even(one_joint("slider", axis, _i == 1), 0.5, sign * g * sin(angle));
}
END_TEST

/* A nut of pitch p sinks by g / (1 + J / (m p^2)), J about the axis; so many turns that they are counted. */
START_TEST(test_nut)
{
    const double g = 9.81, m = 2.0, J = 0.07, p = pitch[0];
    const double sign = _i ? -1.0 : 1.0;
    const double sinks = g / (1.0 + J / (m * p * p));
    expect_even(one_joint("screw", (tn_vec3){0.0, 0.0, 1.0}, _i == 1), 3.0, -sign * sinks / p);
}
END_TEST

/* J: by which the energy of a tree on which nothing acts has changed after 0.1 s of such steps, s. */
static double energy_made(const tn_model *model, double h)
{
    tn_sim *sim = alpha_sim_to(model, TOLERANCE);
    set_going(sim);
    const tn_energy before = tn_sim_energy(sim);
    for (int k = 0; k < (int)(0.1 / h + 0.5); k++)
        ck_assert_int_eq(tn_sim_step(sim, h, NULL), TN_OK);
    const tn_energy after = tn_sim_energy(sim);
    ck_assert(sim->reactions_balance);
    tn_sim_destroy(sim);
    return after.kinetic + after.potential - before.kinetic - before.potential;
}

START_TEST(test_energy)
{
    tn_model *model = make_tree(&attachments[0], &mixtures[1 + _i], ON_FIRST, (uint64_t)_i + 60);
    const double coarse = energy_made(model, STEP), fine = energy_made(model, 0.5 * STEP);
    ck_assert_msg(fabs(coarse) >= 3.5 * fabs(fine), "%s: %g J, then %g J", mixtures[1 + _i].name,
                  coarse, fine);
    tn_model_destroy(model);
}
END_TEST

/* What the program applies, the same in every step, and what it computes, which goes the general way. */
static void compute(void *context, tn_stage *stage)
{
    (void)context;
    tn_stage_add_wrench(stage, (tn_body){2}, (tn_wrench){{0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}});
}

/* On the third joint, or the next one that moves. */
static void apply(tn_sim *sim)
{
    const tn_wrench w = {{0.0, 3.0, 1.0}, {0.2, 0.0, 0.0}};
    ck_assert_int_eq(tn_sim_apply_wrench(sim, (tn_body){5}, w), TN_OK);
    tn_joint joint = {3};
    while (sim->model->joints[joint.i].geometry.cls->info.coordinate_count == 0 ||
           sim->model->joints[joint.i].geometry.cls->turns_about_point)
        joint.i++;
    ck_assert_int_eq(tn_sim_apply_effort(sim, joint, 0, 0.7), TN_OK);
}

START_TEST(test_applied)
{
    tn_model *model = make_tree(&attachments[0], &mixtures[_i], ON_ONE, 77);
    tn_sim *sim = alpha_sim_to(model, TOLERANCE), *general = alpha_sim_to(model, TOLERANCE);
    int in_angles = 0;
    forget_hinges(general);
    set_going(sim);
    set_going(general);
    for (int k = 0; k < STEPS; k++) {
        apply(sim);
        apply(general);
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(general, STEP, NULL), TN_OK);
        in_angles += sim->reactions_balance;
        expect_same(sim, general, SAME_FORCE);
    }
    ck_assert_int_gt(in_angles, STEPS / 2);
    ck_assert_int_eq(tn_sim_set_load_callback(sim, compute, NULL), TN_OK);
    for (int k = 0; k < 20; k++) {
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
        ck_assert(!sim->reactions_balance);
    }
    tn_sim_destroy(sim);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("hinge_acts");
    TCase *all = tcase_create("hinge_acts");
    tcase_set_timeout(all, 120.0);
    tcase_add_loop_test(all, test_beside_general, 0, ATTACHMENTS);
    tcase_add_loop_test(all, test_shared_start, 0, ATTACHMENTS);
    tcase_add_loop_test(all, test_mixed, 0, 3 * ATTACHMENTS);
    tcase_add_loop_test(all, test_range, 0, MIXTURES);
    tcase_add_loop_test(all, test_incline, 0, 2);
    tcase_add_loop_test(all, test_nut, 0, 2);
    tcase_add_loop_test(all, test_energy, 0, MIXTURES - 2); /* sliders alone make none */
    tcase_add_loop_test(all, test_applied, 0, MIXTURES);
    tcase_add_loop_test(all, test_order, 0, ATTACHMENTS / 3);
    suite_add_tcase(suite, all);
    return suite;
}
