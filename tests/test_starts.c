/* test_starts.c: starts of loops use again what was found before, and come to what they would without.
 *
 * What creation has factorized and solved, and the first step asks again: the same bits as where it is
 * forgotten, over random nets, ladders and closed chains, whatever is done to the simulation in between.
 * Accelerations nearby by the factor of a start: those of a factor of their own. Where neither may be used, it is not.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alpha_sims.h"
#include "motion/closing/project.h"
#include "motion/kinematics.h"
#include "random_numbers.h"
#include "run_main.h"
#include "saved_states.h"
#include "scenes/scenes.h"
#include "sparse/kkt_impl.h"
#include "tenon/tenon.h"

enum { STEPS = 3, MODELS = 24 };

static const double step = 1e-3; /* s */

/* rows x columns bodies with ball joints between neighbours, hung at two or three corners, on a random surface. */
static tn_spec *random_net(uint64_t *r)
{
    enum { MOST = 7 };
    const int32_t rows = 2 + (int32_t)random_between(r, 0.0, MOST - 2 - 1e-9);
    const int32_t columns = 2 + (int32_t)random_between(r, 0.0, MOST - 2 - 1e-9);
    tn_spec *spec = tn_spec_create();
    tn_vec3 place[MOST * MOST];
    for (int32_t k = 0; k < rows * columns; k++) {
        tn_body_def def = tn_default_body_def();
        const tn_vec3 off = random_within(r, 0.3);
        place[k] = (tn_vec3){k / columns + off.x, k % columns + off.y, off.z};
        def.pose.p = place[k];
        def.pose.q =
            tn_quat_from_rpy(random_between(r, -1.0, 1.0), 0.3, random_between(r, -1.0, 1.0));
        def.mass = pow(10.0, random_between(r, -0.5, 0.5));
        def.inertia = (tn_mat3){{{0.06, 0.01, 0.0}, {0.01, 0.08, -0.01}, {0.0, -0.01, 0.07}}};
        ck_assert_int_eq(tn_spec_add_body(spec, &def, NULL), TN_OK);
    }
    for (int32_t k = 0; k < rows * columns; k++) {
        const int32_t others[] = {k % columns + 1 < columns ? k + 1 : -1,
                                  k + columns < rows * columns ? k + columns : -1};
        for (int i = 0; i < 2; i++) {
            if (others[i] < 0)
                continue;
            const tn_vec3 a = place[k], b = place[others[i]];
            tn_joint_def def = tn_default_joint_def();
            def.type = "spherical";
            def.a.i = others[i];
            def.b.i = k;
            def.placement = TN_PLACE_ORIGIN;
            def.origin = (tn_vec3){0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
            ck_assert_int_eq(tn_spec_add_joint(spec, &def, NULL), TN_OK);
        }
    }
    const int32_t corners[] = {0, columns - 1, (rows - 1) * columns};
    for (int i = 0; i < 2 + (random_between(r, 0.0, 1.0) < 0.3); i++) {
        tn_joint_def def = tn_default_joint_def();
        def.type = "spherical";
        def.a.i = corners[i];
        def.b = tn_ground();
        def.placement = TN_PLACE_ORIGIN;
        def.origin = place[corners[i]];
        def.origin.z += 0.4;
        ck_assert_int_eq(tn_spec_add_joint(spec, &def, NULL), TN_OK);
    }
    return spec;
}

static const struct {
    const char *scene;
    int32_t n;
} scenes[] = {{"ladder", 5},     {"ring", 12},   {"wavy_net", 6},
              {"n_four_bar", 4}, {"bricard", 0}, {"flat_net", 3}};

enum { SCENES = sizeof scenes / sizeof *scenes };

/* From this scene on what creation solves last is something else, or poses are singular. */
enum { STARTS_ANEW = 3 };

static tn_model *model_of(int i, uint64_t *r)
{
    tn_spec *spec =
        i < SCENES ? speed_scene_find(scenes[i].scene)->make(scenes[i].n) : random_net(r);
    return compiled(spec);
}

static tn_sim *sim_of(const tn_model *model)
{
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_sim_create(model, NULL, NULL, &sim), TN_OK);
    return sim;
}

/* Between creation and the first step. */
typedef enum change {
    NOTHING,
    START,    /* asked for on its own, of another step */
    ASK,      /* accelerations asked for twice */
    PUSH,     /* a wrench */
    MOVE,     /* a body has a speed */
    LOCK,     /* a coordinate is held */
    LET_GO,   /* a joint is off */
    YIELD,    /* a row yields */
    DISPLACE, /* a body is elsewhere, and joints are closed again */
    RESTORE,  /* a saved state comes back after some steps */
    CHANGES
} change;

static void save_and_restore(tn_sim *sim)
{
    void *block = malloc(tn_sim_state_size(sim));
    tn_sim_save(sim, block);
    for (int k = 0; k < STEPS; k++)
        tn_sim_step(sim, step, NULL);
    ck_assert_int_eq(tn_sim_restore(sim, block), TN_OK);
    free(block);
}

static void make_change(tn_sim *sim, change what)
{
    const tn_body body = {tn_model_get_size(tn_sim_model(sim)).bodies - 1};
    const tn_joint joint = {0};
    const tn_twist twist = {.v = {0.1, 0.2, -0.1}};
    tn_pose pose = tn_sim_body_pose(sim, body);
    tn_step_report report = tn_empty_report();
    switch (what) {
    case START:
        tn_sim_start(sim, 2.0 * step, NULL);
        break;
    case ASK:
        tn_solve_acceleration(sim, &report);
        tn_solve_acceleration(sim, &report);
        break;
    case PUSH:
        tn_sim_apply_wrench(sim, body, (tn_wrench){{3.0, 1.0, 2.0}, {0.1, 0.2, 0.3}});
        break;
    case MOVE:
        tn_sim_set_body_velocity(sim, body, twist);
        break;
    case LOCK:
        tn_sim_set_locked(sim, joint, 0, 1);
        break;
    case LET_GO:
        tn_sim_set_enabled(sim, joint, 0);
        break;
    case YIELD:
        tn_sim_set_compliance(sim, joint, 0, 1e-6, 0.0);
        break;
    case DISPLACE:
        pose.p.x += 1e-3;
        tn_sim_set_body_pose(sim, body, pose);
        tn_sim_project(sim, NULL);
        break;
    case RESTORE:
        save_and_restore(sim);
        break;
    default:
        break;
    }
}

/* The bits of a state; the second of the pair has to find anew what creation has found. */
START_TEST(test_kept_is_what_would_be_found)
{
    uint64_t r = 11 + (uint64_t)_i;
    tn_model *model = model_of(_i, &r);
    for (change what = NOTHING; what < CHANGES; what++) {
        tn_sim *pair[2] = {sim_of(model), sim_of(model)};
        tn_step_report first[2];
        tn_kkt_forget(pair[1]->sys.factor);
        make_change(pair[0], what);
        make_change(pair[1], what);
        for (int k = 0; k < STEPS; k++) {
            tn_step_report report[2];
            tn_status status[2];
            for (int i = 0; i < 2; i++) {
                status[i] = tn_sim_step(pair[i], step, &report[i]);
                first[i] = k == 0 ? report[i] : first[i];
            }
            ck_assert_int_eq(status[0], status[1]);
            ck_assert_msg(is_same_saved(pair[0], pair[1]),
                          "model %d, change %d, step %d: other bits", _i, (int)what, k);
        }
        ck_assert_int_eq(first[0].factorizations, first[1].factorizations);
        if (what == NOTHING && (_i < STARTS_ANEW || _i >= SCENES))
            ck_assert_int_lt(first[0].solves, first[1].solves);
        tn_sim_destroy(pair[0]);
        tn_sim_destroy(pair[1]);
    }
    tn_model_destroy(model);
}
END_TEST

/* Solved to less, to more and to less again, with what is kept and without: each ends where it would from zero. */
START_TEST(test_tolerances_in_turn)
{
    const double shares[] = {1e-4, 1e-10, 1e-4, 0.0, 1e-10, 1e-6};
    uint64_t r = 301 + (uint64_t)_i;
    tn_model *model = model_of(SCENES, &r);
    tn_sim *kept = sim_of(model), *anew = sim_of(model);
    int32_t saved = 0;
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        tn_step_report a = tn_empty_report(), b = tn_empty_report();
        tn_kkt_forget(anew->sys.factor);
        ck_assert_int_eq(tn_solve_acceleration_roughly(kept, shares[k], &a), TN_OK);
        ck_assert_int_eq(tn_solve_acceleration_roughly(anew, shares[k], &b), TN_OK);
        ck_assert_int_eq(memcmp(kept->state.udot, anew->state.udot,
                                (size_t)model->size.velocities * sizeof(double)),
                         0);
        ck_assert_int_eq(memcmp(kept->state.lambda, anew->state.lambda,
                                TN_MAX_ROWS * (size_t)model->element_count * sizeof(double)),
                         0);
        ck_assert_int_le(a.solves, b.solves);
        saved += b.solves - a.solves;
    }
    ck_assert_int_gt(saved, 0);
    tn_sim_destroy(kept);
    tn_sim_destroy(anew);
    tn_model_destroy(model);
}
END_TEST

/* By one unit in the last place, or with its sign turned. */
static void alter(double *number, bool sign)
{
    uint64_t bits;
    memcpy(&bits, number, sizeof bits);
    bits ^= sign ? (uint64_t)1 << 63 : 1;
    memcpy(number, &bits, sizeof bits);
}

/* A factor is kept for the very same numbers: no other one, wherever, nor two that have changed places. */
START_TEST(test_other_numbers_are_not_kept)
{
    uint64_t r = 501 + (uint64_t)_i;
    tn_model *model = model_of(SCENES + _i, &r);
    tn_sim *sim = sim_of(model);
    tn_step_report report = tn_empty_report();
    ck_assert_int_eq(tn_solve_acceleration_roughly(sim, 0.0, &report), TN_OK);
    const tn_kkt *kkt = model->kkt;
    const tn_kkt_layout *l = tn_kkt_get_layout(kkt);
    const tn_kkt_factor *factor = sim->sys.factor;
    tn_kkt_values *v = sim->sys.values;
    double *const arrays[] = {v->h, v->g, v->r, v->e, v->a, v->delta};
    const int64_t sizes[] = {l->h_size, l->g_size, l->y_size, l->y_size, l->y_size, l->u_size};
    ck_assert(tn_kkt_is_kept(kkt, v, factor));
    for (int k = 0; k < 600; k++) {
        double *array = arrays[k % 6];
        const double last = (double)sizes[k % 6] - 1e-9;
        const int64_t one = (int64_t)random_between(&r, 0.0, last);
        const int64_t other = (int64_t)random_between(&r, 0.0, last);
        const double was = array[one], is = array[other];
        alter(&array[one], k % 4 == 0);
        ck_assert(!tn_kkt_is_kept(kkt, v, factor));
        array[one] = is;
        array[other] = was;
        ck_assert(tn_kkt_is_kept(kkt, v, factor) == (memcmp(&was, &is, sizeof was) == 0));
        array[other] = is;
        array[one] = was;
        ck_assert(tn_kkt_is_kept(kkt, v, factor));
    }
    const int32_t some = (int32_t)random_between(&r, 0.0, l->n_dual - 1e-9);
    v->rows[some]--;
    ck_assert(!tn_kkt_is_kept(kkt, v, factor));
    v->rows[some]++;
    ck_assert(tn_kkt_is_kept(kkt, v, factor));
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

/* In the kinetic metric. */
static double size_of(const tn_sim *sim, const double *a)
{
    double sum = 0.0;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        sum += sim->inverse_inertia[k] > 0.0 ? a[k] * a[k] / sim->inverse_inertia[k] : 0.0;
    return sqrt(sum);
}

static double distance(const tn_sim *sim, const double *a, const double *b)
{
    double *off = calloc((size_t)sim->model->size.velocities, sizeof *off);
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        off[k] = a[k] - b[k];
    const double size = size_of(sim, off);
    free(off);
    return size;
}

/* All bodies as free accelerations of the start carry them in h seconds. */
static void go_ahead(tn_sim *sim, double h)
{
    tn_state *s = &sim->state;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        s->u[k] += h * s->udot[k];
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim == 6)
            s->x[i] = v3_axpy(s->x[i], 0.5 * h, v3_load(s->u + body->u));
    }
    tn_refresh_kinematics(sim);
}

/* Forces are known to 1e-10 of what acts, and motions of weak rows, of an eigenvalue of 1e-4 in nets so small, to
 * 1e-8. */
START_TEST(test_nearby)
{
    const double seconds[] = {1e-4, 1e-3, 0.3};
    uint64_t r = 101 + (uint64_t)_i;
    tn_model *model = model_of(SCENES, &r);
    for (int i = 0; i < 3; i++) {
        tn_sim *near = sim_of(model), *own = sim_of(model);
        tn_step_report report = tn_empty_report();
        ck_assert_int_eq(tn_solve_acceleration(near, &report), TN_OK);
        tn_state_copy(&own->state, &near->state);
        go_ahead(near, seconds[i]);
        go_ahead(own, seconds[i]);
        const double enough = TN_FORCES_KNOWN * tn_acceleration_size(near);
        const size_t lambdas = TN_MAX_ROWS * (size_t)model->element_count;
        report = tn_empty_report();
        const bool solved = tn_solve_acceleration_nearby(near, enough, 1.0, &report);
        ck_assert_int_eq(report.factorizations, 0);
        if (i < 2)
            ck_assert(solved);
        if (!solved) { /* nothing has been taken */
            ck_assert_int_eq(
                memcmp(near->state.lambda, own->state.lambda, lambdas * sizeof *near->state.lambda),
                0);
            ck_assert_double_eq(distance(near, near->state.udot, own->state.udot), 0.0);
        }
        ck_assert_int_eq(tn_solve_acceleration(own, &report), TN_OK);
        const double size = size_of(own, own->state.udot);
        const double off = distance(own, near->state.udot, own->state.udot);
        if (solved)
            ck_assert_double_lt(off, 1e-8 * size);
        tn_sim_destroy(near);
        tn_sim_destroy(own);
    }
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("starts");
    TCase *tests = tcase_create("starts");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, test_kept_is_what_would_be_found, 0, MODELS);
    tcase_add_loop_test(tests, test_tolerances_in_turn, 0, MODELS);
    tcase_add_loop_test(tests, test_other_numbers_are_not_kept, 0, MODELS - SCENES);
    tcase_add_loop_test(tests, test_nearby, 0, MODELS);
    suite_add_tcase(suite, tests);
    return suite;
}
