/* test_kkt_structure.c: elimination order and fill on the families of mechanisms, memory, long
 * chains, bodies without inertia about an axis, contradictory rows.
 */
#include "kkt_systems.h"
#include "run_main.h"
#include "sparse/factor/factor.h"
#include "support/heavy.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A permutation in which every dual node has a primal node in front that can carry its rows. */
static void check_order(const kkt_system *s)
{
    int32_t nodes = s->n_primal + s->n_dual;
    int32_t *place = calloc((size_t)nodes + 1, sizeof *place);
    ck_assert_ptr_nonnull(place);
    for (int32_t p = 0; p < s->l->n_order; p++) {
        ck_assert_int_eq(place[s->l->order[p]], 0);
        place[s->l->order[p]] = p + 1;
    }
    for (int32_t k = 0; k < s->n_dual; k++) {
        int32_t own = place[s->n_primal + k];
        int32_t largest = 0;
        int32_t carried = 0;
        bool all = true;
        for (int32_t t = s->dual_start[k]; t < s->dual_start[k + 1]; t++) {
            int32_t p = s->dual_primal[t];
            int32_t dim = s->primal_dim[p];
            largest = dim > largest ? dim : largest;
            carried = place[p] < own && dim > carried ? dim : carried;
            all = all && place[p] < own;
        }
        bool pair = s->dual_start[k + 1] - s->dual_start[k] <= 2;
        int32_t need = pair && largest < s->dual_cap[k] ? largest : s->dual_cap[k];
        ck_assert(all || carried >= need);
    }
    free(place);
}

START_TEST(test_order)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        kkt_system *s = kkt_random_mechanism((kkt_family)_i, 200, seed);
        check_order(s);
        kkt_system_free(s);
    }
}
END_TEST

static kkt_system *rigid_bodies(int32_t count)
{
    kkt_system *s = kkt_system_new(1);
    for (int32_t i = 0; i < count; i++) {
        kkt_add_body(s, 6);
    }
    return s;
}

/* Trees of any shape fill nothing, and each node has one later neighbour at most. */
START_TEST(test_trees)
{
    for (int shape = 0; shape < 4; shape++) {
        enum { N = 300 };
        kkt_system *s = rigid_bodies(N);
        for (int32_t i = 1; i < N; i++) {
            int32_t parent[4] = {i - 1, 0, (i - 1) / 2, kkt_pick(s, i)};
            kkt_add_pair(s, 5, i, parent[shape]);
        }
        kkt_add_pair(s, 5, 0, -1);
        kkt_build(s);
        check_order(s);
        ck_assert_int_eq(s->l->fill_blocks, 0);
        ck_assert_int_eq(s->l->factor_blocks, 2 * (N - 1) + 1);
        kkt_system_free(s);
    }
}
END_TEST

/* A joint with room for 7 rows (hinge, limit, lock) must not make its hub wait. */
START_TEST(test_hub_with_spare_rows)
{
    enum { N = 300 };
    kkt_system *s = rigid_bodies(N);
    for (int32_t i = 1; i < N; i++) {
        kkt_add_pair(s, 7, i, 0);
    }
    kkt_build(s);
    check_order(s);
    ck_assert_int_eq(s->l->fill_blocks, 0);
    kkt_system_free(s);
}
END_TEST

/* One loop costs one more coupling per node; a wheel (hub, spokes, rim) a few. */
START_TEST(test_ring_and_wheel)
{
    enum { N = 300 };
    for (int wheel = 0; wheel < 2; wheel++) {
        kkt_system *s = rigid_bodies(N + wheel);
        for (int32_t i = 0; i < N; i++) {
            kkt_add_pair(s, 5, i, (i + 1) % N);
            if (wheel) {
                kkt_add_pair(s, 3, i, N);
            }
        }
        kkt_build(s);
        check_order(s);
        ck_assert_int_lt(s->l->fill_blocks, (wheel ? 6 : 2) * N);
        kkt_system_free(s);
    }
}
END_TEST

/* Nets: fill grows like n log n. */
START_TEST(test_net)
{
    double before = 0.0;
    for (int32_t side = 10; side <= 40; side *= 2) {
        kkt_system *s = rigid_bodies(side * side);
        for (int32_t i = 0; i < side * side; i++) {
            if (i % side > 0) {
                kkt_add_pair(s, 5, i, i - 1);
            }
            if (i >= side) {
                kkt_add_pair(s, 5, i, i - side);
            }
        }
        kkt_build(s);
        check_order(s);
        double per_node = (double)s->l->factor_blocks / s->l->n_order;
        ck_assert(before == 0.0 || per_node < 1.6 * before);
        before = per_node;
        kkt_system_free(s);
    }
    ck_assert_double_lt(before, 16.0);
}
END_TEST

START_TEST(test_same_order_again)
{
    kkt_system *a = kkt_random_mechanism((kkt_family)_i, 150, 4);
    kkt_system *b = kkt_random_mechanism((kkt_family)_i, 150, 4);
    ck_assert_int_eq(a->l->n_order, b->l->n_order);
    ck_assert_mem_eq(a->l->order, b->l->order, (size_t)a->l->n_order * sizeof(int32_t));
    kkt_system_free(a);
    kkt_system_free(b);
}
END_TEST

/* Counts live blocks and fails the wanted call. */
struct meter {
    int64_t live;
    int64_t calls;
    int64_t fail_at; /* 1-based; 0 never */
};

static void *metered(void *context, void *block, size_t size)
{
    struct meter *m = context;
    if (size == 0) {
        m->live -= block != NULL;
        free(block);
        return NULL;
    }
    if (++m->calls == m->fail_at) {
        return NULL;
    }
    m->live += block == NULL;
    return realloc(block, size);
}

/* Everything the room allocates; TN_OK only when nothing failed. */
static tn_status whole_life(const tn_kkt_pattern *pattern, const tn_kkt_values *numbers)
{
    tn_kkt *kkt = NULL;
    tn_kkt_values *values = NULL;
    tn_kkt_factor *factor = NULL;
    tn_status status = tn_kkt_analyze(pattern, &kkt);
    if (status == TN_OK) {
        status = tn_kkt_values_create(kkt, &values);
    }
    if (status == TN_OK) {
        status = tn_kkt_factor_create(kkt, &factor);
    }
    if (status == TN_OK) {
        const tn_kkt_layout *l = tn_kkt_get_layout(kkt);
        memcpy(values->h, numbers->h, (size_t)l->h_size * sizeof(double));
        memcpy(values->g, numbers->g, (size_t)l->g_size * sizeof(double));
        status = tn_kkt_factorize(kkt, values, factor, NULL);
    }
    tn_kkt_factor_destroy(factor);
    tn_kkt_values_destroy(values);
    tn_kkt_destroy(kkt);
    return status;
}

START_TEST(test_every_allocation_fails)
{
    kkt_system *s = kkt_random_mechanism(KKT_GRID, 30, 2);
    tn_kkt_pattern pattern = kkt_pattern_of(s);
    struct meter meter = {0, 0, 0};
    tn_set_allocator(metered, &meter);
    ck_assert_int_eq(whole_life(&pattern, s->values), TN_OK);
    ck_assert_int_eq(meter.live, 0);
    int64_t calls = meter.calls;
    ck_assert_int_gt(calls, 60);
    for (int64_t k = 1; k <= calls; k++) {
        meter = (struct meter){0, 0, k};
        ck_assert_int_eq(whole_life(&pattern, s->values), TN_ERROR_MEMORY);
        ck_assert_int_eq(meter.live, 0);
    }
    tn_set_allocator(NULL, NULL);
    kkt_system_free(s);
}
END_TEST

START_TEST(test_numerics_allocate_nothing)
{
    struct meter meter = {0, 0, 0};
    tn_set_allocator(metered, &meter);
    kkt_system *s = kkt_random_mechanism(KKT_LOOPS, 40, 2);
    kkt_consistent_rhs(s);
    int64_t calls = meter.calls;
    tn_kkt_refine_options options = {9, 1e-13, 0.0};
    tn_kkt_refine_stats stats;
    kkt_scale_rows(s, 1e-8);
    ck_assert_int_eq(tn_kkt_factorize(s->kkt, s->values, s->factor, NULL), TN_OK);
    ck_assert_int_eq(tn_kkt_solve_refined(s->kkt, s->values, s->factor, s->b, s->g, s->u, s->lambda,
                                          &options, &stats),
                     TN_OK);
    ck_assert_int_eq(meter.calls, calls);
    kkt_system_free(s);
    ck_assert_int_eq(meter.live, 0);
    tn_set_allocator(NULL, NULL);
}
END_TEST

/* A point row block and two angular rows of a hinge about z or y at (x, 0, 0) from the centre. */
static void hinge(double *g, double sign, double x, bool about_y)
{
    double odd = about_y ? 1.0 : 0.0;
    double rows[5][6] = {{1, 0, 0, 0, 0, 0},
                         {0, 1, 0, 0, 0, x},
                         {0, 0, 1, 0, -x, 0},
                         {0, 0, 0, 1, 0, 0},
                         {0, 0, 0, 0, 1 - odd, odd}};
    for (int i = 0; i < 30; i++) {
        g[i] = sign * rows[i / 6][i % 6];
    }
}

/* Chain of n unit links held at one end, axes in turn. */
static kkt_system *chain(int32_t n)
{
    kkt_system *s = rigid_bodies(n);
    for (int32_t k = 0; k < n; k++) {
        kkt_add_pair(s, 5, k, k - 1);
    }
    kkt_build(s);
    for (int32_t k = 0; k < n; k++) {
        static const double mass[6] = {1.0, 1.0, 1.0, 0.02, 0.09, 0.1};
        for (int j = 0; j < 6; j++) {
            s->values->h[s->l->h_offset[k] + 7 * j] = mass[j];
        }
        int32_t t = s->l->dual_start[k];
        hinge(s->values->g + s->l->g_offset[t], 1.0, -0.5, k % 2 != 0);
        if (k > 0) {
            hinge(s->values->g + s->l->g_offset[t + 1], -1.0, 0.5, k % 2 != 0);
        }
    }
    for (int64_t i = 0; i < s->l->u_size; i++) {
        s->b[i] = 0.01 * kkt_random(s) - (i % 6 < 2 ? 0.0981 : 0.0);
    }
    return s;
}

static double largest(const double *x, int64_t n)
{
    double most = 0.0;
    for (int64_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static void solve(kkt_system *s, double eps, tn_kkt_refine_stats *stats)
{
    tn_kkt_refine_options options = {60, 1e-14, 0.0};
    if (eps > 0.0) {
        kkt_scale_rows(s, eps);
    }
    ck_assert_int_eq(tn_kkt_factorize(s->kkt, s->values, s->factor, NULL), TN_OK);
    memset(s->u, 0, (size_t)s->l->u_size * sizeof(double));
    memset(s->lambda, 0, (size_t)s->l->y_size * sizeof(double));
    ck_assert_int_eq(tn_kkt_solve_refined(s->kkt, s->values, s->factor, s->b, s->g, s->u, s->lambda,
                                          &options, stats),
                     TN_OK);
}

/* 1e5 links (1e4 under sanitizers) stay together to round-off; the factor's size per link does not grow. */
START_TEST(test_long_chain)
{
    double per_link = 0.0;
    for (int32_t n = 1000; n <= ALL_OR_FEW(100000, 10000); n *= 10) {
        kkt_system *s = chain(n);
        tn_kkt_refine_stats stats;
        solve(s, 1e-12, &stats);
        tn_kkt_apply_g(s->kkt, s->values, s->u, s->rl);
        ck_assert_double_lt(largest(s->rl, s->l->y_size) / largest(s->u, s->l->u_size), 1e-14);
        ck_assert_double_lt(stats.primal_residual, 1e-12);
        ck_assert_double_lt(stats.dual_residual, 1e-13);
        ck_assert_int_eq(s->l->fill_blocks, 0);
        double now = (double)s->l->factor_doubles / n;
        ck_assert(per_link == 0.0 || fabs(now - per_link) < 0.01 * per_link);
        per_link = now;
        kkt_system_free(s);
    }
}
END_TEST

/* The same with E so large that plain passes would crawl: gradients take over. */
START_TEST(test_slow_modes)
{
    kkt_system *s = chain(3000);
    tn_kkt_refine_stats exact;
    tn_kkt_refine_stats stats;
    solve(s, 1e-12, &exact);
    memcpy(s->ru, s->u, (size_t)s->l->u_size * sizeof(double));
    double *u = calloc((size_t)s->l->u_size, sizeof *u);
    ck_assert_ptr_nonnull(u);
    memcpy(u, s->u, (size_t)s->l->u_size * sizeof(double));
    solve(s, 1e-6, &stats);
    ck_assert_double_lt(stats.dual_residual, 1e-10);
    ck_assert_int_le(stats.passes, 60);
    for (int64_t i = 0; i < s->l->u_size; i++) {
        ck_assert_double_eq_tol(s->u[i], u[i], 1e-7);
    }
    free(u);
    kkt_system_free(s);
}
END_TEST

/* Slender rods: no inertia about their own (x) axis; a hinge about z at one end determines it. */
START_TEST(test_slender_rods)
{
    enum { N = 20 };
    for (double share = 1e-3; share <= 1.0; share *= 10.0) {
        kkt_system *s = rigid_bodies(N);
        for (int32_t k = 0; k < N; k++) {
            kkt_add_pair(s, k % 2 == 0 ? 5 : 3, k, k - 1); /* hinge, ball, hinge, ... */
        }
        for (int32_t k = 1; k + 1 < N; k += 2) {
            /* a rod between balls is kept from spinning by one angular row */
            kkt_add_pair(s, 1, k, k - 1);
        }
        kkt_add_pair(s, 1, N - 1, N - 2);
        kkt_build(s);
        for (int32_t k = 0; k < N; k++) {
            for (int j = 0; j < 6; j++) {
                s->values->h[s->l->h_offset[k] + 7 * j] = j < 3 ? 1.0 : j == 3 ? 0.0 : 0.1;
            }
            s->values->delta[s->l->u_offset[k] + 3] = 0.1 * share;
        }
        for (int32_t k = 0; k < N; k++) {
            double rows[30];
            int32_t t = s->l->dual_start[k];
            hinge(rows, 1.0, -0.5, false);
            memcpy(s->values->g + s->l->g_offset[t], rows,
                   sizeof(double) * 6 * (size_t)s->dual_cap[k]);
            if (k > 0) {
                hinge(rows, -1.0, 0.5, false);
                memcpy(s->values->g + s->l->g_offset[t + 1], rows,
                       sizeof(double) * 6 * (size_t)s->dual_cap[k]);
            }
        }
        for (int32_t k = N; k < s->n_dual; k++) {
            int32_t t = s->l->dual_start[k];
            s->values->g[s->l->g_offset[t] + 3] = 1.0;
            s->values->g[s->l->g_offset[t + 1] + 3] = -1.0;
        }
        kkt_consistent_rhs(s);
        tn_kkt_refine_stats stats;
        solve(s, 1e-8, &stats);
        ck_assert_double_lt(stats.primal_residual, 1e-12);
        ck_assert_double_lt(stats.dual_residual, 1e-12);
        kkt_system_free(s);
    }
}
END_TEST

/* Two drivers that want different speeds: said so, and the rest of the motion stays right. */
START_TEST(test_conflict)
{
    kkt_system *s = rigid_bodies(2);
    kkt_add_pair(s, 5, 0, -1);
    kkt_add_pair(s, 5, 1, 0);
    kkt_add_pair(s, 1, 1, 0);
    kkt_add_pair(s, 1, 1, 0);
    kkt_build(s);
    for (int32_t k = 0; k < 2; k++) {
        for (int j = 0; j < 6; j++) {
            s->values->h[s->l->h_offset[k] + 7 * j] = j < 3 ? 2.0 : 0.3;
        }
    }
    hinge(s->values->g + s->l->g_offset[0], 1.0, -0.5, false);
    hinge(s->values->g + s->l->g_offset[1], 1.0, -0.5, false);
    hinge(s->values->g + s->l->g_offset[2], -1.0, 0.5, false);
    for (int32_t k = 2; k < 4; k++) {
        int32_t t = s->l->dual_start[k];
        s->values->g[s->l->g_offset[t] + 5] = 1.0;
        s->values->g[s->l->g_offset[t + 1] + 5] = -1.0;
        s->g[s->l->y_offset[k]] = k == 2 ? 1.0 : 3.0;
    }
    tn_kkt_refine_stats stats;
    solve(s, 1e-8, &stats);
    ck_assert(stats.stagnated);
    ck_assert_double_gt(stats.dual_residual, 0.1);
    ck_assert_double_eq_tol(s->u[11] - s->u[5], 2.0, 1e-6); /* least squares: the mean */
    tn_kkt_apply_g(s->kkt, s->values, s->u, s->rl);
    ck_assert_double_lt(largest(s->rl, 10), 1e-6);
    kkt_system_free(s);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("kkt structure");
    TCase *order = tcase_create("order and fill");
    tcase_add_loop_test(order, test_order, 0, KKT_FAMILIES);
    tcase_add_loop_test(order, test_same_order_again, 0, KKT_FAMILIES);
    tcase_add_test(order, test_trees);
    tcase_add_test(order, test_hub_with_spare_rows);
    tcase_add_test(order, test_ring_and_wheel);
    tcase_add_test(order, test_net);
    suite_add_tcase(suite, order);
    TCase *memory = tcase_create("memory");
    tcase_add_test(memory, test_every_allocation_fails);
    tcase_add_test(memory, test_numerics_allocate_nothing);
    suite_add_tcase(suite, memory);
    TCase *numbers = tcase_create("numbers");
    tcase_add_test(numbers, test_long_chain);
    tcase_add_test(numbers, test_slow_modes);
    tcase_add_test(numbers, test_slender_rods);
    tcase_add_test(numbers, test_conflict);
    suite_add_tcase(suite, numbers);
    return suite;
}
