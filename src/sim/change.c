/* change.c: room sim: a simulation that goes on with bodies, joints and loads added or removed.
 *
 * In: a running simulation and the changed spec. Out: the same simulation with a model of its own,
 * compiled from where it is now, and its state carried over item by item. New items stand behind
 * the old ones of their kind, removed ones keep their places, so that body i is body i; elements
 * (joints, then couplings) move only where joints were added before couplings.
 *
 * The new parts are built in place while the old ones wait aside, and put back on any failure.
 * Methods of several steps begin anew (restart), since accelerations jump with the forces; where only
 * measures and markers differ nothing jumps, and they go on to the last bit.
 */
#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "base/base.h"
#include "model/compile/compile.h"
#include "motion/closing/gap.h"
#include "motion/kinematics.h"
#include "motion/loads.h"
#include "sim/sim_internal.h"
#include "step/apart.h"

static const tn_location nowhere = {NULL, 0, 0};

static tn_status refuse(tn_diagnostics *diags, const char *what, const char *name)
{
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_ARGUMENT, nowhere,
                       "change the spec the simulation's model was compiled from",
                       "the spec is not the simulation's own with changes: %s '%.100s' differs",
                       what, name);
    return TN_ERROR_ARGUMENT;
}

/* Is it what the model has in this place, or was it removed since? */
static bool is_same(const tn_spec *spec, tn_section section, int32_t i, const char *name,
                    const char *old_name)
{
    return tn_spec_is_removed(spec, section, i) || strcmp(name, old_name) == 0;
}

static tn_status check_bodies(const tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    for (int32_t i = 0; i < model->body_count; i++) {
        const char *old = tn_model_body_name(model, (tn_body){i});
        const tn_body_def *def = i < spec->body_count ? &spec->bodies[i].def : NULL;
        if (!def || !is_same(spec, TN_SECTION_BODY, i, def->name, old) ||
            (!spec->bodies[i].mark.removed &&
             tn_built_kind(&spec->world, def->kind) != model->bodies[i].kind))
            return refuse(diags, "body", old);
    }
    return TN_OK;
}

static bool is_same_joint(const tn_model *model, const tn_spec *spec, int32_t j)
{
    const tn_joint_def *def = &spec->joints[j].def;
    const tn_model_joint *joint = &model->joints[j];
    tn_joint_type type = {-1};
    if (spec->joints[j].mark.removed)
        return true;
    return strcmp(def->name, tn_model_joint_name(model, (tn_joint){j})) == 0 && def->type &&
           tn_joint_type_find(def->type, &type) == TN_OK && type.i == joint->type.i &&
           def->a.i == joint->a && def->b.i == joint->b;
}

static tn_status check_elements(const tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (j >= spec->joint_count || !is_same_joint(model, spec, j))
            return refuse(diags, "joint", tn_model_joint_name(model, (tn_joint){j}));
    }
    for (int32_t k = 0; k < model->coupling_count; k++) {
        const char *old = tn_model_coupling_name(model, (tn_coupling){k});
        if (k >= spec->coupling_count ||
            !is_same(spec, TN_SECTION_COUPLING, k, spec->couplings[k].def.name, old))
            return refuse(diags, "coupling", old);
    }
    return TN_OK;
}

static tn_status check_loads(const tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    for (int32_t k = 0; k < model->load_count; k++) {
        const char *old = tn_model_load_name(model, (tn_load){k});
        if (k >= spec->load_count ||
            !is_same(spec, TN_SECTION_LOAD, k, spec->loads[k].def.name, old))
            return refuse(diags, "load", old);
    }
    return TN_OK;
}

static tn_status check_spec(const tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    tn_status status = check_bodies(model, spec, diags);
    if (status == TN_OK)
        status = check_elements(model, spec, diags);
    return status == TN_OK ? check_loads(model, spec, diags) : status;
}

/* Was anything added or removed since? */
static bool differs(const tn_model *model, const tn_spec *spec)
{
    const int32_t now[TN_SECTION_COUNT] = {
        [TN_SECTION_BODY] = spec->body_count,     [TN_SECTION_JOINT] = spec->joint_count,
        [TN_SECTION_MARKER] = spec->marker_count, [TN_SECTION_COUPLING] = spec->coupling_count,
        [TN_SECTION_LOAD] = spec->load_count,     [TN_SECTION_MEASURE] = spec->measure_count,
    };
    const int32_t before[TN_SECTION_COUNT] = {
        [TN_SECTION_BODY] = model->body_count,     [TN_SECTION_JOINT] = model->joint_count,
        [TN_SECTION_MARKER] = model->marker_count, [TN_SECTION_COUPLING] = model->coupling_count,
        [TN_SECTION_LOAD] = model->load_count,     [TN_SECTION_MEASURE] = model->measure_count,
    };
    for (int s = 0; s < TN_SECTION_COUNT; s++) {
        if (now[s] != before[s])
            return true;
        for (int32_t i = 0; i < now[s]; i++) {
            if (tn_spec_is_removed(spec, (tn_section)s, i) !=
                tn_model_is_removed(model, (tn_section)s, i))
                return true;
        }
    }
    return false;
}

/* True if everything that moves and acts is the same; what only readers use does not count. */
static bool moves_alike(const tn_model *old, const tn_model *model)
{
    const tn_vec3 a = old->gravity, b = model->gravity;
    if (old->fingerprint != model->fingerprint || a.x != b.x || a.y != b.y || a.z != b.z)
        return false;
    for (int32_t i = 0; i < model->body_count; i++) { /* damping may be the world's */
        const tn_model_body *was = &old->bodies[i], *is = &model->bodies[i];
        if (was->frame_damping != is->frame_damping || was->rotary_damping != is->rotary_damping)
            return false;
    }
    return true;
}

/* The element of the new model that was element j of the old one; -1: it was removed. */
static int32_t place_of(const tn_model *old, const tn_model *model, int32_t j)
{
    const int32_t k = tn_model_as_coupling(old, j);
    if (k < 0)
        return tn_model_is_removed(model, TN_SECTION_JOINT, j) ? -1 : j;
    return tn_model_is_removed(model, TN_SECTION_COUPLING, k) ? -1 : model->joint_count + k;
}

static bool is_new(const tn_model *old, const tn_model *model, int32_t j)
{
    const int32_t k = tn_model_as_coupling(model, j);
    return k < 0 ? j >= old->joint_count : k >= old->coupling_count;
}

static void carry_bodies(const tn_sim *from, tn_sim *to)
{
    for (int32_t i = 0; i < from->model->body_count; i++) {
        const tn_model_body *a = &from->model->bodies[i], *b = &to->model->bodies[i];
        if (tn_model_is_removed(to->model, TN_SECTION_BODY, i))
            continue;
        to->state.x[i] = from->state.x[i];
        to->state.q[i] = from->state.q[i];
        memcpy(to->state.u + b->u, from->state.u + a->u, sizeof(double) * (size_t)a->dim);
        memcpy(to->state.udot + b->u, from->state.udot + a->u, sizeof(double) * (size_t)a->dim);
    }
}

/* Rows, coordinates, switches and gaps; drives follow. */
static void carry_element(const tn_sim *from, int32_t j, tn_sim *to, int32_t i)
{
    memcpy(to->state.lambda + (size_t)i * TN_MAX_ROWS, from->state.lambda + (size_t)j * TN_MAX_ROWS,
           sizeof(double) * TN_MAX_ROWS);
    memcpy(to->state.coordinates + (size_t)i * TN_MAX_COORDINATES,
           from->state.coordinates + (size_t)j * TN_MAX_COORDINATES,
           sizeof(double) * TN_MAX_COORDINATES);
    tn_switches *s = tn_state_edit(&to->state, i);
    *s = from->state.switches[j];
    s->drive = TN_NO_DRIVE;
    if (tn_gap_is_on(&to->state)) {
        memcpy(to->sys.gap + to->sys.layout->y_offset[i],
               from->sys.gap + from->sys.layout->y_offset[j],
               sizeof(double) * (size_t)to->model->joints[i].kept_count);
    }
}

/* A function of the old model, or of the old simulation's own list, among the new simulation's. */
static tn_status carry_function(const tn_sim *from, tn_sim *to, int32_t *index)
{
    const tn_function_list *list = &from->model->drive_functions;
    if (*index == TN_NO_FUNCTION)
        return TN_OK;
    const int32_t own = *index - list->count;
    const tn_function *f = own < 0 ? &list->items[*index] : &from->functions.items[own];
    const tn_status status = tn_function_list_add(&to->functions, &f->def, index);
    *index += to->model->drive_functions.count;
    return status;
}

static tn_status carry_drive(const tn_sim *from, const tn_drive *drive, tn_sim *to, int32_t i)
{
    const int32_t k = to->state.head->drive_count++;
    tn_switches *s = tn_state_edit(&to->state, i);
    tn_drive *copy = &to->state.drives[k];
    *copy = *drive;
    copy->joint = i;
    copy->next = s->drive;
    s->drive = k;
    int32_t *const functions[] = {&copy->set.motion_function, &copy->set.motor_function,
                                  &copy->set.rest_function, &copy->set.law_function};
    tn_status status = TN_OK;
    for (size_t n = 0; n < TN_COUNT_OF(functions) && status == TN_OK; n++)
        status = carry_function(from, to, functions[n]);
    return status;
}

/* New elements have their model's drives, old ones those they had, in the order they had. */
static tn_status carry_drives(const tn_sim *from, tn_sim *to)
{
    const tn_model *old = from->model, *model = to->model;
    tn_status status = TN_OK;
    to->state.head->drive_count = 0;
    for (int32_t j = 0; j < model->element_count; j++)
        tn_state_edit(&to->state, j)->drive = TN_NO_DRIVE;
    for (int32_t k = 0; k < from->state.head->drive_count && status == TN_OK; k++) {
        const int32_t place = place_of(old, model, from->state.drives[k].joint);
        if (place >= 0)
            status = carry_drive(from, &from->state.drives[k], to, place);
    }
    for (int32_t k = 0; k < model->drive_count && status == TN_OK; k++) {
        const tn_model_drive *drive = &model->drives[k];
        if (is_new(old, model, drive->joint)) {
            tn_state_add_drive(model, &to->state, drive->joint, drive->coordinate)->set =
                drive->settings;
        }
    }
    return status;
}

static void carry_head(const tn_sim *from, tn_sim *to)
{
    const int32_t loads = from->model->load_count;
    *to->state.head = *from->state.head;
    to->state.head->restart |= !moves_alike(from->model, to->model);
    if (to->model->loop_joints == 0)
        to->state.head->gap_epsilon = 0.0; /* what stayed open was removed */
    if (to->state.memory_size == from->state.memory_size)
        memcpy(to->state.memory, from->state.memory, to->state.memory_size);
    if (!moves_alike(from->model, to->model))
        tn_apart_forget(to);
    memcpy(to->state.load_work, from->state.load_work, sizeof(double) * (size_t)loads);
    memcpy(to->state.load_work + to->model->load_count, from->state.load_work + loads,
           2 * sizeof(double));
    tn_time_begin(to);
    to->stage_time = from->stage_time;
    to->begins_nothing = -1;
    to->line_passed = -1;
    to->size = from->size;
    to->changes = from->changes + 1;
}

static tn_status carry(const tn_sim *from, tn_sim *to)
{
    carry_head(from, to);
    carry_bodies(from, to);
    for (int32_t j = 0; j < from->model->element_count; j++) {
        const int32_t place = place_of(from->model, to->model, j);
        if (place >= 0)
            carry_element(from, j, to, place);
    }
    tn_status status = carry_drives(from, to);
    for (int32_t j = 0; j < to->model->element_count; j++)
        tn_state_update_active(to->model, &to->state, j);
    tn_state_count_limited(to->model, &to->state);
    tn_state_count_breakable(to->model, &to->state);
    return status == TN_OK ? tn_loads_carry(from, to) : status;
}

/* Is a new joint open by more than steps leave? What old ones are is the method's own affair. */
static bool any_new_is_open(const tn_sim *from, tn_sim *to)
{
    const double tolerance = to->options.position_tolerance;
    bool open = false;
    tn_assemble_errors(&to->sys, &to->state, to->sys.phi);
    for (int32_t j = 0; j < to->model->element_count && !open; j++) {
        for (int32_t n = 0; is_new(from->model, to->model, j) &&
                            n < tn_active_rows(to->model, &to->state, j).count;
             n++)
            open |= fabs(to->sys.phi[to->sys.layout->y_offset[j] + n]) > tolerance;
    }
    return open;
}

/* New joints may be open, and ask for coordinates and speeds. */
static tn_status settle(const tn_sim *from, tn_sim *to, tn_diagnostics *diags)
{
    tn_refresh_kinematics(to);
    if (moves_alike(from->model, to->model)) {
        tn_keep_reaction_kinematics(to);
        return TN_OK;
    }
    const bool open = any_new_is_open(from, to);
    if (open)
        to->state.head->gap_epsilon = 0.0; /* found again, with the new joints */
    tn_status status = tn_sim_close(to, open, diags);
    if (status == TN_OK)
        status = tn_set_initial_speeds(to, diags);
    tn_keep_reaction_kinematics(to);
    return status;
}

static tn_status rebuild(const tn_sim *from, const tn_spec *spec, tn_sim *to, tn_diagnostics *diags)
{
    const tn_going_on here = {from->model, from->state.x, from->state.q, from->state.u,
                              from->state.coordinates};
    to->options = from->options;
    to->method = from->method;
    to->traits = from->traits;
    tn_status status = tn_model_compile_from(spec, &here, diags, &to->own);
    to->model = to->own;
    if (status == TN_OK)
        status = tn_sim_allocate_parts(to);
    if (status == TN_OK)
        status = carry(from, to);
    return status == TN_OK ? settle(from, to, diags) : status;
}

tn_status tn_sim_change(tn_sim *sim, const tn_spec *spec, tn_diagnostics *diags)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    TN_DEMAND(sim && spec, TN_ERROR_ARGUMENT);
    tn_status status = check_spec(sim->model, spec, diags);
    if (status != TN_OK || !differs(sim->model, spec))
        return status;
    tn_sim *old = TN_NEW(tn_sim);
    if (!old)
        return TN_ERROR_MEMORY;
    *old = *sim; /* its parts point to it where it was: there it must be again to be used */
    memset(sim, 0, sizeof *sim);
    sim->door = old->door;
    status = rebuild(old, spec, sim, diags);
    if (status == TN_OK) {
        tn_sim_free_parts(old);
    } else {
        tn_sim_free_parts(sim);
        *sim = *old;
    }
    tn_free(old);
    return status;
}

int64_t tn_sim_change_count(const tn_sim *sim)
{
    TN_DEMAND(sim, 0);
    return sim->changes;
}
