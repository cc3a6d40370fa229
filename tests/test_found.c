/* test_found.c: what random sequences of calls (fuzz_sequences) have found, one case a kind. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_main.h"
#include "tenon/io.h"
#include "tenon/lint.h"
#include "tenon/record.h"
#include "tenon/tenon.h"

static const char text[] =
    "tenon: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
    "joints: {j: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0]}}\n"
    "loads: {gone: {body: a, force: [1, 0, 0]}, f: {body: a, force: [0, 0, 1]}}\n";

static tn_spec *spec;
static tn_model *model;
static tn_sim *sim;

static void make(void)
{
    ck_assert_int_eq(tn_spec_read_string(text, sizeof text - 1, "found", NULL, &spec), TN_OK);
    ck_assert_int_eq(tn_model_compile(spec, NULL, &model), TN_OK);
    ck_assert_int_eq(tn_sim_create(model, NULL, NULL, &sim), TN_OK);
}

static void unmake(void)
{
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
}

static void ignore(const char *condition, const char *file, int line)
{
    (void)condition;
    (void)file;
    (void)line;
}

/* The state got a drive that did nothing, and states saved before were refused. */
START_TEST(a_refused_drive_leaves_no_trace)
{
    const tn_joint j = {0};
    make();
    const size_t size = tn_sim_state_size(sim);
    unsigned char *before = malloc(size), *after = malloc(size);
    tn_spring_def spring = tn_default_spring_def();
    spring.stiffness = -1.0;
    tn_friction_def friction = tn_default_friction_def();
    friction.force = -1.0;
    tn_motor_def motor = tn_default_motor_def();
    motor.max_force = -1.0;
    const tn_function_def nothing = {.kind = TN_FUNCTION_TABLE};
    tn_sim_save(sim, before);
    ck_assert_int_eq(tn_sim_set_spring(sim, j, 0, &spring), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_friction(sim, j, 0, &friction), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_motor(sim, j, 0, &motor), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_motor_cap(sim, j, 0, 1.0), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_driver(sim, j, 0, &nothing), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_driver_motion(sim, j, 0, INFINITY, 0.0, 0.0), TN_ERROR_ARGUMENT);
    ck_assert_uint_eq(tn_sim_state_size(sim), size);
    tn_sim_save(sim, after);
    ck_assert_mem_eq(before, after, size);
    spring.stiffness = 1.0;
    ck_assert_int_eq(tn_sim_set_spring(sim, j, 0, &spring), TN_OK);
    ck_assert(tn_sim_has_drive(sim, j, 0));
    free(before);
    free(after);
    unmake();
}
END_TEST

/* Items of the description that the model has not were looked up in the model. */
START_TEST(findings_of_another_description_are_refused)
{
    make();
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_sim_lint(sim, spec, diags), TN_OK);
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "hinge";
    joint.a = (tn_body){0};
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    tn_diagnostics_clear(diags);
    ck_assert_int_eq(tn_sim_lint(sim, spec, diags), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_diagnostics_count(diags), 0);
    tn_diagnostics_destroy(diags);
    unmake();
}
END_TEST

/* What a measure's kind does not take may be anything in its definition, and is not written. */
START_TEST(keys_of_other_kinds_are_not_written)
{
    make();
    tn_measure_def measure = tn_default_measure_def(TN_QUANTITY_KINETIC);
    measure.load = (tn_load){77};
    measure.about = (tn_marker){5};
    measure.part = (tn_wrench_part)3;
    measure.on_b = 1000;
    ck_assert_int_eq(tn_spec_add_measure(spec, &measure, NULL), TN_OK);
    measure = tn_default_measure_def(TN_QUANTITY_WRENCH);
    measure.joint = (tn_joint){0};
    measure.on_b = 1000;
    ck_assert_int_eq(tn_spec_add_measure(spec, &measure, NULL), TN_OK);
    tn_load_def load = tn_default_load_def(TN_LOAD_GRAVITY);
    load.scale = 2.0;
    load.joint = (tn_joint){9};
    load.markers[0] = (tn_marker){9};
    load.axes = TN_AXES_BODY;
    ck_assert_int_eq(tn_spec_add_load(spec, &load, NULL), TN_OK);
    char *written = NULL;
    size_t length = 0;
    ck_assert_int_eq(tn_spec_write_string(spec, NULL, &written, &length), TN_OK);
    tn_spec *again = NULL;
    ck_assert_int_eq(tn_spec_read_string(written, length, "again", NULL, &again), TN_OK);
    ck_assert_int_eq(tn_spec_measure(again, (tn_measure_id){1})->on_b, 1);
    tn_spec_destroy(again);
    tn_text_free(written);
    unmake();
}
END_TEST

START_TEST(events_without_words_are_refused)
{
    make();
    tn_recorder *recorder = NULL;
    const tn_record_event event = {0.0, NULL, "j.theta", 0, 0.0};
    tn_set_assert_handler(ignore);
    ck_assert_int_eq(tn_recorder_create(sim, NULL, &recorder), TN_OK);
    ck_assert_int_eq(tn_recorder_add_hdf5(recorder, TN_TEST_OUTPUT "/found.h5", NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_write_events(recorder, NULL, 1, NULL), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_recorder_write_events(recorder, &event, 1, NULL), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_recorder_write_events(recorder, NULL, 0, NULL), TN_OK);
    tn_recorder_destroy(recorder);
    tn_set_assert_handler(NULL);
    unmake();
}
END_TEST

/* Columns of the model before were named by the new one. */
START_TEST(recorders_of_a_changed_simulation_have_no_names)
{
    char name[8] = "x";
    make();
    tn_recorder *recorder = NULL;
    ck_assert_int_eq(tn_recorder_create(sim, NULL, &recorder), TN_OK);
    ck_assert_int_eq(tn_spec_remove_joint(spec, (tn_joint){0}), TN_OK);
    ck_assert_int_eq(tn_sim_change(sim, spec, NULL), TN_OK);
    for (int32_t k = 0; k < tn_recorder_column_count(recorder); k++) {
        ck_assert_uint_eq(tn_recorder_column_name(recorder, k, name, sizeof name), 0);
        ck_assert_str_eq(name, "");
        ck_assert_str_eq(tn_recorder_column_unit(recorder, k), "");
    }
    ck_assert_int_eq(tn_recorder_add_csv(recorder, TN_TEST_OUTPUT "/found.csv", NULL),
                     TN_ERROR_ARGUMENT);
    tn_recorder_destroy(recorder);
    unmake();
}
END_TEST

/* Where the rest of the call is right: the name is known, the shape has a mass. */
START_TEST(nothing_is_written_through_null)
{
    tn_shape_def shape = tn_default_shape_def(TN_SHAPE_SPHERE);
    shape.radius = 1.0;
    tn_set_assert_handler(ignore);
    ck_assert_int_eq(tn_shape_mass_properties(&shape, 1.0, NULL, NULL), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_function_kind_find("sine", NULL), TN_ERROR_ARGUMENT);
    tn_set_assert_handler(NULL);
}
END_TEST

START_TEST(kinds_and_severities_that_there_are_not)
{
    tn_shape_def shape = tn_default_shape_def(TN_SHAPE_BOX);
    const tn_shape_parameter *size = tn_shape_kind_get(TN_SHAPE_BOX)->parameters;
    tn_diagnostics *diags = tn_diagnostics_create();
    FILE *stream = fopen("/dev/null", "w");
    tn_set_assert_handler(ignore);
    shape.kind = TN_SHAPE_KIND_COUNT;
    ck_assert_int_eq(tn_shape_check_parameter(&shape, size, (tn_location){0}, diags),
                     TN_ERROR_ARGUMENT);
    tn_diagnostics_add(diags, (tn_severity)3, TN_OK, (tn_location){0}, NULL, "%s", "x");
    ck_assert_int_eq(tn_diagnostics_get(diags, 0)->severity, TN_ERROR);
    tn_diagnostics_print(diags, stream, NULL, 0);
    fclose(stream);
    tn_diagnostics_destroy(diags);
    tn_set_assert_handler(NULL);
}
END_TEST

/* A velocity of the origin beyond TN_LARGEST_NUMBER, which only joints give, was refused when the body had moved. */
START_TEST(a_refused_pose_moves_nothing)
{
    make();
    const size_t size = tn_sim_state_size(sim);
    unsigned char *before = malloc(size), *after = malloc(size);
    tn_pose pose = tn_pose_identity();
    pose.p = (tn_vec3){20.0, 0.0, 0.0};
    ck_assert_int_eq(tn_sim_set_body_pose(sim, (tn_body){0}, pose), TN_OK);
    ck_assert_int_eq(tn_sim_set_coordinate_speed(sim, (tn_joint){0}, 0, 5e99), TN_OK);
    tn_sim_save(sim, before);
    pose.p.x = 1.0;
    ck_assert_int_eq(tn_sim_set_body_pose(sim, (tn_body){0}, pose), TN_ERROR_NOT_FINITE);
    tn_sim_save(sim, after);
    ck_assert_mem_eq(before, after, size);
    free(before);
    free(after);
    unmake();
}
END_TEST

static void save_within(void *block, tn_stage *stage)
{
    (void)stage;
    tn_sim_save(sim, block);
}

/* What a step had in its hands, which need not be made of numbers, was saved as a state and restored. */
START_TEST(there_is_no_state_within_a_step)
{
    make();
    void *block = calloc(1, tn_sim_state_size(sim));
    tn_sim_save(sim, block);
    ck_assert_int_eq(tn_sim_restore(sim, block), TN_OK);
    ck_assert_int_eq(tn_sim_set_load_callback(sim, save_within, block), TN_OK);
    ck_assert_int_eq(tn_sim_step(sim, 1e-3, NULL), TN_OK);
    ck_assert_int_eq(tn_sim_restore(sim, block), TN_ERROR_ARGUMENT);
    ck_assert_double_eq_tol(tn_sim_time(sim), 1e-3, 1e-15);
    tn_sim_save(sim, block);
    ck_assert_int_eq(tn_sim_restore(sim, block), TN_OK);
    free(block);
    unmake();
}
END_TEST

START_TEST(there_is_no_state_within_a_step_of_a_batch)
{
    make();
    tn_batch *batch = NULL;
    tn_sim *own = sim;
    const tn_model *models[] = {model};
    void *block = calloc(1, tn_sim_state_size(sim));
    ck_assert_int_eq(tn_batch_create(models, 1, 2, NULL, 1, NULL, &batch), TN_OK);
    sim = tn_batch_sim(batch, 0);
    tn_sim_save(sim, block);
    ck_assert_int_eq(tn_sim_set_load_callback(sim, save_within, block), TN_OK);
    ck_assert_int_eq(tn_batch_step(batch, 1e-3, 1, NULL, NULL), TN_OK);
    ck_assert_int_eq(tn_sim_restore(sim, block), TN_ERROR_ARGUMENT);
    tn_batch_destroy(batch);
    free(block);
    sim = own;
    unmake();
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("found");
    TCase *tests = tcase_create("by sequences of calls");
    tcase_add_test(tests, a_refused_drive_leaves_no_trace);
    tcase_add_test(tests, a_refused_pose_moves_nothing);
    tcase_add_test(tests, there_is_no_state_within_a_step);
    tcase_add_test(tests, there_is_no_state_within_a_step_of_a_batch);
    tcase_add_test(tests, findings_of_another_description_are_refused);
    tcase_add_test(tests, keys_of_other_kinds_are_not_written);
    tcase_add_test(tests, events_without_words_are_refused);
    tcase_add_test(tests, recorders_of_a_changed_simulation_have_no_names);
    tcase_add_test(tests, nothing_is_written_through_null);
    tcase_add_test(tests, kinds_and_severities_that_there_are_not);
    suite_add_tcase(suite, tests);
    return suite;
}
