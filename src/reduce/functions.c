/* functions.c: room reduce: functions of nodes (functions.h).
 *
 * A component of a mode is made orthogonal to the functions there are (Gram, Schmidt), and what is left becomes one of them. It is
 * left out where its strain energy alone is a share TN_LEFT_OUT of that of the mode: as a mode has the least energy for its
 * mass or its displacement, what is left out of it changes its energy by no more than that.
 */
#include "reduce/functions.h"

#include <math.h>
#include <string.h>

#include "math/m3.h"

/* Share of a function's length that rounding leaves of one in the span of the others. */
#define TN_NOTHING 1e-11

static double *function_at(const tn_functions *f, int32_t k)
{
    return f->all + (int64_t)k * f->m->nodes;
}

static double length_of(const tn_functions *f, const double *a)
{
    tn_mesh_matrix_mass(f->m, 1, a, f->work);
    return sqrt(tn_mesh_dot(a, f->work, f->m->nodes));
}

/* Makes the candidate orthogonal, twice for rounding. Returns what is left of its length. */
static double separate(const tn_functions *f, double *candidate)
{
    for (int pass = 0; pass < 2; pass++) {
        tn_mesh_matrix_mass(f->m, 1, candidate, f->work);
        for (int32_t k = 0; k < f->count; k++) {
            const double *other = function_at(f, k),
                         along = tn_mesh_dot(f->work, other, f->m->nodes);
            for (int32_t i = 0; i < f->m->nodes; i++)
                candidate[i] -= along * other[i];
        }
    }
    return length_of(f, candidate);
}

/* J, of a displacement along an axis. */
static double energy_along(const tn_functions *f, const double *function, int axis)
{
    double *u = f->work, *Ku = f->work + f->m->size, energy = 0.0;
    memset(u, 0, sizeof(double) * (size_t)f->m->size);
    for (int32_t i = 0; i < f->m->nodes; i++)
        u[3 * (int64_t)i + axis] = function[i];
    tn_mesh_matrix_times(f->m, u, Ku);
    for (int64_t k = 0; k < f->m->size; k++)
        energy += 0.5 * u[k] * Ku[k];
    return energy;
}

/* The candidate, of this length, becomes a function. */
static void keep(tn_functions *f, double length)
{
    double *candidate = function_at(f, f->count++);
    for (int32_t i = 0; i < f->m->nodes; i++)
        candidate[i] /= length;
}

tn_status tn_functions_start(tn_functions *f, tn_mesh_matrix *m)
{
    const tn_vec3 *X = m->def->mesh->nodes;
    *f = (tn_functions){.m = m};
    f->all = TN_NEW_ARRAY(double, (int64_t)(TN_REDUCED_MOST + 1) * m->nodes);
    f->work = TN_NEW_ARRAY(double, 2 * m->size);
    f->one = TN_NEW_ARRAY(double, m->nodes);
    if (!f->all || !f->work || !f->one)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < m->nodes; i++)
        f->all[i] = 1.0;
    tn_mesh_matrix_mass(m, 1, f->all, f->one);
    f->mass = tn_mesh_dot(f->all, f->one, m->nodes);
    for (int k = 0; k < 4; k++) {
        double *candidate = function_at(f, f->count);
        for (int32_t i = 0; i < m->nodes; i++) {
            const double p[4] = {1.0, X[i].x - X[0].x, X[i].y - X[0].y, X[i].z - X[0].z};
            candidate[i] = p[k];
        }
        const double before = length_of(f, candidate), length = separate(f, candidate);
        if (!(length > TN_NOTHING * before))
            return TN_ERROR_INPUT;
        keep(f, length);
    }
    return TN_OK;
}

void tn_functions_free(tn_functions *f)
{
    tn_free(f->all);
    tn_free(f->work);
    tn_free(f->one);
}

tn_vec3 tn_functions_center(const tn_functions *f)
{
    tn_vec3 center = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < f->m->nodes; i++)
        center = v3_axpy(center, f->one[i] / f->mass, f->m->def->mesh->nodes[i]);
    return center;
}

void tn_functions_add(tn_functions *f, const double *mode, double left_out)
{
    double energy = 0.0;
    tn_mesh_matrix_mass(f->m, 3, mode, f->work);
    const double whole = sqrt(tn_mesh_dot(mode, f->work, f->m->size));
    tn_mesh_matrix_times(f->m, mode, f->work);
    for (int64_t k = 0; k < f->m->size; k++)
        energy += 0.5 * mode[k] * f->work[k];
    for (int axis = 0; axis < 3; axis++) {
        double *candidate = function_at(f, f->count); /* one more than may be there has room */
        for (int32_t i = 0; i < f->m->nodes; i++)
            candidate[i] = mode[3 * (int64_t)i + axis];
        const double length = separate(f, candidate);
        if (!(length > TN_NOTHING * whole) ||
            !(energy_along(f, candidate, axis) > left_out * energy))
            continue;
        if (f->count == TN_REDUCED_MOST)
            f->too_many = true;
        else
            keep(f, length);
    }
}

/* e_k become sqrt(m/n) sum_j e_j H_jk, H = 1 - 2 v v^T / v^T v the reflection that takes (1, 0, ..) to (1, 1, ..) / sqrt(n):
 * as e_0 = 1 / sqrt(m), the sum of all is 1. */
double tn_functions_share_out(tn_functions *f)
{
    const int32_t n = f->count;
    const double part = 1.0 / sqrt(n), first = 1.0 - part;
    const double square = first * first + (n - 1) * part * part;
    for (int32_t i = 0; i < f->m->nodes; i++) {
        double along = first * f->all[i];
        for (int32_t k = 1; k < n; k++)
            along -= part * function_at(f, k)[i];
        for (int32_t k = 0; k < n; k++) {
            double *value = function_at(f, k) + i;
            const double v = k == 0 ? first : -part;
            *value = sqrt(f->mass / n) * (*value - 2.0 * v * along / square);
        }
    }
    return f->mass / n;
}
