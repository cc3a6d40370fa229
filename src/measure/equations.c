/* equations.c: room measure: the equations at the current state as dense matrices, and the rank.
 *
 *     J: the active rows,   M: the mass matrix, with armatures,   K = J M^-1 J^T,   b = -J u
 * For planar bodies these are exactly J, K and b of the planar constraints (Bittle 2010).
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "motion/simulation.h"
#include "measure/measure.h"

/* A workspace at a state of a simulation, with kinematics and Jacobian, for analyses that must
 * not touch the simulation's own. Destroy with tn_system_destroy. */
static tn_status make_system(const tn_sim *sim, const tn_state *state, tn_system *sys)
{
    const tn_status status = tn_system_create(sim->model, sys);
    if (status != TN_OK)
        return status;
    sys->functions = sim->sys.functions;
    sys->legal_rows = sim->sys.legal_rows;
    tn_assemble_poses(sys, state->x, state->q);
    tn_assemble_joints(sys, state);
    tn_assemble_mass(sys, state, 0.0, NULL);
    tn_assemble_jacobian(sys, state);
    const tn_row_law law = {.scale = 1.0, .shift = 1.0};
    tn_assemble_row_law(sys, state, &law);
    return TN_OK;
}

/* only: an element, or -1: all. */
static bool is_asked_for(int32_t only, int32_t j)
{
    return only < 0 || only == j;
}

static int32_t count_rows(const tn_sim *sim, int32_t only)
{
    int32_t rows = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        if (is_asked_for(only, j))
            rows += sim->state.switches[j].active_count;
    }
    return rows;
}

static tn_status allocate(tn_equations *eq)
{
    const size_t n = (size_t)eq->velocities, m = (size_t)eq->rows;
    eq->mass = TN_NEW_ARRAY(double, n *n);
    eq->jacobian = TN_NEW_ARRAY(double, m *n);
    eq->effective = TN_NEW_ARRAY(double, m *m);
    eq->rhs = TN_NEW_ARRAY(double, m);
    eq->row_joint = TN_NEW_ARRAY(int32_t, m);
    eq->row_index = TN_NEW_ARRAY(int32_t, m);
    return eq->mass && eq->jacobian && eq->effective && eq->rhs && eq->row_joint && eq->row_index
               ? TN_OK
               : TN_ERROR_MEMORY;
}

static void fill_mass(const tn_sim *sim, const tn_system *sys, tn_equations *eq)
{
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        const double *block = sys->values->h + sys->layout->h_offset[i];
        for (int32_t r = 0; r < body->dim; r++) {
            for (int32_t c = 0; c < body->dim; c++)
                eq->mass[(body->u + r) * eq->velocities + body->u + c] = block[r * body->dim + c];
        }
    }
}

/* One row of a dual node of the matrix, c. */
static void spread_row(const tn_model *model, const tn_system *sys, int32_t dual, double *c)
{
    const tn_kkt_layout *layout = sys->layout;
    for (int32_t k = layout->dual_start[dual]; k < layout->dual_start[dual + 1]; k++) {
        const tn_model_body *body = &model->bodies[layout->dual_primal[k]];
        for (int32_t i = 0; i < body->dim; i++)
            c[body->u + i] = sys->values->g[layout->g_offset[k] + i];
    }
}

/* M += a c^T c of armatures. */
static tn_status add_armatures(const tn_sim *sim, const tn_system *sys, tn_equations *eq)
{
    const tn_model *model = sim->model;
    const int32_t n = eq->velocities;
    double *c = TN_NEW_ARRAY(double, n);
    if (!c)
        return TN_ERROR_MEMORY;
    for (int32_t k = 0; k < model->armature_count; k++) {
        const int32_t dual = model->element_count + k;
        if (sys->values->rows[dual] == 0)
            continue;
        memset(c, 0, sizeof(double) * (size_t)n);
        spread_row(model, sys, dual, c);
        for (int32_t i = 0; i < n; i++) {
            for (int32_t j = 0; j < n; j++)
                eq->mass[i * n + j] += model->armatures[k].inertia * c[i] * c[j];
        }
    }
    tn_free(c);
    return TN_OK;
}

static void fill_jacobian(const tn_sim *sim, const tn_system *sys, int32_t only, tn_equations *eq)
{
    const tn_kkt_layout *layout = sys->layout;
    int32_t row = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        if (!is_asked_for(only, j))
            continue;
        const tn_switches *s = &sim->state.switches[j];
        for (int32_t k = layout->dual_start[j]; k < layout->dual_start[j + 1]; k++) {
            const tn_model_body *body = &sim->model->bodies[layout->dual_primal[k]];
            if (layout->g_offset[k] < 0)
                continue;
            const double *block = sys->values->g + layout->g_offset[k];
            for (int32_t n = 0; n < s->active_count; n++) {
                for (int32_t c = 0; c < body->dim; c++) {
                    eq->jacobian[(row + n) * eq->velocities + body->u + c] =
                        block[n * body->dim + c];
                }
            }
        }
        for (int32_t n = 0; n < s->active_count; n++) {
            eq->row_joint[row + n] = tn_joint_of(sim->model, j).i;
            eq->row_index[row + n] = s->active[n];
        }
        row += s->active_count;
    }
}

/* L L^T = A by Cholesky, A symmetric and n x n; false: it is not positive definite. */
static bool factor_spd(int32_t n, const double *A, double *L)
{
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j <= i; j++) {
            double s = A[i * n + j];
            for (int32_t k = 0; k < j; k++)
                s -= L[i * n + k] * L[j * n + k];
            if (i == j && !(s > 0.0))
                return false;
            L[i * n + j] = i == j ? sqrt(s) : s / L[j * n + j];
        }
    }
    return true;
}

static void solve_spd(int32_t n, const double *L, double *x)
{
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = 0; k < i; k++)
            x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i];
    }
    for (int32_t i = n; i-- > 0;) {
        for (int32_t k = i + 1; k < n; k++)
            x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
}

/* x <- M^-1 x over all bodies: by their blocks, or by the factor of the whole where armatures join them. */
static bool apply_inverse_mass(const tn_sim *sim, const tn_system *sys, const double *whole,
                               double *x)
{
    if (whole) {
        solve_spd(sim->model->size.velocities, whole, x);
        return true;
    }
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        double L[36];
        if (body->dim == 0)
            continue;
        if (!factor_spd(body->dim, sys->values->h + sys->layout->h_offset[i], L))
            return false;
        solve_spd(body->dim, L, x + body->u);
    }
    return true;
}

static tn_status fill_rows_of_effective(const tn_sim *sim, const tn_system *sys,
                                        const double *whole, double *x, tn_equations *eq)
{
    const int32_t n = eq->velocities, m = eq->rows;
    for (int32_t r = 0; r < m; r++) {
        memcpy(x, eq->jacobian + (size_t)r * (size_t)n, sizeof(double) * (size_t)n);
        if (!apply_inverse_mass(sim, sys, whole, x))
            return TN_ERROR_SINGULAR;
        for (int32_t c = 0; c < m; c++) {
            for (int32_t k = 0; k < n; k++)
                eq->effective[r * m + c] += eq->jacobian[c * n + k] * x[k];
        }
    }
    return TN_OK;
}

static tn_status fill_effective(const tn_sim *sim, const tn_system *sys, tn_equations *eq)
{
    const size_t n = (size_t)eq->velocities;
    const bool joined = sim->model->armature_count > 0;
    double *x = TN_NEW_ARRAY(double, n), *whole = joined ? TN_NEW_ARRAY(double, n *n) : NULL;
    tn_status status = x && (whole || !joined) ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK && joined && !factor_spd(eq->velocities, eq->mass, whole))
        status = TN_ERROR_SINGULAR;
    if (status == TN_OK)
        status = fill_rows_of_effective(sim, sys, whole, x, eq);
    tn_free(x);
    tn_free(whole);
    return status;
}

static void fill_rhs(const tn_sim *sim, tn_equations *eq)
{
    for (int32_t r = 0; r < eq->rows; r++) {
        for (int32_t k = 0; k < eq->velocities; k++)
            eq->rhs[r] -= eq->jacobian[r * eq->velocities + k] * sim->state.u[k];
    }
}

tn_status tn_sim_equations(const tn_sim *sim, tn_joint joint, tn_equations *out)
{
    const int32_t only = tn_sim_element(sim, joint);
    if (!sim || !out || (joint.i >= 0 && only < 0))
        return TN_ERROR_ARGUMENT;
    memset(out, 0, sizeof *out);
    out->velocities = sim->model->size.velocities;
    out->rows = count_rows(sim, only);
    tn_system sys = {0};
    tn_status status = allocate(out);
    if (status == TN_OK)
        status = make_system(sim, &sim->state, &sys);
    if (status == TN_OK) {
        fill_mass(sim, &sys, out);
        status = add_armatures(sim, &sys, out);
    }
    if (status == TN_OK) {
        fill_jacobian(sim, &sys, only, out);
        fill_rhs(sim, out);
        status = fill_effective(sim, &sys, out);
    }
    tn_system_destroy(&sys);
    if (status == TN_ERROR_SINGULAR) {
        tn_free(out->effective);
        out->effective = NULL;
    } else if (status != TN_OK) {
        tn_equations_free(out);
    }
    return status;
}

void tn_equations_free(tn_equations *equations)
{
    TN_DEMAND_OR_RETURN(equations);
    tn_free(equations->mass);
    tn_free(equations->jacobian);
    tn_free(equations->effective);
    tn_free(equations->rhs);
    tn_free(equations->row_joint);
    tn_free(equations->row_index);
    memset(equations, 0, sizeof *equations);
}
