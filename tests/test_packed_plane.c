/* test_packed_plane.c: what a step of generalized_alpha keeps packed of planar models must be seen
 * by everybody else as if it were not: at the end of steps kinematics, errors and multipliers
 * against the general functions. And copies of states, which leave out switches that are the same.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble/joint_terms.h"
#include "base/base.h"
#include "attachments.h"
#include "method/alpha/alpha_plane.h"
#include "method/pinned/pinned.h"
#include "motion/kinematics.h"
#include "support/alpha_sims.h"
#include "support/run_main.h"
#include "tenon/tenon.h"

#define LINKS 8
#define STEP  1e-2 /* s */

/* Frames of the hinges are turned and lie beside the plane of the centres of mass. */
#define TURN_C 0.7  /* rad */
#define TURN_D -0.4 /* rad */
#define ASIDE  0.3  /* m */

/* What a scene has beside a chain of hinges, and how many of these are packed. */
typedef struct scene {
    const char *name;
    int closed, damped, geared, locked, welded;
    int packed;
} scene;

static const scene scenes[] = {
    {.name = "chain", .packed = LINKS},
    {.name = "chain with a loop", .closed = 1, .packed = LINKS + 1},
    {.name = "damped link", .damped = 1, .packed = LINKS},
    {.name = "geared hinges", .geared = 1, .packed = LINKS - 2},
    {.name = "locked hinge", .locked = 1, .packed = LINKS - 1},
    {.name = "welded links", .welded = 1, .packed = LINKS - 1},
    {"all but the loop", 0, 1, 1, 1, 1, LINKS - 4},
};

enum { GEARED_A = 1, DAMPED = 2, LOCKED = 3, WELDED = 4, GEARED_B = 6 };

/* Where the chain turns upwards. */
#define CORNER (LINKS / 2)

static double angle_of(int32_t link)
{
    return link < CORNER ? 0.0 : acos(0.0);
}

static tn_pose turned(double x, double y, double angle)
{
    const tn_quat q = {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    return (tn_pose){{x, y, 0.0}, q};
}

/* The end of link a at a point of link b. */
static void add_joint(tn_spec *spec, const scene *s, int32_t a, int32_t b, double end, double x,
                      double y)
{
    const int welded = s->welded && a == WELDED && b == WELDED - 1;
    tn_joint_def def = tn_default_joint_def();
    def.type = welded ? "solid" : "hinge";
    def.a.i = a;
    def.b.i = b;
    def.placement = TN_PLACE_BODY_FRAMES;
    def.frame_c = turned(end, 0.0, TURN_C);
    def.frame_d = turned(x, y, welded ? TURN_C + angle_of(a) - angle_of(b) : TURN_D);
    def.frame_c.p.z = def.frame_d.p.z = ASIDE;
    def.locked[0] = (int8_t)(s->locked && a == LOCKED);
    ck_assert_int_eq(tn_spec_add_joint(spec, &def, NULL), TN_OK);
}

static void add_link(tn_spec *spec, const scene *s, int32_t k)
{
    tn_body_def link = tn_default_body_def();
    link.kind = TN_BODY_PLANAR;
    link.pose =
        k < CORNER ? turned(k + 0.5, 0.0, 0.0) : turned(CORNER, k - CORNER + 0.5, angle_of(k));
    link.mass = 1.0 + 0.1 * k;
    link.com = (tn_vec3){0.0, 0.0, 0.0};
    link.inertia = (tn_mat3){{{0.0}}};
    link.inertia.m[2][2] = 0.1;
    link.frame_damping = s->damped && k == DAMPED ? 0.5 : 0.0;
    ck_assert_int_eq(tn_spec_add_body(spec, &link, NULL), TN_OK);
    add_joint(spec, s, k, k - 1, -0.5, k == 0 ? 0.0 : 0.5, 0.0);
}

static void add_gear(tn_spec *spec)
{
    const tn_coupling_term terms[2] = {{.joint = {GEARED_B}, .ratio = 1.0},
                                       {.joint = {GEARED_A}, .ratio = 0.5}};
    tn_coupling_def def = tn_default_coupling_def();
    def.terms = terms;
    def.term_count = 2;
    ck_assert_int_eq(tn_spec_add_coupling(spec, &def, NULL), TN_OK);
}

static tn_model *make_model(const scene *s)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = (tn_vec3){0.0, -9.81, 0.0};
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_OK);
    for (int32_t k = 0; k < LINKS; k++)
        add_link(spec, s, k);
    if (s->closed)
        add_joint(spec, s, LINKS - 1, CORNER - 2, 0.5, 1.5, LINKS - CORNER);
    if (s->geared)
        add_gear(spec);
    return compiled(spec);
}

/* Of n numbers. */
static double difference(const double *a, const double *b, size_t n)
{
    double largest = 0.0;
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(a[k] - b[k]));
    return largest;
}

static double difference_of(const tn_joint_kinematics *a, const tn_joint_kinematics *b)
{
    double d = difference(&a->R_GW.m[0][0], &b->R_GW.m[0][0], 9);
    d = fmax(d, difference(&a->r_A.x, &b->r_A.x, 3));
    d = fmax(d, difference(&a->r_B.x, &b->r_B.x, 3));
    d = fmax(d, difference(a->error, b->error, 6));
    d = fmax(d, difference(&a->T_GD.R.m[0][0], &b->T_GD.R.m[0][0], 9));
    ck_assert_int_eq(a->unique, b->unique);
    ck_assert_int_eq(a->vanished, b->vanished);
    return fmax(d, difference(&a->T_GD.p.x, &b->T_GD.p.x, 3));
}

/* What is known of the joints, and what the general functions make of the pose. */
static double difference_to_general(tn_sim *sim)
{
    const tn_model *model = sim->model;
    const size_t ne = (size_t)model->element_count, nb = (size_t)model->body_count;
    const size_t ny = (size_t)sim->sys.layout->y_size;
    tn_joint_kinematics *kin = TN_NEW_ARRAY(tn_joint_kinematics, ne);
    tn_xform *T = TN_NEW_ARRAY(tn_xform, nb);
    double *phi = TN_NEW_ARRAY(double, ny);
    memcpy(kin, sim->sys.kin, sizeof *kin * ne);
    memcpy(T, sim->sys.T, sizeof *T * nb);
    memcpy(phi, sim->sys.phi, sizeof *phi * ny);
    tn_refresh_kinematics(sim);
    tn_assemble_errors(&sim->sys, &sim->state, sim->sys.phi);
    double d = difference(phi, sim->sys.phi, ny);
    d = fmax(d, difference(&T->R.m[0][0], &sim->sys.T->R.m[0][0], 12 * nb));
    for (int32_t j = 0; j < model->joint_count; j++)
        d = fmax(d, difference_of(&kin[j], &sim->sys.kin[j]));
    tn_free(kin);
    tn_free(T);
    tn_free(phi);
    return d;
}

/* How far the equations of motion are off, as the distance the forces that are missing would move
 * the bodies in a step, from what the state says and the general functions make of it. */
static double imbalance(tn_sim *sim)
{
    const int32_t n = sim->model->size.velocities;
    double *f = TN_NEW_ARRAY(double, n), largest = 0.0;
    tn_assemble_forces(&sim->sys, &sim->state, sim->state.u, sim->state.udot, 1, f);
    tn_assemble_joint_forces(&sim->sys, &sim->state, f);
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        for (int32_t k = 0; k < body->dim; k++)
            largest = fmax(largest, fabs(f[body->u + k]) * body->inverse_inertia[k]);
    }
    tn_free(f);
    return largest / tn_alpha_coefficients(sim, STEP).beta_prime;
}

/* Largest change of half an angle's sine since the start. */
static double turned_most(const tn_sim *sim)
{
    double most = 0.0;
    for (int32_t i = 0; i < sim->model->body_count; i++)
        most = fmax(most, fabs(sim->state.q[i].z - sim->model->bodies[i].q0.z));
    return most;
}

static int packed_pins(const tn_sim *sim)
{
    int count = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++)
        count += tn_alpha_of(sim)->plane->is_packed[j];
    return count;
}

/* A chain alone would go its own way, and in the coordinates of its joints. */
static void forget_others(tn_sim *sim)
{
    tn_pinned_destroy(tn_alpha_of(sim)->pinned);
    tn_alpha_of(sim)->pinned = NULL;
    forget_hinges(sim);
}

START_TEST(seen_as_if_it_were_not_packed)
{
    const scene *s = &scenes[_i];
    tn_model *model = make_model(s);
    tn_sim_options options = tn_default_sim_options(model);
    tn_sim *sim = NULL;
    double off = 0.0, forces = 0.0;
    ck_assert_int_eq(tn_sim_create(model, &options, NULL, &sim), TN_OK);
    forget_others(sim);
    for (int k = 0; k < 100; k++) {
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
        ck_assert_int_eq(packed_pins(sim), s->packed);
        off = fmax(off, difference_to_general(sim));
        forces = fmax(forces, imbalance(sim));
    }
    printf("  %-18s kinematics %.1e, forces %.1e m\n", s->name, off, forces);
    ck_assert_double_gt(turned_most(sim), 0.05);
    ck_assert_double_le(off, 2e-14);
    ck_assert_double_le(forces, options.position_tolerance);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

#define STATES 3

/* A copy is a copy, whoever has changed what in between. */
START_TEST(copies_of_states_are_whole)
{
    tn_model *model = make_model(&scenes[TN_COUNT_OF(scenes) - 1]);
    tn_state state[STATES];
    unsigned char *wanted[STATES]; /* the same by plain copies of everything */
    for (int i = 0; i < STATES; i++) {
        ck_assert_int_eq(tn_state_create(model, 0, &state[i]), TN_OK);
        wanted[i] = TN_NEW_ARRAY(unsigned char, state[i].size);
        memcpy(wanted[i], state[i].block, state[i].size);
    }
    unsigned seed = 1;
    int skipped = 0;
    for (int k = 0; k < 3000; k++) {
        seed = seed * 1103515245u + 12345u;
        const int from = (int)(seed >> 16) % STATES, to = (int)(seed >> 20) % STATES;
        if ((seed >> 24) % 3 == 0) {
            tn_state_edit(&state[from], (int32_t)(seed >> 26) % LINKS)->lower[0] = k;
            state[from].u[0] = k;
            memcpy(wanted[from], state[from].block, state[from].size);
        } else if (from != to) {
            skipped += state[to].edition.editor == state[from].edition.editor &&
                       state[to].edition.number == state[from].edition.number;
            tn_state_copy(&state[to], &state[from]);
            memcpy(wanted[to], wanted[from], state[from].size);
        }
        for (int i = 0; i < STATES; i++)
            ck_assert_int_eq(memcmp(wanted[i], state[i].block, state[i].size), 0);
    }
    ck_assert_int_gt(skipped, 100);
    for (int i = 0; i < STATES; i++) {
        tn_state_destroy(&state[i]);
        tn_free(wanted[i]);
    }
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("packed_plane");
    TCase *tcase = tcase_create("packed_plane");
    tcase_add_loop_test(tcase, seen_as_if_it_were_not_packed, 0, (int)TN_COUNT_OF(scenes));
    tcase_add_test(tcase, copies_of_states_are_whole);
    suite_add_tcase(suite, tcase);
    return suite;
}
