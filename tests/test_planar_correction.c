/* test_planar_correction.c: the position pass of sequential impulses, against the planar engine's.
 *
 * Cases proj.position.* of tests/data/planar_cases.json: two bodies joined where they are, one then
 * moved and turned, and the joint closed by one and by two Gauss-Newton passes dq = -M^-1 J^T K^-1
 * C. What the first leads to are the case's independent answers. In its second pass that engine is
 * wrong about the distance (it turns bodies about where they were), which has one pass here, and
 * about the revolute (k10 of its K is still the first pass's, which gives its digits): for that the
 * numbers here are those of the right K.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/mechanism.h"
#include "support/run_main.h"

/* x, y of the centre of mass in m, angle in rad. */
typedef struct place {
    double x, y, angle;
} place;

typedef struct correction_case {
    const char *name, *joint;
    double turn; /* rad: what b is turned by; it is moved by (0.03, -0.02) m */
    place a[2], b[2];
    int passes;
} correction_case;

static const correction_case cases[] = {
    {"revolute",
     "type: hinge, origin: [0.7, 0.1]",
     0.0,
     {{0.014758312667973745, -0.0010536087560535361, 0.2911465704158608},
      {0.01482822088965742, -0.0010349896237884855, 0.2911725386610834}},
     {{1.5201611248880176, 0.38070240583736903, -0.21505823087209988},
      {1.5201145194068952, 0.38068999308252566, -0.2150729458436444}},
     2},
    {"weld",
     "type: solid, origin: [0.7, 0.1]",
     0.05,
     {{0.016330179923243246, -0.008606835775748483, 0.29591419273508257},
      {0.017044838474427792, -0.008389090077494525, 0.29599001036172345}},
     {{1.5191132133845044, 0.38573789051716567, -0.20408580726491737},
      {1.5186367743503817, 0.38559272671832967, -0.20400998963827685}},
     2},
    {"prismatic",
     "type: slider, origin: [0.7, 0.1], axis: [0.8660254037844387, 0.49999999999999994]",
     0.05,
     {{0.006952533855074519, -0.012042141878331783, 0.29405593343537373},
      {0.006964471076749035, -0.012063104531217712, 0.2939949239685566}},
     {{1.5253649774299503, 0.38802809458555454, -0.20594406656462622},
      {1.5253570192821675, 0.3880420696874785, -0.20600507603144327}},
     2},
    {"distance",
     "type: rod, frame_c: {position: [1.1, -0.2]}, frame_d: {position: [0.2, 0.3]}",
     0.0,
     {{0.00857088512790449, -0.004792322867215414, 0.28588107955274245}, {0.0, 0.0, 0.0}},
     {{1.524286076581397, 0.38319488191147694, -0.22016988635322532}, {0.0, 0.0, 0.0}},
     1},
};

/* The joint is b - a: its A is the case's b. */
static mechanism joined(const char *joint)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies:\n"
        "  a: {position: [0, 0], angle: 0.30000000000000016, mass: 2, inertia: 0.5}\n"
        "  b: {position: [1.5, 0.4], angle: -0.2, mass: 3, inertia: 0.7}\n"
        "joints:\n  J: {a: b, b: a, %s}\n"
        "simulation: {integrator: backward_euler, solver: sequential_impulses, iterations: 1}\n",
        joint);
    mechanism m = mechanism_read(text);
    ck_assert_int_eq(tn_model_compile(m.spec, NULL, &m.model), TN_OK);
    ck_assert_int_eq(tn_sim_create(m.model, NULL, NULL, &m.sim), TN_OK);
    return m;
}

static place place_of(const mechanism *m, int32_t body)
{
    const tn_pose pose = tn_sim_body_pose(m->sim, (tn_body){body});
    return (place){pose.p.x, pose.p.y, 2.0 * atan2(pose.q.z, pose.q.w)};
}

static void check_place(place is, place wanted)
{
    ck_assert_double_eq_tol(is.x, wanted.x, 1e-12);
    ck_assert_double_eq_tol(is.y, wanted.y, 1e-12);
    ck_assert_double_eq_tol(is.angle, wanted.angle, 1e-12);
}

START_TEST(passes_are_gauss_newton_steps)
{
    const correction_case *c = &cases[_i];
    mechanism m = joined(c->joint);
    const double angle = -0.2 + c->turn;
    const tn_pose off = {{1.53, 0.38, 0.0}, {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)}};
    ck_assert_int_eq(tn_sim_set_body_pose(m.sim, (tn_body){1}, off), TN_OK);
    for (int k = 0; k < c->passes; k++) {
        ck_assert_int_eq(tn_sim_step(m.sim, 1.0 / 60.0, NULL), TN_OK);
        check_place(place_of(&m, 0), c->a[k]);
        check_place(place_of(&m, 1), c->b[k]);
    }
    mechanism_free(&m);
}
END_TEST

/* The centre of mass of both stays where it was, and errors go down quadratically. */
START_TEST(passes_keep_the_centre_of_mass)
{
    const correction_case *c = &cases[_i];
    mechanism m = joined(c->joint);
    const tn_pose off = {{1.53, 0.38, 0.0}, {cos(0.1), 0.0, 0.0, -sin(0.1)}};
    ck_assert_int_eq(tn_sim_set_body_pose(m.sim, (tn_body){1}, off), TN_OK);
    double error = 0.05;
    for (int k = 0; k < 4; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m.sim, 1.0 / 60.0, &report), TN_OK);
        ck_assert_double_le(report.position_error, fmax(2.0 * error * error, 1e-14));
        error = report.position_error;
        ck_assert_double_eq_tol(2.0 * place_of(&m, 0).x + 3.0 * place_of(&m, 1).x, 3.0 * 1.53,
                                1e-14);
        ck_assert_double_eq_tol(2.0 * place_of(&m, 0).y + 3.0 * place_of(&m, 1).y, 3.0 * 0.38,
                                1e-14);
    }
    ck_assert_double_le(error, 1e-12);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    const int count = (int)(sizeof cases / sizeof *cases);
    Suite *suite = suite_create("planar correction");
    TCase *passes = tcase_create("passes");
    tcase_add_loop_test(passes, passes_are_gauss_newton_steps, 0, count);
    tcase_add_loop_test(passes, passes_keep_the_centre_of_mass, 0, count);
    suite_add_tcase(suite, passes);
    return suite;
}
