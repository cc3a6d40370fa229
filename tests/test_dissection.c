/* test_dissection.c: nested dissection of nets: an order in which gates are open, with the fronts
 * that the theory of n x n nets allows.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "run_main.h"
#include "sparse/order/columns.h"
#include "sparse/order/dissection.h"

#define BODY  6 /* scalars */
#define JOINT 3

/* A graph of bodies 0 .. bodies - 1, then joints between pairs of them. */
typedef struct net {
    tn_order_graph graph;
    int64_t *start;
    int32_t *neighbour, *weight, *wait, *enough, *key;
    int32_t bodies, joints, (*pair)[2];
} net;

static net make_net(int32_t bodies, int32_t joints)
{
    const size_t n = (size_t)(bodies + joints);
    net m = {.bodies = bodies, .joints = joints};
    m.start = calloc(n + 1, sizeof *m.start);
    m.neighbour = calloc(4 * (size_t)joints + 1, sizeof *m.neighbour);
    m.weight = calloc(n, sizeof *m.weight);
    m.wait = calloc(n, sizeof *m.wait);
    m.enough = calloc(n, sizeof *m.enough);
    m.key = calloc(n, sizeof *m.key);
    m.pair = calloc((size_t)joints + 1, sizeof *m.pair);
    return m;
}

static void finish(net *m)
{
    const int32_t n = m->bodies + m->joints;
    int64_t used = 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t joint = i - m->bodies;
        m->start[i] = used;
        m->weight[i] = joint < 0 ? BODY : JOINT;
        m->wait[i] = joint < 0 ? 0 : 2;
        m->enough[i] = JOINT;
        m->key[i] = -1;
        for (int32_t k = 0; joint < 0 && k < m->joints; k++)
            if (m->pair[k][0] == i || m->pair[k][1] == i)
                m->neighbour[used++] = m->bodies + k;
        for (int side = 0; joint >= 0 && side < 2; side++)
            m->neighbour[used++] = m->pair[joint][side];
    }
    m->start[n] = used;
    m->graph = (tn_order_graph){n, m->start, m->neighbour, m->weight, m->wait, m->enough, m->key};
}

static void release(net *m)
{
    free(m->start);
    free(m->neighbour);
    free(m->weight);
    free(m->wait);
    free(m->enough);
    free(m->key);
    free(m->pair);
}

static net make_square(int32_t n)
{
    net m = make_net(n * n, 2 * n * (n - 1));
    int32_t k = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            if (i + 1 < n)
                memcpy(m.pair[k++], (int32_t[2]){i * n + j, (i + 1) * n + j}, 2 * sizeof(int32_t));
            if (j + 1 < n)
                memcpy(m.pair[k++], (int32_t[2]){i * n + j, i * n + j + 1}, 2 * sizeof(int32_t));
        }
    ck_assert_int_eq(k, m.joints);
    finish(&m);
    return m;
}

/* Every node once, joints after their bodies. */
static void check_order(const net *m, const int32_t *order)
{
    const int32_t n = m->graph.n;
    int32_t *place = malloc((size_t)n * sizeof *place);
    memset(place, -1, (size_t)n * sizeof *place);
    for (int32_t p = 0; p < n; p++) {
        ck_assert_int_eq(place[order[p]], -1);
        place[order[p]] = p;
    }
    for (int32_t k = 0; k < m->joints; k++)
        for (int side = 0; side < 2; side++)
            ck_assert_int_gt(place[m->bodies + k], place[m->pair[k][side]]);
    free(place);
}

static int64_t widest_front(const net *m, const int32_t *order)
{
    tn_columns columns;
    ck_assert_int_eq(tn_columns_build(&m->graph, order, &columns), TN_OK);
    int64_t widest = 0;
    for (int32_t p = 0; p < columns.n; p++) {
        int64_t front = 0;
        for (int64_t t = columns.start[p]; t < columns.start[p + 1]; t++)
            front += m->weight[columns.order[columns.row[t]]];
        widest = front > widest ? front : widest;
    }
    tn_columns_free(&columns);
    return widest;
}

/* A quarter of an n x n net has n joints on its edges; its parts add half as many, and the last few
 * bodies theirs. */
START_TEST(test_net)
{
    const int32_t n = (int32_t[]){4, 9, 16, 33}[_i];
    net m = make_square(n);
    int32_t *order = malloc((size_t)m.graph.n * sizeof *order);
    ck_assert_int_eq(tn_order_dissect(&m.graph, order), TN_OK);
    check_order(&m, order);
    ck_assert_int_le(widest_front(&m, order), JOINT * (n + n / 2) + 2 * BODY);
    free(order);
    release(&m);
}
END_TEST

/* Pieces, bodies without joints, a hub, two joints between the same bodies. */
START_TEST(test_pieces)
{
    enum { STAR = 40, ALONE = 20 };
    net m = make_net(STAR + 1 + ALONE + 3, STAR + 3);
    for (int32_t k = 0; k < STAR; k++)
        memcpy(m.pair[k], (int32_t[2]){0, k + 1}, 2 * sizeof(int32_t));
    const int32_t ring = STAR + 1 + ALONE;
    memcpy(m.pair[STAR], (int32_t[2]){ring, ring + 1}, 2 * sizeof(int32_t));
    memcpy(m.pair[STAR + 1], (int32_t[2]){ring + 1, ring + 2}, 2 * sizeof(int32_t));
    memcpy(m.pair[STAR + 2], (int32_t[2]){ring, ring + 1}, 2 * sizeof(int32_t));
    finish(&m);
    int32_t *order = malloc((size_t)m.graph.n * sizeof *order);
    ck_assert_int_eq(tn_order_dissect(&m.graph, order), TN_OK);
    check_order(&m, order);
    free(order);
    release(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("dissection");
    TCase *tests = tcase_create("orders");
    tcase_add_loop_test(tests, test_net, 0, 4);
    tcase_add_test(tests, test_pieces);
    suite_add_tcase(suite, tests);
    return suite;
}
