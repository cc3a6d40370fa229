/* test_elements.c: solid elements by themselves: shape functions, materials against closed forms and differences, forces
 * against energies, patch tests of every type and law, frames of sets of particles.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "element/body.h"
#include "element/geometry.h"
#include "element/mean.h"
#include "support/random_numbers.h"
#include "support/run_main.h"

/* ---- shape functions ---- */

static void random_place(const tn_element_type *type, uint64_t *seed, double at[3])
{
    v3_store(at, random_vector(seed));
    for (int k = 0; k < 3; k++)
        at[k] = type->corners == 8 || (type->corners == 6 && k == 2) ? at[k] : 0.3 * fabs(at[k]);
}

START_TEST(shape_functions_are_1_at_their_node)
{
    const tn_element_type *type = tn_element_type_of((tn_element_kind)_i);
    tn_shape_basis basis;
    tn_shape_basis_make(type, &basis);
    for (int32_t j = 0; j < type->nodes; j++) {
        double at[3], N[TN_ELEMENT_NODES], dN[TN_ELEMENT_NODES][3];
        tn_element_node_place(type, j, at);
        tn_shape_at(&basis, at, N, dN);
        for (int32_t i = 0; i < type->nodes; i++)
            ck_assert_double_le(fabs(N[i] - (i == j)), 1e-14);
    }
}
END_TEST

START_TEST(shape_functions_add_up_to_1_and_to_the_place)
{
    const tn_element_type *type = tn_element_type_of((tn_element_kind)_i);
    uint64_t seed = 7;
    tn_shape_basis basis;
    tn_shape_basis_make(type, &basis);
    for (int n = 0; n < 50; n++) {
        double at[3], N[TN_ELEMENT_NODES], dN[TN_ELEMENT_NODES][3], sum = 0.0, place[3] = {0};
        double slope[3][3] = {{0}};
        random_place(type, &seed, at);
        tn_shape_at(&basis, at, N, dN);
        for (int32_t i = 0; i < type->nodes; i++) {
            double own[3];
            tn_element_node_place(type, i, own);
            sum += N[i];
            for (int k = 0; k < 3; k++) {
                place[k] += N[i] * own[k];
                for (int d = 0; d < 3; d++)
                    slope[k][d] += own[k] * dN[i][d];
            }
        }
        ck_assert_double_le(fabs(sum - 1.0), 1e-13);
        for (int k = 0; k < 9; k++) {
            ck_assert_double_le(fabs(place[k / 3] - at[k / 3]), 1e-13);
            ck_assert_double_le(fabs(slope[k / 3][k % 3] - (k % 4 == 0)), 1e-12);
        }
    }
}
END_TEST

START_TEST(points_have_the_volume_of_the_type)
{
    const tn_element_type *type = tn_element_type_of((tn_element_kind)_i);
    const double volume = type->corners == 8   ? 8.0
                          : type->corners == 6 ? 1.0
                          : type->corners == 5 ? 4.0 / 3.0
                                               : 1.0 / 6.0;
    tn_element_point points[TN_MASS_POINTS];
    double sum = 0.0, of_mass = 0.0;
    int32_t count = tn_element_points(type, points);
    ck_assert_int_eq(count, type->points);
    for (int32_t p = 0; p < count; p++)
        sum += points[p].weight;
    count = tn_element_mass_points(type, points);
    for (int32_t p = 0; p < count; p++)
        of_mass += points[p].weight;
    ck_assert_double_le(fabs(sum - volume), 1e-14);
    ck_assert_double_le(fabs(of_mass - volume), 1e-14);
}
END_TEST

/* A point of the integration of masses: x^4 of the tetrahedron, 4! / 7!; of the wedge 2/30. */
START_TEST(masses_are_summed_to_degree_four)
{
    const tn_element_kind kinds[2] = {TN_TET10, TN_WEDGE15};
    const double exact[2] = {24.0 / 5040.0, 2.0 / 30.0};
    for (int n = 0; n < 2; n++) {
        tn_element_point points[TN_MASS_POINTS];
        const int32_t count = tn_element_mass_points(tn_element_type_of(kinds[n]), points);
        double sum = 0.0;
        for (int32_t p = 0; p < count; p++)
            sum += points[p].weight * pow(points[p].at[0], 4.0);
        ck_assert_double_le(fabs(sum - exact[n]), 1e-15);
    }
}
END_TEST

/* ---- materials ---- */

static tn_elastic elastic_with(tn_elastic_law law, double poisson)
{
    const tn_solid_material m = {law, 1000.0, 1e6, poisson, 0.25, 0.01};
    return tn_elastic_of(&m);
}

static tn_elastic elastic_of(tn_elastic_law law)
{
    return elastic_with(law, 0.3);
}

/* Near the identity, turned by about a radian. */
static void random_deformation(uint64_t *seed, double size, double F[9])
{
    const tn_mat3 R = q_to_m3(q_exp(random_vector(seed)));
    tn_mat3 U = m3_identity();
    for (int i = 0; i < 3; i++) {
        double row[3];
        v3_store(row, random_vector(seed));
        for (int j = 0; j < 3; j++)
            U.m[i][j] += size * row[j];
    }
    const tn_mat3 all = m3_mul(&R, &U);
    memcpy(F, all.m, sizeof all.m);
}

START_TEST(stress_is_the_slope_of_the_energy)
{
    const tn_elastic m = elastic_of((tn_elastic_law)_i);
    uint64_t seed = 3;
    const double h = 1e-6;
    for (int n = 0; n < 50; n++) {
        double F[9], A[9][9];
        tn_response r, low, high;
        random_deformation(&seed, 0.25, F);
        ck_assert(tn_elastic_at(&m, F, &r, A));
        for (int k = 0; k < 9; k++) {
            double other[9];
            memcpy(other, F, sizeof F);
            other[k] = F[k] + h;
            ck_assert(tn_elastic_at(&m, other, &high, NULL));
            other[k] = F[k] - h;
            ck_assert(tn_elastic_at(&m, other, &low, NULL));
            ck_assert_double_le(fabs((high.W - low.W) / (2.0 * h) - r.P[k]), 1e-8 * 1e6);
            for (int i = 0; i < 9; i++) {
                ck_assert_double_le(fabs((high.P[i] - low.P[i]) / (2.0 * h) - A[i][k]), 3e-8 * 1e6);
                ck_assert_double_le(fabs(A[i][k] - A[k][i]), 1e-13 * 1e6);
            }
        }
    }
}
END_TEST

START_TEST(rotations_change_neither_energy_nor_stress)
{
    const tn_elastic m = elastic_of((tn_elastic_law)_i);
    uint64_t seed = 5;
    for (int n = 0; n < 50; n++) {
        double F[9];
        double other[9];
        tn_response r, turned;
        random_deformation(&seed, 0.2, F);
        const tn_mat3 R = q_to_m3(q_exp(random_vector(&seed)));
        tn_mat3 f, p;
        memcpy(f.m, F, sizeof f.m);
        const tn_mat3 RF = m3_mul(&R, &f);
        ck_assert(tn_elastic_at(&m, F, &r, NULL));
        memcpy(other, RF.m, sizeof other);
        ck_assert(tn_elastic_at(&m, other, &turned, NULL));
        memcpy(p.m, r.P, sizeof p.m);
        const tn_mat3 RP = m3_mul(&R, &p);
        ck_assert_double_le(fabs(turned.W - r.W), 1e-12 * 1e6);
        for (int k = 0; k < 9; k++)
            ck_assert_double_le(fabs(turned.P[k] - RP.m[k / 3][k % 3]), 1e-12 * 1e6);
    }
}
END_TEST

/* A bar that is free across, E 1e6, nu 0.3: roots of 25 digits, and by minimising the energy to 3e-7. */
static const struct uniaxial {
    tn_elastic_law law;
    double stretch, across, nominal;
} uniaxial[] = {
    {TN_LAW_NEO_HOOKEAN, 0.6, 1.1549821501842, -624348.56874616},
    {TN_LAW_NEO_HOOKEAN, 0.8, 1.067338369279, -240005.38198802},
    {TN_LAW_NEO_HOOKEAN, 1.25, 0.93356010449817, 212604.77885827},
    {TN_LAW_NEO_HOOKEAN, 2.0, 0.79807754453891, 646744.66017361},
    {TN_LAW_MOONEY_RIVLIN, 0.6, 1.1411241548486, -711962.90197889}, /* without c2 */
    {TN_LAW_MOONEY_RIVLIN, 0.8, 1.0667760431912, -254889.16853013},
};

START_TEST(bars_pull_as_closed_forms)
{
    const struct uniaxial *c = &uniaxial[_i];
    tn_elastic m = elastic_of(c->law);
    m.share = 0.0;
    const double F[9] = {c->stretch, 0, 0, 0, c->across, 0, 0, 0, c->across};
    tn_response r;
    ck_assert(tn_elastic_at(&m, F, &r, NULL));
    ck_assert_double_le(fabs(r.P[0] - c->nominal), 1e-10 * fabs(c->nominal));
    ck_assert_double_le(fabs(r.P[4]), 1e-7 * fabs(c->nominal)); /* 13 digits are given */
}
END_TEST

/* St Venant, Kirchhoff: E l (l^2 - 1) / 2; the corotated law: E (l - 1). */
START_TEST(bars_of_other_laws)
{
    const double l = 1.5, nu = 0.3;
    const double across[2] = {1.0 - nu * (l - 1.0), sqrt(1.0 - nu * (l * l - 1.0))};
    const double nominal[2] = {1e6 * (l - 1.0), 1e6 * l * (l * l - 1.0) / 2.0};
    for (int law = 0; law < 2; law++) {
        const tn_elastic m = elastic_of((tn_elastic_law)law);
        const double F[9] = {l, 0, 0, 0, across[law], 0, 0, 0, across[law]};
        tn_response r;
        ck_assert(tn_elastic_at(&m, F, &r, NULL));
        ck_assert_double_le(fabs(r.P[0] - nominal[law]), 1e-9);
        ck_assert_double_le(fabs(r.P[4]), 1e-9);
    }
}
END_TEST

START_TEST(laws_agree_at_small_strain)
{
    const tn_elastic m = elastic_of((tn_elastic_law)_i);
    uint64_t seed = 11;
    double D[9], F[9];
    v3_store(D, random_vector(&seed));
    v3_store(D + 3, random_vector(&seed));
    v3_store(D + 6, random_vector(&seed));
    const double s = 1e-7, t = D[0] + D[4] + D[8];
    for (int k = 0; k < 9; k++)
        F[k] = (k % 4 == 0) + s * D[k];
    tn_response r;
    ck_assert(tn_elastic_at(&m, F, &r, NULL));
    for (int k = 0; k < 9; k++) {
        const double hooke = (k % 4 == 0) * m.lambda * t + m.mu * (D[k] + D[3 * (k % 3) + k / 3]);
        ck_assert_double_le(fabs(r.P[k] / s - hooke), 1e-5 * 1e6);
    }
}
END_TEST

START_TEST(nothing_is_turned_inside_out)
{
    const double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0}, mirrored[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
    const double none[9] = {NAN, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int law = 0; law < TN_LAW_COUNT; law++) {
        const tn_elastic m = elastic_of((tn_elastic_law)law);
        tn_response r;
        ck_assert(!tn_elastic_at(&m, flat, &r, NULL));
        ck_assert(!tn_elastic_at(&m, mirrored, &r, NULL));
        ck_assert(!tn_elastic_at(&m, none, &r, NULL));
    }
}
END_TEST

/* ---- elements ---- */

/* An element of any shape, its edges straight, and its numbers. */
typedef struct sample {
    tn_vec3 X[TN_ELEMENT_NODES], x[TN_ELEMENT_NODES], v[TN_ELEMENT_NODES];
    double weight[TN_ELEMENT_POINTS], grad[TN_ELEMENT_POINTS * TN_ELEMENT_NODES * 3];
    double mode[TN_ELEMENT_MODES * TN_ELEMENT_POINTS], poisson;
    tn_element_data data;
    tn_shape_basis basis;
    tn_elastic material;
    tn_deformed e;
} sample;

static void put_gradients(sample *s)
{
    const tn_element_type *type = s->basis.type;
    const int32_t modes = tn_element_modes(type, s->poisson);
    tn_element_integrate(&s->basis, s->X, modes, s->weight, s->grad, s->mode);
    s->data = (tn_element_data){type->nodes, type->points, s->weight, s->grad, s->mode, modes};
}

static void make_sample(tn_element_kind kind, tn_elastic_law law, double poisson, uint64_t seed,
                        sample *s)
{
    const tn_element_type *type = tn_element_type_of(kind);
    memset(s, 0, sizeof *s);
    tn_shape_basis_make(type, &s->basis);
    s->poisson = poisson;
    s->material = elastic_with(law, poisson);
    for (int32_t i = 0; i < type->nodes; i++) {
        double at[3];
        tn_element_node_place(type, i, at);
        s->X[i] = v3_axpy(v3_load(at), 0.05, random_vector(&seed));
        s->x[i] = v3_axpy(s->X[i], 0.05, random_vector(&seed));
        s->v[i] = random_vector(&seed);
    }
    put_gradients(s);
    s->e = (tn_deformed){&s->data, &s->material, s->x, s->v};
}

static void forces_of(sample *s, const tn_vec3 *v, double f[3 * TN_ELEMENT_NODES])
{
    tn_vec3 forces[TN_ELEMENT_NODES] = {{0.0, 0.0, 0.0}};
    tn_deformed e = s->e;
    e.v = v;
    ck_assert(tn_element_forces(&e, forces));
    for (int32_t i = 0; i < s->data.nodes; i++)
        v3_store(f + 3 * i, forces[i]);
}

/* With and without functions of the change of volume. */
static const double ratios[2] = {0.3, 0.4999};

/* E of the samples times this: lambda over that at the first ratio. */
static double scale_of(const sample *s)
{
    return s->material.lambda / elastic_of(TN_LAW_LINEAR).lambda;
}

START_TEST(forces_are_minus_the_slopes_of_the_energy)
{
    const double h = 1e-6;
    for (int c = 0; c < 2 * TN_LAW_COUNT; c++) {
        sample s;
        double f[3 * TN_ELEMENT_NODES];
        make_sample((tn_element_kind)_i, (tn_elastic_law)(c / 2), ratios[c % 2], 17, &s);
        forces_of(&s, NULL, f);
        for (int32_t k = 0; k < 3 * s.data.nodes; k++) {
            double *at = &s.x[k / 3].x + k % 3;
            const double x = *at;
            *at = x + h;
            const double high = tn_element_energy(&s.e);
            *at = x - h;
            const double low = tn_element_energy(&s.e);
            *at = x;
            ck_assert_double_le(fabs((low - high) / (2.0 * h) - f[k]), 1e-3 * scale_of(&s));
        }
    }
}
END_TEST

START_TEST(stiffness_is_the_slope_of_the_forces)
{
    const double h = 1e-6;
    for (int c = 0; c < 2 * TN_LAW_COUNT; c++) {
        sample s;
        double K[9 * TN_ELEMENT_NODES * TN_ELEMENT_NODES], low[3 * TN_ELEMENT_NODES],
            high[3 * TN_ELEMENT_NODES];
        make_sample((tn_element_kind)_i, (tn_elastic_law)(c / 2), ratios[c % 2], 19, &s);
        const int32_t n = 3 * s.data.nodes;
        ck_assert(tn_element_stiffness(&s.e, 1.0, 0.0, false, K));
        for (int32_t k = 0; k < n; k++) {
            double *at = &s.x[k / 3].x + k % 3;
            const double x = *at;
            *at = x + h;
            forces_of(&s, NULL, high);
            *at = x - h;
            forces_of(&s, NULL, low);
            *at = x;
            for (int32_t i = 0; i < n; i++)
                ck_assert_double_le(fabs((low[i] - high[i]) / (2.0 * h) - K[i * n + k]),
                                    0.1 * scale_of(&s));
        }
    }
}
END_TEST

static void check_damping(tn_element_kind kind, double poisson)
{
    sample s;
    double D[9 * TN_ELEMENT_NODES * TN_ELEMENT_NODES], with[3 * TN_ELEMENT_NODES],
        without[3 * TN_ELEMENT_NODES], power = 0.0;
    make_sample(kind, TN_LAW_NEO_HOOKEAN, poisson, 23, &s);
    const int32_t n = 3 * s.data.nodes;
    ck_assert(tn_element_stiffness(&s.e, 0.0, 1.0, false, D));
    forces_of(&s, s.v, with);
    forces_of(&s, NULL, without);
    for (int32_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int32_t k = 0; k < n; k++)
            sum += D[i * n + k] * (&s.v[k / 3].x)[k % 3];
        ck_assert_double_le(fabs(sum - (without[i] - with[i])), 1e-6 * scale_of(&s));
        power += sum * (&s.v[i / 3].x)[i % 3];
    }
    ck_assert_double_gt(power, 0.0);
    ck_assert_double_le(fabs(power - tn_element_losses(&s.e)), 1e-10 * power);
}

START_TEST(damping_is_the_slope_by_velocities_and_takes_energy)
{
    check_damping((tn_element_kind)_i, ratios[0]);
    check_damping((tn_element_kind)_i, ratios[1]);
}
END_TEST

static void check_balance(tn_element_kind kind, double poisson)
{
    sample s;
    double f[3 * TN_ELEMENT_NODES];
    make_sample(kind, TN_LAW_LINEAR, poisson, 29, &s);
    forces_of(&s, s.v, f);
    tn_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
    for (int32_t i = 0; i < s.data.nodes; i++) {
        sum = v3_add(sum, v3_load(f + 3 * i));
        moment = v3_add(moment, v3_cross(s.x[i], v3_load(f + 3 * i)));
    }
    ck_assert_double_le(v3_norm(sum), 1e-8 * scale_of(&s));
    ck_assert_double_le(v3_norm(moment), 1e-8 * scale_of(&s));
    const tn_vec3 w = {0.3, -0.7, 1.1};
    for (int32_t i = 0; i < s.data.nodes; i++)
        s.v[i] = v3_add(v3(1.0, 2.0, 3.0), v3_cross(w, s.x[i]));
    ck_assert_double_le(fabs(tn_element_losses(&s.e)), 1e-9 * scale_of(&s));
}

START_TEST(forces_balance_and_spins_are_not_damped)
{
    check_balance((tn_element_kind)_i, ratios[0]);
    check_balance((tn_element_kind)_i, ratios[1]);
}
END_TEST

START_TEST(masses_have_the_centre_and_are_positive)
{
    sample s;
    double m[TN_ELEMENT_NODES], sum = 0.0;
    make_sample((tn_element_kind)_i, TN_LAW_LINEAR, 0.3, 31, &s);
    const double volume = tn_element_masses(&s.basis, s.X, 2.0, m);
    for (int32_t i = 0; i < s.data.nodes; i++) {
        ck_assert_double_gt(m[i], 0.0);
        sum += m[i];
    }
    ck_assert_double_le(fabs(sum - 2.0 * volume), 1e-13);
}
END_TEST

/* ---- patch tests ---- */

/* A grid whose inner corners are moved, its edges straight. */
static void distort(tn_solid_mesh *mesh, uint64_t seed)
{
    const int32_t n = mesh->node_count;
    for (int32_t i = 0; i < n; i++) {
        const tn_vec3 X = mesh->nodes[i];
        const double bump = X.x * (1.0 - X.x) * X.y * (1.0 - X.y) * X.z * (1.0 - X.z);
        const tn_vec3 by = random_vector(&seed);
        mesh->nodes[i] = v3_axpy(X, 6.0 * bump, by);
    }
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const tn_solid_element *element = &mesh->elements[e];
        const tn_element_type *type = tn_element_type_of(element->kind);
        double N[TN_ELEMENT_NODES], dN[TN_ELEMENT_NODES][3];
        tn_shape_basis basis;
        tn_shape_basis_make(tn_element_type_of(type->corners == 4   ? TN_TET4
                                               : type->corners == 5 ? TN_PYRAMID5
                                               : type->corners == 8 ? TN_HEX8
                                                                    : TN_WEDGE6),
                            &basis);
        for (int32_t i = type->corners; i < type->nodes; i++) {
            double at[3];
            tn_vec3 sum = {0, 0, 0};
            tn_element_node_place(type, i, at);
            tn_shape_at(&basis, at, N, dN);
            for (int32_t k = 0; k < type->corners; k++)
                sum = v3_axpy(sum, N[k], mesh->nodes[element->nodes[k]]);
            mesh->nodes[element->nodes[i]] = sum;
        }
    }
}

/* Linear displacements: the forces of elements vanish at inner nodes. */
START_TEST(patches_of_constant_strain_are_in_balance)
{
    static const double F[9] = {1.1, 0.05, -0.02, 0.1, 0.93, 0.03, -0.04, 0.06, 1.05};
    const tn_element_kind kind = (tn_element_kind)_i;
    const tn_solid_grid grid = {{1.0, 1.0, 1.0}, {2, 2, 2}, kind};
    tn_solid_mesh mesh;
    ck_assert_int_eq(tn_solid_mesh_grid(&grid, &mesh), TN_OK);
    distort(&mesh, 37);
    for (int c = 0; c < 2 * TN_LAW_COUNT; c++) {
        double worst = 0.0, largest = 0.0;
        static tn_vec3 f[1000];
        ck_assert_int_le(mesh.node_count, 1000);
        memset(f, 0, sizeof f);
        for (int32_t e = 0; e < mesh.element_count; e++) {
            sample s;
            tn_vec3 own[TN_ELEMENT_NODES] = {{0.0, 0.0, 0.0}};
            make_sample(kind, (tn_elastic_law)(c / 2), ratios[c % 2], 1, &s);
            for (int32_t i = 0; i < s.data.nodes; i++) {
                const tn_vec3 X = s.X[i] = mesh.nodes[mesh.elements[e].nodes[i]];
                s.x[i] =
                    v3(F[0] * X.x + F[1] * X.y + F[2] * X.z, F[3] * X.x + F[4] * X.y + F[5] * X.z,
                       F[6] * X.x + F[7] * X.y + F[8] * X.z);
            }
            ck_assert_double_gt(tn_element_least_jacobian(&s.basis, s.X), 0.0);
            put_gradients(&s);
            s.e.v = NULL;
            ck_assert(tn_element_forces(&s.e, own));
            for (int32_t i = 0; i < s.data.nodes; i++) {
                f[mesh.elements[e].nodes[i]] = v3_add(f[mesh.elements[e].nodes[i]], own[i]);
                largest = fmax(largest, v3_norm(own[i]));
            }
        }
        for (int32_t i = 0; i < mesh.node_count; i++) {
            const tn_vec3 X = mesh.nodes[i];
            const bool inner = X.x > 1e-9 && X.x < 1.0 - 1e-9 && X.y > 1e-9 && X.y < 1.0 - 1e-9 &&
                               X.z > 1e-9 && X.z < 1.0 - 1e-9;
            worst = inner ? fmax(worst, v3_norm(f[i])) : worst;
        }
        ck_assert_double_le(worst, 1e-12 * largest);
    }
    tn_solid_mesh_free(&mesh);
}
END_TEST

/* MacNeal, Harder 1985: a cube of seven hexahedra, E 1e6, nu 0.25; strains of 1e-3 everywhere are stresses of 2000 and
 * 400. */
static const double cube[16][3] = {{0.249, 0.342, 0.192},
                                   {0.826, 0.288, 0.288},
                                   {0.85, 0.649, 0.263},
                                   {0.273, 0.75, 0.23},
                                   {0.32, 0.186, 0.643},
                                   {0.677, 0.305, 0.683},
                                   {0.788, 0.693, 0.644},
                                   {0.165, 0.745, 0.702},
                                   {0, 0, 0},
                                   {1, 0, 0},
                                   {1, 1, 0},
                                   {0, 1, 0},
                                   {0, 0, 1},
                                   {1, 0, 1},
                                   {1, 1, 1},
                                   {0, 1, 1}};
static const int hexahedra[7][8] = {{0, 1, 2, 3, 4, 5, 6, 7},     {8, 9, 10, 11, 0, 1, 2, 3},
                                    {4, 5, 6, 7, 12, 13, 14, 15}, {8, 9, 1, 0, 12, 13, 5, 4},
                                    {9, 10, 2, 1, 13, 14, 6, 5},  {10, 11, 3, 2, 14, 15, 7, 6},
                                    {11, 8, 0, 3, 15, 12, 4, 7}};

START_TEST(the_distorted_cube_has_its_stress)
{
    const tn_solid_material of = {TN_LAW_LINEAR, 1.0, 1e6, 0.25, 0.0, 0.0};
    tn_vec3 f[16] = {{0.0, 0.0, 0.0}};
    for (int e = 0; e < 7; e++) {
        sample s;
        tn_vec3 own[TN_ELEMENT_NODES] = {{0.0, 0.0, 0.0}};
        make_sample(TN_HEX8, TN_LAW_LINEAR, 0.3, 1, &s);
        s.material = tn_elastic_of(&of);
        for (int i = 0; i < 8; i++) {
            const tn_vec3 X = s.X[i] = v3_load(cube[hexahedra[e][i]]);
            const tn_vec3 u = {X.x + 0.5 * (X.y + X.z), X.y + 0.5 * (X.x + X.z),
                               X.z + 0.5 * (X.x + X.y)};
            s.x[i] = v3_axpy(X, 1e-3, u);
        }
        put_gradients(&s);
        s.e.v = NULL;
        ck_assert(tn_element_forces(&s.e, own));
        for (int i = 0; i < 8; i++)
            f[hexahedra[e][i]] = v3_add(f[hexahedra[e][i]], own[i]);
        for (int p = 0; p < 8; p++) {
            double F[9];
            tn_response r;
            tn_element_deformation(&s.e, s.x, p, F);
            ck_assert(tn_elastic_at(&s.material, F, &r, NULL));
            for (int k = 0; k < 9; k++) /* without rotation P is that of the small strains */
                ck_assert_double_le(fabs(r.P[k] - (k % 4 == 0 ? 2000.0 : 400.0)), 2e-9);
        }
    }
    for (int i = 0; i < 8; i++)
        ck_assert_double_le(v3_norm(f[i]), 1e-12 * 2000.0);
}
END_TEST

/* ---- frames of sets ---- */

enum { SET = 7 };

typedef struct set {
    double w[SET];
    tn_vec3 X[SET], x[SET], v[SET];
} set;

static void make_set(uint64_t seed, double flat, set *s)
{
    double sum = 0.0;
    tn_vec3 center = {0, 0, 0};
    for (int i = 0; i < SET; i++) {
        s->X[i] = random_vector(&seed);
        s->X[i].z *= flat;
        s->w[i] = 1.5 + random_vector(&seed).x;
        sum += s->w[i];
    }
    for (int i = 0; i < SET; i++) {
        s->w[i] /= sum;
        center = v3_axpy(center, s->w[i], s->X[i]);
    }
    const tn_mat3 R = q_to_m3(q_exp(v3(0.5, -1.0, 0.8)));
    for (int i = 0; i < SET; i++) {
        s->X[i] = v3_sub(s->X[i], center);
        s->x[i] = v3_axpy(m3_mulv(&R, s->X[i]), 0.15, random_vector(&seed));
        s->v[i] = random_vector(&seed);
    }
}

static tn_mean_moments moments_of(const set *s, const tn_vec3 *a)
{
    tn_mean_moments sum = {{0, 0, 0}, {{{0.0}}}};
    for (int i = 0; i < SET; i++)
        tn_mean_add(&sum, s->w[i], a[i], v3_scale(s->w[i], s->X[i]));
    return sum;
}

/* Its frame when it has moved on for a time. */
static tn_mean_frame frame_after(const set *s, double t)
{
    tn_vec3 x[SET];
    tn_mean_frame frame;
    for (int i = 0; i < SET; i++)
        x[i] = v3_axpy(s->x[i], t, s->v[i]);
    const tn_mean_moments m = moments_of(s, x);
    ck_assert(tn_mean_frame_make(&m, &frame));
    return frame;
}

static tn_vec3 spin_after(const set *s, double t)
{
    const tn_mean_frame frame = frame_after(s, t);
    const tn_mean_moments rates = moments_of(s, s->v);
    return tn_mean_spin(&frame, &rates);
}

START_TEST(a_frame_turns_as_its_differences_say)
{
    const double h = 1e-5;
    for (uint64_t n = 1; n < 40; n++) {
        set s;
        make_set(n, n % 4 == 0 ? 0.0 : 1.0, &s);
        const tn_mean_frame low = frame_after(&s, -h), high = frame_after(&s, h),
                            now = frame_after(&s, 0.0);
        const tn_mean_moments rates = moments_of(&s, s.v);
        const tn_mat3 turn = m3_tmul(&low.T.R, &high.T.R);
        const tn_vec3 w = tn_mean_spin(&now, &rates);
        ck_assert_double_le(v3_norm(v3_sub(v3_scale(0.5 / h, m3_log(&turn)), w)),
                            1e-8 * (1.0 + v3_norm(w)));
        ck_assert_double_le(v3_norm(v3_sub(v3_scale(0.5 / h, v3_sub(high.T.p, low.T.p)), rates.p)),
                            1e-9);
        const tn_vec3 slope = v3_scale(0.5 / h, v3_sub(spin_after(&s, h), spin_after(&s, -h)));
        const tn_vec3 rate = tn_mean_spin_rate(&now, &rates);
        ck_assert_double_le(v3_norm(v3_sub(slope, rate)), 1e-8 * (1.0 + v3_norm(rate)));
    }
}
END_TEST

START_TEST(a_wrench_on_a_frame_is_that_of_its_forces)
{
    for (uint64_t n = 1; n < 40; n++) {
        set s;
        make_set(n, n % 4 == 0 ? 0.0 : 1.0, &s);
        uint64_t seed = n;
        const tn_mean_frame frame = frame_after(&s, 0.0);
        const tn_vec3 f = random_vector(&seed), m = random_vector(&seed);
        const tn_vec3 c = tn_mean_turning(&frame, m3_tmulv(&frame.T.R, m));
        const tn_mean_moments rates = moments_of(&s, s.v);
        tn_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
        double power = 0.0;
        for (int i = 0; i < SET; i++) {
            const tn_vec3 fi = tn_mean_force(&frame, f, c, s.w[i], v3_scale(s.w[i], s.X[i]));
            sum = v3_add(sum, fi);
            moment = v3_add(moment, v3_cross(v3_sub(s.x[i], frame.T.p), fi));
            power += v3_dot(fi, s.v[i]);
        }
        const tn_vec3 w = m3_mulv(&frame.T.R, tn_mean_spin(&frame, &rates));
        ck_assert_double_le(v3_norm(v3_sub(sum, f)), 1e-12);
        ck_assert_double_le(v3_norm(v3_sub(moment, m)), 1e-12);
        ck_assert_double_le(fabs(power - v3_dot(f, rates.p) - v3_dot(m, w)), 1e-12);
    }
}
END_TEST

START_TEST(particles_in_a_line_have_no_frame)
{
    set s;
    tn_mean_frame frame;
    make_set(1, 1.0, &s);
    for (int i = 0; i < SET; i++)
        s.X[i] = s.x[i] = v3(i - 3.0, 0.0, 0.0);
    const tn_mean_moments m = moments_of(&s, s.x);
    ck_assert(!tn_mean_frame_make(&m, &frame));
    ck_assert(isnan(frame.T.R.m[0][0]));
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("elements");
    TCase *tcase = tcase_create("elements");
    const int kinds = TN_ELEMENT_KIND_COUNT, laws = TN_LAW_COUNT;
    tcase_add_loop_test(tcase, shape_functions_are_1_at_their_node, 0, kinds);
    tcase_add_loop_test(tcase, shape_functions_add_up_to_1_and_to_the_place, 0, kinds);
    tcase_add_loop_test(tcase, points_have_the_volume_of_the_type, 0, kinds);
    tcase_add_test(tcase, masses_are_summed_to_degree_four);
    tcase_add_loop_test(tcase, stress_is_the_slope_of_the_energy, 0, laws);
    tcase_add_loop_test(tcase, rotations_change_neither_energy_nor_stress, 0, laws);
    tcase_add_loop_test(tcase, bars_pull_as_closed_forms, 0, (int)TN_COUNT_OF(uniaxial));
    tcase_add_test(tcase, bars_of_other_laws);
    tcase_add_loop_test(tcase, laws_agree_at_small_strain, 0, laws);
    tcase_add_test(tcase, nothing_is_turned_inside_out);
    tcase_add_loop_test(tcase, forces_are_minus_the_slopes_of_the_energy, 0, kinds);
    tcase_add_loop_test(tcase, stiffness_is_the_slope_of_the_forces, 0, kinds);
    tcase_add_loop_test(tcase, damping_is_the_slope_by_velocities_and_takes_energy, 0, kinds);
    tcase_add_loop_test(tcase, forces_balance_and_spins_are_not_damped, 0, kinds);
    tcase_add_loop_test(tcase, masses_have_the_centre_and_are_positive, 0, kinds);
    tcase_add_loop_test(tcase, patches_of_constant_strain_are_in_balance, 0, kinds);
    tcase_add_test(tcase, the_distorted_cube_has_its_stress);
    tcase_add_test(tcase, a_frame_turns_as_its_differences_say);
    tcase_add_test(tcase, a_wrench_on_a_frame_is_that_of_its_forces);
    tcase_add_test(tcase, particles_in_a_line_have_no_frame);
    suite_add_tcase(suite, tcase);
    return suite;
}
