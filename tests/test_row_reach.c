/* test_row_reach.c: one number for all constraint rows of a joint, or for all of a kind, reaches each of them
 * as a list does, in every type of the registry; lists between planar bodies are for the rows of the plane.
 * What gives way is held against m g / k, and a weld on a rotary spring against its oscillator.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/mechanism.h"
#include "support/run_main.h"
#include "tenon/io.h"

static const double g = 9.81; /* m/s^2 */

/* What types with data cannot do without. */
static const char *data_of(const tn_joint_type_info *info)
{
    switch (info->data) {
    case TN_JOINT_DATA_POINTS:
        return "points: [[-1, 0], [0, -0.2], [1, 0]], ";
    case TN_JOINT_DATA_AXES:
        return "coordinates: {u: angle, v: length}, axes: [{rotation: [0, 0, 1], coordinate: u}, "
               "{translation: [1, 0, 0], coordinate: v}], ";
    default:
        return "";
    }
}

static mechanism joint_with(const tn_joint_type_info *info, const char *settings)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "tenon: 1\nbodies: {a: {mass: 2, inertia: [0.1, 0.2, 0.3]}}\n"
        "joints: {j: {type: %s, a: a, %sframe_c: {position: [0.1, 0.2, 0.3]}, frame_d: {}, %s}}\n",
        info->name, data_of(info), settings);
    mechanism m = mechanism_read(text);
    ck_assert_msg(tn_model_compile(m.spec, NULL, &m.model) == TN_OK, "%s", text);
    return m;
}

/* Those that hold it: its constraints, or all coordinates of a type that has no constraints. */
static bool holds(const tn_joint_type_info *info, int32_t row)
{
    bool constraints = false;
    for (int32_t k = 0; k < info->row_count; k++)
        constraints |= (info->rows[k].flags & TN_ROW_BILATERAL) != 0;
    return constraints ? (info->rows[row].flags & TN_ROW_BILATERAL) != 0
                       : info->rows[row].coordinate >= 0;
}

static bool has_rows(const tn_joint_type_info *info, uint32_t kind)
{
    bool any = false;
    for (int32_t k = 0; k < info->row_count; k++)
        any |= holds(info, k) && (info->rows[k].flags & kind) != 0;
    return any;
}

/* "key: [v, null, v]": the value for each row of a kind that holds the joint. */
static const char *list_of(const tn_joint_type_info *info, const char *key, const char *value,
                           uint32_t kind, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s: [", key);
    for (int32_t k = 0; k < info->row_count; k++) {
        const bool here = holds(info, k) && (info->rows[k].flags & kind) != 0;
        used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "",
                                 here ? value : "null");
    }
    snprintf(text + used, size - used, "]");
    return text;
}

/* The two texts give all rows the same numbers, and some of them any. */
static void expect_same(const tn_joint_type_info *info, const char *one, const char *other)
{
    double C[2][TN_MAX_ROWS], D[2][TN_MAX_ROWS], sum = 0.0;
    const char *const texts[] = {one, other};
    for (int i = 0; i < 2; i++) {
        mechanism m = joint_with(info, texts[i]);
        ck_assert_int_eq(tn_model_joint_info(m.model, (tn_joint){0})->row_count, info->row_count);
        tn_model_joint_compliance(m.model, (tn_joint){0}, C[i], D[i]);
        mechanism_free(&m);
    }
    for (int32_t k = 0; k < info->row_count; k++) {
        sum += C[0][k] + D[0][k];
        ck_assert_msg(fabs(C[0][k] - C[1][k]) <= 1e-15 * C[1][k] &&
                          fabs(D[0][k] - D[1][k]) <= 1e-15 * D[1][k],
                      "%s, row %s: %s gives %g, %g; %s gives %g, %g", info->name,
                      info->rows[k].name, one, C[0][k], D[0][k], other, C[1][k], D[1][k]);
    }
    ck_assert_msg(sum > 0.0, "%s: %s is without effect", info->name, one);
}

static const tn_joint_type_info *info_of(int type, tn_joint_own_info *own)
{
    const tn_joint_type_info *info = tn_joint_type_get((tn_joint_type){type});
    static const tn_coordinate_info names[] = {{"u", 1}, {"v", 0}};
    static const tn_joint_axis axes[] = {{.angular = 1, .axis = {0, 0, 1}, .coordinate = 0},
                                         {.axis = {1, 0, 0}, .coordinate = 1}};
    static const tn_joint_data data = {
        .coordinates = names, .coordinate_count = 2, .axes = axes, .axis_count = 2};
    return info->data == TN_JOINT_DATA_AXES ? tn_joint_info((tn_joint_type){type}, &data, own)
                                            : info;
}

START_TEST(one_number_is_the_list)
{
    static const char *const keys[][2] = {
        {"compliance", "0.002"}, {"stiffness", "500"}, {"frequency", "3"}};
    tn_joint_own_info own;
    char one[64], list[160];
    for (int32_t t = 0; t < tn_joint_type_count(); t++) {
        const tn_joint_type_info *info = info_of(t, &own);
        for (size_t k = 0; k < 3 && has_rows(info, TN_ROW_LINEAR | TN_ROW_ROTARY); k++) {
            snprintf(one, sizeof one, "%s: %s", keys[k][0], keys[k][1]);
            expect_same(info, one,
                        list_of(info, keys[k][0], keys[k][1], TN_ROW_LINEAR | TN_ROW_ROTARY, list,
                                sizeof list));
        }
    }
}
END_TEST

START_TEST(one_damping_is_the_list)
{
    static const char *const keys[][2] = {{"damping", "7"}, {"damping_ratio", "0.4"}};
    tn_joint_own_info own;
    char one[64], list[160], other[200];
    for (int32_t t = 0; t < tn_joint_type_count(); t++) {
        const tn_joint_type_info *info = info_of(t, &own);
        for (size_t k = 0; k < 2 && has_rows(info, TN_ROW_LINEAR | TN_ROW_ROTARY); k++) {
            snprintf(one, sizeof one, "compliance: 0.002, %s: %s", keys[k][0], keys[k][1]);
            list_of(info, keys[k][0], keys[k][1], TN_ROW_LINEAR | TN_ROW_ROTARY, list, sizeof list);
            snprintf(other, sizeof other, "compliance: 0.002, %s", list);
            expect_same(info, one, other);
        }
    }
}
END_TEST

/* linear_ and rotary_ are critically damped, which is damping_ratio 1. */
START_TEST(one_number_of_a_kind_is_the_list)
{
    static const char *const keys[][3] = {
        {"linear_compliance", "compliance", "0.002"}, {"linear_stiffness", "stiffness", "500"},
        {"linear_frequency", "frequency", "3"},       {"rotary_compliance", "compliance", "0.002"},
        {"rotary_stiffness", "stiffness", "500"},     {"rotary_frequency", "frequency", "3"}};
    tn_joint_own_info own;
    char one[64], list[160], ratios[160], other[330];
    for (int32_t t = 0; t < tn_joint_type_count(); t++) {
        const tn_joint_type_info *info = info_of(t, &own);
        for (size_t k = 0; k < 6; k++) {
            const uint32_t kind = k < 3 ? TN_ROW_LINEAR : TN_ROW_ROTARY;
            if (!has_rows(info, kind))
                continue;
            snprintf(one, sizeof one, "%s: %s", keys[k][0], keys[k][2]);
            list_of(info, keys[k][1], keys[k][2], kind, list, sizeof list);
            list_of(info, "damping_ratio", "1", kind, ratios, sizeof ratios);
            snprintf(other, sizeof other, "%s, %s", list, ratios);
            expect_same(info, one, other);
        }
    }
}
END_TEST

/* While it runs, too, and beside a drive that has the coordinate. */
START_TEST(setters_reach_the_same_rows)
{
    static const char *const scenes[] = {"type: rod",
                                         "type: rod, spring: {length: {stiffness: 1}}"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "tenon: 1\nbodies: {a: {mass: 2, inertia: [1, 1, 1], position: [0, 0, "
                 "-1]}}\njoints: {j: "
                 "{%s, a: a, frame_c: {position: [0, 0, -1]}, frame_d: {}}}\n",
                 scenes[i]);
        mechanism m = mechanism_read(text);
        mechanism_start(&m, TN_AUTO);
        double C = 0.0, D = 0.0;
        int mixed = 1;
        ck_assert_int_eq(
            tn_sim_set_group_compliance(m.sim, (tn_joint){0}, TN_ROW_LINEAR, 1e-3, 1.0), TN_OK);
        ck_assert_int_eq(
            tn_sim_get_group_compliance(m.sim, (tn_joint){0}, TN_ROW_LINEAR, &C, &mixed), TN_OK);
        ck_assert(C == 1e-3 && mixed == 0);
        ck_assert_int_eq(tn_sim_get_compliance(m.sim, (tn_joint){0}, 0, &C, &D), TN_OK);
        ck_assert_double_eq(C, 1e-3);
        ck_assert_double_eq_tol(D, 2.0 * sqrt(2.0 / 1e-3), 1e-9);
        ck_assert_int_eq(
            tn_sim_get_group_compliance(m.sim, (tn_joint){0}, TN_ROW_ROTARY, &C, &mixed),
            TN_ERROR_NOT_FOUND);
        mechanism_free(&m);
    }
}
END_TEST

/* Each carries 20 kg along z on 1000 N/m, damped, and ends m g / k from where it was drawn. */
START_TEST(what_carries_sags)
{
    static const struct {
        const char *joint;
        double z, sag; /* m: of the body as drawn; downwards */
    } cases[] = {
        {"type: rod, frame_c: {position: [0, 0, 0.7]}, frame_d: {}, stiffness: 1000", 0.7, 1.0},
        {"type: rod, frame_c: {position: [0, 0, 0.7]}, frame_d: {}, compliance: 1e-3", 0.7, 1.0},
        {"type: rod, frame_c: {position: [0, 0, 0.7]}, frame_d: {}, linear_stiffness: 1000", 0.7,
         1.0},
        {"type: rope, frame_c: {position: [0, 0, -0.7]}, frame_d: {}, stiffness: 1000", -0.7, 1.0},
        {"type: distance, locked: [length], frame_c: {position: [0, 0, 0.7]}, frame_d: {}, "
         "stiffness: 1000",
         0.7, 1.0},
        {"type: distance, range: {length: [0.1, 0.7]}, frame_c: {position: [0, 0, -0.7]}, frame_d: "
         "{}, "
         "compliance: 1e-3",
         -0.7, 1.0},
        {"type: block_distance, frame_c: {position: [0, 0, 0.7]}, frame_d: {}, stiffness: 1000",
         0.7, 1.0},
        {"type: half_space, origin: [0, 0, 0], axis: [0, 0, 1], compliance: 1e-3", 0.0, 1.0},
        {"type: segmented_half_space, points: [[-1, 0], [1, 0]], frame_c: {}, frame_d: {}, "
         "compliance: 1e-3",
         0.0, 1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "tenon: 1\nbodies: {top: {mass: 20, inertia: [1, 1, 2], position: [0, 0, "
            "%g]}}\njoints: {j: "
            "{a: top, %s},\n guide: {type: slider, a: top, origin: [0, 0, 0], axis: [0, 0, 1], "
            "friction: {z: {viscous: 200}}}}\n",
            cases[i].z, cases[i].joint);
        mechanism m = mechanism_read(text);
        mechanism_start(&m, TN_AUTO);
        for (int n = 0; n < 80; n++)
            ck_assert_int_eq(tn_sim_step(m.sim, 0.1, NULL), TN_OK);
        const double sag = cases[i].z - tn_sim_body_pose(m.sim, (tn_body){0}).p.z;
        ck_assert_msg(fabs(sag - cases[i].sag * 20.0 * g / 1000.0) < 1e-6, "%s: %g m",
                      cases[i].joint, sag);
        mechanism_free(&m);
    }
}
END_TEST

/* ---- the plane ---------------------------------------------------------------------------------- */

static mechanism in_plane(const char *joint)
{
    char text[512];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies: {b: {mass: 1.5, inertia: 0.045, "
             "position: [0.3, 0], velocity: {linear: [0, 0.015], angular: 0.05}}}\n"
             "joints: {w: {a: b, %s}}\n",
             joint);
    return mechanism_read(text);
}

/* On the rows of the plane, in their order: constraints, then motions. */
START_TEST(lists_are_for_the_rows_of_the_plane)
{
    static const struct {
        const char *joint;
        double expected[TN_MAX_ROWS];
    } cases[] = {
        {"type: solid, origin: [0, 0], compliance: [1, 2, 3]", {1, 2, 0, 0, 0, 3}},
        {"type: solid, origin: [0, 0], stiffness: [null, null, 0.5]", {0, 0, 0, 0, 0, 2}},
        {"type: solid, origin: [0, 0], compliance: [1, 2, null, null, null, 3]",
         {1, 2, 0, 0, 0, 3}},
        {"type: solid, origin: [0, 0], compliance: [1]", {1, 0, 0, 0, 0, 0}},
        {"type: hinge, origin: [0, 0], compliance: [1, 2]", {1, 2, 0, 0, 0, 0}},
        {"type: hinge, origin: [0, 0], compliance: [1, 2, 3]", {1, 2, 0, 0, 0, 3}},
        {"type: rotation_lock, origin: [0, 0], compliance: [4]", {0, 0, 4, 0, 0, 0}},
        /* its frame D: z along the slide, y of it out of the plane's x and y, x across */
        {"type: slider, origin: [0, 0], axis: [1, 0], compliance: [1, 2]", {1, 0, 0, 2, 0, 0}},
        {"type: slider, origin: [0, 0], axis: [1, 0], compliance: [null, null, 3]",
         {0, 0, 0, 0, 0, 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mechanism m = in_plane(cases[i].joint);
        ck_assert_int_eq(tn_model_compile(m.spec, NULL, &m.model), TN_OK);
        double C[TN_MAX_ROWS], D[TN_MAX_ROWS];
        tn_model_joint_compliance(m.model, (tn_joint){0}, C, D);
        for (int k = 0; k < TN_MAX_ROWS; k++)
            ck_assert_msg(C[k] == cases[i].expected[k], "%s: row %d has %g", cases[i].joint, k,
                          C[k]);
        mechanism_free(&m);
    }
}
END_TEST

/* The same once more of what the writer makes of it. */
START_TEST(lists_of_the_plane_are_written)
{
    static const char *const joints[] = {
        "type: solid, origin: [0, 0], compliance: [null, null, 3]",
        "type: solid, origin: [0, 0], compliance: [null, 2, null, null, null, null]",
        "type: solid, origin: [0, 0], compliance: 2, damping: [1, 2, 3]",
        "type: slider, origin: [0, 0], axis: [1, 0], frequency: [null, 2]"};
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
        mechanism m = in_plane(joints[i]), back = {NULL, NULL, NULL};
        char *text = NULL;
        ck_assert_int_eq(tn_spec_write_string(m.spec, NULL, &text, NULL), TN_OK);
        back = mechanism_read(text);
        double C[2][TN_MAX_ROWS], D[2][TN_MAX_ROWS];
        ck_assert_int_eq(tn_model_compile(m.spec, NULL, &m.model), TN_OK);
        ck_assert_int_eq(tn_model_compile(back.spec, NULL, &back.model), TN_OK);
        tn_model_joint_compliance(m.model, (tn_joint){0}, C[0], D[0]);
        tn_model_joint_compliance(back.model, (tn_joint){0}, C[1], D[1]);
        ck_assert_msg(memcmp(C[0], C[1], sizeof C[0]) == 0 && memcmp(D[0], D[1], sizeof D[0]) == 0,
                      "%s", text);
        tn_text_free(text);
        mechanism_free(&m);
        mechanism_free(&back);
    }
}
END_TEST

START_TEST(rows_that_are_not_there_are_refused)
{
    static const struct {
        const char *joint;
        int32_t column;
        const char *message;
    } cases[] = {
        {"type: solid, origin: [0, 0], stiffness: [1, 1, 1, 1, 1, 1]", 67,
         "joint 'w': between planar bodies it has no row fz for 'stiffness'"},
        {"type: hinge, origin: [0, 0], damping: [null, null, null, 2]", 77,
         "joint 'w': between planar bodies it has no row mx for 'damping'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mechanism m = in_plane(cases[i].joint);
        tn_diagnostics *diags = tn_diagnostics_create();
        ck_assert_int_eq(tn_model_compile(m.spec, diags, &m.model), TN_ERROR_INPUT);
        const tn_diagnostic *first = tn_diagnostics_get(diags, 0);
        ck_assert_str_eq(first->message, cases[i].message);
        ck_assert_int_eq(first->at.line, 5);
        ck_assert_msg(first->at.column == cases[i].column, "%d", (int)first->at.column);
        tn_diagnostics_destroy(diags);
        mechanism_free(&m);
    }
}
END_TEST

/* theta = w0 sin(w t) / w, w = sqrt(k / J), J about the weld, whose forces are hard. */
START_TEST(weld_on_a_rotary_spring_swings)
{
    mechanism m =
        in_plane("type: solid, origin: [0, 0], stiffness: [null, null, 40], damping: [null, "
                 "null, 0]");
    mechanism_start(&m, TN_AUTO);
    const double w = sqrt(40.0 / (0.045 + 1.5 * 0.3 * 0.3));
    for (int n = 1; n <= 10; n++) {
        ck_assert_int_eq(tn_sim_step(m.sim, 0.1, NULL), TN_OK);
        const tn_quat q = tn_sim_body_pose(m.sim, (tn_body){0}).q;
        ck_assert_double_eq_tol(2.0 * asin(q.z), 0.05 * sin(0.1 * w * n) / w, 1e-6);
    }
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("reach of compliance");
    TCase *tc = tcase_create("rows");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, one_number_is_the_list);
    tcase_add_test(tc, one_damping_is_the_list);
    tcase_add_test(tc, one_number_of_a_kind_is_the_list);
    tcase_add_test(tc, setters_reach_the_same_rows);
    tcase_add_test(tc, what_carries_sags);
    tcase_add_test(tc, lists_are_for_the_rows_of_the_plane);
    tcase_add_test(tc, lists_of_the_plane_are_written);
    tcase_add_test(tc, rows_that_are_not_there_are_refused);
    tcase_add_test(tc, weld_on_a_rotary_spring_swings);
    suite_add_tcase(suite, tc);
    return suite;
}
