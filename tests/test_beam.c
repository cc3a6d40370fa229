/* test_beam.c: the arithmetic of rigid motions, sections of beams against closed forms, beams of a program and
 * of a model file, and what bad ones are told.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/se3.h"
#include "support/mechanism.h"
#include "support/model_text.h"
#include "support/random_numbers.h"
#include "support/run_main.h"

/* ---- rigid motions ---- */

enum { SAMPLES = 300 };

static void random_motion(double d[6], double angle, uint64_t *seed)
{
    tn_vec3 axis;
    v3_unit(random_vector(seed), &axis);
    v3_store(d, random_vector(seed));
    v3_store(d + 3, v3_scale(angle, axis));
}

static double largest_of(const double *a, const double *b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

START_TEST(logarithm_is_the_inverse_of_the_exponential)
{
    uint64_t seed = 1;
    for (int n = 0; n < SAMPLES; n++) {
        double d[6], again[6];
        random_motion(d, 3.1 * n / SAMPLES, &seed);
        const tn_xform T = tn_se3_exp(d);
        tn_se3_log(&T, again);
        ck_assert_double_le(largest_of(d, again, 6), 2e-13);
    }
}
END_TEST

/* A quarter of a circle of radius 2 in the x-y plane. */
START_TEST(exponential_is_a_helix)
{
    const double d[6] = {TN_PI, 0.0, 1.5, 0.0, 0.0, 0.5 * TN_PI};
    const tn_xform T = tn_se3_exp(d);
    const double end[3] = {2.0, 2.0, 1.5};
    double p[3];
    v3_store(p, T.p);
    ck_assert_double_le(largest_of(p, end, 3), 1e-15);
}
END_TEST

/* d(t) of T(t) = exp(d) exp(twist t), and its rate by T^-1. */
static void moved_logarithm(const double d[6], const double twist[6], double t, double out[6])
{
    double step[6];
    const tn_xform T = tn_se3_exp(d);
    for (int i = 0; i < 6; i++)
        step[i] = t * twist[i];
    const tn_xform dT = tn_se3_exp(step), moved = xf_mul(&T, &dT);
    tn_se3_log(&moved, out);
}

static void apply(double J[6][6], const double x[6], double out[6])
{
    for (int i = 0; i < 6; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 6; k++)
            out[i] += J[i][k] * x[k];
    }
}

START_TEST(tangent_is_the_rate_of_the_logarithm)
{
    uint64_t seed = 2;
    const double h = 1e-4;
    for (int n = 0; n < SAMPLES; n++) {
        double d[6], twist[6], J[6][6], rate[6], after[6], before[6];
        random_motion(d, 2.8 * n / SAMPLES, &seed);
        random_motion(twist, 1.0, &seed);
        tn_se3_tangent(d, J);
        apply(J, twist, rate);
        moved_logarithm(d, twist, h, after);
        moved_logarithm(d, twist, -h, before);
        for (int i = 0; i < 6; i++)
            after[i] = (after[i] - before[i]) / (2.0 * h);
        ck_assert_double_le(largest_of(rate, after, 6), 1e-6);
    }
}
END_TEST

START_TEST(tangent_rate_is_the_derivative_of_the_tangent)
{
    uint64_t seed = 3;
    const double h = 1e-4;
    for (int n = 0; n < SAMPLES; n++) {
        double d[6], way[6], on[6], back[6], J[6][6], K[6][6], dJ[6][6];
        random_motion(d, 3.0 * n / SAMPLES, &seed);
        random_motion(way, 1.0, &seed);
        for (int i = 0; i < 6; i++) {
            on[i] = d[i] + h * way[i];
            back[i] = d[i] - h * way[i];
        }
        tn_se3_tangent(on, J);
        tn_se3_tangent(back, K);
        tn_se3_tangent_rate(d, way, dJ);
        for (int i = 0; i < 36; i++)
            J[i / 6][i % 6] = (J[i / 6][i % 6] - K[i / 6][i % 6]) / (2.0 * h);
        ck_assert_double_le(largest_of(J[0], dJ[0], 36), 1e-7);
    }
}
END_TEST

/* On both sides of where the series ends. */
START_TEST(series_and_closed_form_meet)
{
    uint64_t seed = 4;
    for (int n = 0; n < SAMPLES; n++) {
        double d[6], way[6], at[2][6], J[2][6][6], dJ[2][6][6];
        random_motion(d, 1.0, &seed);
        random_motion(way, 1.0, &seed);
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 6; i++)
                at[side][i] = d[i] * (1.0 + (side ? 1e-15 : -1e-15));
            tn_se3_tangent(at[side], J[side]);
            tn_se3_tangent_rate(at[side], way, dJ[side]);
        }
        ck_assert_double_le(largest_of(J[0][0], J[1][0], 36), 1e-14);
        ck_assert_double_le(largest_of(dJ[0][0], dJ[1][0], 36), 1e-13);
    }
}
END_TEST

/* ---- sections ---- */

static const tn_beam_material steel = {7850.0, 210e9, 0.3};

/* Saint-Venant: Timoshenko and Goodier, J/(a b^3); 14 digits by the series with 30. */
START_TEST(torsion_constants_of_rectangles)
{
    static const double of[][2] = {{1.0, 0.14057701495515},
                                   {1.5, 0.19576070887554},
                                   {2.0, 0.22868167711957},
                                   {4.0, 0.28081295830768},
                                   {10.0, 0.31232503745721}};
    const double G = steel.young / 2.6, b = 0.01;
    for (int i = 0; i < 5; i++) {
        const double a = of[i][0] * b, wanted = of[i][1] * a * b * b * b;
        ck_assert_double_eq_tol(tn_rectangle_section(steel, a, b).GJ / G / wanted, 1.0, 1e-12);
        ck_assert_double_eq_tol(tn_rectangle_section(steel, b, a).GJ / G / wanted, 1.0, 1e-12);
    }
}
END_TEST

START_TEST(sections_have_their_stiffness_and_mass)
{
    const double E = steel.young, G = E / 2.6, PI = TN_PI;
    const tn_beam_section bar = tn_rectangle_section(steel, 0.02, 0.01);
    ck_assert_double_eq_tol(bar.EA / (E * 2e-4), 1.0, 1e-15);
    ck_assert_double_eq_tol(bar.GA[0] / (G * 2e-4 * 5.0 / 6.0), 1.0, 1e-14);
    ck_assert_double_eq_tol(bar.EI[0] / (E * 0.02 * 1e-6 / 12.0), 1.0, 1e-14);
    ck_assert_double_eq_tol(bar.EI[1] / (E * 0.01 * 8e-6 / 12.0), 1.0, 1e-14);
    ck_assert_double_eq_tol(bar.mass, 1.57, 1e-14);
    ck_assert_double_eq_tol(bar.inertia[1] / bar.inertia[0], 4.0, 1e-13);

    const tn_beam_section round = tn_tube_section(steel, 0.02, 0.0);
    ck_assert_double_eq_tol(round.EI[0] / (E * PI * 1e-8 / 4.0), 1.0, 1e-14);
    ck_assert_double_eq_tol(round.GJ / (G * PI * 1e-8 / 2.0), 1.0, 1e-14);
    ck_assert_double_eq_tol(round.GA[0] / (G * PI * 1e-4), 6.0 * 1.3 / 8.8, 1e-14); /* Cowper */
    /* thin-walled: 2 (1 + nu) / (4 + 3 nu) */
    const tn_beam_section thin = tn_tube_section(steel, 0.02, 0.019999);
    ck_assert_double_eq_tol(thin.GA[0] / (thin.EA / 2.6), 2.6 / 4.9, 1e-6);
}
END_TEST

/* ---- beams of a program ---- */

static tn_beam_def straight_beam(int32_t elements)
{
    tn_beam_def def = tn_default_beam_def();
    def.name = "link";
    def.elements = elements;
    def.section = tn_rectangle_section(steel, 0.02, 0.01);
    ck_assert_int_eq(tn_beam_between(&def, vec(1.0, 0.0, 0.0), vec(1.0, 2.0, 0.0), vec(1, 0, 0)),
                     1);
    return def;
}

START_TEST(program_makes_a_beam)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    tn_beam_def def = straight_beam(4);
    tn_beam beam;
    def.damping = 1e-3;
    ck_assert_int_eq(tn_spec_add_beam(m.spec, &def, &beam), TN_OK);
    ck_assert_int_eq(beam.element_count, 4);
    const tn_body_def *second = tn_spec_body(m.spec, (tn_body){.i = beam.node.i + 1});
    ck_assert_str_eq(second->name, "link[1]");
    ck_assert_double_eq_tol(second->pose.p.y, 0.5, 1e-15);
    ck_assert_double_eq_tol(second->mass, 0.5 * 1.57, 1e-15);
    const tn_joint_def *last = tn_spec_joint(m.spec, (tn_joint){.i = beam.element.i + 3});
    ck_assert_str_eq(last->name, "link[3]");
    ck_assert_int_eq(last->a.i, beam.node.i + 4);
    ck_assert_double_eq_tol(last->compliance[0] * def.section.EA, 0.5, 1e-15);
    ck_assert_double_eq_tol(last->damping[5] * last->compliance[5], 1e-3, 1e-18);
    ck_assert_str_eq(tn_spec_marker(m.spec, beam.end)->name, "link.end");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    double mass = 0.0;
    for (int32_t i = 0; i < 5; i++)
        mass += tn_model_body_mass(m.model, (tn_body){.i = beam.node.i + i}).mass;
    ck_assert_double_eq_tol(mass, 2.0 * 1.57, 1e-14);
    ck_assert_int_eq(tn_model_get_size(m.model).velocities, 30);
    mechanism_free(&m);
}
END_TEST

START_TEST(program_is_told_what_is_no_beam)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const tn_beam_def good = straight_beam(2);
    tn_beam_def bad[8];
    for (int i = 0; i < 8; i++)
        bad[i] = good;
    bad[0].name = NULL;
    bad[1].elements = 0;
    bad[2].length = (double)NAN;
    bad[3].turn.z = 4.0;
    bad[4].section.EI[1] = 0.0;
    bad[5].section.mass = (double)INFINITY;
    bad[6].damping = -1.0;
    bad[7].kind = TN_BODY_PARTICLE;
    ck_assert_ptr_null(tn_beam_fault(&good));
    for (int i = 0; i < 8; i++) {
        ck_assert_ptr_nonnull(tn_beam_fault(&bad[i]));
        ck_assert_int_eq(tn_spec_add_beam(m.spec, &bad[i], NULL), TN_ERROR_ARGUMENT);
    }
    ck_assert_int_eq(tn_spec_body_count(m.spec), 0);
    tn_beam_def line = good;
    ck_assert_int_eq(tn_beam_between(&line, vec(0, 0, 0), vec(0, 0, 0), vec(0, 0, 1)), 0);
    ck_assert_int_eq(tn_beam_between(&line, vec(0, 0, 0), vec(0, 0, 1), vec(0, 0, 1)), 0);
    ck_assert_int_eq(tn_beam_on_arc(&line, vec(0, 0, 0), vec(0, 0, 0), vec(1, 0, 0), 1.0), 0);
    ck_assert_int_eq(tn_beam_on_arc(&line, vec(0, 0, 0), vec(0, 0, 1), vec(0, 0, 1), 1.0), 0);
    ck_assert_int_eq(tn_beam_on_arc(&line, vec(0, 0, 0), vec(0, 0, 1), vec(1, 0, 0), 0.0), 0);
    ck_assert_int_eq(memcmp(&line, &good, sizeof line), 0);
    mechanism_free(&m);
}
END_TEST

/* ---- beams of a file ---- */

#define HEAD                                                                                       \
    "tenon: 1\n"                                                                                   \
    "materials: {steel: {density: 7850, young: 210 GPa, poisson: 0.3, damping: 2 ms}}\n"

/* A quarter of a circle from (1, 0, 0) to (0, 1, 0), and the same about another axis, the other way. */
START_TEST(arcs_lie_where_they_are_told)
{
    tn_spec *spec = read_text(
        HEAD
        "flexible:\n"
        "  a: {beam: {arc: {center: [0, 0, 0], radius: 1, from: 0, to: 90 deg}, elements: 3},\n"
        "      section: {circle: 1 cm}, material: steel}\n"
        "  b: {beam: {arc: {center: [0, 0, 2], axis: [1, 0, 0], radius: 1, from: 0, to: -90 "
        "deg}, elements: 3},\n"
        "      section: {tube: [2 cm, 1 cm]}, material: steel, damping: 0}\n");
    const tn_vec3 ends[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 2}};
    static const int32_t nodes[] = {0, 3, 4, 7};
    for (int i = 0; i < 4; i++) {
        const tn_vec3 p = tn_spec_body(spec, (tn_body){.i = nodes[i]})->pose.p;
        ck_assert_double_le(vec_norm(vec_sub(p, ends[i])), 1e-15);
    }
    const tn_joint_def *a = tn_spec_joint(spec, (tn_joint){0}),
                       *b = tn_spec_joint(spec, (tn_joint){3});
    ck_assert_double_eq_tol(a->parameters[0], TN_PI / 6.0, 1e-15);
    ck_assert_double_eq_tol(a->parameters[3], TN_PI / 6.0, 1e-15);
    ck_assert_double_eq_tol(b->parameters[3], -TN_PI / 6.0, 1e-15);
    ck_assert_double_eq_tol(a->damping[3] * a->compliance[3], 2e-3, 1e-18);
    ck_assert_double_eq(b->damping[3], 0.0);
    tn_spec_destroy(spec);
}
END_TEST

/* The bodies, joints and markers that come of it are written, and make the same model. */
START_TEST(beams_are_written_as_what_they_make)
{
    static const char *const texts[] = {
        HEAD "flexible:\n"
             "  rod: {repeat: 2, beam: {from: [0, 0, 0], to: [0, 0, 1], elements: 3}, section: "
             "{rectangle: [2 cm, 1 cm]}, material: steel, rigid: [shear]}\n"
             "joints: {clamp: {type: solid, a: \"rod[0].start\", origin: [0, 0, 0]}}\n"
             "measures: {end: {section: \"rod[1][2]\", quantity: moment}}\n",
        HEAD "flexible:\n"
             "  wire: {cable: {through: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], elements: 4}, section: "
             "{circle: 2 mm}, "
             "material: steel}\n"
             "joints: {hook: {type: spherical, a: wire.start, origin: [0, 0, 0]}}\n",
        "tenon: 1\nworld: planar\nflexible:\n"
        "  rod: {beam: {from: [0, 0], to: [0, 1], elements: 3}, section: {EI: 3, mass: 1, inertia: "
        "1e-3}}\n"
        "joints: {clamp: {type: solid, a: rod.start, origin: [0, 0]}}\n"
        "measures: {end: {section: \"rod[2]\"}}\n"};
    tn_spec *spec = read_text(texts[_i]), *again = written_and_read(spec);
    ck_assert_int_eq(tn_spec_body_count(again), tn_spec_body_count(spec));
    ck_assert_int_eq(tn_spec_joint_count(again), tn_spec_joint_count(spec));
    for (int32_t j = 0; j < tn_spec_joint_count(spec); j++) {
        const tn_joint_def *x = tn_spec_joint(spec, (tn_joint){j});
        const tn_joint_def *y = tn_spec_joint(again, (tn_joint){j});
        ck_assert_str_eq(x->name, y->name);
        ck_assert(isnan(x->parameters[0]) ? isnan(y->parameters[0])
                                          : x->parameters[0] == y->parameters[0]);
        for (int k = 0; k < TN_MAX_ROWS; k++)
            ck_assert(isnan(x->compliance[k]) ? isnan(y->compliance[k])
                                              : x->compliance[k] == y->compliance[k]);
    }
    tn_model *model = NULL;
    ck_assert_int_eq(tn_model_compile(again, NULL, &model), TN_OK);
    tn_model_destroy(model);
    tn_spec_destroy(again);
    tn_spec_destroy(spec);
}
END_TEST

#define BEAM(line, section)                                                                        \
    "flexible: {rod: {beam: {" line "}, section: {" section "}, material: steel}}\n"
#define LINE  "from: [0, 0, 0], to: [1, 0, 0], elements: 4"
#define SIDES "rectangle: [2 cm, 1 cm]"

static const mistake mistakes[] = {
    {"flexible: {rod: 3}\n", "a flexible body must be a mapping", NULL},
    {"flexible: {rod: {section: {circle: 1 cm}, material: steel}}\n", "'beam' is missing", NULL},
    {BEAM("from: [0, 0, 0], to: [1, 0, 0]", SIDES), "'elements' is missing", NULL},
    {BEAM("from: [0, 0, 0], elements: 4", SIDES), "needs 'from' and 'to', or an 'arc'", NULL},
    {BEAM("from: [0, 0, 0], to: [0, 0, 0], elements: 4", SIDES), "no length", NULL},
    {BEAM(LINE ", up: [2, 0, 0]", SIDES), "a direction across", NULL},
    {BEAM(LINE ", arc: {center: [0, 0, 0], radius: 1, from: 0, to: 1}", SIDES), "only one of",
     NULL},
    {BEAM("to: [1, 0, 0], elements: 4, arc: {center: [0, 0, 0], radius: 1, from: 0, to: 1}", SIDES),
     "an arc has its own", NULL},
    {BEAM("elements: 4, arc: {center: [0, 0, 0], radius: -1, from: 0, to: 1}", SIDES),
     "'radius' must be positive", NULL},
    {BEAM("elements: 4, arc: {center: [0, 0, 0], radius: 1, from: 1, to: 1}", SIDES),
     "the arc has no length", NULL},
    {BEAM("elements: 4, arc: {center: [0, 0, 0], radius: 1, axis: [0, 0, 0], from: 0, to: 1}",
          SIDES),
     "axis", NULL},
    {BEAM("elements: 1, arc: {center: [0, 0, 0], radius: 1, from: 0, to: 2}", SIDES),
     "use more elements", NULL},
    {BEAM("from: [0, 0, 0], to: [1, 0, 0], elements: 0", SIDES), "'elements' must be", NULL},
    {BEAM("from: [0, 0, 0], to: [1, 0, 0], elements: 10001", SIDES),
     "between 1 and 10000, not 10001", NULL},
    {BEAM("from: [0, 0, 0], to: [1, 0, 0], elements: 2.5", SIDES), "'elements' must be", NULL},
    {BEAM(LINE, ""), "needs 'rectangle', 'circle', 'tube' or 'EI'", NULL},
    {BEAM(LINE, "rectangle: [1, 0]"), "'rectangle' must be positive", NULL},
    {BEAM(LINE, "rectangle: 1 cm"), "'rectangle' must be", NULL},
    {BEAM(LINE, "circle: -1"), "'circle' must be positive", NULL},
    {BEAM(LINE, "tube: [1 cm, 2 cm]"), "less than the outer", NULL},
    {BEAM(LINE, SIDES ", circle: 1 cm"), "only one of", NULL},
    {BEAM(LINE, SIDES ", EA: 1"), "'EA' is for a section by numbers", NULL},
    {BEAM(LINE, "EI: 1, mass: 1"), "no material", NULL},
    {"flexible: {rod: {beam: {" LINE "}, section: {EI: 1}}}\n", "no 'mass'", NULL},
    {"flexible: {rod: {beam: {" LINE "}, section: {EI: 1, mass: 1}}}\n", "no 'inertia'", NULL},
    {"flexible: {rod: {beam: {" LINE "}, section: {EI: 1, EA: -1, mass: 1}}}\n",
     "'EA' must be positive", NULL},
    {"flexible: {rod: {beam: {" LINE "}, section: {" SIDES "}}}\n", "needs a 'material'", NULL},
    {"flexible: {rod: {beam: {" LINE "}, section: {" SIDES "}, material: wood}}\n",
     "unknown material", NULL},
    {"flexible: {rod: {beam: {" LINE "}, section: {" SIDES "}, material: steel, damping: -1}}\n",
     "'damping' must be 0 or more", NULL},
    {"flexible: {rod: {beam: {" LINE "}, section: {" SIDES "}, material: steel, rigid: [bend]}}\n",
     "no direction of a beam that may be rigid", "stretch"},
    {"bodies: {\"rod[1]\": {mass: 1, inertia: [1, 1, 1]}}\n" BEAM(LINE, SIDES),
     "there is a body 'rod[1]' already", NULL},
    {BEAM(LINE, SIDES) "joints: {h: {type: hinge, a: rod.start, origin: [0, 0, 0]}}\n"
                       "measures: {s: {section: h}}\n",
     "not of a hinge", "reaction"},
};

#define CABLE(line, rest) "flexible: {wire: {cable: {" line "}, " rest "}}\n"
#define THROUGH           "through: [[0, 0, 0], [1, 0, 0]], elements: 4"

static const mistake bad_cables[] = {
    {CABLE(THROUGH, "beam: {" LINE "}, section: {circle: 1 cm}, material: steel"), "only one of",
     NULL},
    {CABLE("elements: 4", "section: {mass: 1}"), "'through' is missing", NULL},
    {CABLE("through: [[0, 0, 0]], elements: 4", "section: {mass: 1}"), "two points or more", NULL},
    {CABLE("through: [[0, 0, 0], [0, 0, 0]], elements: 4", "section: {mass: 1}"), "must be apart",
     NULL},
    {CABLE("through: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], elements: 1", "section: {mass: 1}"),
     "a node at each of its points", NULL},
    {CABLE("through: [[0, 0, 0], [1, 0]], elements: 4", "section: {mass: 1}"), "'through' must be",
     NULL},
    {CABLE("through: [[0, 0, 0], [1, 0, 0]], elements: 20000", "section: {mass: 1}"),
     "between 1 and 10000", NULL},
    {CABLE(THROUGH, "section: {EA: 100}"), "needs 'rectangle'", NULL},
    {CABLE(THROUGH, "section: {EI: 1, mass: 1}"), "leave 'EI' out", NULL},
    {CABLE(THROUGH, "section: {mass: 1, GJ: 1}"), "leave 'GJ' out", NULL},
    {CABLE(THROUGH, "section: {circle: 1 mm, inertia: 1}, material: steel"), "leave 'inertia' out",
     NULL},
    {CABLE(THROUGH, "section: {mass: -1}"), "'mass' must be positive", NULL},
    {CABLE(THROUGH, "section: {circle: 1 mm}"), "needs a 'material'", NULL},
    {CABLE(THROUGH, "section: {mass: 1}, rigid: [shear]"), "no stiffness but along", NULL},
};

START_TEST(bad_cables_are_told)
{
    expect_mistake(HEAD, &bad_cables[_i], 1, 5);
}
END_TEST

START_TEST(program_makes_a_cable)
{
    const tn_vec3 points[] = {{0, 0, 0}, {3, 0, 0}, {3, 1, 0}};
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    tn_cable_def def = tn_default_cable_def();
    tn_beam cable;
    def.name = "wire";
    def.points = points;
    def.point_count = 3;
    def.elements = 8;
    def.mass = 0.5;
    ck_assert_ptr_null(tn_cable_fault(&def));
    ck_assert_int_eq(tn_spec_add_cable(m.spec, &def, &cable), TN_OK);
    const tn_body_def *node = tn_spec_body(m.spec, (tn_body){.i = cable.node.i + 7});
    ck_assert_double_le(vec_norm(vec_sub(node->pose.p, vec(3.0, 0.5, 0.0))), 1e-15);
    ck_assert_double_eq_tol(node->mass, 0.25, 1e-15);
    ck_assert_str_eq(tn_spec_joint(m.spec, cable.element)->type, "rod");
    ck_assert(isnan(tn_spec_joint(m.spec, cable.element)->compliance[0]));
    def.elements = 1;
    ck_assert_int_eq(tn_spec_add_cable(m.spec, &def, NULL), TN_ERROR_ARGUMENT);
    def.elements = 8;
    def.EA = 0.0;
    ck_assert_int_eq(tn_spec_add_cable(m.spec, &def, NULL), TN_ERROR_ARGUMENT);
    mechanism_free(&m);
}
END_TEST

/* Whatever their number, elements lie on the line: every corner is a node, no length and no mass is lost. */
START_TEST(cables_keep_their_length)
{
    const tn_vec3 points[] = {{0, 0, 0}, {3, 0, 0}, {3, 0.01, 0}, {0, 0.01, 0}, {0, 0.01, 2}};
    const int32_t elements = 4 + _i;
    tn_spec *spec = tn_spec_create();
    tn_cable_def def = tn_default_cable_def();
    tn_beam cable;
    def.name = "wire";
    def.points = points;
    def.point_count = (int32_t)TN_COUNT_OF(points);
    def.elements = elements;
    def.mass = 0.5;
    ck_assert_int_eq(tn_spec_add_cable(spec, &def, &cable), TN_OK);
    double length = 0.0, mass = 0.0;
    int32_t corners = 0;
    for (int32_t i = 0; i <= elements; i++) {
        const tn_body_def *node = tn_spec_body(spec, (tn_body){.i = cable.node.i + i});
        const tn_body_def *last =
            tn_spec_body(spec, (tn_body){.i = cable.node.i + (i ? i - 1 : 0)});
        mass += node->mass;
        length += vec_norm(vec_sub(node->pose.p, last->pose.p));
        corners += vec_norm(vec_sub(node->pose.p, points[corners])) <= 1e-15;
    }
    ck_assert_double_eq_tol(length, 8.01, 1e-14);
    ck_assert_double_eq_tol(mass, 0.5 * 8.01, 1e-14);
    ck_assert_int_eq(corners, def.point_count);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(bad_beams_are_told)
{
    expect_mistake(HEAD, &mistakes[_i], 1, 5);
}
END_TEST

START_TEST(materials_of_beams_are_elastic)
{
    static const mistake bad[] = {
        {"materials: {m: {density: 1}}\n" BEAM(LINE, SIDES), "", NULL},
        {"materials: {steel: {density: 1}}\n" BEAM(LINE, SIDES), "has no young", NULL},
        {"materials: {steel: {density: 1, young: 1}}\n" BEAM(LINE, SIDES), "has no poisson", NULL},
        {"materials: {steel: {density: 1, young: -1, poisson: 0}}\n" BEAM(LINE, SIDES),
         "'young' must be positive", NULL},
        {"materials: {steel: {density: 1, young: 1, poisson: 0.6}}\n" BEAM(LINE, SIDES),
         "between -1 and 0.5", NULL},
    };
    for (int i = 0; i < 5; i++)
        expect_mistake("tenon: 1\n", &bad[i], 1, 4);
}
END_TEST

START_TEST(planar_beams_lie_in_the_plane)
{
    static const mistake bad[] = {
        {"flexible: {r: {beam: {from: [0, 0], to: [1, 0], up: [0, 0, 1], elements: 2}, section: "
         "{EI: "
         "1, EA: 1, mass: 1}}}\n",
         "leave 'up' out", NULL},
        {"flexible: {r: {beam: {arc: {center: [0, 0], radius: 1, axis: [0, 0, 1], from: 0, to: 1}, "
         "elements: 2}, section: {EI: 1, EA: 1, mass: 1}}}\n",
         "leave 'axis' out", NULL},
        {"flexible: {r: {cable: {through: [[0, 0, 0], [1, 0, 0]], elements: 2}, section: {mass: "
         "1}}}\n",
         "has no cables", NULL},
        {"flexible: {r: {beam: {from: [0, 0, 1], to: [1, 0, 2], elements: 2}, section: {EI: 1, EA: "
         "1, mass: 1}}}\n",
         "'from' must lie in the plane", NULL},
        {"flexible: {r: {beam: {from: [0, 0, 0], to: [1, 0, 2], elements: 2}, section: {EI: 1, EA: "
         "1, mass: 1}}}\n",
         "'to' must lie in the plane", NULL},
    };
    for (size_t i = 0; i < TN_COUNT_OF(bad); i++)
        expect_mistake("tenon: 1\nworld: planar\n", &bad[i], 3, 3);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("beams");
    TCase *tc = tcase_create("beams");
    tcase_add_test(tc, logarithm_is_the_inverse_of_the_exponential);
    tcase_add_test(tc, exponential_is_a_helix);
    tcase_add_test(tc, tangent_is_the_rate_of_the_logarithm);
    tcase_add_test(tc, tangent_rate_is_the_derivative_of_the_tangent);
    tcase_add_test(tc, series_and_closed_form_meet);
    tcase_add_test(tc, torsion_constants_of_rectangles);
    tcase_add_test(tc, sections_have_their_stiffness_and_mass);
    tcase_add_test(tc, program_makes_a_beam);
    tcase_add_test(tc, program_is_told_what_is_no_beam);
    tcase_add_test(tc, arcs_lie_where_they_are_told);
    tcase_add_loop_test(tc, beams_are_written_as_what_they_make, 0, 3);
    tcase_add_loop_test(tc, bad_beams_are_told, 0, (int)TN_COUNT_OF(mistakes));
    tcase_add_loop_test(tc, bad_cables_are_told, 0, (int)TN_COUNT_OF(bad_cables));
    tcase_add_test(tc, program_makes_a_cable);
    tcase_add_loop_test(tc, cables_keep_their_length, 0, 40);
    tcase_add_test(tc, materials_of_beams_are_elastic);
    tcase_add_test(tc, planar_beams_lie_in_the_plane);
    suite_add_tcase(suite, tc);
    return suite;
}
