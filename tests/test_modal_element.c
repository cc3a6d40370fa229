/* test_modal_element.c: the forces of a modal body by themselves: derivatives of its energy, and their slopes.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "assemble/load/modal.h"
#include "math/dense/jacobi_svd.h"
#include "motion/simulation.h"
#include "reduce/reduce.h"
#include "reduce/reduced.h"
#include "support/random_numbers.h"
#include "support/run_main.h"

enum { FEW = 12, FIELDS = 2 };

typedef struct sample {
    tn_vec3 rest[FEW], x[FEW], v[FEW];
    double K[9 * FEW * FEW], force[3 * FEW * FIELDS], shape[FEW * FEW * FIELDS];
    tn_reduced body;
} sample;

/* Stress fields: b without sum and moment, g symmetric, which a displacement of all leaves without force. */
static void make_fields(sample *s, double rigid[6][3 * FEW], uint64_t *seed)
{
    for (int j = 0; j < FIELDS; j++) {
        double *b = s->force + 3 * FEW * j, *g = s->shape + FEW * FEW * j;
        for (int i = 0; i < 3 * FEW; i++)
            b[i] = random_number(seed);
        for (int k = 0; k < 12; k++) {
            double along = 0.0;
            for (int i = 0; i < 3 * FEW; i++)
                along += b[i] * rigid[k % 6][i];
            for (int i = 0; i < 3 * FEW; i++)
                b[i] -= along * rigid[k % 6][i];
        }
        for (int n = 0; n < FEW; n++) { /* squares of differences, some with a minus */
            const int i = n, l = (n + 1 + j) % FEW;
            const double value = 20.0 * random_number(seed);
            g[i * FEW + i] += value;
            g[l * FEW + l] += value;
            g[i * FEW + l] -= value;
            g[l * FEW + i] -= value;
        }
    }
}

/* Particles anywhere and some positive K that leaves displacements and small turns without force. */
static void make_sample(sample *s, double strain)
{
    uint64_t seed = 7;
    memset(s, 0, sizeof *s);
    tn_vec3 center = {0.0, 0.0, 0.0};
    double modes[6][3 * FEW], K[3 * FEW][3 * FEW] = {{0.0}};
    for (int i = 0; i < FEW; i++) {
        s->rest[i] = random_vector(&seed);
        center = v3_axpy(center, 1.0 / FEW, s->rest[i]);
    }
    for (int i = 0; i < FEW; i++)
        s->rest[i] = v3_sub(s->rest[i], center);
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < FEW; i++) {
            const tn_vec3 e = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
            v3_store(modes[k] + 3 * i, k < 3 ? e : v3_cross(e, s->rest[i]));
        }
        for (int n = 0; n < 2 * k; n++) {
            double along = 0.0;
            for (int i = 0; i < 3 * FEW; i++)
                along += modes[k][i] * modes[n % k][i];
            for (int i = 0; i < 3 * FEW; i++)
                modes[k][i] -= along * modes[n % k][i];
        }
        double square = 0.0;
        for (int i = 0; i < 3 * FEW; i++)
            square += modes[k][i] * modes[k][i];
        for (int i = 0; i < 3 * FEW; i++)
            modes[k][i] /= sqrt(square);
    }
    for (int n = 0; n < 3 * FEW; n++) {
        double a[3 * FEW];
        for (int i = 0; i < 3 * FEW; i++)
            a[i] = random_number(&seed);
        for (int k = 0; k < 12; k++) {
            double along = 0.0;
            for (int i = 0; i < 3 * FEW; i++)
                along += a[i] * modes[k % 6][i];
            for (int i = 0; i < 3 * FEW; i++)
                a[i] -= along * modes[k % 6][i];
        }
        for (int i = 0; i < 9 * FEW * FEW; i++)
            K[i / (3 * FEW)][i % (3 * FEW)] += a[i / (3 * FEW)] * a[i % (3 * FEW)];
    }
    memcpy(s->K, K, sizeof K);
    make_fields(s, modes, &seed);
    s->body = (tn_reduced){FEW, s->rest, s->K, NULL, {FIELDS, s->force, s->shape, NULL}};
    const tn_mat3 R = q_to_m3(q_exp(v3(1.0, -2.0, 0.5)));
    for (int i = 0; i < FEW; i++) {
        s->x[i] = v3_axpy(v3_add(v3(3.0, 4.0, 5.0), m3_mulv(&R, s->rest[i])), strain,
                          random_vector(&seed));
        s->v[i] = random_vector(&seed);
    }
}

static void forces_at(const sample *s, double t, tn_vec3 f[FEW])
{
    tn_vec3 x[FEW];
    tn_reduced_state state;
    for (int i = 0; i < FEW; i++) {
        x[i] = v3_axpy(s->x[i], t, s->v[i]);
        f[i] = v3(0.0, 0.0, 0.0);
    }
    ck_assert(tn_reduced_make(&s->body, x, NULL, &state));
    tn_reduced_forces(&state, f);
}

static double energy_at(const sample *s, double t)
{
    tn_vec3 x[FEW];
    tn_reduced_state state;
    for (int i = 0; i < FEW; i++)
        x[i] = v3_axpy(s->x[i], t, s->v[i]);
    ck_assert(tn_reduced_make(&s->body, x, NULL, &state));
    return tn_reduced_energy(&state);
}

/* Any strain: forces are the derivatives of the energy, without sum and moment. */
START_TEST(forces_are_the_derivatives_of_the_energy)
{
    sample s;
    make_sample(&s, 0.2);
    tn_vec3 f[FEW], sum = {0, 0, 0}, moment = {0, 0, 0};
    tn_reduced_state state;
    double power = 0.0;
    forces_at(&s, 0.0, f);
    for (int i = 0; i < FEW; i++) {
        power -= v3_dot(f[i], s.v[i]);
        sum = v3_add(sum, f[i]);
        moment = v3_add(moment, v3_cross(s.x[i], f[i]));
    }
    const double h = 1e-5, rate = (energy_at(&s, h) - energy_at(&s, -h)) / (2.0 * h);
    ck_assert_double_gt(energy_at(&s, 0.0), 0.5);
    ck_assert_double_le(fabs(rate / power - 1.0), 1e-8);
    ck_assert_double_le(v3_norm(sum), 1e-12);
    ck_assert_double_le(v3_norm(moment), 1e-11);
    ck_assert(tn_reduced_make(&s.body, s.x, s.v, &state));
    ck_assert_double_le(fabs(tn_reduced_power(&state) / power - 1.0), 1e-12);
}
END_TEST

/* The stiffness is that of differences but for the square of strain: it falls by 100 where strain falls by 10. */
START_TEST(blocks_are_the_slopes_of_the_forces)
{
    double off[2];
    for (int n = 0; n < 2; n++) {
        sample s;
        tn_reduced_state state;
        tn_reduced_slopes slopes;
        tn_vec3 f[2][FEW];
        const double h = 1e-6;
        make_sample(&s, n == 0 ? 1e-2 : 1e-3);
        ck_assert(tn_reduced_make(&s.body, s.x, NULL, &state));
        tn_reduced_slopes_make(&state, 1.0, 0.0, false, &slopes);
        forces_at(&s, -h, f[0]);
        forces_at(&s, h, f[1]);
        off[n] = 0.0;
        for (int i = 0; i < FEW; i++) {
            tn_vec3 slope = v3_scale(0.5 / h, v3_sub(f[0][i], f[1][i]));
            for (int j = 0; j < FEW; j++) {
                const tn_mat3 block = tn_reduced_block(&slopes, i, j),
                              other = tn_reduced_block(&slopes, j, i);
                slope = v3_sub(slope, m3_mulv(&block, s.v[j]));
                for (int k = 0; k < 9; k++)
                    ck_assert_double_le(fabs(block.m[k / 3][k % 3] - other.m[k % 3][k / 3]), 1e-12);
            }
            off[n] = fmax(off[n], v3_norm(slope));
        }
    }
    ck_assert_double_le(off[0], 0.02);
    ck_assert_double_le(off[1], 0.015 * off[0]);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("modal element");
    TCase *tc = tcase_create("element");
    tcase_add_test(tc, forces_are_the_derivatives_of_the_energy);
    tcase_add_test(tc, blocks_are_the_slopes_of_the_forces);
    suite_add_tcase(suite, tc);
    return suite;
}
