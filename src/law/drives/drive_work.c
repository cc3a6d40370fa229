/* drive_work.c: room law/drives: what drivers and motors put in, what friction and damping take out.
 *
 * In: a state with its multipliers. With F_m, F_f, F_s the forces of motor or prescribed motion, of
 * friction and of the spring, and E the spring's energy, dE = -clip(law(x)) dx, x = q - rest:
 *     power in    F_m q' + F_s rest'
 *     power out   -F_f q' + (clip(law(x)) - F_s) x'
 * so that kinetic + potential + elastic energy - work + losses stays as it is. The work is summed
 * over the parts of steps between events, by the trapezoidal rule or the stages' own weights; the rest of
 * a spring works by the mean force times its way, which is exact of linear springs, also where it jumps. So is
 * what bodies' own damping and that of compliant rows take. What an event changes at once, an impact,
 * is added there (step/advance.c).
 */
#include <math.h>

#include "assemble/load/stored_energy.h"
#include "law/drives/drives.h"
#include "motion/loads.h"

/* Of a drive without motor, friction or curve, by the multiplier of its row. */
static void add_linear_power(tn_sim *sim, tn_drive *d, double speed)
{
    const double lambda = *tn_state_held_force(sim->model, &sim->state, d->joint, d->coordinate);
    d->power_in = 0.0;
    d->power_out = d->set.viscous * speed * speed;
    d->pull = lambda + d->set.viscous * speed;
    sim->pushed += fabs(d->set.viscous * speed) + fabs(d->pull);
    if (!d->set.sprung)
        return;
    d->power_in = d->pull * d->rest_rate;
    d->power_out +=
        (tn_drive_linear_law(d, tn_drive_coordinate(sim, d)) - d->pull) * (speed - d->rest_rate);
}

static void add_power(tn_sim *sim, tn_drive *d, bool known)
{
    const double speed = known ? d->speed : tn_drive_speed(sim, d);
    if (tn_drive_is_linear(&sim->state, d)) {
        add_linear_power(sim, d, speed);
        return;
    }
    const tn_drive_forces f = tn_drive_forces_of(&sim->sys, &sim->state, d, speed);
    d->power_in = (f.motor + f.driver) * speed;
    d->power_out = -f.friction * speed;
    d->pull = f.spring;
    sim->pushed += fabs(f.motor) + fabs(f.driver) + fabs(f.friction) + fabs(f.spring);
    if (!d->set.sprung)
        return;
    const double cap = d->set.spring_force;
    const double law =
        fmin(fmax(tn_spring_law(&sim->sys, d, tn_drive_coordinate(sim, d), NULL), -cap), cap);
    d->power_in += f.spring * d->rest_rate;
    d->power_out += (law - f.spring) * (speed - d->rest_rate);
}

/* Velocities of first order are those of the rows of the start: what rows of the end seem to lose by
 * them, h (dG/dt) u of a body that turns, nothing has lost. */
void tn_drives_note_damping(tn_sim *sim)
{
    sim->state.head->losing = tn_body_losses(&sim->sys, &sim->state);
    if (sim->traits.accelerations)
        sim->state.head->losing += tn_row_losses(&sim->sys, &sim->state);
}

void tn_drives_power(tn_sim *sim, bool known)
{
    sim->pushed = 0.0;
    tn_loads_power(sim);
    tn_drives_note_damping(sim);
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        tn_drive *d = &sim->state.drives[k];
        d->power_in = d->power_out = 0.0;
        if (tn_state_is_on(sim->model, &sim->state, d->joint))
            add_power(sim, d, known);
    }
}

void tn_drives_account(tn_sim *sim, double seconds)
{
    tn_state_head *head = sim->state.head;
    tn_loads_account(sim, seconds);
    head->lost += seconds * head->losing;
    for (int32_t k = 0; k < head->drive_count; k++) {
        head->work += seconds * sim->state.drives[k].power_in;
        head->lost += seconds * sim->state.drives[k].power_out;
    }
}

void tn_drives_account_rests(tn_sim *sim, const tn_state *from, double h)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *now = &sim->state.drives[k], *before = &from->drives[k];
        const double rates = before->pull * before->rest_rate + now->pull * now->rest_rate;
        sim->state.head->work +=
            0.5 * ((before->pull + now->pull) * (now->rest - before->rest) - h * rates);
    }
}
