/* test_hinge_head.c: the innermost limbs of a large tree that are iterated by themselves (method/links/hinge_head.c): steps end
 * where those of all limbs together end, in fewer corrections, with the same bits for any number of threads and
 * from saved states: a chain, a trunk that forks within the head, a row of branches.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "alpha_sims.h"
#include "method/hinges/alpha_hinges.h"
#include "random_numbers.h"
#include "run_main.h"
#include "saved_states.h"
#include "support/heavy.h"
#include "tenon/tenon.h"

enum { LIMBS = 4400, BEGIN = 20, STEPS = 40 };

/* What limb k hangs on. */
static int32_t inner_of(int shape, int32_t k)
{
    const int32_t trunk = 300, branches = shape == 1 ? 3 : 9;
    if (shape == 0 || k <= trunk)
        return k - 1;
    return k < trunk + branches + 1 ? trunk - 3 * (k - trunk - 1) : k - branches;
}

/* Links in a straight line that falls, branches beside each other: more than 140 m. */
static tn_sim *make(int shape)
{
    uint64_t r = 77 + (uint64_t)shape;
    tn_spec *spec = tn_spec_create();
    const double link = shape == 2 ? 0.4 : 0.1, square = link * link;
    double *x = malloc(LIMBS * sizeof(double));
    for (int32_t k = 0; k < LIMBS; k++) {
        const int32_t inner = inner_of(shape, k);
        tn_body_def body = tn_default_body_def();
        x[k] = inner < 0 ? 0.0 : x[inner] + link;
        body.pose.p = (tn_vec3){x[k] + 0.5 * link, 0.0, 0.0};
        body.mass = random_between(&r, 0.5, 1.5);
        body.inertia = (tn_mat3){{{0.04 * body.mass * square, 0.0, 0.0},
                                  {0.0, 0.1 * body.mass * square, 0.0},
                                  {0.0, 0.0, 0.08 * body.mass * square}}};
        tn_body own;
        ck_assert_int_eq(tn_spec_add_body(spec, &body, &own), TN_OK);
        const tn_body on = inner < 0 ? tn_ground() : (tn_body){inner};
        const tn_vec3 axis = k % 2 ? (tn_vec3){0.0, 0.0, 1.0} : (tn_vec3){0.0, 1.0, 0.0};
        tn_joint_def joint = tn_default_joint_def();
        joint.type = "hinge";
        joint.a = own;
        joint.b = on;
        joint.placement = TN_PLACE_AXIS;
        joint.origin = (tn_vec3){x[k], 0.0, 0.0};
        joint.axis = axis;
        ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    }
    free(x);
    return alpha_sim(compiled(spec));
}

/* m or rad, and per second by the step. */
static double apart(const tn_sim *a, const tn_sim *b, double h)
{
    double most = 0.0;
    for (int32_t i = 0; i < LIMBS; i++) {
        const tn_pose p = tn_sim_body_pose(a, (tn_body){i}), q = tn_sim_body_pose(b, (tn_body){i});
        const tn_twist u = tn_sim_body_velocity(a, (tn_body){i}),
                       v = tn_sim_body_velocity(b, (tn_body){i});
        const tn_vec3 off[] = {v3_sub(p.p, q.p), v3(p.q.x - q.q.x, p.q.y - q.q.y, p.q.z - q.q.z),
                               v3_scale(h, v3_sub(u.v, v.v)), v3_scale(h, v3_sub(u.w, v.w))};
        for (size_t n = 0; n < sizeof off / sizeof *off; n++)
            most = fmax(most, v3_norm(off[n]));
    }
    return most;
}

START_TEST(ends_where_all_together_end)
{
    const double h = 2e-3;
    tn_sim *led = make(_i), *plain = make(_i);
    tn_hinge_forest *forest = &tn_alpha_of(plain)->hinges->forest;
    tn_hinge_head *head = forest->head;
    ck_assert_ptr_nonnull(head);
    forest->head = NULL;
    double most = 0.0;
    int fewer = 0;
    for (int k = 0; k < BEGIN + STEPS; k++) {
        tn_step_report one, other;
        take_over(plain, led);
        ck_assert_int_eq(tn_sim_step(led, h, &one), TN_OK);
        ck_assert_int_eq(tn_sim_step(plain, h, &other), TN_OK);
        ck_assert_int_le(one.iterations, other.iterations);
        if (getenv("TENON_TELL"))
            printf("%d %d ", one.iterations, other.iterations);
        fewer += one.iterations < other.iterations;
        most = fmax(most, apart(led, plain, h));
    }
    printf("shape %d: %.1e apart, fewer corrections in %d steps\n", _i, most, fewer);
    ck_assert_int_ge(fewer, STEPS / 4);
    ck_assert_double_le(most, 2e-10);
    ck_assert(tn_sim_accuracy(led).holds);
    forest->head = head;
    destroy_with_model(led);
    destroy_with_model(plain);
}
END_TEST

START_TEST(same_bits_by_threads_and_from_saved_states)
{
    const double h = 2e-3;
    tn_sim *one = make(_i), *other = make(_i);
    for (int k = 0; k < BEGIN + 4; k++)
        ck_assert_int_eq(tn_sim_step(one, h, NULL), TN_OK);
    take_over(other, one);
    ck_assert_int_eq(tn_sim_set_threads(other, 3), TN_OK);
    for (int k = 0; k < 6; k++) {
        ck_assert_int_eq(tn_sim_step(one, h, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(other, h, NULL), TN_OK);
    }
    ck_assert(is_same_saved(one, other));
    destroy_with_model(one);
    destroy_with_model(other);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("hinge_head");
    TCase *tests = tcase_create("steps");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, ends_where_all_together_end, 0, ALL_OR_FEW(3, 1));
    tcase_add_loop_test(tests, same_bits_by_threads_and_from_saved_states, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
