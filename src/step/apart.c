/* apart.c: room step: the step of a world by its parts. See apart.h.
 *
 * A part is a tree of the world with a simulation of its own. Its state is copied from the world's where the two
 * differ in any bit, and stepped. When the steps of all parts have succeeded, their states are copied into the
 * world's, whose energy accounting is the sum of theirs.
 */
#include <math.h>
#include <string.h>

#include "law/poles.h"
#include "motion/closing/gap.h"
#include "motion/kinematics.h"
#include "motion/loads.h"
#include "step/apart.h"
#include "step/part/judge.h"

/* ---- which worlds ---- */

bool tn_apart_takes(const tn_sim *sim)
{
    const tn_state_head *head = sim->state.head;
    return sim->apart && head->limited > 0 && head->drive_count == 0 && head->breakable == 0 &&
           !tn_gap_is_on(&sim->state) && !tn_loads_from_outside(sim) && sim->begins_nothing < 0 &&
           !sim->pieces;
}

/* A flag in the state, 1.0 or 0.0. Set: heads and memories of the parts in the state are current, those of the world
 * are not. */
static double *is_apart(const tn_sim *sim)
{
    return (double *)(void *)((unsigned char *)sim->state.memory + sim->apart->at);
}

void tn_apart_leave(tn_sim *sim)
{
    if (!sim->apart || *is_apart(sim) == 0.0)
        return;
    *is_apart(sim) = 0.0;
    sim->state.head->restart = 1;
}

void tn_apart_forget(tn_sim *sim)
{
    if (sim->apart)
        *is_apart(sim) = 0.0;
}

/* ---- from the world to a part ---- */

static unsigned char *head_in(const tn_sim *sim, const tn_apart_part *part)
{
    return (unsigned char *)sim->state.memory + part->at;
}

static unsigned char *memory_in(const tn_sim *sim, const tn_apart_part *part)
{
    return head_in(sim, part) + sizeof(tn_state_head);
}

/* A contiguous piece of one array of a state: of one body, of one joint, or of a whole part whose bodies and joints
 * are numbered in a row in the world. */
typedef struct tn_run {
    void *part, *world;
    size_t bytes;
} tn_run;

enum { TN_BODY_RUNS = 4, TN_JOINT_RUNS = 2, TN_MOST_RUNS = TN_BODY_RUNS + TN_JOINT_RUNS };

static inline int runs_of_bodies(const tn_sim *sim, const tn_apart_part *part, int32_t i,
                                 int32_t count, int32_t velocities, tn_run *out)
{
    const tn_state *s = &part->sim->state, *w = &sim->state;
    const int32_t k = part->bodies[i];
    const int64_t from = part->sim->model->bodies[i].u, to = sim->model->bodies[k].u;
    const size_t bytes = sizeof(double) * (size_t)velocities;
    out[0] = (tn_run){&s->x[i], &w->x[k], sizeof *s->x * (size_t)count};
    out[1] = (tn_run){&s->q[i], &w->q[k], sizeof *s->q * (size_t)count};
    out[2] = (tn_run){s->udot + from, w->udot + to, bytes};
    out[3] = (tn_run){s->u + from, w->u + to, bytes};
    return TN_BODY_RUNS;
}

static inline int runs_of_joints(const tn_sim *sim, const tn_apart_part *part, int32_t j,
                                 int32_t count, tn_run *out)
{
    const tn_state *s = &part->sim->state, *w = &sim->state;
    const size_t at = (size_t)j, to = (size_t)part->joints[j], n = (size_t)count;
    out[0] = (tn_run){s->lambda + at * TN_MAX_ROWS, w->lambda + to * TN_MAX_ROWS,
                      sizeof(double) * TN_MAX_ROWS * n};
    out[1] =
        (tn_run){s->coordinates + at * TN_MAX_COORDINATES, w->coordinates + to * TN_MAX_COORDINATES,
                 sizeof(double) * TN_MAX_COORDINATES * n};
    return TN_JOINT_RUNS;
}

static bool is_in_a_row(const tn_apart_part *part)
{
    return part->first_joint >= 0;
}

static int32_t groups_of(const tn_apart_part *part)
{
    const tn_model *model = part->sim->model;
    return is_in_a_row(part) ? 1 : model->body_count + model->joint_count;
}

/* The pieces of one group: the whole part where it is in a row, else one body or one joint. Returns how many. */
static inline int runs_of(const tn_sim *sim, const tn_apart_part *part, int32_t group, tn_run *out)
{
    const tn_model *model = part->sim->model;
    if (is_in_a_row(part)) {
        const int bodies =
            runs_of_bodies(sim, part, 0, model->body_count, model->size.velocities, out);
        return bodies + runs_of_joints(sim, part, 0, model->joint_count, out + bodies);
    }
    if (group < model->body_count)
        return runs_of_bodies(sim, part, group, 1, model->bodies[group].dim, out);
    return runs_of_joints(sim, part, group - model->body_count, 1, out);
}

/* Have the switches of neither world nor part changed since they were equal? */
static bool has_switches(const tn_sim *sim, const tn_apart_part *part)
{
    return tn_same_edition(sim->state.edition, sim->apart->switched) &&
           tn_same_edition(part->sim->state.edition, part->switched);
}

/* Are the states of part and world the same, bit by bit? The memories need no comparison: whatever writes them from
 * outside also makes a new edition of the switches. */
static bool is_there(const tn_sim *sim, const tn_apart_part *part)
{
    tn_run runs[TN_MOST_RUNS];
    const int32_t groups = groups_of(part);
    bool differs = !has_switches(sim, part) ||
                   memcmp(head_in(sim, part), part->sim->state.head, sizeof(tn_state_head)) != 0;
    for (int32_t k = 0; k < groups && !differs; k++) {
        const int count = runs_of(sim, part, k, runs);
        for (int n = 0; n < count; n++)
            differs |= memcmp(runs[n].part, runs[n].world, runs[n].bytes) != 0;
    }
    return !differs;
}

static void take_motion(const tn_sim *sim, const tn_apart_part *part)
{
    tn_run runs[TN_MOST_RUNS];
    const int32_t groups = groups_of(part);
    for (int32_t k = 0; k < groups; k++) {
        const int count = runs_of(sim, part, k, runs);
        for (int n = 0; n < count; n++)
            memcpy(runs[n].part, runs[n].world, runs[n].bytes);
    }
}

static void take_switches(const tn_sim *sim, const tn_apart_part *part)
{
    tn_state *s = &part->sim->state;
    for (int32_t j = 0; j < part->sim->model->joint_count; j++) {
        memcpy(tn_state_edit(s, j), &sim->state.switches[part->joints[j]], sizeof(tn_switches));
        s->plain[j] = sim->state.plain[part->joints[j]];
    }
}

/* After steps of the whole world, or before the first step, a part restarts. */
static void take_memory(const tn_sim *sim, const tn_apart_part *part)
{
    tn_state *s = &part->sim->state;
    if (*is_apart(sim) != 0.0) {
        memcpy(s->head, head_in(sim, part), sizeof *s->head);
        memcpy(s->memory, memory_in(sim, part), s->memory_size);
    } else {
        memset(s->head, 0, sizeof *s->head);
        memset(s->memory, 0, s->memory_size);
        s->head->restart = 1;
    }
    s->head->time = sim->state.head->time;
    s->head->time_rest = sim->state.head->time_rest;
    tn_state_count_limited(part->sim->model, s);
    tn_state_count_breakable(part->sim->model, s);
}

/* Copies the state of a part from the world's, as a saved state is restored. */
static void take(tn_sim *sim, tn_apart_part *part)
{
    take_motion(sim, part);
    take_switches(sim, part);
    take_memory(sim, part);
    tn_poles_clear(part->sim);
    part->sim->sys.lead = 0.0;
    tn_refresh_kinematics(part->sim);
    tn_keep_reaction_kinematics(part->sim);
}

static bool has_kinematics(const tn_sim *sim, const tn_apart_part *part)
{
    return part->first_joint >= 0 && part->sim->sys.kin == sim->sys.kin + part->first_joint;
}

/* The part computes its kinematics in the arrays of the world, which then has them without a copy. */
static void share_kinematics(const tn_sim *sim, tn_apart_part *part)
{
    if (part->first_joint < 0 || has_kinematics(sim, part))
        return;
    part->sim->sys.T = sim->sys.T + part->first_body;
    part->sim->sys.kin = sim->sys.kin + part->first_joint;
}

void tn_apart_give_back(tn_apart_part *part)
{
    if (!part->kin || part->first_joint < 0)
        return;
    part->sim->sys.T = part->T;
    part->sim->sys.kin = part->kin;
}

/* Undoes the exchange of arrays by a method that keeps kinematics for its reactions. */
static void settle_kinematics(const tn_sim *sim, tn_apart_part *part)
{
    if (part->first_joint < 0 || has_kinematics(sim, part))
        return;
    tn_swap_reaction_kinematics(part->sim);
    tn_refresh_kinematics(part->sim);
}

static void put_where_the_world_is(tn_sim *sim, tn_apart_part *part)
{
    share_kinematics(sim, part);
    if (*is_apart(sim) == 0.0 || !is_there(sim, part))
        take(sim, part);
    part->switched = part->sim->state.edition;
    part->sim->state.head->restart |= sim->state.head->restart;
}

/* ---- from the parts to the world ---- */

static void show_kinematics(tn_sim *sim, const tn_apart_part *part)
{
    for (int32_t i = 0; i < part->sim->model->body_count; i++)
        sim->sys.T[part->bodies[i]] = part->sim->sys.T[i];
    for (int32_t j = 0; j < part->sim->model->joint_count; j++)
        tn_joint_kinematics_copy(&sim->sys.kin[part->joints[j]], &part->sim->sys.kin[j]);
}

static void show_motion(tn_sim *sim, const tn_apart_part *part)
{
    tn_run runs[TN_MOST_RUNS];
    const int32_t groups = groups_of(part);
    for (int32_t k = 0; k < groups; k++) {
        const int count = runs_of(sim, part, k, runs);
        for (int n = 0; n < count; n++)
            memcpy(runs[n].world, runs[n].part, runs[n].bytes);
    }
    if (!has_kinematics(sim, part))
        show_kinematics(sim, part);
}

static void show_switches(tn_sim *sim, const tn_apart_part *part)
{
    const tn_state *s = &part->sim->state;
    for (int32_t j = 0; j < part->sim->model->joint_count; j++) {
        memcpy(tn_state_edit(&sim->state, part->joints[j]), &s->switches[j], sizeof(tn_switches));
        sim->state.plain[part->joints[j]] = s->plain[j];
    }
}

/* Adds what the step of a part added to work, losses and energy errors. */
static void add_books(const tn_state_head *before, const tn_state_head *now, tn_state_head *sum)
{
    sum->work += now->work - before->work;
    sum->lost += now->lost - before->lost;
    sum->losing += now->losing;
    sum->moving += now->moving;
    sum->tally.made += now->tally.made - before->tally.made;
    tn_judge_add_net(&sum->tally, now->tally.net - before->tally.net);
    sum->tally.linear += now->tally.linear - before->tally.linear;
    sum->tally.angular += now->tally.angular - before->tally.angular;
    sum->tally.linear_size = fmax(sum->tally.linear_size, now->tally.linear_size);
    sum->tally.angular_size = fmax(sum->tally.angular_size, now->tally.angular_size);
    sum->tally.force = fmax(sum->tally.force, now->tally.force);
    sum->tally.moment = fmax(sum->tally.moment, now->tally.moment);
    sum->tally.open = fmax(sum->tally.open, now->tally.open);
    sum->tally.pull = fmax(sum->tally.pull, now->tally.pull);
    sum->tally.beyond = fmax(sum->tally.beyond, now->tally.beyond);
    sum->tally.idle = fmax(sum->tally.idle, now->tally.idle);
    sum->tally.bent = fmax(sum->tally.bent, now->tally.bent);
    sum->tally.unwatched += now->tally.unwatched - before->tally.unwatched;
}

static void show_memory(tn_sim *sim, const tn_apart_part *part)
{
    const tn_state *s = &part->sim->state;
    tn_state_head before = {.time = 0.0};
    if (*is_apart(sim) != 0.0)
        memcpy(&before, head_in(sim, part), sizeof before);
    add_books(&before, s->head, sim->state.head);
    memcpy(head_in(sim, part), s->head, sizeof *s->head);
    memcpy(memory_in(sim, part), s->memory, s->memory_size);
}

void tn_apart_tally(tn_sim *sim)
{
    tn_tally *all = &sim->state.head->tally, now = {.made = all->made};
    for (int32_t p = 0; p < sim->apart->count; p++)
        tn_judge_add_sizes(sim->apart->parts[p].sim, &now);
    all->most_made = fmax(all->most_made, now.made);
    all->most_lost = fmax(all->most_lost, -now.made);
    all->kinetic = fmax(all->kinetic, now.kinetic - fmax(fmax(now.made, 0.0), all->risen));
    all->size = fmax(all->size, now.size);
    all->noise = fmax(all->noise, now.noise);
    tn_judge_watch(sim);
}

static void show(tn_sim *sim)
{
    tn_state_head *head = sim->state.head;
    const tn_state_head *first = sim->apart->parts[0].sim->state.head;
    head->losing = head->moving = 0.0;
    sim->state.twin = NULL;
    for (int32_t p = 0; p < sim->apart->count; p++) {
        tn_apart_part *part = &sim->apart->parts[p];
        show_motion(sim, part);
        show_memory(sim, part);
        if (!tn_same_edition(part->sim->state.edition, part->switched))
            show_switches(sim, part);
        part->switched = part->sim->state.edition;
    }
    *is_apart(sim) = 1.0;
    head->time = first->time;
    head->time_rest = first->time_rest;
    head->restart = 0;
    sim->apart->switched = sim->state.edition;
    sim->sys.lead = 0.0;
    sim->from = NULL;
}

/* ---- the report ---- */

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* The joint of the world that a joint of the part is. */
static tn_joint joint_of(const tn_apart_part *part, tn_joint joint)
{
    return (tn_joint){.i = joint.i < 0 ? -1 : part->joints[joint.i]};
}

/* Iterations, factorizations and solves are the largest of any part, since parts are independent; events and the
 * like are added up. */
static void add_counts(tn_step_report *sum, const tn_step_report *one)
{
    sum->iterations = larger(sum->iterations, one->iterations);
    sum->factorizations = larger(sum->factorizations, one->factorizations);
    sum->solves = larger(sum->solves, one->solves);
    sum->parts = larger(sum->parts, one->parts);
    sum->fallbacks += one->fallbacks;
    sum->halvings += one->halvings;
    sum->rejections += one->rejections;
    sum->events += one->events;
    sum->skipped_rows += one->skipped_rows;
    sum->energy_made += one->energy_made;
    sum->energy_share = fmax(sum->energy_share, one->energy_share);
    sum->smallest_pivot = fmin(sum->smallest_pivot, one->smallest_pivot);
    sum->longest_part = fmax(sum->longest_part, one->longest_part);
    if (one->shortest_part > 0.0)
        sum->shortest_part = sum->shortest_part > 0.0 ? fmin(sum->shortest_part, one->shortest_part)
                                                      : one->shortest_part;
}

static void add_report(const tn_apart_part *part, const tn_step_report *one, tn_step_report *sum)
{
    const double worst = fmax(sum->position_error, sum->angle_error);
    add_counts(sum, one);
    if (one->worst_joint.i >= 0 &&
        (sum->worst_joint.i < 0 || fmax(one->position_error, one->angle_error) > worst))
        sum->worst_joint = joint_of(part, one->worst_joint);
    sum->position_error = fmax(sum->position_error, one->position_error);
    sum->angle_error = fmax(sum->angle_error, one->angle_error);
    if (one->folds && (!sum->folds || one->fold_distance < sum->fold_distance)) {
        sum->fold_distance = one->fold_distance;
        sum->fold_joint = joint_of(part, one->fold_joint);
    }
    sum->folds |= one->folds;
}

/* The report of a part that failed, with bodies and joints of the world. */
static void report_failure(const tn_apart_part *part, const tn_step_report *one,
                           tn_step_report *out)
{
    *out = *one;
    out->worst_joint = joint_of(part, one->worst_joint);
    out->fold_joint = joint_of(part, one->fold_joint);
    out->culprit_joint = joint_of(part, one->culprit_joint);
    if (one->culprit_body.i >= 0)
        out->culprit_body = (tn_body){.i = part->bodies[one->culprit_body.i]};
}

/* Inserts an event in the order of time; at equal times the earlier part comes first. */
static void add_event(tn_event_log *log, tn_event event)
{
    const int32_t count = log->count < TN_EVENTS_KEPT ? log->count : TN_EVENTS_KEPT;
    for (int32_t k = 0; k < count; k++) {
        if (log->events[k].time > event.time) {
            const tn_event later = log->events[k];
            log->events[k] = event;
            event = later;
        }
    }
    tn_event_log_add(log, event);
}

static void add_log(tn_sim *sim, const tn_apart_part *part)
{
    const tn_event_log *log = &part->sim->log;
    for (int32_t k = 0; k < log->count && k < TN_EVENTS_KEPT; k++) {
        tn_event event = log->events[k];
        event.joint = joint_of(part, event.joint);
        add_event(&sim->log, event);
    }
    if (log->count > TN_EVENTS_KEPT)
        sim->log.count += log->count - TN_EVENTS_KEPT;
}

/* ---- the step ---- */

static tn_status move_all(tn_sim *sim, double h, tn_apart_move *move, tn_step_report *report)
{
    for (int32_t p = 0; p < sim->apart->count; p++) {
        tn_apart_part *part = &sim->apart->parts[p];
        tn_step_report one;
        put_where_the_world_is(sim, part);
        const tn_status status = move(part->sim, h, &one);
        settle_kinematics(sim, part);
        if (status != TN_OK) {
            report_failure(part, &one, report);
            return status;
        }
        add_report(part, &one, report);
    }
    return TN_OK;
}

tn_status tn_apart_go(tn_sim *sim, double h, tn_apart_move *move, tn_step_report *report)
{
    sim->log.count = 0;
    const tn_status status = move_all(sim, h, move, report);
    if (status != TN_OK) { /* parts before the one that failed have moved */
        sim->sys.lead = 0.0;
        tn_refresh_kinematics(sim);
        return status;
    }
    show(sim);
    for (int32_t p = 0; p < sim->apart->count; p++)
        add_log(sim, &sim->apart->parts[p]);
    tn_time_begin(sim);
    return TN_OK;
}
