/* modal.c: room assemble/load: reduced bodies in the equations (modal.h). */
#include "assemble/load/modal.h"

#include <math.h>
#include <string.h>

#include "math/m3.h"

static tn_reduced_state state_of(const tn_system *sys, const tn_model_modal *modal, const double *u)
{
    tn_vec3 x[TN_REDUCED_MOST], v[TN_REDUCED_MOST];
    tn_reduced_state state;
    for (int32_t i = 0; i < modal->data.count; i++) {
        x[i] = sys->T[modal->bodies[i]].p;
        if (u)
            v[i] = v3_load(u + sys->model->bodies[modal->bodies[i]].u);
    }
    tn_reduced_make(&modal->data, x, u ? v : NULL, &state);
    return state;
}

/* f += factor times the forces of a state. */
static void add_forces(const tn_system *sys, const tn_model_modal *modal,
                       const tn_reduced_state *state, double factor, double *f)
{
    tn_vec3 forces[TN_REDUCED_MOST] = {{0.0, 0.0, 0.0}};
    tn_reduced_forces(state, forces);
    for (int32_t i = 0; i < modal->data.count; i++) {
        double *at = f + sys->model->bodies[modal->bodies[i]].u;
        v3_store(at, v3_axpy(v3_load(at), factor, forces[i]));
    }
}

void tn_modal_add_forces(const tn_system *sys, const tn_model_modal *modal, const double *u,
                         double *f)
{
    const tn_reduced_state state = state_of(sys, modal, u);
    add_forces(sys, modal, &state, 1.0, f);
}

void tn_modal_note_forces(const tn_system *sys, const tn_model_modal *modal, int32_t first,
                          int32_t end, double *scale)
{
    bool any = false;
    for (int32_t i = 0; i < modal->data.count && !any; i++)
        any = modal->bodies[i] >= first && modal->bodies[i] < end;
    if (!any)
        return;
    const tn_reduced_state state = state_of(sys, modal, NULL);
    for (int32_t i = 0; i < modal->data.count; i++) {
        const int32_t body = modal->bodies[i];
        if (body >= first && body < end)
            scale[2 * body] = fmax(scale[2 * body], v3_norm(state.force[i]));
    }
}

double tn_modal_stiffest(const tn_model_modal *modal)
{
    double most = 0.0;
    const int64_t size = 3 * (int64_t)modal->data.count;
    for (int64_t k = 0; k < size; k++)
        most = fmax(most, modal->data.K[k * size + k]);
    return most;
}

static void add_block(const tn_reduced_slopes *slopes, int32_t i, int32_t j, double *out)
{
    const tn_mat3 block = tn_reduced_block(slopes, i, j);
    for (int k = 0; k < 9; k++)
        out[k] += block.m[k / 3][k % 3];
}

void tn_modal_fill(tn_system *sys, const tn_model_modal *modal, double elastic, double viscous,
                   bool positive, const double *u, double *f)
{
    const tn_kkt_layout *layout = sys->layout;
    const tn_reduced_state still = state_of(sys, modal, NULL);
    tn_reduced_slopes slopes;
    tn_reduced_slopes_make(&still, elastic, viscous, positive, &slopes);
    for (int32_t j = 0; j < modal->data.count; j++) {
        add_block(&slopes, j, j, sys->values->h + layout->h_offset[modal->bodies[j]]);
        for (int32_t i = 0; i < j; i++) {
            double *out = sys->values->g + layout->pair_offset[modal->pairs[j * (j - 1) / 2 + i]];
            if (modal->bodies[i] < modal->bodies[j])
                add_block(&slopes, i, j, out);
            else
                add_block(&slopes, j, i, out);
        }
    }
    if (f && u && modal->data.D) {
        const tn_reduced_state moving = state_of(sys, modal, u);
        add_forces(sys, modal, &still, 1.0, f);
        add_forces(sys, modal, &moving, -1.0, f);
    }
}

double tn_modal_energy(const tn_system *sys, const tn_model_modal *modal)
{
    const tn_reduced_state state = state_of(sys, modal, NULL);
    return tn_reduced_energy(&state);
}

double tn_modal_power(const tn_system *sys, const tn_model_modal *modal, const double *u)
{
    const tn_reduced_state state = state_of(sys, modal, u);
    return tn_reduced_power(&state);
}

double tn_modal_losses(const tn_system *sys, const tn_model_modal *modal, const double *u)
{
    if (!modal->data.D)
        return 0.0;
    const tn_reduced_state state = state_of(sys, modal, u);
    return tn_reduced_losses(&state);
}

double tn_modal_bent(const tn_model_modal *modal, const tn_vec3 *x)
{
    tn_vec3 at[TN_REDUCED_MOST];
    tn_reduced_state state;
    for (int32_t i = 0; i < modal->data.count; i++)
        at[i] = x[modal->bodies[i]];
    tn_reduced_make(&modal->data, at, NULL, &state);
    return tn_reduced_bent(&state);
}

void tn_modal_strained(const tn_system *sys, const tn_model_modal *modal, tn_vec3 *moved,
                       tn_mat3 *axes)
{
    const tn_reduced_state state = state_of(sys, modal, NULL);
    tn_reduced_strained(&state, moved);
    *axes = state.frame.T.R;
}

tn_vec3 tn_modal_node_place(const tn_system *sys, const tn_model_modal *modal, int32_t node)
{
    const double *shape = modal->shape + (size_t)node * (size_t)modal->data.count;
    tn_vec3 p = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < modal->data.count; k++)
        p = v3_axpy(p, shape[k], sys->T[modal->bodies[k]].p);
    return p;
}
