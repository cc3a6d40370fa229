/* test_joint_stages.c: stages in joint coordinates (method/evaluate/evaluate.h): accelerations and multipliers of what is held, against
 * the general solution at the same state, for joints of all types that are served, with everything that acts along coordinates, on
 * bodies, or holds; whole runs beside the same without such stages; bodies that turn several times in a sub-step.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attachments.h"
#include "method/evaluate/evaluate.h"
#include "method/stages/rkmk.h"
#include "motion/closing/project.h"
#include "motion/kinematics.h"
#include "random_numbers.h"
#include "run_main.h"
#include "tenon/tenon.h"

enum { BODIES = 12, STEPS = 6, ROOM = 6 * BODIES, ROWS = BODIES * TN_MAX_ROWS };

#define STEP 0.02 /* s */

static const char *const types[] = {"hinge",
                                    "slider",
                                    "screw",
                                    "universal",
                                    "cylindrical",
                                    "gimbal",
                                    "spherical",
                                    "planar",
                                    "solid",
                                    "skewed_universal",
                                    "slotted_hinge",
                                    "hinge",
                                    "planar_translation"};
enum { TYPES = sizeof types / sizeof *types };

/* Joints that have no coordinates, or more than turn in one order. */
static bool has_columns(const char *type)
{
    return strcmp(type, "solid") != 0 && strcmp(type, "spherical") != 0 &&
           strcmp(type, "gimbal") != 0;
}

static void add_link(tn_spec *spec, int32_t k, const char *type, const attachment *what,
                     uint64_t *r)
{
    tn_load_def load = tn_default_load_def(TN_LOAD_KIND_COUNT);
    const bool there = type && has_columns(type);
    const tn_body added = attach_body(spec, k, there ? what : NULL, &load, r);
    tn_joint_def joint;
    if (!hang_at_random(&joint, k, type, false, r))
        return;
    joint.axis = random_axis(r);
    load.joint = attach_joint(spec, &joint, there ? what : NULL);
    if (there)
        attach_load(spec, &load, added);
}

/* Every third floats. */
static tn_model *make_tree(const attachment *what, int seed)
{
    uint64_t r = 17 + (uint64_t)seed;
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < BODIES; k++)
        add_link(spec, k, k == 0 && seed % 3 == 0 ? NULL : types[(k + seed) % TYPES], what, &r);
    return compiled(spec);
}

static tn_sim *accurate(const tn_model *model, double accuracy)
{
    tn_sim *sim = NULL;
    tn_sim_options options = tn_default_sim_options(model);
    options.integrator = TN_AUTO;
    options.accuracy = accuracy;
    ck_assert_int_eq(tn_sim_create(model, &options, NULL, &sim), TN_OK);
    return sim;
}

static double furthest(const double *a, const double *b, int64_t count)
{
    double most = 0.0, size = 1.0;
    for (int64_t k = 0; k < count; k++) {
        most = fmax(most, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return most / size;
}

/* The state a little later, by the rates where it began. */
static void place_stage(tn_sim *sim, tn_joint_stages *w)
{
    static const double weight[] = {1.0};
    double dq[ROOM];
    const tn_stage_sum sum = {weight, 1, 1e-3, 1.0};
    tn_state_copy(&sim->mark, &sim->state);
    ck_assert(tn_joint_stages_begin(w, sim));
    tn_joint_stages_place(w, sim, &sum, dq);
    tn_refresh_kinematics(sim);
    tn_update_coordinates(sim, sum.h);
}

/* Multipliers of rows along coordinates, of others 0: constraints' are not computed in stages. */
static void get_multipliers(const tn_sim *sim, double *to)
{
    for (int32_t n = 0; n < sim->model->joint_count * TN_MAX_ROWS; n++) {
        const int32_t j = n / TN_MAX_ROWS, row = n % TN_MAX_ROWS;
        const bool along = row >= sim->model->joints[j].geometry.cls->info.bilateral_count;
        to[n] = along ? sim->state.lambda[n] : 0.0;
    }
}

/* m, rad: by how much constraints are off; what holds coordinates may have moved on. */
static double open_by(tn_sim *sim)
{
    tn_step_report report = tn_empty_report();
    double most = 0.0;
    tn_measure_position(sim, &report);
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
        const double *phi = sim->sys.phi + sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < rows.count; n++) {
            if (rows.row[n] < sim->model->joints[j].geometry.cls->info.bilateral_count)
                most = fmax(most, fabs(phi[n]));
        }
    }
    return most;
}

static void expect_general_solution(tn_sim *sim, const char *what)
{
    static double own[ROOM], sdot[ROOM], lambda[ROWS], general[ROWS];
    tn_joint_stages *w = tn_rkmk_of(sim)->joints;
    tn_step_report report = tn_empty_report();
    const int64_t n = sim->model->size.velocities;
    place_stage(sim, w);
    ck_assert_double_le(open_by(sim), 1e-11);
    ck_assert(tn_joint_stages_solve(w, sim, 1, &report));
    memcpy(own, sim->state.udot, sizeof *own * (size_t)n);
    memcpy(sdot, w->sdots + w->size, sizeof *sdot * (size_t)w->size);
    get_multipliers(sim, lambda);
    ck_assert_int_eq(tn_solve_acceleration(sim, &report), TN_OK);
    get_multipliers(sim, general);
    tn_joint_stages_read(w, sim, 2);
    const double udot = furthest(own, sim->state.udot, n),
                 multipliers = furthest(lambda, general, sim->model->joint_count * TN_MAX_ROWS),
                 read = furthest(w->sdots + 2 * w->size, sdot, w->size);
    ck_assert_msg(udot < 1e-9 && multipliers < 1e-9 && read < 1e-9,
                  "%s: accelerations %.1e, multipliers %.1e, of coordinates %.1e apart", what, udot,
                  multipliers, read);
    tn_state_copy(&sim->state, &sim->mark);
    tn_refresh_kinematics(sim);
}

START_TEST(accelerations_are_those_of_the_general_solution)
{
    const attachment *what = &attachments[_i % ATTACHMENTS];
    tn_model *model = make_tree(what, _i);
    tn_sim *sim = accurate(model, 1e-6);
    ck_assert_ptr_nonnull(tn_rkmk_of(sim)->joints);
    for (int k = 0; k < STEPS; k++) {
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
        expect_general_solution(sim, what->name);
    }
    destroy_with_model(sim);
}
END_TEST

/* Beside a run whose stages are in the velocities of the bodies, to what is asked of both. */
START_TEST(runs_are_those_of_other_stages)
{
    const attachment *what = &attachments[_i % ATTACHMENTS];
    tn_model *model = make_tree(what, _i);
    tn_sim *sim = accurate(model, 1e-9), *other = accurate(model, 1e-9);
    tn_joint_stages_destroy(tn_rkmk_of(other)->joints);
    tn_rkmk_of(other)->joints = NULL;
    for (int k = 0; k < STEPS; k++) {
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(other, STEP, NULL), TN_OK);
    }
    const double places = furthest(&sim->state.x->x, &other->state.x->x, 3 * (int64_t)BODIES),
                 work = fabs(sim->state.head->work - other->state.head->work) /
                        fmax(1.0, fabs(other->state.head->work));
    ck_assert_msg(places < 1e-7 && work < 1e-7, "%s: %.1e, work %.1e apart", what->name, places,
                  work);
    tn_sim_destroy(other);
    destroy_with_model(sim);
}
END_TEST

/* A ball that floats at constant speeds: in one sub-step as far as it is asked to go. */
START_TEST(many_turns_in_a_sub_step)
{
    tn_spec *spec = tn_spec_create();
    tn_body_def body = tn_default_body_def();
    body.inertia = (tn_mat3){{{0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, 0.1}}};
    body.mass = 1.0;
    tn_world_def world = tn_default_world_def();
    world.gravity = (tn_vec3){0.0, 0.0, 0.0};
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_OK);
    ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
    tn_model *model = compiled(spec);
    tn_sim *sim = accurate(model, 1e-3);
    const tn_twist spin = {{0.0, 0.0, 0.0}, {0.0, 0.0, 40.0}};
    ck_assert_int_eq(tn_sim_set_body_velocity(sim, (tn_body){0}, spin), TN_OK);
    for (int k = 0; k < 10; k++)
        ck_assert_int_eq(tn_sim_step(sim, 0.3, NULL), TN_OK);
    ck_assert_double_le(fabs(fabs(sim->state.q[0].w) - fabs(cos(0.5 * 40.0 * 3.0))), 1e-10);
    destroy_with_model(sim);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("joint stages");
    TCase *tests = tcase_create("trees");
    tcase_add_loop_test(tests, accelerations_are_those_of_the_general_solution, 0, 2 * ATTACHMENTS);
    tcase_add_loop_test(tests, runs_are_those_of_other_stages, 0, ATTACHMENTS);
    tcase_add_test(tests, many_turns_in_a_sub_step);
    tcase_set_timeout(tests, 120.0);
    suite_add_tcase(suite, tests);
    return suite;
}
