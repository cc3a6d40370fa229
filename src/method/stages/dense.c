/* dense.c: room method/stages: looks within a part of a step.
 *
 * In: the stages of a part of h seconds by a method with a continuous extension (Hairer, Norsett,
 * Wanner I, II.6), and 0 < x < 1. Out: the state x h seconds after its start. With the rates K_i and
 * the accelerations of all stages, those before the end, the end's, and some more that are solved
 * when somebody looks first,
 *     T = h sum w_i K_i,    u = u0 + h sum w_i u'_i,    q = q0 o exp(T),
 *     w_i = x (b_i + (1 - x) (f_i - b_i + x (2 b_i - f_i - e_i
 *             + (1 - x) (d_0i + x (d_1i + (1 - x) (d_2i + x d_3i)))))),
 * f_i and e_i 1 for the first stage and the end's, else 0; works likewise, of the powers at the
 * stages. Then the pose and the velocity are projected and the accelerations solved as an end's.
 */
#include <string.h>

#include "law/drives/drives.h"
#include "method/stages/rkmk.h"
#include "motion/kinematics.h"

/* Of drives and motors, of what is lost; those of the loads follow. */
enum { TN_POWER_IN, TN_POWER_LOST, TN_POWER_LOADS };

int32_t tn_rkmk_powers(const tn_model *model)
{
    return TN_POWER_LOADS + model->load_count + 2;
}

void tn_rkmk_note_power(const tn_sim *sim, double *power)
{
    const tn_state *s = &sim->state;
    power[TN_POWER_IN] = 0.0;
    power[TN_POWER_LOST] = s->head->losing;
    for (int32_t k = 0; k < s->head->drive_count; k++) {
        power[TN_POWER_IN] += s->drives[k].power_in;
        power[TN_POWER_LOST] += s->drives[k].power_out;
    }
    for (int32_t k = 0; k < sim->model->load_count + 2; k++)
        power[TN_POWER_LOADS + k] = s->load_power[k];
}

/* The weights of all stages at a share x of the part. */
static void weigh(const tn_tableau *t, double x, double *weight)
{
    const double rest = 1.0 - x, *b = t->a[t->last];
    for (int i = 0; i <= t->last + t->more; i++) {
        const double first = i == 0, end = i == t->last;
        const double bent =
            t->dense[0][i] + x * (t->dense[1][i] + rest * (t->dense[2][i] + x * t->dense[3][i]));
        weight[i] =
            x * (b[i] + rest * (first - b[i] + x * (2.0 * b[i] - first - end + rest * bent)));
    }
}

/* The stages behind the end's. */
static tn_status solve_more(tn_sim *sim, double h, tn_step_report *report)
{
    tn_rkmk *r = tn_rkmk_of(sim);
    tn_status status = TN_OK;
    for (int i = r->tableau->last + 1; i <= r->tableau->last + r->tableau->more; i++) {
        status = tn_rkmk_stage(sim, i, h, report);
        if (status != TN_OK)
            return status;
        tn_drives_power(sim, false);
        tn_rkmk_note_power(sim, r->power[i]);
    }
    r->has_more = true;
    return TN_OK;
}

/* What drives and loads have done and what was lost since sim->mark. */
static void account(tn_sim *sim, const double *weight, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    tn_state *s = &sim->state;
    for (int i = 0; i <= r->tableau->last + r->tableau->more; i++) {
        if (weight[i] == 0.0)
            continue;
        s->head->work += h * weight[i] * r->power[i][TN_POWER_IN];
        s->head->lost += h * weight[i] * r->power[i][TN_POWER_LOST];
        for (int32_t k = 0; k < sim->model->load_count + 2; k++) {
            s->head->work += h * weight[i] * r->power[i][TN_POWER_LOADS + k];
            s->load_work[k] += h * weight[i] * r->power[i][TN_POWER_LOADS + k];
        }
    }
}

tn_status tn_rkmk_look(tn_sim *sim, double length, double t, tn_step_report *report)
{
    tn_rkmk *r = tn_rkmk_of(sim);
    double weight[TN_RKMK_STAGES];
    tn_status status = r->has_more ? TN_OK : solve_more(sim, length, report);
    if (status != TN_OK)
        return status;
    weigh(r->tableau, t / length, weight);
    tn_rkmk_weigh(sim, weight, r->tableau->last + r->tableau->more + 1, r->dq, r->known_udot);
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        sim->state.u[k] = sim->mark.u[k] + length * r->known_udot[k];
    account(sim, weight, length);
    tn_rkmk_move_to(sim, t, length);
    status = tn_rkmk_solve_end(sim, t, report);
    tn_measure_errors(sim, sim->sys.phi, report);
    sim->sys.lead = t;
    memcpy(sim->state.coordinates, sim->mark.coordinates,
           sizeof(double) * TN_MAX_COORDINATES * (size_t)sim->model->element_count);
    return status;
}
