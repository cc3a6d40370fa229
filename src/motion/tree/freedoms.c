/* freedoms.c: room motion/tree: see freedoms.h. */
#include "motion/tree/freedoms.h"

#include <math.h>
#include <string.h>

#include "assemble/joint_terms.h"

/* Sine, squared, of the angle between a row and the span of those before it below which they count as dependent: rounding
 * errors of the dual basis grow as the inverse of the sine, to the tolerance of a step. */
#define TN_NO_SPAN 1e-6

enum { SPACE = 6, PLANE = 3 };

/* The rows of a joint, in axes R. Those that hold come first. */
typedef struct tn_joint_basis {
    const tn_mat3 *R; /* G's; the world's of a joint in the plane whose G turns out of it */
    const int8_t
        *axes; /* [rows of the type] the component that a row is, if every row is one; else NULL */
    int32_t count, held, dim; /* rows; of these; motions of the bodies */
    const int8_t *of;         /* [dim] components of wrenches that act */
    int32_t slot[SPACE];
    double own[SPACE];
    int8_t unit[SPACE]; /* of a row along a component: which; -1: it is not, or others are not */
    double by[SPACE];   /* of such: what of it */
    double W[SPACE][SPACE]; /* of others, by row, only the components that act */
    double T[SPACE][SPACE]; /* the dual basis, likewise */
} tn_joint_basis;

static const int8_t components[] = {0, 1, 2, 3, 4, 5}, flat_components[] = {0, 1, 5};
static const tn_mat3 world = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

static void begin(bool flat, const tn_mat3 *R, const int8_t *axes, tn_joint_basis *b)
{
    b->R = R;
    b->axes = axes;
    b->count = b->held = 0;
    b->dim = flat ? PLANE : SPACE;
    b->of = flat ? flat_components : components;
}

/* Of those that act, the component that is not 0, where it is one; -1. */
static int8_t unit_of(const tn_joint_basis *b, const double *W)
{
    int8_t at = -1;
    for (int32_t i = 0; i < b->dim; i++) {
        if (W[b->of[i]] == 0.0)
            continue;
        if (at >= 0)
            return -1;
        at = b->of[i];
    }
    return at;
}

/* Row n of the basis from a row of the joint. */
static void put_row(const tn_sim *sim, int32_t j, int32_t row, int32_t n, tn_joint_basis *b)
{
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const double *W = b->R == &world ? NULL : kin->moving->W[row];
    double in_world[SPACE];
    if (!W) {
        tn_vec3 f, m;
        tn_joint_row_wrench(tn_joint_geometry_now(&sim->sys, j), kin, row, &f, &m);
        v3_store(in_world, f);
        v3_store(in_world + 3, m);
        W = in_world;
    }
    b->unit[n] = unit_of(b, W);
    b->by[n] = b->unit[n] < 0 ? 1.0 : W[b->unit[n]];
    for (int32_t i = 0; i < b->dim && b->unit[n] < 0; i++)
        b->W[n][i] = W[b->of[i]];
}

/* false: there are as many rows as motions. */
static bool add_row(const tn_sim *sim, int32_t j, int32_t row, int32_t slot, double own,
                    tn_joint_basis *b)
{
    const int32_t n = b->count;
    if (n == b->dim)
        return false;
    if (b->axes) {
        b->unit[n] = b->axes[row];
        b->by[n] = 1.0;
    } else {
        put_row(sim, j, row, n, b);
    }
    b->slot[n] = slot;
    b->own[n] = own;
    b->count++;
    return true;
}

/* The compliance of a row in the equations: 0: it is hard; INFINITY: it is left out. */
static double yield_of(const tn_switches *s, int32_t row, const tn_row_law *law)
{
    const double C = s->compliance[row], D = s->damping[row];
    if (!(C > 0.0))
        return 0.0;
    return law->leave_out_compliant ? (double)INFINITY
                                    : law->scale * C / (law->shift + law->rate * C * D);
}

static bool add_active(const tn_sim *sim, int32_t j, const tn_row_law *law, bool holding,
                       tn_joint_basis *b)
{
    const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
    const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
    const bool soft = !sim->state.plain[j] && sim->state.switches[j].compliant;
    for (int32_t n = 0; n < rows.count; n++) {
        const double yields = soft ? yield_of(&sim->state.switches[j], rows.row[n], law) : 0.0;
        if (tn_joint_row_vanished(geometry, &sim->sys.kin[j], rows.row[n]) || isinf(yields) ||
            holding != (yields == 0.0))
            continue;
        if (!add_row(sim, j, rows.row[n], n, holding ? 0.0 : 1.0 / yields, b))
            return false;
    }
    return true;
}

/* The place of a row of the joint type in the basis; -1: it is not in it. */
static int32_t place_of(const tn_sim *sim, int32_t j, int32_t row, const tn_joint_basis *b)
{
    const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
    for (int32_t n = 0; n < b->count; n++) {
        if (b->slot[n] >= 0 && rows.row[b->slot[n]] == row)
            return n;
    }
    return -1;
}

/* Armatures of coordinates, held or free: such a coordinate is a row of its own. */
static bool add_armatures(const tn_sim *sim, int32_t j, tn_joint_basis *b)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    for (int32_t i = 0; i < joint->geometry.cls->info.coordinate_count; i++) {
        if (!(joint->armature[i] > 0.0) || !tn_model_has_motion(joint, i))
            continue;
        const int32_t row = tn_motion_row(joint, i), at = place_of(sim, j, row, b);
        if (at >= 0)
            b->own[at] += joint->armature[i];
        else if (!add_row(sim, j, row, -1, joint->armature[i], b))
            return false;
    }
    return true;
}

/* Is each row along one component? Then the dual basis is, too. */
static bool is_along(const tn_joint_basis *b)
{
    bool along = true;
    for (int32_t n = 0; n < b->count; n++)
        along &= b->unit[n] >= 0;
    return along;
}

/* The dual basis of such rows, completed by the other components; false: two rows are along one. */
static bool complete_units(tn_joint_basis *b)
{
    unsigned taken = 0;
    int32_t n = 0;
    for (; n < b->count; n++) {
        const unsigned bit = 1u << b->unit[n];
        if (taken & bit)
            return false;
        taken |= bit;
        b->by[n] = 1.0 / b->by[n];
    }
    for (int32_t i = 0; i < b->dim; i++) {
        if (taken >> b->of[i] & 1u)
            continue;
        b->unit[n] = b->of[i];
        b->by[n++] = 1.0;
    }
    return true;
}

static double dot(const double *a, const double *b, int32_t dim)
{
    double sum = 0.0;
    for (int32_t i = 0; i < dim; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Makes v orthogonal to Q[0] .. Q[n - 1], in two passes, as one leaves rounding; adds the products to R. */
static void take_away(double Q[SPACE][SPACE], int32_t n, int32_t dim, double *v, double *R)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t k = 0; k < n; k++) {
            const double share = dot(Q[k], v, dim);
            R[k] += share;
            for (int32_t i = 0; i < dim; i++)
                v[i] -= share * Q[k][i];
        }
    }
}

static void put_scaled(double by, const double *v, int32_t dim, double *to)
{
    for (int32_t i = 0; i < dim; i++)
        to[i] = by * v[i];
}

/* Orthonormal Q with W_n = sum of R_nk Q_k, k to n; false: a row hardly differs from those before it. */
static bool orthonormalize(const tn_joint_basis *b, double Q[SPACE][SPACE], double R[SPACE][SPACE])
{
    for (int32_t n = 0; n < b->count; n++) {
        double v[SPACE];
        memcpy(v, b->W[n], sizeof v);
        take_away(Q, n, b->dim, v, R[n]);
        const double left = dot(v, v, b->dim);
        if (!(left > TN_NO_SPAN * dot(b->W[n], b->W[n], b->dim)))
            return false;
        R[n][n] = sqrt(left);
        put_scaled(1.0 / R[n][n], v, b->dim, Q[n]);
    }
    return true;
}

/* The unit vector with the largest part orthogonal to Q[0] .. Q[n - 1]. */
static int32_t least_spanned(double Q[SPACE][SPACE], int32_t n, int32_t dim)
{
    int32_t least = 0;
    double most = -1.0;
    for (int32_t i = 0; i < dim; i++) {
        double left = 1.0;
        for (int32_t k = 0; k < n; k++)
            left -= Q[k][i] * Q[k][i];
        if (left > most) {
            most = left;
            least = i;
        }
    }
    return least;
}

/* Writes rows along components as the others are. */
static void write_units(tn_joint_basis *b)
{
    for (int32_t n = 0; n < b->count; n++) {
        for (int32_t i = 0; i < b->dim && b->unit[n] >= 0; i++)
            b->W[n][i] = b->of[i] == b->unit[n] ? b->by[n] : 0.0;
    }
    memset(b->unit, -1, sizeof b->unit);
}

/* W = R Q; the dual basis is R^-1 transposed times Q, completed by vectors orthogonal to Q. */
static bool invert(tn_joint_basis *b)
{
    double Q[SPACE][SPACE], R[SPACE][SPACE] = {{0.0}}, unused[SPACE];
    write_units(b);
    if (!orthonormalize(b, Q, R))
        return false;
    for (int32_t n = b->count; n < b->dim; n++) {
        double v[SPACE] = {0.0};
        v[least_spanned(Q, n, b->dim)] = 1.0;
        memset(unused, 0, sizeof unused);
        take_away(Q, n, b->dim, v, unused);
        put_scaled(1.0 / sqrt(dot(v, v, b->dim)), v, b->dim, Q[n]);
        memcpy(b->T[n], Q[n], sizeof b->T[n]);
    }
    for (int32_t n = 0; n < b->count; n++) {
        double X[SPACE] = {0.0};
        memset(b->T[n], 0, sizeof b->T[n]);
        for (int32_t k = n; k < b->count; k++) {
            X[k] = ((k == n ? 1.0 : 0.0) - dot(R[k], X, k)) / R[k][k];
            for (int32_t i = 0; i < b->dim; i++)
                b->T[n][i] += X[k] * Q[k][i];
        }
    }
    return true;
}

/* Twist n of the dual basis in the world. */
static tn_twist in_world(const tn_joint_basis *b, int32_t n)
{
    const tn_mat3 *R = b->R;
    double all[SPACE] = {0.0};
    if (b->unit[n] >= 0) {
        const tn_vec3 none = {0.0, 0.0, 0.0},
                      along = v3_scale(b->by[n], m3_column(R, b->unit[n] % 3));
        return b->unit[n] < 3 ? (tn_twist){along, none} : (tn_twist){none, along};
    }
    for (int32_t i = 0; i < b->dim; i++)
        all[b->of[i]] = b->T[n][i];
    return (tn_twist){m3_mulv(R, v3_load(all)), m3_mulv(R, v3_load(all + 3))};
}

static void put(const tn_joint_basis *b, tn_freedoms *out)
{
    out->held = b->held;
    out->free = b->dim - b->held;
    for (int32_t n = 0; n < b->dim; n++) {
        const tn_twist T = in_world(b, n);
        if (n < b->held) {
            out->rows[n] = (tn_hard_row){T, b->own[n], b->slot[n]};
            continue;
        }
        out->motions[n - b->held].z = T;
        out->motions[n - b->held].own = n < b->count ? b->own[n] : 0.0;
        out->motions[n - b->held].effort = 0.0;
    }
}

bool tn_freedoms_find(const tn_sim *sim, int32_t j, const tn_row_law *law, bool flat,
                      tn_freedoms *out)
{
    tn_joint_basis b;
    const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    if (flat && !geometry->flat)
        begin(flat, &world, NULL, &b);
    else
        begin(flat, &kin->R_GW, tn_joint_axes(geometry, kin), &b);
    if (!add_active(sim, j, law, true, &b))
        return false;
    b.held = b.count;
    if ((!sim->state.plain[j] && sim->state.switches[j].compliant && !law->leave_out_compliant &&
         !add_active(sim, j, law, false, &b)) ||
        !add_armatures(sim, j, &b))
        return false;
    if (!(is_along(&b) ? complete_units(&b) : invert(&b)))
        return false;
    put(&b, out);
    return true;
}

void tn_freedoms_of_none(bool flat, tn_freedoms *out)
{
    tn_joint_basis b;
    begin(flat, &world, NULL, &b);
    complete_units(&b);
    put(&b, out);
}
