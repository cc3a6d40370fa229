/* test_books.c: the books of energy of a part of a step (step/part/books.h) know every body, whatever kinds of them stand
 * in whatever order: what they say was made is the difference of the energies of two states that have nothing to do
 * with each other.
 */
#include <check.h>
#include <math.h>

#include "alpha_sims.h"
#include "random_numbers.h"
#include "run_main.h"
#include "sim/sim_internal.h"
#include "step/part/books.h"
#include "tenon/tenon.h"

enum { WORLDS = 200, MOST_BODIES = 12 };

/* Bodies of any kinds, rows of one kind among them. */
static tn_model *random_world(uint64_t *r)
{
    static const tn_body_kind kinds[] = {TN_BODY_RIGID, TN_BODY_PLANAR, TN_BODY_PARTICLE,
                                         TN_BODY_PLANAR_PARTICLE, TN_BODY_FIXED};
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = random_within(r, 10.0);
    tn_spec_set_world(spec, &world);
    const int count = 1 + (int)random_between(r, 0.0, MOST_BODIES);
    tn_body_kind kind = TN_BODY_RIGID;
    for (int k = 0; k < count; k++) {
        if (k == 0 || random_between(r, 0.0, 1.0) < 0.5)
            kind = kinds[(int)random_between(r, 0.0, 4.0)];
        tn_body_def body = tn_default_body_def();
        body.kind = kind;
        body.pose.p = random_within(r, 3.0);
        body.mass = random_between(r, 0.5, 4.0);
        body.com = (tn_vec3){0.0, 0.0, 0.0};
        for (int n = 0; n < 9 && kind != TN_BODY_PARTICLE && kind != TN_BODY_PLANAR_PARTICLE; n++) {
            const bool own = n % 4 == 0 && (n == 8 || kind != TN_BODY_PLANAR);
            body.inertia.m[n / 3][n % 3] = own ? random_between(r, 1.0, 1.9) : 0.0;
        }
        tn_spec_add_body(spec, &body, NULL);
    }
    return compiled(spec);
}

static void move_all(const tn_model *model, tn_state *state, uint64_t *r)
{
    for (int32_t i = 0; i < model->body_count; i++) {
        if (model->bodies[i].dim > 0)
            state->x[i] = random_within(r, 5.0);
        for (int32_t k = 0; k < model->bodies[i].dim; k++)
            state->u[model->bodies[i].u + k] = random_between(r, -3.0, 3.0);
    }
}

/* Potential energy as the weights' work sees it: planar bodies do not leave their plane. */
static double potential_of(const tn_model *model, const tn_state *state)
{
    double sum = 0.0;
    for (int32_t i = 0; i < model->body_count; i++) {
        const tn_model_body *body = &model->bodies[i];
        const tn_vec3 x = state->x[i], g = model->gravity;
        const double up = g.x * x.x + g.y * x.y + (body->kind == TN_BODY_PLANAR ? 0.0 : g.z * x.z);
        sum -= body->dim > 0 ? body->mass * up : 0.0;
    }
    return sum;
}

static double kinetic_of(const tn_sim *sim, const tn_state *state)
{
    double kinetic, potential;
    tn_body_energy(&sim->sys, state, &kinetic, &potential);
    return kinetic;
}

START_TEST(every_body_is_in_the_books)
{
    uint64_t r = 7100 + (uint64_t)_i;
    tn_model *model = random_world(&r);
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_sim_create(model, NULL, NULL, &sim), TN_OK);
    tn_opening opening = {0};
    tn_state before = {0};
    ck_assert_int_eq(tn_books_create(sim, &opening), TN_OK);
    ck_assert_int_eq(tn_state_create(model, sim->state.memory_size, &before), TN_OK);
    move_all(model, &sim->state, &r);
    tn_state_copy(&before, &sim->state);
    tn_books_open(sim, &before, 1e-3, &opening);
    tn_books_note_speeds(sim, &opening);
    move_all(model, &sim->state, &r);
    const tn_books books = tn_books_close(sim, &opening, 1e-3);
    const double kinetic = kinetic_of(sim, &sim->state) - kinetic_of(sim, &before);
    const double potential = potential_of(model, &sim->state) - potential_of(model, &before);
    ck_assert_double_eq_tol(books.made, kinetic + potential, 1e-12 * (1.0 + books.size));
    for (int32_t k = 0; k < model->size.velocities; k++)
        sim->state.u[k] = 0.5 * (sim->state.u[k] + before.u[k]);
    const double middle = kinetic_of(sim, &sim->state);
    ck_assert_double_eq_tol(books.kinetic, middle, 1e-13 * (1.0 + middle));
    ck_assert(books.moved >= fabs(kinetic) * (1.0 - 1e-12)); /* |du| |u| is at least du . u */
    tn_state_destroy(&before);
    tn_books_destroy(&opening);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("books");
    TCase *tests = tcase_create("bodies");
    tcase_add_loop_test(tests, every_body_is_in_the_books, 0, WORLDS);
    suite_add_tcase(suite, tests);
    return suite;
}
