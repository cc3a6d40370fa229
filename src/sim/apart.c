/* apart.c: room sim: finds the trees of a world that share nothing, and makes their simulations.
 *
 * In: a simulation with model, options and method. Out: its parts (step/apart.h), or none if the world cannot be
 * stepped in parts. A tree in which something has a range is a part; all others, in which no event can happen,
 * form one part. A fixed body belongs to every part that hangs on it.
 */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "method/method.h"
#include "model/compile/compile.h"
#include "sim/sim_internal.h"
#include "step/apart.h"

/* Work data of the search for parts. */
typedef struct tn_finding {
    const tn_model *model;
    int32_t *parent; /* [bodies] of the forest of trees */
    int8_t *ranged;  /* [bodies] of roots: something in the tree has a range */
    int32_t *number; /* [bodies] of roots: the part; -1: none yet */
    int32_t *listed; /* [bodies] the part that listed it last */
    int32_t parts;
    int32_t others; /* number of the part of trees without ranges; -1: there is none */
} tn_finding;

static bool has_range(const tn_model_joint *joint)
{
    bool any = false;
    for (int32_t i = 0; i < joint->geometry.cls->info.coordinate_count; i++)
        any |= isfinite(joint->lower[i]) || isfinite(joint->upper[i]);
    return any;
}

/* True if model, options and method allow a world to be stepped in parts. */
static bool may_be_apart(const tn_sim *sim)
{
    const tn_model *model = sim->model;
    bool any = false;
    if (!sim->traits.accelerations || sim->traits.divides_steps || sim->method->look ||
        model->loop_joints > 0 || model->coupling_count > 0 || model->drive_count > 0 ||
        model->load_count > 0 || model->solid_count > 0 || model->armature_count > 0)
        return false;
    for (int32_t j = 0; j < model->joint_count && !any; j++)
        any = has_range(&model->joints[j]);
    return any;
}

static bool moves(const tn_model *model, int32_t body)
{
    return body >= 0 && model->bodies[body].dim > 0;
}

/* The root of a body's tree, with path halving. */
static int32_t root_of(int32_t *parent, int32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* The first body is the root: parts are in the order of their first bodies. */
static void unite(int32_t *parent, int32_t i, int32_t j)
{
    const int32_t a = root_of(parent, i), b = root_of(parent, j);
    parent[a > b ? a : b] = a < b ? a : b;
}

/* A body of the joint that moves; -1: both are fixed. */
static int32_t mover_of(const tn_model *model, int32_t j)
{
    const tn_model_joint *joint = &model->joints[j];
    const int32_t either = moves(model, joint->a) ? joint->a : joint->b;
    return moves(model, either) ? either : -1;
}

static bool is_there(const tn_model *model, int32_t j)
{
    return !tn_model_is_removed(model, TN_SECTION_JOINT, j);
}

static void find_trees(tn_finding *f)
{
    const tn_model *model = f->model;
    for (int32_t i = 0; i < model->body_count; i++) {
        f->parent[i] = i;
        f->number[i] = f->listed[i] = -1;
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_model_joint *joint = &model->joints[j];
        if (is_there(model, j) && moves(model, joint->a) && moves(model, joint->b))
            unite(f->parent, joint->a, joint->b);
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        const int32_t i = mover_of(model, j);
        if (is_there(model, j) && i >= 0 && has_range(&model->joints[j]))
            f->ranged[root_of(f->parent, i)] = 1;
    }
}

static int32_t number_of_others(tn_finding *f)
{
    if (f->others < 0)
        f->others = f->parts++;
    return f->others;
}

static void number_trees(tn_finding *f)
{
    f->others = -1;
    for (int32_t i = 0; i < f->model->body_count; i++) {
        if (root_of(f->parent, i) == i && moves(f->model, i))
            f->number[i] = f->ranged[i] ? f->parts++ : number_of_others(f);
    }
    for (int32_t j = 0; j < f->model->joint_count; j++) {
        if (is_there(f->model, j) && mover_of(f->model, j) < 0)
            number_of_others(f);
    }
}

static int32_t part_of_body(tn_finding *f, int32_t i)
{
    return moves(f->model, i) ? f->number[root_of(f->parent, i)] : -1;
}

static int32_t part_of_joint(tn_finding *f, int32_t j)
{
    const int32_t mover = mover_of(f->model, j);
    if (!is_there(f->model, j))
        return -1;
    return mover < 0 ? f->others : part_of_body(f, mover);
}

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* A list of the items of each part, one part's after the other: starts[part] .. starts[part + 1]. */
static void list_items(tn_finding *f, int32_t (*part_of)(tn_finding *f, int32_t item),
                       int32_t items, int32_t *starts, int32_t *list)
{
    for (int32_t i = 0; i < items; i++) {
        const int32_t part = part_of(f, i);
        if (part >= 0)
            starts[part + 2]++;
    }
    for (int32_t p = 0; p < f->parts; p++)
        starts[p + 2] += starts[p + 1];
    for (int32_t i = 0; i < items; i++) {
        const int32_t part = part_of(f, i);
        if (part >= 0)
            list[starts[part + 1]++] = i;
    }
}

/* The bodies of part p: those that move, and the fixed ones on its joints. */
static int32_t add_fixed(tn_finding *f, int32_t p, const int32_t *joints, int32_t joint_count,
                         int32_t *bodies, int32_t count)
{
    for (int32_t n = 0; n < joint_count; n++) {
        const tn_model_joint *joint = &f->model->joints[joints[n]];
        const int32_t ends[2] = {joint->a, joint->b};
        for (int side = 0; side < 2; side++) {
            const int32_t i = ends[side];
            if (i < 0 || moves(f->model, i) || f->listed[i] == p)
                continue;
            f->listed[i] = p;
            bodies[count++] = i;
        }
    }
    qsort(bodies, (size_t)count, sizeof *bodies, by_number);
    return count;
}

/* True if the velocities of the part's bodies, too, are consecutive in the world's. */
static bool move_in_a_row(const tn_model *world, const tn_model *own, int32_t first)
{
    bool row = first >= 0;
    for (int32_t i = 0; i < own->body_count && row; i++)
        row = world->bodies[first + i].u - world->bodies[first].u == own->bodies[i].u;
    return row;
}

static int32_t first_in_a_row(const int32_t *items, int32_t count)
{
    for (int32_t n = 0; n < count; n++) {
        if (items[n] != items[0] + n)
            return -1;
    }
    return count > 0 ? items[0] : -1;
}

/* Notes the kinematics of the part, and where they are in those of the world if they are consecutive there. */
static void note_kinematics(const tn_model *world, tn_apart_part *part)
{
    const tn_sim *sim = part->sim;
    part->T = sim->sys.T;
    part->kin = sim->sys.kin;
    part->first_body = first_in_a_row(part->bodies, sim->model->body_count);
    part->first_joint = first_in_a_row(part->joints, sim->model->joint_count);
    if (part->first_joint < 0 || !move_in_a_row(world, sim->model, part->first_body))
        part->first_body = part->first_joint = -1;
}

static tn_status make_part(const tn_sim *world, const int32_t *bodies, int32_t body_count,
                           const int32_t *joints, int32_t joint_count, tn_apart_part *part)
{
    tn_sim *sim = part->sim = TN_NEW(tn_sim);
    if (!sim)
        return TN_ERROR_MEMORY;
    part->bodies = bodies;
    part->joints = joints;
    sim->options = world->options;
    sim->method = world->method;
    sim->traits = world->traits;
    sim->begins_nothing = sim->line_passed = -1;
    tn_status status =
        tn_model_part(world->model, bodies, body_count, joints, joint_count, &sim->own);
    sim->model = sim->own;
    if (status == TN_OK)
        status = tn_sim_allocate_parts(sim);
    if (status == TN_OK)
        note_kinematics(world->model, part);
    return status;
}

/* The lists of all parts: starts of both, then joints, then bodies, with those fixed ones that are in
 * several. */
static size_t room_for_lists(const tn_finding *f)
{
    return 2 * ((size_t)f->parts + 2) + 3 * (size_t)f->model->joint_count +
           (size_t)f->model->body_count;
}

static tn_status make_parts(const tn_sim *sim, tn_finding *f, tn_apart *apart)
{
    int32_t *body_starts = apart->block = TN_NEW_ARRAY(int32_t, (int64_t)room_for_lists(f));
    int32_t *moving = TN_NEW_ARRAY(int32_t, f->model->body_count);
    tn_status status = body_starts && moving ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        int32_t *joint_starts = body_starts + f->parts + 2, *joints = joint_starts + f->parts + 2;
        int32_t *bodies = joints + f->model->joint_count;
        list_items(f, part_of_body, f->model->body_count, body_starts, moving);
        list_items(f, part_of_joint, f->model->joint_count, joint_starts, joints);
        for (int32_t p = 0; p < f->parts && status == TN_OK; p++) {
            const int32_t *own = joints + joint_starts[p];
            const int32_t joint_count = joint_starts[p + 1] - joint_starts[p];
            int32_t count = 0;
            for (int32_t n = body_starts[p]; n < body_starts[p + 1]; n++)
                bodies[count++] = moving[n];
            count = add_fixed(f, p, own, joint_count, bodies, count);
            status = make_part(sim, bodies, count, own, joint_count, &apart->parts[p]);
            bodies += count;
        }
    }
    tn_free(moving);
    return status;
}

/* Places the integrator memories of the parts in the memory of the world's state, after its method's. */
static void place_memories(tn_apart *apart, size_t at)
{
    apart->at = at;
    at += sizeof(double);
    for (int32_t p = 0; p < apart->count; p++) {
        apart->parts[p].at = at;
        at += sizeof(tn_state_head) + apart->parts[p].sim->state.memory_size;
    }
    apart->memory_size = at - apart->at;
}

static tn_status make(tn_sim *sim, tn_finding *f, size_t at)
{
    tn_apart *apart = sim->apart = TN_NEW(tn_apart);
    if (!apart)
        return TN_ERROR_MEMORY;
    apart->parts = TN_NEW_ARRAY(tn_apart_part, f->parts);
    if (!apart->parts)
        return TN_ERROR_MEMORY;
    apart->count = f->parts;
    const tn_status status = make_parts(sim, f, apart);
    if (status == TN_OK)
        place_memories(apart, at);
    return status;
}

tn_status tn_apart_create(tn_sim *sim, size_t at)
{
    const int64_t n = sim->model->body_count;
    if (!may_be_apart(sim))
        return TN_OK;
    int32_t *block = TN_NEW_ARRAY(int32_t, 3 * n);
    tn_finding f = {.model = sim->model, .ranged = TN_NEW_ARRAY(int8_t, n)};
    tn_status status = block && f.ranged ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        f.parent = block;
        f.number = block + n;
        f.listed = block + 2 * n;
        find_trees(&f);
        number_trees(&f);
        status = f.parts > 1 ? make(sim, &f, at) : TN_OK;
    }
    tn_free(block);
    tn_free(f.ranged);
    return status;
}

void tn_apart_destroy(tn_sim *sim)
{
    tn_apart *apart = sim->apart;
    if (!apart)
        return;
    for (int32_t p = 0; apart->parts && p < apart->count; p++) {
        tn_apart_give_back(&apart->parts[p]);
        tn_sim_destroy(apart->parts[p].sim);
    }
    tn_free(apart->parts);
    tn_free(apart->block);
    tn_free(apart);
    sim->apart = NULL;
}
