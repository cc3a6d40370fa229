/* mesh_matrix.c: room reduce: the sparse stiffness of a mesh and its factor (mesh_matrix.h).
 *
 * K alone is singular: it leaves motions as a rigid body without force. Factored is K + shift M, which is definite. With
 * Z = (K + shift M)^-1 C^T, solutions with the interfaces at rest are x - Z (C Z)^-1 C x. Solutions at rest repeat that with what
 * the shift leaves: the error falls by shift / w^2 each time, w the lowest frequency with interfaces held.
 */
#include "reduce/mesh_matrix.h"

#include <math.h>
#include <string.h>

#include "element/geometry.h"
#include "element/mean.h"
#include "math/m3.h"
#include "real/real.h"
#include "sparse/factor/factor.h"
#include "sparse/pair_keys.h"

/* The shift over the square of the speed of sound over the size of the mesh: the lowest frequency of a bar whose length is
 * 60 times its height has this square; K + shift M then has no larger condition than K clamped. */
#define TN_REDUCE_SHIFT 1e-3
/* Repetitions of a solution at rest. Each gains a factor w^2 / shift. */
#define TN_REDUCE_REPEATS 12

/* pattern --------------------------------------------------------------------------------------- */

static int64_t list_keys(const tn_solid_mesh *mesh, int64_t *keys)
{
    int64_t n = 0;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const tn_solid_element *element = &mesh->elements[e];
        for (int32_t j = 0; j < tn_element_kind_nodes(element->kind); j++) {
            for (int32_t i = 0; i < j; i++, n++) {
                if (keys)
                    keys[n] = tn_pair_key(element->nodes[i], element->nodes[j]);
            }
        }
    }
    return n;
}

static tn_status analyze(tn_mesh_matrix *m)
{
    const int64_t most = list_keys(m->def->mesh, NULL);
    m->keys = TN_NEW_ARRAY(int64_t, most);
    if (!m->keys)
        return TN_ERROR_MEMORY;
    list_keys(m->def->mesh, m->keys);
    m->pairs = tn_pair_keys_sort(m->keys, most);
    int32_t *dim = TN_NEW_ARRAY(int32_t, m->nodes);
    m->pair = TN_NEW_ARRAY(int32_t, 2 * m->pairs);
    int32_t start = 0;
    tn_status status = TN_ERROR_MEMORY;
    if (dim && m->pair && m->pairs < INT32_MAX) {
        for (int32_t i = 0; i < m->nodes; i++)
            dim[i] = 3;
        tn_pair_keys_split(m->keys, m->pairs, m->pair);
        const tn_kkt_pattern pattern = {.n_primal = m->nodes,
                                        .primal_dim = dim,
                                        .dual_start = &start,
                                        .n_pair = (int32_t)m->pairs,
                                        .pair_primal = m->pair};
        status = tn_kkt_analyze(&pattern, &m->kkt);
    }
    tn_free(dim);
    return status;
}

/* numbers --------------------------------------------------------------------------------------- */

void tn_mesh_element_make(const tn_mesh_matrix *m, int32_t e, tn_mesh_element *out)
{
    const tn_solid_element *source = &m->def->mesh->elements[e];
    const tn_element_type *type = tn_element_type_of(source->kind);
    const tn_solid_material *material = &m->def->materials[m->def->material_of[e]];
    const int32_t modes = tn_element_modes(type, material->poisson);
    if (out->basis.type != type)
        tn_shape_basis_make(type, &out->basis);
    out->nodes = source->nodes;
    for (int32_t i = 0; i < type->nodes; i++)
        out->X[i] = m->def->mesh->nodes[source->nodes[i]];
    tn_element_integrate(&out->basis, out->X, modes, out->weight, out->grad, out->mode);
    out->data =
        (tn_element_data){type->nodes, type->points, out->weight, out->grad, out->mode, modes};
    out->law = tn_elastic_of(material);
}

static void add_block(const double *K, int32_t width, double *out)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            out[3 * r + c] += K[r * width + c];
    }
}

static void add_element(tn_mesh_matrix *m, const int32_t *nodes, int32_t n, const double *K)
{
    const tn_kkt_layout *layout = tn_kkt_get_layout(m->kkt);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) {
            const int32_t a = nodes[i], b = nodes[j];
            const double *block = K + 9 * (int64_t)i * n + 3 * (int64_t)j;
            if (a == b) {
                add_block(block, 3 * n, m->values->h + layout->h_offset[a]);
            } else if (a < b) {
                const int32_t pair = tn_pair_keys_find(m->keys, m->pairs, tn_pair_key(a, b));
                add_block(block, 3 * n, m->values->g + layout->pair_offset[pair]);
            }
        }
    }
}

void tn_mesh_matrix_fill(tn_mesh_matrix *m, bool damping)
{
    double K[9 * TN_ELEMENT_NODES * TN_ELEMENT_NODES];
    tn_mesh_element element = {0};
    const tn_deformed at_rest = {&element.data, &element.law, element.X, NULL};
    memset(m->values->h, 0, sizeof(double) * (size_t)tn_kkt_get_layout(m->kkt)->h_size);
    tn_kkt_clear_pairs(m->kkt, m->values);
    for (int32_t e = 0; e < m->def->mesh->element_count; e++) {
        tn_mesh_element_make(m, e, &element);
        tn_element_stiffness(&at_rest, damping ? 0.0 : 1.0, damping ? 1.0 : 0.0, false, K);
        add_element(m, element.nodes, element.data.nodes, K);
    }
}

/* M, less the masses that others have. */
static tn_status make_mass(tn_mesh_matrix *m)
{
    double own[TN_ELEMENT_NODES * TN_ELEMENT_NODES], lumped[TN_ELEMENT_NODES];
    tn_mesh_element element = {0};
    m->mass = TN_NEW_ARRAY(double, m->nodes + m->pairs);
    if (!m->mass)
        return TN_ERROR_MEMORY;
    for (int32_t e = 0; e < m->def->mesh->element_count; e++) {
        tn_mesh_element_make(m, e, &element);
        const int32_t *nodes = element.nodes, n = element.data.nodes;
        tn_element_masses(&element.basis, element.X, element.law.density, lumped);
        if (!m->def->lumped)
            tn_element_mass_matrix(&element.basis, element.X, element.law.density, own);
        for (int32_t i = 0; i < n; i++)
            m->mass[nodes[i]] += m->def->lumped ? lumped[i] : own[i * n + i];
        for (int32_t i = 0; i < n * n && !m->def->lumped; i++) {
            const int32_t a = nodes[i / n], b = nodes[i % n];
            if (a < b)
                m->mass[m->nodes + tn_pair_keys_find(m->keys, m->pairs, tn_pair_key(a, b))] +=
                    own[i];
        }
    }
    for (int32_t i = 0; i < m->nodes; i++)
        m->mass[i] -= m->def->taken[i];
    return TN_OK;
}

/* K + shift M, of a matrix that is K. */
static void add_shift(tn_mesh_matrix *m)
{
    const tn_kkt_layout *layout = tn_kkt_get_layout(m->kkt);
    for (int64_t k = 0; k < m->nodes + m->pairs; k++) {
        double *block = k < m->nodes ? m->values->h + layout->h_offset[k]
                                     : m->values->g + layout->pair_offset[k - m->nodes];
        for (int axis = 0; axis < 3; axis++)
            block[4 * axis] += m->shift * m->mass[k];
    }
}

/* Largest E/rho of the materials over the square of the diagonal of the mesh, 1/s^2. */
static double scale_of(const tn_mesh_matrix *m)
{
    tn_vec3 low = m->def->mesh->nodes[0], high = low;
    double fastest = 0.0;
    for (int32_t i = 1; i < m->nodes; i++) {
        const tn_vec3 p = m->def->mesh->nodes[i];
        low = v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    for (int32_t e = 0; e < m->def->mesh->element_count; e++) {
        const tn_solid_material *material = &m->def->materials[m->def->material_of[e]];
        fastest = fmax(fastest, material->young / material->density);
    }
    const tn_vec3 diagonal = v3_sub(high, low);
    return fastest / v3_dot(diagonal, diagonal);
}

static tn_status factorize(tn_mesh_matrix *m)
{
    tn_status status = tn_kkt_values_create(m->kkt, &m->values);
    if (status == TN_OK)
        status = tn_kkt_factor_create(m->kkt, &m->factor);
    if (status != TN_OK)
        return status;
    tn_mesh_matrix_fill(m, false);
    m->shift = TN_REDUCE_SHIFT * scale_of(m);
    add_shift(m);
    status = tn_kkt_factorize(m->kkt, m->values, m->factor, NULL);
    tn_mesh_matrix_fill(m, false);
    return status;
}

/* interfaces ------------------------------------------------------------------------------------ */

/* Rows of the mean displacement and the mean turn of nodes: transposes of forces on them. */
static void put_rows(const tn_mesh_matrix *m, const tn_reduce_interface *set, double *rows)
{
    const tn_vec3 *X = m->def->mesh->nodes;
    tn_mean_moments center = {{0.0, 0.0, 0.0}, {{{0.0}}}}, sum = center;
    tn_mean_frame frame;
    for (int32_t i = 0; i < set->count; i++)
        tn_mean_add(&center, set->weights[i], X[set->nodes[i]], v3(0.0, 0.0, 0.0));
    for (int32_t i = 0; i < set->count; i++) {
        const tn_vec3 arm = v3_sub(X[set->nodes[i]], center.p);
        tn_mean_add(&sum, set->weights[i], arm, v3_scale(set->weights[i], arm));
    }
    tn_mean_frame_make(&sum, &frame);
    for (int32_t k = 0; k < TN_INTERFACE; k++) {
        const tn_vec3 none = v3(0.0, 0.0, 0.0),
                      unit = v3(k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0,
                                k % 3 == 2 ? 1.0 : 0.0);
        const tn_vec3 turning = k < 3 ? none : tn_mean_turning(&frame, unit);
        for (int32_t i = 0; i < set->count; i++) {
            const double weight = set->weights[i];
            const tn_vec3 arm = v3_scale(weight, v3_sub(X[set->nodes[i]], center.p));
            v3_store(rows + (int64_t)k * m->size + 3 * (int64_t)set->nodes[i],
                     tn_mean_force(&frame, k < 3 ? unit : none, turning, weight, arm));
        }
    }
}

double tn_mesh_dot(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* S = L L^T in place. */
static tn_status cholesky(double *S, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j <= i; j++) {
            const double rest = S[i * n + j] - tn_mesh_dot(S + i * n, S + j * n, j);
            if (i == j && !(rest > 0.0))
                return TN_ERROR_SINGULAR;
            S[i * n + j] = i == j ? sqrt(rest) : rest / S[j * n + j];
        }
    }
    return TN_OK;
}

static void cholesky_solve(const double *L, int32_t n, double *b)
{
    for (int32_t i = 0; i < n; i++)
        b[i] = (b[i] - tn_mesh_dot(L + i * n, b, i)) / L[i * n + i];
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < n; k++)
            b[i] -= L[k * n + i] * b[k];
        b[i] /= L[i * n + i];
    }
}

static tn_status make_interfaces(tn_mesh_matrix *m)
{
    const int64_t n = m->holds;
    m->C = TN_NEW_ARRAY(double, n * m->size);
    m->Z = TN_NEW_ARRAY(double, n * m->size);
    m->S = TN_NEW_ARRAY(double, n *n);
    if (!m->C || !m->Z || !m->S)
        return TN_ERROR_MEMORY;
    for (int32_t k = 0; k < m->def->interface_count; k++)
        put_rows(m, &m->def->interfaces[k], m->C + (int64_t)k * TN_INTERFACE * m->size);
    memcpy(m->Z, m->C, sizeof(double) * (size_t)(n * m->size));
    for (int64_t i = 0; i < n; i++)
        tn_kkt_solve(m->kkt, m->factor, m->Z + i * m->size, NULL);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            m->S[i * n + j] = tn_mesh_dot(m->C + i * m->size, m->Z + j * m->size, m->size);
    }
    return cholesky(m->S, m->holds);
}

tn_status tn_mesh_matrix_make(const tn_reduce_def *def, tn_mesh_matrix *m)
{
    *m = (tn_mesh_matrix){.def = def,
                          .nodes = def->mesh->node_count,
                          .size = 3 * (int64_t)def->mesh->node_count,
                          .holds = TN_INTERFACE * def->interface_count};
    tn_status status = analyze(m);
    if (status == TN_OK)
        status = make_mass(m);
    if (status == TN_OK)
        status = factorize(m);
    return status == TN_OK ? make_interfaces(m) : status;
}

void tn_mesh_matrix_free(tn_mesh_matrix *m)
{
    tn_kkt_factor_destroy(m->factor);
    tn_kkt_values_destroy(m->values);
    tn_kkt_destroy(m->kkt);
    tn_free(m->keys);
    tn_free(m->pair);
    tn_free(m->mass);
    tn_free(m->C);
    tn_free(m->Z);
    tn_free(m->S);
}

/* solutions ------------------------------------------------------------------------------------- */

void tn_mesh_matrix_times(const tn_mesh_matrix *m, const double *a, double *out)
{
    tn_kkt_apply_h(m->kkt, m->values, a, out);
}

void tn_mesh_matrix_mass(const tn_mesh_matrix *m, int32_t width, const double *a, double *out)
{
    for (int64_t k = 0; k < (int64_t)width * m->nodes; k++)
        out[k] = m->mass[k / width] * a[k];
    for (int64_t p = 0; p < m->pairs && !m->def->lumped; p++) {
        const double mass = m->mass[m->nodes + p];
        const int64_t i = (int64_t)width * m->pair[2 * p], j = (int64_t)width * m->pair[2 * p + 1];
        for (int32_t k = 0; k < width; k++) {
            out[i + k] += mass * a[j + k];
            out[j + k] += mass * a[i + k];
        }
    }
}

/* x += factor Z (C Z)^-1 y */
static void add_interfaces(const tn_mesh_matrix *m, double *y, double factor, double *x)
{
    cholesky_solve(m->S, m->holds, y);
    for (int64_t i = 0; i < m->holds; i++) {
        for (int64_t k = 0; k < m->size; k++)
            x[k] += factor * y[i] * m->Z[i * m->size + k];
    }
}

void tn_mesh_matrix_solve(tn_mesh_matrix *m, double *x)
{
    double y[TN_INTERFACE * TN_MODAL_HOLDS];
    tn_kkt_solve(m->kkt, m->factor, x, NULL);
    for (int64_t i = 0; i < m->holds; i++)
        y[i] = tn_mesh_dot(m->C + i * m->size, x, m->size);
    add_interfaces(m, y, -1.0, x);
}

/* x becomes at rest under the forces f, NULL: none, with interfaces where they are. */
static void settle(tn_mesh_matrix *m, const double *f, double *x, double *work)
{
    for (int32_t n = 0; n < TN_REDUCE_REPEATS; n++) {
        tn_mesh_matrix_times(m, x, work);
        for (int64_t i = 0; i < m->size; i++)
            work[i] = (f ? f[i] : 0.0) - work[i];
        tn_mesh_matrix_solve(m, work);
        for (int64_t i = 0; i < m->size; i++)
            x[i] += work[i];
    }
}

void tn_mesh_matrix_displace(tn_mesh_matrix *m, int32_t k, double *x, double *work)
{
    double y[TN_INTERFACE * TN_MODAL_HOLDS] = {0.0};
    y[k] = 1.0;
    memset(x, 0, sizeof(double) * (size_t)m->size);
    add_interfaces(m, y, 1.0, x);
    settle(m, NULL, x, work);
}

void tn_mesh_matrix_load(tn_mesh_matrix *m, const double *f, double *x, double *work)
{
    memset(x, 0, sizeof(double) * (size_t)m->size);
    settle(m, f, x, work);
}
