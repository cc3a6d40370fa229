/* state.c: room state: making, copying and checking a state. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "math/lanes.h"
#include "state/state.h"

/* Walks over the block's arrays; with block NULL it only measures. */
static size_t lay_out(const tn_model *model, tn_state *state, unsigned char *block)
{
    const size_t nb = (size_t)model->body_count, ne = (size_t)model->element_count;
    const size_t nv = (size_t)model->size.velocities;
    size_t at = 0;
#define TN_VIEW(field, type, count)                                                                \
    do {                                                                                           \
        if (block)                                                                                 \
            state->field = (type *)(void *)(block + at);                                           \
        at += sizeof(type) * (count);                                                              \
    } while (0)
    TN_VIEW(head, tn_state_head, 1);
    TN_VIEW(x, tn_vec3, nb);
    TN_VIEW(q, tn_quat, nb);
    TN_VIEW(udot, double, nv);
    TN_VIEW(lambda, double, ne *TN_MAX_ROWS);
    state->motion = at - sizeof(tn_state_head);
    TN_VIEW(u, double, nv);
    TN_VIEW(coordinates, double, ne *TN_MAX_COORDINATES);
    TN_VIEW(load_work, double, (size_t)model->load_count + 2);
    TN_VIEW(load_power, double, (size_t)model->load_count + 2);
    TN_VIEW(memory, unsigned char, state->memory_size);
    state->switched = at;
    TN_VIEW(switches, tn_switches, ne);
    TN_VIEW(plain, int8_t, (ne + 7) & ~(size_t)7); /* drives are to stay aligned */
    state->size = at;
    TN_VIEW(drives, tn_drive, (size_t)model->coordinate_count);
#undef TN_VIEW
    return at;
}

static void pack(const tn_model_body *body, double *u)
{
    const tn_motion_subspace *s = tn_motion_subspace_get(body->kind);
    double full[6];
    v3_store(full, body->v0);
    v3_store(full + 3, body->w0);
    for (int32_t i = 0; i < s->dim; i++)
        u[body->u + i] = full[s->column[i]];
}

size_t tn_state_used(const tn_state *state)
{
    return state->size + sizeof(tn_drive) * (size_t)state->head->drive_count;
}

tn_drive *tn_state_drive(const tn_state *state, int32_t joint, int32_t coordinate)
{
    for (int32_t k = state->switches[joint].drive; k != TN_NO_DRIVE; k = state->drives[k].next) {
        if (state->drives[k].coordinate == coordinate)
            return &state->drives[k];
    }
    return NULL;
}

void tn_state_get_drive(const tn_model *model, const tn_state *state, int32_t joint,
                        int32_t coordinate, tn_drive *out)
{
    const tn_drive *known = tn_state_drive(state, joint, coordinate);
    if (known) {
        *out = *known;
        return;
    }
    const tn_switches *s = &state->switches[joint];
    const tn_model_joint *own = &model->joints[joint];
    const int32_t row = tn_motion_row(own, coordinate);
    memset(out, 0, sizeof *out);
    out->set = tn_no_drive();
    out->joint = joint;
    out->coordinate = coordinate;
    out->slip_share = out->spring_share = 1.0;
    out->round = (int8_t)(own->round && !own->geometry.cls->info.coordinates[coordinate].angular);
    out->hold_compliance = s->compliance[row];
    out->hold_damping = s->damping[row];
    out->next = s->drive;
}

tn_drive *tn_state_add_drive(const tn_model *model, tn_state *state, int32_t joint,
                             int32_t coordinate)
{
    tn_switches *s = tn_state_edit(state, joint);
    tn_drive *known = tn_state_drive(state, joint, coordinate);
    if (known)
        return known;
    const int32_t k = state->head->drive_count++;
    tn_state_get_drive(model, state, joint, coordinate, &state->drives[k]);
    s->drive = k;
    state->plain[joint] = 0;
    return &state->drives[k];
}

/* Of a soft row without stiffness, which only damps, C D: so long that the stiffness 1 / C does
 * nothing (s). */
#define TN_NO_STIFFNESS 1e12

/* Of a motion row. */
typedef struct tn_row_softness {
    double compliance, damping;
} tn_row_softness;

/* Compliance and damping of the motion row are those of what has it. */
static tn_row_softness softness_of(const tn_drive *drive, tn_hold hold)
{
    if (hold == TN_HOLD_SPRING) {
        return (tn_row_softness){drive->stiffness > 0.0 ? 1.0 / drive->stiffness
                                                        : TN_NO_STIFFNESS / drive->damping,
                                 drive->damping};
    }
    const bool own = hold > TN_HOLD_SPRING && hold < TN_HOLD_LOCK;
    return (tn_row_softness){own ? 0.0
                                 : drive->hold_compliance, /* of a lock or limit: not theirs */
                             drive->hold_damping};
}

void tn_state_hold(const tn_model *model, tn_state *state, int32_t joint, int32_t coordinate,
                   tn_hold hold)
{
    const tn_switches *before = &state->switches[joint];
    const int32_t row = tn_motion_row(&model->joints[joint], coordinate);
    const tn_drive *drive = tn_state_drive(state, joint, coordinate);
    if (drive && hold <= TN_HOLD_SPRING)
        hold = drive->stiffness > 0.0 || drive->damping > 0.0 ? TN_HOLD_SPRING : TN_HOLD_NONE;
    const tn_row_softness soft =
        drive ? softness_of(drive, hold)
              : (tn_row_softness){before->compliance[row], before->damping[row]};
    if (before->hold[coordinate] == (int8_t)hold && before->compliance[row] == soft.compliance &&
        before->damping[row] == soft.damping)
        return; /* as they are, switches need not be copied with the state */
    tn_switches *s = tn_state_edit(state, joint);
    s->compliance[row] = soft.compliance;
    s->damping[row] = soft.damping;
    s->hold[coordinate] = (int8_t)hold;
    tn_state_update_active(model, state, joint);
}

void tn_state_pin(const tn_model *model, tn_state *state, int32_t joint, int32_t i)
{
    tn_switches *s = tn_state_edit(state, joint);
    if (s->hold[i] >= TN_HOLD_LOCK || s->lower[i] != s->upper[i])
        return;
    s->hold_value[i] = s->lower[i];
    tn_state_hold(model, state, joint, i, TN_HOLD_PINNED);
}

static void initial_state(const tn_model *model, tn_state *state)
{
    state->head->restart = 1;
    for (int32_t i = 0; i < model->body_count; i++) {
        state->x[i] = model->bodies[i].x0;
        state->q[i] = model->bodies[i].q0;
        pack(&model->bodies[i], state->u);
    }
    for (int32_t j = 0; j < model->element_count; j++) {
        const tn_model_joint *joint = &model->joints[j];
        tn_switches *switches = tn_state_edit(state, j);
        memcpy(state->coordinates + j * TN_MAX_COORDINATES, joint->q0, sizeof joint->q0);
        memcpy(switches->compliance, joint->compliance, sizeof joint->compliance);
        memcpy(switches->damping, joint->damping, sizeof joint->damping);
        switches->enabled = (int8_t)!joint->disabled;
        switches->drive = TN_NO_DRIVE;
        switches->break_force = joint->break_force;
        switches->break_torque = joint->break_torque;
        for (int32_t i = 0; i < joint->geometry.cls->info.coordinate_count; i++) {
            switches->lower[i] = joint->lower[i];
            switches->upper[i] = joint->upper[i];
            switches->hold_value[i] = joint->held_at[i];
            switches->hold[i] = joint->locked[i] ? TN_HOLD_LOCK : TN_HOLD_NONE;
            tn_state_pin(model, state, j, i);
        }
        tn_state_update_active(model, state, j);
    }
    for (int32_t k = 0; k < model->drive_count; k++) {
        const tn_model_drive *drive = &model->drives[k];
        tn_state_add_drive(model, state, drive->joint, drive->coordinate)->set = drive->settings;
    }
    tn_state_count_limited(model, state);
    tn_state_count_breakable(model, state);
}

size_t tn_state_moving_size(const tn_model *model)
{
    tn_state state = {.memory_size = 0};
    lay_out(model, &state, NULL);
    return state.switched;
}

tn_status tn_state_create(const tn_model *model, size_t memory_size, tn_state *state)
{
    TN_ASSERT(memory_size % sizeof(double) == 0);
    memset(state, 0, sizeof *state);
    state->memory_size = memory_size;
    state->block = tn_alloc(1, lay_out(model, state, NULL));
    if (!state->block)
        return TN_ERROR_MEMORY;
    lay_out(model, state, state->block);
    initial_state(model, state);
    return TN_OK;
}

void tn_state_destroy(tn_state *state)
{
    tn_free(state->block);
    memset(state, 0, sizeof *state);
}

void tn_state_make_twins(tn_state *a, tn_state *b)
{
    a->twin = b->block;
    b->twin = a->block;
}

bool tn_state_are_twins(const tn_state *a, const tn_state *b)
{
    return a->twin == b->block && b->twin == a->block && tn_same_edition(a->edition, b->edition);
}

static size_t bytes_between(const void *first, const void *end)
{
    return (size_t)((const unsigned char *)end - (const unsigned char *)first);
}

/* What a state has for itself while it reads the arrays of another: head, sums of loads, drives. */
static void keep_own(tn_state *state, const tn_state *own, const tn_state *from)
{
    state->block = own->block;
    state->edits = own->edits;
    state->head = own->head;
    state->load_work = own->load_work;
    state->load_power = own->load_power;
    state->drives = own->drives;
    *state->head = *from->head;
    memcpy(state->load_work, from->load_work, bytes_between(own->load_work, own->memory));
    memcpy(state->drives, from->drives, sizeof *from->drives * (size_t)from->head->drive_count);
}

void tn_state_share_start(tn_state *state, tn_state *start)
{
    TN_ASSERT(tn_state_are_twins(state, start));
    const tn_state own = *start;
    *start = *state;
    keep_own(state, &own, start);
    state->elsewhere = start->block;
    state->twin = start->block;
}

void tn_state_view(tn_state *view, const tn_state *start, const tn_state *state)
{
    TN_ASSERT(!start->elsewhere && tn_same_edition(state->edition, start->edition));
    tn_state_take_own(view);
    const tn_state own = *view;
    *view = *start;
    keep_own(view, &own, state);
    view->elsewhere = start->block;
    view->twin = NULL;
}

void tn_state_end_view(tn_state *view)
{
    if (!view->elsewhere)
        return;
    tn_state_take_own(view);
    tn_state_written(view);
}

/* Of an array: the one in the state's own block. */
static void *own_view(const tn_state *state, const void *view)
{
    const uintptr_t far = (uintptr_t)view - (uintptr_t)state->elsewhere;
    return (unsigned char *)state->block +
           (far < state->size ? far : (uintptr_t)view - (uintptr_t)state->block);
}

/* Of all arrays that a state may share; both may be the same. */
static void own_views(const tn_state *state, tn_state *own)
{
    own->x = own_view(state, state->x);
    own->q = own_view(state, state->q);
    own->udot = own_view(state, state->udot);
    own->lambda = own_view(state, state->lambda);
    own->u = own_view(state, state->u);
    own->coordinates = own_view(state, state->coordinates);
    own->memory = own_view(state, state->memory);
    own->switches = own_view(state, state->switches);
    own->plain = own_view(state, state->plain);
    own->elsewhere = NULL;
}

tn_state tn_state_own(const tn_state *state)
{
    tn_state own = *state;
    if (own.elsewhere)
        own_views(state, &own);
    return own;
}

void tn_state_take_own(tn_state *state)
{
    if (state->elsewhere)
        own_views(state, state);
}

/* Bytes that a thread copies at a time. */
enum { COPIED = 1 << 16 };

typedef struct copying {
    unsigned char *to;
    const unsigned char *from;
} copying;

static void copy_run(void *context, int32_t thread, int32_t first, int32_t count)
{
    const copying *c = context;
    (void)thread;
    memcpy(c->to + (size_t)first * COPIED, c->from + (size_t)first * COPIED,
           (size_t)count * COPIED);
}

static void copy_bytes(tn_crew *crew, void *to, const void *from, size_t size)
{
    copying c = {to, from};
    const tn_crew_pass pass = {.count = crew ? (int32_t)(size / COPIED) : 0,
                               .run = 1,
                               .stage_count = 1,
                               .stages = {{copy_run, false}},
                               .context = &c};
    const size_t shared = (size_t)pass.count * COPIED;
    if (pass.count > 0)
        tn_crew_do(crew, &pass);
    memcpy(c.to + shared, c.from + shared, size - shared);
}

void tn_state_copy_start(tn_crew *crew, tn_state *state, const tn_state *start)
{
    if (!state->elsewhere)
        return;
    tn_state_take_own(state);
    copy_bytes(crew, state->x, start->x, bytes_between(start->x, start->load_work));
    copy_bytes(crew, state->memory, start->memory, start->memory_size);
    state->twin = NULL;
}

void tn_state_copy(tn_state *to, const tn_state *from)
{
    tn_state_copy_by(NULL, to, from);
}

/* All that comes before the memory, from wherever the views of `from` are. */
static void copy_placed(tn_crew *crew, tn_state *to, const tn_state *from)
{
    *to->head = *from->head;
    copy_bytes(crew, to->x, from->x, bytes_between(to->x, to->load_work));
    memcpy(to->load_work, from->load_work, bytes_between(to->load_work, to->memory));
}

void tn_state_copy_by(tn_crew *crew, tn_state *to, const tn_state *from)
{
    TN_ASSERT(to->size - to->memory_size == from->size - from->memory_size);
    const bool viewed = to->elsewhere && !to->twin; /* own switches are of another edition */
    const bool same = !viewed && tn_same_edition(to->edition, from->edition);
    tn_state_take_own(to);
    to->twin = NULL;
    copy_placed(crew, to, from);
    if (to->memory_size == from->memory_size)
        copy_bytes(crew, to->memory, from->memory, to->memory_size);
    if (!same)
        memcpy((unsigned char *)to->block + to->switched, from->switches, to->size - to->switched);
    memcpy(to->drives, from->drives, sizeof *to->drives * (size_t)from->head->drive_count);
    to->edition = from->edition;
    to->sound = from->sound;
}

void tn_state_written(tn_state *state)
{
    state->sound = false;
    state->twin = NULL;
    state->edition = (tn_edition){state->block, ++state->edits};
}

tn_switches *tn_state_edit(tn_state *state, int32_t element)
{
    if (state->elsewhere) { /* its own are the same */
        state->switches = own_view(state, state->switches);
        state->plain = own_view(state, state->plain);
    }
    tn_state_written(state);
    return (tn_switches *)((unsigned char *)state->block + state->switched) + element;
}

void tn_state_copy_placement(const tn_model *model, tn_state *to, const tn_state *from)
{
    to->sound = false;
    to->twin = NULL;
    *to->head = *from->head;
    memcpy(to->x, from->x, sizeof(tn_vec3) * (size_t)model->body_count);
    memcpy(to->q, from->q, sizeof(tn_quat) * (size_t)model->body_count);
    memcpy(to->u, from->u, sizeof(double) * (size_t)model->size.velocities);
    memcpy(to->coordinates, from->coordinates,
           sizeof(double) * TN_MAX_COORDINATES * (size_t)model->element_count);
}

void tn_state_copy_moving(tn_state *to, const tn_state *from)
{
    TN_ASSERT(to->memory_size == from->memory_size);
    const size_t before = (size_t)((unsigned char *)to->x - (unsigned char *)to->block);
    memcpy(to->x, from->x, to->switched - before);
    to->sound = from->sound;
    to->twin = NULL;
}

void tn_state_copy_motion(tn_state *to, const tn_state *from)
{
    to->sound = false;
    to->twin = NULL;
    memcpy(to->x, from->x, from->motion);
}

static int8_t softness_of_row(const tn_model_joint *joint, const tn_switches *s, int32_t row)
{
    const int32_t i = joint->geometry.cls->info.rows[row].coordinate;
    const bool is_spring = i >= 0 && s->hold[i] == TN_HOLD_SPRING;
    return s->compliance[row] > 0.0 ? (is_spring ? TN_SOFT_SPRING : TN_SOFT_OTHER) : 0;
}

void tn_state_update_active(const tn_model *model, tn_state *state, int32_t element)
{
    const tn_model_joint *j = &model->joints[element];
    tn_switches *switches = tn_state_edit(state, element);
    state->plain[element] = 0;
    const int on = tn_state_is_on(model, state, element);
    int8_t n = 0;
    for (int8_t k = 0; k < j->kept_count && on; k++) {
        const int8_t row = j->kept[k];
        const tn_row_info *info = &j->geometry.cls->info.rows[row];
        if ((info->flags & TN_ROW_BILATERAL) ||
            (info->coordinate >= 0 && switches->hold[info->coordinate] != TN_HOLD_NONE))
            switches->active[n++] = row;
    }
    switches->active_count = n;
    switches->compliant = 0;
    for (int8_t k = 0; k < n; k++)
        switches->compliant |= softness_of_row(j, switches, switches->active[k]);
    state->plain[element] = (int8_t)(on && element < model->joint_count && !switches->compliant &&
                                     !tn_model_has_armature(j) && n == j->kept_bilateral &&
                                     switches->drive == TN_NO_DRIVE);
}

/* Can a coordinate's drive reach a bound? */
static bool is_bounded(const tn_drive_settings *s)
{
    return tn_has_friction(s) || (s->motor != TN_MOTOR_OFF && isfinite(s->motor_force)) ||
           (s->sprung && isfinite(s->spring_force));
}

void tn_state_count_limited(const tn_model *model, tn_state *state)
{
    state->head->limited = 0;
    for (int32_t k = 0; k < state->head->drive_count; k++) {
        state->head->limited += tn_state_is_on(model, state, state->drives[k].joint) &&
                                is_bounded(&state->drives[k].set);
    }
    for (int32_t j = 0; j < model->element_count; j++) {
        const tn_switches *s = &state->switches[j];
        for (int32_t i = 0; i < model->joints[j].geometry.cls->info.coordinate_count; i++) {
            state->head->limited +=
                tn_state_is_on(model, state, j) && (isfinite(s->lower[i]) || isfinite(s->upper[i]));
        }
    }
}

void tn_state_count_breakable(const tn_model *model, tn_state *state)
{
    state->head->breakable = 0;
    for (int32_t j = 0; j < model->element_count; j++) {
        const tn_switches *s = &state->switches[j];
        state->head->breakable += isfinite(s->break_force) || isfinite(s->break_torque);
    }
}

/* All at once: only where this is not finite the culprit has to be viewed for. Orientations stand behind places. */
static double sum_of_squares(const tn_model *model, const tn_state *state)
{
    const size_t placed = 7 * (size_t)model->body_count, moving = (size_t)model->size.velocities;
    const double *x = &state->x->x;
    if (TN_WIDE_COPIES && tn_wide_lanes())
        return tn_sum_of_squares_wide(x, placed) + tn_sum_of_squares_wide(state->u, moving);
    return tn_sum_of_squares(x, placed) + tn_sum_of_squares(state->u, moving);
}

static bool is_finite_throughout(const double *first, size_t n)
{
    return TN_WIDE_COPIES && tn_wide_lanes() ? tn_all_finite_wide(first, n)
                                             : tn_all_finite(first, n);
}

static bool all_finite(const double *a, int32_t count)
{
    return tn_all_finite(a, (size_t)count);
}

int tn_state_is_sound(const tn_model *model, const tn_state *state, int32_t *body, int32_t *joint)
{
    const double *first = &state->x->x, *end = state->memory; /* one after the other */
    *body = *joint = -1;
    if (is_finite_throughout(first, (size_t)(end - first)) && isfinite(state->head->time))
        return 1;
    for (int32_t i = 0; i < model->body_count && *body < 0; i++) {
        const int64_t u = model->bodies[i].u;
        const int32_t dim = model->bodies[i].dim;
        if (!all_finite(&state->x[i].x, 3) || !all_finite(&state->q[i].w, 4) ||
            !all_finite(state->u + u, dim) || !all_finite(state->udot + u, dim))
            *body = i;
    }
    for (int32_t j = 0; j < model->element_count && *body < 0 && *joint < 0; j++) {
        if (!all_finite(state->lambda + (size_t)j * TN_MAX_ROWS, TN_MAX_ROWS) ||
            !all_finite(state->coordinates + (size_t)j * TN_MAX_COORDINATES, TN_MAX_COORDINATES))
            *joint = j;
    }
    return 0;
}

int tn_state_is_finite(const tn_model *model, const tn_state *state, int32_t *body)
{
    if (isfinite(sum_of_squares(model, state)))
        return 1;
    for (int32_t i = 0; i < model->body_count; i++) {
        const tn_quat q = state->q[i];
        double sum = q.w + q.x + q.y + q.z + v3_dot(state->x[i], state->x[i]);
        for (int32_t k = 0; k < model->bodies[i].dim; k++)
            sum += state->u[model->bodies[i].u + k] * state->u[model->bodies[i].u + k];
        if (!isfinite(sum)) {
            *body = i;
            return 0;
        }
    }
    return 1;
}
