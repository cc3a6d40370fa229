/* smooth.c: room method/stages: may a part be of a high order?
 *
 * In: a time. Out: is all that acts smooth until something happens, and is nothing about to happen in that. What is given
 * over the time is smooth between the points of its functions, at which parts end (motion/ahead/knots.h), friction and what
 * has a cap between events; what is given over a way is not, at its points, nor is friction that goes by reactions.
 */
#include <math.h>

#include "law/event_laws.h"
#include "method/stages/rkmk.h"
#include "motion/loads.h"

/* Between the points where a part ends. */
static bool is_smooth_in_time(const tn_function *f)
{
    return f->def.kind != TN_FUNCTION_CALLBACK;
}

static bool is_given(const tn_sim *sim, int32_t function)
{
    return function == TN_NO_FUNCTION ||
           is_smooth_in_time(tn_drive_function_at(&sim->sys, function));
}

static bool is_smooth_everywhere(const tn_sim *sim, int32_t function)
{
    return is_given(sim, function) &&
           (function == TN_NO_FUNCTION ||
            !tn_function_has_knots(tn_drive_function_at(&sim->sys, function)));
}

/* A motor that nothing can stop prescribes a motion; the way of one whose speed is a function is known to order 6. */
static bool is_smooth_motor(const tn_sim *sim, const tn_drive_settings *s)
{
    const bool known = s->motor == TN_MOTOR_POSITION || s->motor_function == TN_NO_FUNCTION;
    return !tn_has_motor(s) || (known && is_given(sim, s->motor_function));
}

static bool is_smooth_spring(const tn_sim *sim, const tn_drive_settings *s)
{
    return !s->sprung ||
           (is_smooth_everywhere(sim, s->law_function) && is_given(sim, s->rest_function));
}

static bool is_smooth_drive(const tn_sim *sim, const tn_drive_settings *s)
{
    return s->static_share == 0.0 && (!s->driven || is_given(sim, s->motion_function)) &&
           is_smooth_motor(sim, s) && is_smooth_spring(sim, s);
}

/* v |v| has a corner where a body stops. */
static bool is_smooth_load(const tn_load_data *load)
{
    bool smooth = is_smooth_in_time(&load->thrust) && is_smooth_in_time(&load->effort) &&
                  load->quadratic == 0.0 && load->rotary_quadratic == 0.0;
    for (int i = 0; i < 3; i++) {
        smooth = smooth && is_smooth_in_time(&load->force[i]) &&
                 is_smooth_in_time(&load->moment[i]) && is_smooth_in_time(&load->acceleration[i]) &&
                 is_smooth_in_time(&load->medium[i]);
    }
    return smooth;
}

/* Is what acts smooth? At a kink an order is lost: of the work, whose error nobody controls, it is that of the
 * longer part. */
static bool acts_smoothly(const tn_sim *sim)
{
    bool smooth = !tn_loads_from_outside(sim);
    for (int32_t k = 0; k < sim->state.head->drive_count && smooth; k++)
        smooth = is_smooth_drive(sim, &sim->state.drives[k].set);
    for (int32_t k = 0; k < sim->model->load_count && smooth; k++)
        smooth = is_smooth_load(&sim->model->loads[k]);
    return smooth;
}

/* What breaks, or comes to the end of a piece, may do so anywhere. */
static bool can_happen(const tn_sim *sim, double soon)
{
    return sim->state.head->breakable > 0 || tn_pieces_are(sim) ||
           !tn_limits_out_of_reach(sim, soon);
}

tn_leads tn_rkmk_leads(const tn_sim *sim)
{
    tn_leads leads = {false, false};
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive_settings *s = &sim->state.drives[k].set;
        leads.motors = leads.motors || tn_has_motor(s);
        leads.any = leads.any || leads.motors || s->driven;
    }
    return leads;
}

bool tn_rkmk_is_smooth(const tn_sim *sim, double soon)
{
    return acts_smoothly(sim) && !can_happen(sim, soon);
}
