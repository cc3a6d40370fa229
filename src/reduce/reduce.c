/* reduce.c: room reduce: from a mesh to functions and matrices between them (reduce.h). */
#include "reduce/reduce.h"

#include <math.h>
#include <string.h>

#include "math/dense/jacobi_svd.h"
#include "math/m3.h"
#include "reduce/functions.h"
#include "reduce/modes.h"
#include "reduce/stiffening.h"

/* Shares of the strain energy of a mode that may be left out: frequencies change by half of it. Displacements under inertia change them by
 * some 1e-3, so that of these more may be. */
#define TN_LEFT_OUT            1e-5
#define TN_LEFT_OUT_OF_INERTIA 1e-4

/* modes ----------------------------------------------------------------------------------------- */

/* Of one interface less than there are: with the motions as a rigid body they span those of all. */
static tn_status add_displacements(tn_functions *f)
{
    const int64_t size = f->m->size;
    double *x = TN_NEW_ARRAY(double, 2 * size);
    if (!x)
        return TN_ERROR_MEMORY;
    for (int32_t k = TN_INTERFACE; k < f->m->holds; k++) {
        tn_mesh_matrix_displace(f->m, k, x, x + size);
        tn_functions_add(f, x, TN_LEFT_OUT);
    }
    tn_free(x);
    return TN_OK;
}

/* Displacements at rest, interfaces at rest, under the forces of inertia while an interface is accelerated: what the modes that are left
 * out do far below their frequencies. */
static tn_status add_inertia(tn_functions *f)
{
    const int64_t size = f->m->size;
    double *x = TN_NEW_ARRAY(double, 3 * size), *force = x + size;
    if (!x)
        return TN_ERROR_MEMORY;
    for (int32_t k = 0; k < f->m->holds; k++) {
        tn_mesh_matrix_displace(f->m, k, x, force);
        tn_mesh_matrix_mass(f->m, 3, x, force);
        tn_mesh_matrix_load(f->m, force, x, force + size);
        tn_functions_add(f, x, TN_LEFT_OUT_OF_INERTIA);
    }
    tn_free(x);
    return TN_OK;
}

static tn_status add_modes(tn_functions *f, tn_reduction *out)
{
    const int32_t count = f->m->def->modes;
    const double turn = 2.0 * 3.14159265358979323846;
    double *mode = TN_NEW_ARRAY(double, count * f->m->size);
    double *square = TN_ARENA_ARRAY(&out->arena, double, count + 1);
    tn_status status = mode && square ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = tn_mesh_modes(f->m, count, mode, square);
    for (int32_t k = 0; k < count && status == TN_OK; k++) {
        tn_functions_add(f, mode + (int64_t)k * f->m->size, TN_LEFT_OUT);
        square[k] = sqrt(square[k]) / turn;
    }
    out->modes = count;
    out->frequency = square;
    tn_free(mode);
    return status;
}

/* matrices -------------------------------------------------------------------------------------- */

/* a -= the means of its columns, for each axis: a displacement of all has no force. */
static void take_means(double *a, int32_t n)
{
    for (int32_t column = 0; column < 3 * n; column++) {
        for (int32_t axis = 0; axis < 3; axis++) {
            double sum = 0.0;
            for (int32_t i = 0; i < n; i++)
                sum += a[(3 * i + axis) * 3 * n + column];
            for (int32_t i = 0; i < n; i++)
                a[(3 * i + axis) * 3 * n + column] -= sum / n;
        }
    }
}

static void transpose(double *a, int32_t size)
{
    for (int32_t i = 0; i < size; i++) {
        for (int32_t j = 0; j < i; j++) {
            const double other = a[i * size + j];
            a[i * size + j] = a[j * size + i];
            a[j * size + i] = other;
        }
    }
}

/* Rounding leaves a matrix that is not quite symmetric, and a force of a displacement of all. */
static void clean(double *a, int32_t n)
{
    const int32_t size = 3 * n;
    for (int32_t i = 0; i < size; i++) {
        for (int32_t j = 0; j < i; j++)
            a[i * size + j] = a[j * size + i] = 0.5 * (a[i * size + j] + a[j * size + i]);
    }
    take_means(a, n);
    transpose(a, size);
    take_means(a, n);
}

/* out[3 n][3 n] = N^T K N of the matrix as it is filled. */
static void project(const tn_functions *f, double *out)
{
    const int32_t n = f->count, nodes = f->m->nodes, size = 3 * n;
    double *u = f->work, *Ku = f->work + f->m->size;
    for (int32_t column = 0; column < size; column++) {
        const double *from = f->all + (int64_t)(column / 3) * nodes;
        memset(u, 0, sizeof(double) * (size_t)f->m->size);
        for (int32_t i = 0; i < nodes; i++)
            u[3 * (int64_t)i + column % 3] = from[i];
        tn_mesh_matrix_times(f->m, u, Ku);
        for (int32_t k = 0; k < n; k++) {
            const double *to = f->all + (int64_t)k * nodes;
            double sum[3] = {0.0, 0.0, 0.0};
            for (int64_t i = 0; i < 3 * (int64_t)nodes; i++)
                sum[i % 3] += to[i / 3] * Ku[i];
            for (int32_t axis = 0; axis < 3; axis++)
                out[(3 * k + axis) * size + column] = sum[axis];
        }
    }
    clean(out, n);
}

/* D += 2 ratio sqrt(mass K): each mode of the reduced body has this ratio of critical damping. */
static tn_status add_ratio(const double *K, int32_t n, double ratio, double mass, double *D)
{
    const int64_t size = 3 * (int64_t)n;
    double *A = TN_NEW_ARRAY(double, size *size), *V = TN_NEW_ARRAY(double, size *size),
           *value = TN_NEW_ARRAY(double, size);
    const bool room = A && V && value;
    if (room) {
        memcpy(A, K, sizeof(double) * (size_t)(size * size));
        tn_jacobi_svd((int32_t)size, (int32_t)size, A, V, value);
    }
    for (int64_t k = 0; k < size && room; k++) {
        const double factor = 2.0 * ratio * sqrt(mass * value[k]), *v = V + k * size;
        for (int64_t i = 0; i < size; i++) {
            for (int64_t j = 0; j < size; j++)
                D[i * size + j] += factor * v[i] * v[j];
        }
    }
    tn_free(A);
    tn_free(V);
    tn_free(value);
    return room ? TN_OK : TN_ERROR_MEMORY;
}

static bool any_damping(const tn_reduce_def *def)
{
    bool any = def->ratio > 0.0;
    for (int32_t e = 0; e < def->mesh->element_count; e++)
        any = any || def->materials[def->material_of[e]].damping > 0.0;
    return any;
}

static tn_status put_stiffness(tn_functions *f, tn_reduction *out)
{
    const int64_t size = 3 * (int64_t)f->count;
    double *K = TN_ARENA_ARRAY(&out->arena, double, size *size);
    if (!K)
        return TN_ERROR_MEMORY;
    project(f, K);
    out->K = K;
    return tn_stiffening_make(f, K, &out->arena, &out->stiffening);
}

static tn_status put_damping(tn_functions *f, double mass, tn_reduction *out)
{
    const int64_t size = 3 * (int64_t)f->count;
    if (!any_damping(f->m->def))
        return TN_OK;
    double *D = TN_ARENA_ARRAY(&out->arena, double, size *size);
    out->D = D;
    if (!D)
        return TN_ERROR_MEMORY;
    tn_mesh_matrix_fill(f->m, true);
    project(f, D);
    if (f->m->def->ratio > 0.0)
        return add_ratio(out->K, f->count, f->m->def->ratio, mass, D);
    return TN_OK;
}

/* what comes out -------------------------------------------------------------------------------- */

/* N by nodes, and Y_k = N_k M X / mass of k. */
static tn_status put_shape(const tn_functions *f, double mass, tn_reduction *out)
{
    const int32_t n = f->count, nodes = f->m->nodes;
    double *shape = TN_ARENA_ARRAY(&out->arena, double, (int64_t)n *nodes);
    tn_vec3 *rest = TN_ARENA_ARRAY(&out->arena, tn_vec3, n);
    if (!shape || !rest)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < nodes; i++) {
        for (int32_t k = 0; k < n; k++)
            shape[(int64_t)i * n + k] = f->all[(int64_t)k * nodes + i];
    }
    for (int32_t k = 0; k < n; k++) {
        tn_mesh_matrix_mass(f->m, 1, f->all + (int64_t)k * nodes, f->work);
        for (int32_t i = 0; i < nodes; i++)
            rest[k] = v3_axpy(rest[k], f->work[i] / mass, f->m->def->mesh->nodes[i]);
    }
    out->functions = n;
    out->shape = shape;
    out->rest = rest;
    out->mass = mass * n;
    return TN_OK;
}

static tn_status reduce(tn_functions *f, tn_reduction *out)
{
    tn_status status = add_displacements(f);
    if (status == TN_OK)
        status = add_modes(f, out);
    if (status == TN_OK)
        status = add_inertia(f);
    if (status == TN_OK && f->too_many)
        status = TN_ERROR_WORK;
    if (status != TN_OK)
        return status;
    const double mass = tn_functions_share_out(f);
    status = put_shape(f, mass, out);
    if (status == TN_OK)
        status = put_stiffness(f, out);
    return status == TN_OK ? put_damping(f, mass, out) : status;
}

tn_status tn_reduce(const tn_reduce_def *def, tn_reduction *out)
{
    tn_mesh_matrix m;
    tn_functions f = {0};
    *out = (tn_reduction){0};
    tn_status status = tn_mesh_matrix_make(def, &m);
    if (status == TN_OK)
        status = tn_functions_start(&f, &m);
    if (status == TN_OK)
        status = reduce(&f, out);
    tn_functions_free(&f);
    tn_mesh_matrix_free(&m);
    return status;
}
