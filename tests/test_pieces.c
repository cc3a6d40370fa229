/* test_pieces.c: motions that are smooth only piece by piece, or only if nothing else turns them:
 * points that slide over the corners of a line, and soft lines in line with a joint.
 *
 * Times are those of energy: t = integral of ds / v(s), v from the height or the spring's length.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/mechanism.h"
#include "support/quadrature.h"
#include "support/run_main.h"

static mechanism start_accurate(const char *text, tn_integrator integrator, double accuracy)
{
    mechanism m = mechanism_read(text);
    tn_sim_options options = mechanism_compile(&m, 0);
    options.integrator = integrator;
    options.accuracy = accuracy;
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &m.sim), TN_OK);
    return m;
}

/* ---- a bead in a valley: down a slope of 1 : 2, over a rounded corner, along the level, and up ---- */

#define GRAVITY 9.81
#define REACH   0.2 /* m: of the corners' arcs, from the corner */

static const char valley[] =
    "tenon: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  bead: {position: [-0.8, 0, 0.4], mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "joints:\n"
    "  way:\n"
    "    type: segmented_plane\n"
    "    a: bead\n"
    "    frame_c: {position: [-0.8, 0, 0.4]}\n"
    "    frame_d: {position: [0, 0, 0]}\n"
    "    points: [[-1, 0.5], [0, 0], [1, 0], [2, 0.5]]\n";

/* Pieces of half the valley: how far a slope goes, the arc's length and radius. */
typedef struct shape {
    double slope, arc, radius, angle;
} shape;

static shape shape_of_valley(void)
{
    const double angle = atan(0.5), radius = REACH / tan(0.5 * angle);
    return (shape){sqrt(1.25) - REACH, radius * angle, radius, angle};
}

/* Above the level, at the arc length s from the first point. */
static double height(double s)
{
    const shape v = shape_of_valley();
    const double length = 2.0 * (v.slope + v.arc) + 1.0 - 2.0 * REACH;
    const double side = fmin(s, length - s); /* the valley is the same from both ends */
    if (side < v.slope)
        return (sqrt(1.25) - side) * sin(v.angle);
    if (side < v.slope + v.arc)
        return v.radius * (1.0 - cos(v.angle - (side - v.slope) / v.radius));
    return 0.0;
}

static double slowness(double s, const void *top)
{
    return 1.0 / sqrt(2.0 * GRAVITY * (*(const double *)top - height(s)));
}

/* From rest at `start` on the first slope to s, beyond it: piece by piece. */
static double time_to(double start, double s)
{
    const shape v = shape_of_valley();
    const double top = height(start), level = 1.0 - 2.0 * REACH;
    const double ends[] = {v.slope, v.slope + v.arc, v.slope + v.arc + level,
                           v.slope + 2.0 * v.arc + level, INFINITY};
    double t = sqrt(2.0 * (v.slope - start) / (GRAVITY * sin(v.angle)));
    for (int k = 0; k + 1 < 5 && ends[k] < s; k++)
        t += integral(slowness, &top, ends[k], fmin(s, ends[k + 1]));
    return t;
}

START_TEST(a_bead_keeps_its_time_over_corners)
{
    static const tn_integrator integrators[] = {TN_AUTO, TN_DORMAND_PRINCE};
    static const double start = 0.22360679774997896964; /* m: of (-0.8, 0.4) */
    double worst = 0.0;
    for (int i = 0; i < 2; i++) {
        for (double accuracy = 1e-4; accuracy > 1e-11; accuracy *= 1e-2) {
            mechanism m = start_accurate(valley, integrators[i], accuracy);
            for (double t = 0.7; t < 1.25; t += 0.05) {
                double s;
                ck_assert_int_eq(tn_sim_advance(m.sim, t, NULL), TN_OK);
                tn_sim_joint_coordinates(m.sim, (tn_joint){0}, &s);
                worst = fmax(worst, fabs(time_to(start, s) - t) / accuracy);
                ck_assert_double_eq_tol(time_to(start, s), t, accuracy);
            }
            mechanism_free(&m);
        }
    }
    printf("bead in a valley: late by %.2g of the accuracy\n", worst);
}
END_TEST

/* What is on the seam as a step begins has the acceleration of the piece it goes to: with steps that
 * end there it is the same motion. */
START_TEST(a_step_may_end_on_a_corner)
{
    const shape v = shape_of_valley();
    const double start = 0.22360679774997896964;
    const double seam = sqrt(2.0 * (v.slope - start) / (GRAVITY * sin(v.angle)));
    mechanism m = start_accurate(valley, TN_DORMAND_PRINCE, 1e-10);
    double s;
    ck_assert_int_eq(tn_sim_advance(m.sim, seam, NULL), TN_OK);
    tn_sim_joint_coordinates(m.sim, (tn_joint){0}, &s);
    ck_assert_double_eq_tol(s, v.slope, 1e-10);
    ck_assert_int_eq(tn_sim_advance(m.sim, 1.0, NULL), TN_OK);
    tn_sim_joint_coordinates(m.sim, (tn_joint){0}, &s);
    ck_assert_double_eq_tol(time_to(start, s), 1.0, 1e-10);
    mechanism_free(&m);
}
END_TEST

/* ---- an arm on a ball joint, drawn through the dead point of a stiff line ---- */

static const char arm_and_line[] =
    "tenon: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  arm: {position: [0.02, 0, 0.07], mass: 1, inertia: [0.001, 0.001, 0.001]}\n"
    "joints:\n"
    "  ball: {type: spherical, a: arm, origin: [0, 0, 0]}\n"
    "  line:\n"
    "    type: distance\n"
    "    a: arm\n"
    "    frame_c: {position: [0.02, 0, 0.07]}\n"
    "    frame_d: {position: [0, 0, 0.02]}\n"
    "    spring: {length: {stiffness: 1.0e5, rest: 0.05}}\n";

#define STIFFNESS 1e5  /* N/m */
#define REST      0.05 /* m */
#define FOOT      0.02 /* m: of the line, from the ball joint */

/* Its angle from the line through foot and joint, at the start and in general. */
static double stretch(double angle)
{
    const double arm = hypot(0.02, 0.07);
    return sqrt(arm * arm + FOOT * FOOT - 2.0 * arm * FOOT * cos(angle)) - REST;
}

static double slowness_of_arm(double angle, const void *start)
{
    const double e0 = stretch(*(const double *)start), e = stretch(angle);
    const double J = 0.001 + 0.02 * 0.02 + 0.07 * 0.07; /* kg m^2 about the joint */
    return 1.0 / sqrt(STIFFNESS * (e0 * e0 - e * e) / J);
}

/* Between the dead points at the angles -a and a the arm swings; through 0 the line is in line with
 * the joint, and hardly changes its length. */
START_TEST(a_soft_line_in_line_with_a_joint_turns_nothing)
{
    const double start = atan2(0.02, 0.07), from = 0.5 * start;
    for (double accuracy = 1e-4; accuracy > 1e-11; accuracy *= 1e-2) {
        mechanism m = start_accurate(arm_and_line, TN_AUTO, accuracy);
        const tn_energy before = tn_sim_energy(m.sim);
        double first = NAN, late = 0.0;
        int parts = 0;
        for (double t = 0.0; t < 0.08; t += 2e-3) {
            tn_step_report report;
            ck_assert_int_eq(tn_sim_advance(m.sim, t + 2e-3, &report), TN_OK);
            const tn_vec3 p = tn_sim_body_pose(m.sim, (tn_body){0}).p;
            const double angle = atan2(p.x, p.z);
            parts += report.parts + report.rejections;
            if (angle > from)
                continue;
            if (angle < -from)
                break;
            const double since = integral(slowness_of_arm, &start, angle, from);
            if (isnan(first))
                first = t + 2e-3 - since;
            late = fmax(late, fabs(t + 2e-3 - since - first));
        }
        const tn_energy after = tn_sim_energy(m.sim);
        printf("arm and line at %.0e: late by %.1e s, %d parts\n", accuracy, late, parts);
        ck_assert(!isnan(first));
        ck_assert_double_le(late, accuracy * 0.02);
        ck_assert_double_eq_tol(after.total, before.total, accuracy * before.total);
        mechanism_free(&m);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("pieces");
    TCase *corners = tcase_create("corners");
    tcase_add_test(corners, a_bead_keeps_its_time_over_corners);
    tcase_add_test(corners, a_step_may_end_on_a_corner);
    suite_add_tcase(suite, corners);
    TCase *lines = tcase_create("lines");
    tcase_add_test(lines, a_soft_line_in_line_with_a_joint_turns_nothing);
    suite_add_tcase(suite, lines);
    return suite;
}
