/* together.c: room coords: requests of several blocks followed at the same time.
 *
 * Blocks that do not hang on each other share no columns, as the bodies at their inner ends are held. One
 * factorization of the whole contains that of each, so a step of all paths costs what a step of one does. Only plain
 * paths are followed here: steps along the tangent that pass the test of TN_FOLLOW_TRUST. A block that needs more
 * (an end of a range, a choice of branch, a request that gives way) is put back and followed alone later (follow.c).
 * Errors, lengths and steps are separate for each block, so blocks do not influence each other.
 */
#include <math.h>
#include <string.h>

#include "assemble/body_terms.h"
#include "base/base.h"
#include "coords/coords.h"

/* A path whose step falls below this share of its way is left to follow.c. */
#define TN_TOGETHER_LEAST (1.0 / 64.0)

/* Values of path_of for a node that leads no block with a path. */
enum { NO_PATH = -1, WAITS = -2, ALONE = -3 };

typedef struct tn_block_path {
    int32_t block;
    bool goes;         /* on its way: not at its goals, not left to follow.c */
    bool left;         /* to be followed alone */
    bool back;         /* its step is to be undone */
    bool closing;      /* Newton passes continue */
    double s, ds;      /* place on the path, and step, 0 .. 1 */
    double length;     /* rad or m: the longest way of a request */
    double error;      /* m or rad: largest error of a hard row now, */
    double before;     /* and one pass earlier */
    double turn, move; /* rad, m: largest of a body for the whole way */
    double correction; /* square of the step's correction, mass metric */
    double step;       /* square of its length, likewise */
    tn_box box;        /* m */
    double size;       /* m */
} tn_block_path;

typedef struct tn_together {
    tn_coords *c;
    const tn_coordinate_request *requests;
    int32_t count;
    int32_t *path_of; /* [nodes] per leader: index in paths, or NO_PATH and so on */
    int32_t *mover;   /* [nodes] leader of the waiting block that moves it, NO_PATH: none */
    int8_t *nested;   /* [nodes] per leader: it hangs on another waiting block */
    int8_t *waited;   /* [count] the request was to be admitted */
    tn_block_path *paths;
    int32_t path_count;
} tn_together;

static int32_t at_of(const tn_coords *c, const tn_coordinate_request *r)
{
    return tn_coords_element(c, r) * TN_MAX_COORDINATES + r->coordinate;
}

static bool waits(const tn_coords *c, const tn_coordinate_request *requests, int32_t k)
{
    const int32_t at = at_of(c, &requests[k]);
    return c->hold[at] == TN_KEEP_IDLE && c->priority[at] == k &&
           c->tree.block[at / TN_MAX_COORDINATES] >= 0;
}

/* The requests of each set, as lists. */
static void list_waiting(tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    for (int32_t i = 0; i < c->tree.nodes; i++)
        c->first[i] = -1;
    for (int32_t k = count - 1; k >= 0; k--) {
        const int32_t at = at_of(c, &requests[k]);
        if (!waits(c, requests, k) || c->set[c->tree.block[at / TN_MAX_COORDINATES]] < 0)
            continue;
        int32_t *first = &c->first[c->set[c->tree.block[at / TN_MAX_COORDINATES]]];
        c->next[at] = *first;
        *first = at;
    }
}

/* Releases a coordinate whose request was refused, and sets its outcome. */
static tn_status refuse(tn_coords *c, int32_t at, tn_coordinate_outcome refused)
{
    const int32_t j = at / TN_MAX_COORDINATES, i = at % TN_MAX_COORDINATES;
    bool turns = true;
    tn_status status = TN_OK;
    if (refused == TN_COORDINATE_SINGULAR)
        status = tn_coords_turns_back(c, j, i, &turns);
    c->hold[at] = tn_coords_kept(&c->state->switches[j], i);
    c->outcome[at] = (int8_t)(turns ? refused : TN_COORDINATE_DEPENDENT);
    return status;
}

tn_status tn_coords_admit(tn_coords *c, const tn_coordinate_request *requests, int32_t count,
                          tn_coordinate_outcome refused)
{
    list_waiting(c, requests, count);
    for (;;) {
        int32_t asked = 0;
        for (int32_t i = 0; i < c->tree.nodes; i++) {
            if (c->first[i] >= 0) {
                c->round[asked++] = c->first[i];
                c->first[i] = c->next[c->first[i]];
            }
        }
        if (asked == 0)
            return TN_OK;
        const tn_status status = tn_coords_freedoms(c, c->round, asked, c->freedom);
        if (status != TN_OK)
            return status;
        for (int32_t n = 0; n < asked; n++) {
            const int32_t at = c->round[n];
            if (c->freedom[n] > TN_AS_NONE) {
                c->hold[at] = TN_KEEP_REQUEST;
                c->target[at] = c->state->coordinates[at];
            } else {
                const tn_status refusal = refuse(c, at, refused);
                if (refusal != TN_OK)
                    return refusal;
            }
        }
    }
}

/* The path of the block that moves a body; NULL: no block moves it. */
static tn_block_path *path_of_body(const tn_together *t, int32_t body)
{
    const tn_tree *tree = &t->c->tree;
    const int32_t path = tree->parent[body] >= 0 ? t->path_of[tree->leader[body]] : NO_PATH;
    return path >= 0 ? &t->paths[path] : NULL;
}

static tn_block_path *path_of_joint(const tn_together *t, int32_t joint)
{
    const int32_t block = t->c->tree.block[joint];
    return block >= 0 && t->path_of[block] >= 0 ? &t->paths[t->path_of[block]] : NULL;
}

/* Finds the blocks that wait, and those of them that hang on other waiting blocks. */
static void find_waiting(tn_together *t)
{
    const tn_tree *tree = &t->c->tree;
    for (int32_t i = 0; i < tree->nodes; i++) {
        t->path_of[i] = t->path_of[i] == ALONE ? ALONE : NO_PATH;
        t->nested[i] = 0;
    }
    for (int32_t k = 0; k < t->count; k++) {
        const int32_t block = t->c->tree.block[tn_coords_element(t->c, &t->requests[k])];
        if (waits(t->c, t->requests, k) && t->path_of[block] == NO_PATH)
            t->path_of[block] = WAITS;
    }
    for (int32_t k = 0; k < tree->visited; k++) {
        const int32_t node = tree->order[k], parent = tree->parent[node];
        const int32_t outer = parent >= 0 ? t->mover[parent] : NO_PATH, own = tree->leader[node];
        t->mover[node] = parent >= 0 && t->path_of[own] == WAITS ? own : outer;
        if (t->mover[node] == own && outer != NO_PATH && outer != own)
            t->nested[own] = 1;
    }
}

/* Starts a path for each waiting block that hangs on no other waiting block, unless it is left to follow.c. */
static void begin_paths(tn_together *t)
{
    t->path_count = 0;
    for (int32_t i = 0; i < t->c->tree.nodes; i++) {
        double by;
        if (t->path_of[i] != WAITS || t->nested[i])
            continue;
        if (tn_coords_find_beyond(t->c, i, &by) >= 0) {
            t->path_of[i] = ALONE;
        } else {
            t->path_of[i] = t->path_count;
            t->paths[t->path_count++] = (tn_block_path){.block = i, .goes = true, .ds = 1.0};
        }
    }
}

static void enter(tn_together *t)
{
    tn_coords *c = t->c;
    memset(c->in, 0, (size_t)c->model->element_count);
    memset(c->carried, 0, (size_t)c->model->element_count);
    for (int32_t n = 0; n < t->path_count; n++)
        t->paths[n].box = tn_coords_enter_joints(c, t->paths[n].block);
    for (int32_t i = 0; i < c->model->body_count; i++) {
        tn_block_path *p = path_of_body(t, i);
        c->moves[i] = p && c->model->bodies[i].dim > 0;
        if (c->moves[i])
            tn_box_add(&p->box, c->state->x[i]);
    }
    for (int32_t n = 0; n < t->path_count; n++)
        t->paths[n].size = tn_box_diagonal(&t->paths[n].box);
    tn_coords_keep_pose(c, TN_POSE_BLOCK);
}

static tn_status admit(tn_together *t)
{
    tn_coords *c = t->c;
    for (int32_t i = 0; i < c->tree.nodes; i++)
        c->set[i] = t->path_of[i] >= 0 ? i : -1;
    for (int32_t k = 0; k < t->count; k++)
        t->waited[k] = waits(c, t->requests, k);
    return tn_coords_admit(c, t->requests, t->count, TN_COORDINATE_DEPENDENT);
}

/* Leaves blocks with a refused request to follow.c, which finds out whether the request turns back. */
static void leave_refused(tn_together *t)
{
    tn_coords *c = t->c;
    for (int32_t k = 0; k < t->count; k++) {
        const tn_coordinate_request *r = &t->requests[k];
        const int32_t at = at_of(c, r);
        tn_block_path *p = path_of_joint(t, at / TN_MAX_COORDINATES);
        if (!p || !t->waited[k] || c->hold[at] == TN_KEEP_REQUEST)
            continue;
        p->left = true;
        c->hold[at] = TN_KEEP_IDLE;
        c->outcome[at] = c->goal[at] == r->value ? TN_COORDINATE_SET : TN_COORDINATE_LIMITED;
    }
}

/* The way from here to the goals. If the direction of the last call leads there, follow.c uses it. */
static void measure_way(tn_coords *c, tn_block_path *p)
{
    uint64_t key = TN_COORDS_NO_KEY;
    TN_FOR_BLOCK_COORDINATES(c, p->block, j, i, at)
    {
        c->begin[at] = c->state->coordinates[at];
        if (c->hold[at] != TN_KEEP_REQUEST)
            continue;
        key = tn_coords_key(key, at);
        p->length = fmax(p->length, fabs(c->goal[at] - c->begin[at]));
    }
    p->left |= c->has_last && c->last_key == key;
    p->goes = !p->left;
}

/* Activates the joints and bodies of the paths on their way, and no others. */
static void mark(tn_together *t)
{
    tn_coords *c = t->c;
    for (int32_t j = 0; j < c->model->element_count; j++) {
        const tn_block_path *p = path_of_joint(t, j);
        c->in[j] = p && p->goes;
    }
    for (int32_t i = 0; i < c->model->body_count; i++) {
        const tn_block_path *p = path_of_body(t, i);
        c->moves[i] = p && p->goes && c->model->bodies[i].dim > 0;
    }
    tn_coords_activate(c);
}

/* Puts the bodies of the paths to be undone back to a kept pose. */
static void put_back(tn_together *t, int pose)
{
    tn_coords *c = t->c;
    for (int32_t i = 0; i < c->model->body_count; i++) {
        const tn_block_path *p = path_of_body(t, i);
        if (p && p->back) {
            c->state->x[i] = c->x[pose][i];
            c->state->q[i] = c->q[pose][i];
        }
    }
}

/* Velocity of each body per unit of path, into tangent. */
static tn_status find_tangents(tn_together *t)
{
    tn_coords *c = t->c;
    bool any = false;
    for (int32_t n = 0; n < t->path_count; n++)
        any |= t->paths[n].goes && t->paths[n].length > 0.0;
    memset(c->tangent, 0, sizeof(double) * (size_t)c->sys->layout->u_size);
    if (!any)
        return TN_OK;
    tn_status status = tn_coords_factor(c, 0.0);
    for (int32_t n = 0; n < t->path_count && status == TN_OK; n++) {
        TN_FOR_BLOCK_COORDINATES(c, t->paths[n].block, j, i, at)
        if (t->paths[n].goes && c->hold[at] == TN_KEEP_REQUEST) {
            const int64_t slot = tn_coords_slot(c, j, i);
            if (slot >= 0)
                c->sys->g[slot] = c->goal[at] - c->begin[at];
        }
    }
    if (status == TN_OK)
        status = tn_coords_solve(c);
    memcpy(c->tangent, c->sys->du, sizeof(double) * (size_t)c->sys->layout->u_size);
    return status;
}

/* Moves the bodies of each path along its tangent, as far as one step may go. */
static void advance(tn_together *t)
{
    tn_coords *c = t->c;
    for (int32_t n = 0; n < t->path_count; n++)
        t->paths[n].turn = t->paths[n].move = 0.0;
    for (int32_t i = 0; i < c->model->body_count; i++) {
        tn_vec3 v, w;
        if (!c->moves[i])
            continue;
        tn_block_path *p = path_of_body(t, i);
        tn_body_unpack(&c->model->bodies[i], c->tangent, &v, &w);
        p->turn = fmax(p->turn, v3_norm(w));
        p->move = fmax(p->move, v3_norm(v));
    }
    for (int32_t n = 0; n < t->path_count; n++) {
        tn_block_path *p = &t->paths[n];
        p->ds = fmin(p->ds, 1.0 - p->s);
        p->ds = fmin(p->ds, TN_FOLLOW_MAX_TURN / fmax(p->turn, 1e-300));
        p->ds = fmin(p->ds, TN_FOLLOW_MAX_MOVE * p->size / fmax(p->move, 1e-300));
        const double s = p->s + p->ds;
        TN_FOR_BLOCK_COORDINATES(c, p->block, j, i, at)
        if (p->goes && c->hold[at] == TN_KEEP_REQUEST)
            c->target[at] =
                s >= 1.0 ? c->goal[at] : c->begin[at] + s * (c->goal[at] - c->begin[at]);
    }
    for (int32_t i = 0; i < c->model->body_count; i++) {
        const tn_model_body *body = &c->model->bodies[i];
        for (int32_t k = 0; c->moves[i] && k < body->dim; k++)
            c->tangent[body->u + k] *= path_of_body(t, i)->ds;
    }
    tn_coords_advance(c, c->tangent, 1.0);
    tn_coords_keep_pose(c, TN_POSE_PREDICTED);
}

static bool ends(const tn_block_path *p)
{
    return p->s + p->ds >= 1.0;
}

static void read_errors(tn_together *t)
{
    tn_coords *c = t->c;
    tn_coords_errors(c);
    for (int32_t n = 0; n < t->path_count; n++)
        t->paths[n].error = 0.0;
    for (int32_t j = 0; j < c->model->element_count; j++) {
        tn_block_path *p = c->in[j] ? path_of_joint(t, j) : NULL;
        const double error = p ? tn_coords_error_of(c, j) : 0.0;
        if (p && !isnan(p->error) && !(error <= p->error))
            p->error = error;
    }
}

/* Marks the paths whose closing continues: not closed yet, and errors still falling. */
static bool any_closing(tn_together *t)
{
    bool any = false;
    for (int32_t n = 0; n < t->path_count; n++) {
        tn_block_path *p = &t->paths[n];
        p->closing = p->closing && p->error > (ends(p) ? TN_COORDS_ROUND_OFF : TN_FOLLOW_TOLERANCE);
        p->before = p->error;
        any |= p->closing;
    }
    return any;
}

/* Undoes a pass that did not reduce the error. */
static void look_at_pass(tn_together *t)
{
    bool any = false;
    for (int32_t n = 0; n < t->path_count; n++) {
        tn_block_path *p = &t->paths[n];
        const bool falls = p->error <= TN_COORDS_LEAST_GAIN * p->before;
        p->back = p->closing && !falls && !(p->error < p->before);
        p->closing = p->closing && falls;
        any |= p->back;
    }
    if (!any)
        return;
    put_back(t, TN_POSE_TRIED);
    tn_coords_refresh(t->c);
    read_errors(t);
}

/* Newton with least movement, each until its errors are at its tolerance or stop falling (tn_coords_correct). */
static tn_status close_joints(tn_together *t)
{
    tn_coords *c = t->c;
    tn_coords_refresh(c);
    read_errors(t);
    for (int32_t n = 0; n < t->path_count; n++)
        t->paths[n].closing = t->paths[n].goes;
    for (int32_t pass = 0; pass < TN_FOLLOW_PASSES && any_closing(t); pass++) {
        tn_status status = tn_coords_factor(c, 0.0);
        for (int32_t j = 0; j < c->model->element_count && status == TN_OK; j++) {
            const tn_block_path *p = path_of_joint(t, j);
            const int64_t slot = c->sys->layout->y_offset[j];
            for (int32_t n = 0; p && p->closing && n < c->state->switches[j].active_count; n++)
                c->sys->g[slot + n] = -c->sys->phi[slot + n];
        }
        if (status == TN_OK)
            status = tn_coords_solve(c);
        if (status != TN_OK)
            return status;
        tn_coords_keep_pose(c, TN_POSE_TRIED);
        tn_coords_advance(c, c->sys->du, 1.0);
        tn_coords_refresh(c);
        read_errors(t);
        look_at_pass(t);
    }
    return TN_OK;
}

static void measure_steps(tn_together *t)
{
    tn_coords *c = t->c;
    double *d = c->sys->du;
    for (int32_t n = 0; n < t->path_count; n++)
        t->paths[n].correction = t->paths[n].step = 0.0;
    tn_coords_difference(c, TN_POSE_PREDICTED, d);
    for (int32_t i = 0; i < c->model->body_count; i++) {
        if (c->moves[i])
            path_of_body(t, i)->correction += tn_coords_body_dot(c, i, d, d);
    }
    tn_coords_difference(c, TN_POSE_START, d);
    for (int32_t i = 0; i < c->model->body_count; i++) {
        if (c->moves[i])
            path_of_body(t, i)->step += tn_coords_body_dot(c, i, d, d);
    }
}

/* True if the joints are closed and the correction was small against the step, or the path has no length. */
static bool is_good(const tn_block_path *p)
{
    const double good = TN_COORDS_CLOSED * fmax(1.0, p->size);
    const bool closed = p->error <= (ends(p) ? good : TN_FOLLOW_TOLERANCE);
    const bool believed = sqrt(fmax(p->correction, 0.0)) <=
                          TN_FOLLOW_TRUST * sqrt(fmax(p->step, 0.0)) + TN_COORDS_CLOSED * p->size;
    return closed && (believed || p->length == 0.0);
}

/* Accepts the step, undoes it for a shorter one, or leaves the block to follow.c. */
static void judge_step(tn_coords *c, tn_block_path *p)
{
    double bound;
    const bool good = is_good(p);
    p->left = good ? tn_coords_find_violation(c, p->block, &bound) >= 0
                   : p->length == 0.0 || 0.5 * p->ds < TN_TOGETHER_LEAST;
    p->back = !good || p->left;
    p->s += p->back ? 0.0 : p->ds;
    p->ds *= p->back ? 0.5 : TN_FOLLOW_GROWTH;
    p->goes = !p->left && p->s < 1.0;
    TN_FOR_BLOCK_COORDINATES(c, p->block, j, i, at)
    if (p->back)
        c->state->coordinates[at] = c->coordinate[at];
}

static tn_status take_step(tn_together *t, bool *any)
{
    tn_coords *c = t->c;
    *any = false;
    for (int32_t n = 0; n < t->path_count; n++) {
        t->paths[n].back = false;
        *any |= t->paths[n].goes;
    }
    if (!*any)
        return TN_OK;
    mark(t);
    c->steps++;
    tn_coords_keep_pose(c, TN_POSE_START);
    memcpy(c->coordinate, c->state->coordinates,
           sizeof(double) * TN_MAX_COORDINATES * (size_t)c->model->element_count);
    tn_status status = find_tangents(t);
    advance(t);
    if (status == TN_OK)
        status = close_joints(t);
    tn_coords_measure(c);
    measure_steps(t);
    for (int32_t n = 0; n < t->path_count; n++) {
        t->paths[n].back = false;
        if (t->paths[n].goes)
            judge_step(c, &t->paths[n]);
    }
    put_back(t, TN_POSE_START);
    tn_coords_refresh(c);
    return status;
}

/* Puts the coordinates of a block left to follow.c back; its requests wait again. */
static void give_back(tn_together *t, tn_block_path *p)
{
    tn_coords *c = t->c;
    TN_FOR_BLOCK_COORDINATES(c, p->block, j, i, at)
    {
        c->state->coordinates[at] = c->begin[at];
        if (c->hold[at] == TN_KEEP_REQUEST)
            c->hold[at] = TN_KEEP_IDLE;
    }
}

/* Ends all paths: moves what hangs on the blocks at their goals, and puts the other blocks back. */
static void leave(tn_together *t)
{
    tn_coords *c = t->c;
    memset(c->followed, 0, (size_t)c->tree.nodes);
    for (int32_t n = 0; n < t->path_count; n++) {
        tn_block_path *p = &t->paths[n];
        p->back = p->left;
        if (p->left) {
            give_back(t, p);
            continue;
        }
        c->followed[p->block] = 1;
        c->has_last = c->has_last && p->length == 0.0;
        tn_coords_release_block(c, p->block);
    }
    put_back(t, TN_POSE_BLOCK);
    tn_coords_carry_blocks(c);
    tn_coords_refresh(c);
    for (int32_t n = 0; n < t->path_count; n++)
        t->path_of[t->paths[n].block] = t->paths[n].left ? ALONE : NO_PATH;
}

/* Follows all paths from the present pose. */
static tn_status follow(tn_together *t)
{
    enter(t);
    bool any = true;
    tn_status status = admit(t);
    leave_refused(t);
    for (int32_t n = 0; n < t->path_count; n++)
        measure_way(t->c, &t->paths[n]);
    for (int32_t n = 0; n < TN_FOLLOW_MAX_STEPS && any && status == TN_OK; n++)
        status = take_step(t, &any);
    for (int32_t n = 0; n < t->path_count; n++)
        t->paths[n].left |= t->paths[n].goes;
    leave(t);
    return status;
}

static tn_status place(tn_together *t)
{
    tn_status status = TN_OK;
    do {
        find_waiting(t);
        begin_paths(t);
        if (t->path_count == 1)
            t->path_of[t->paths[0].block] = ALONE;
        if (t->path_count > 1)
            status = follow(t);
    } while (status == TN_OK && t->path_count > 0);
    return status;
}

/* True if requests of more than one block wait. */
static bool are_several(const tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    int32_t first = -1;
    for (int32_t k = 0; k < count; k++) {
        const int32_t block = c->tree.block[tn_coords_element(c, &requests[k])];
        if (waits(c, requests, k) && first >= 0 && block != first)
            return true;
        first = waits(c, requests, k) ? block : first;
    }
    return false;
}

tn_status tn_coords_place_together(tn_coords *c, const tn_coordinate_request *requests,
                                   int32_t count)
{
    if (c->yields || tn_gap_is_on(c->state) || !are_several(c, requests, count))
        return TN_OK;
    tn_together t = {.c = c, .requests = requests, .count = count};
    t.path_of = TN_NEW_ARRAY(int32_t, c->tree.nodes);
    t.mover = TN_NEW_ARRAY(int32_t, c->tree.nodes);
    t.nested = TN_NEW_ARRAY(int8_t, c->tree.nodes);
    t.waited = TN_NEW_ARRAY(int8_t, count);
    t.paths = TN_NEW_ARRAY(tn_block_path, count);
    const bool room = t.path_of && t.mover && t.nested && t.waited && t.paths;
    const tn_status status = room ? place(&t) : TN_ERROR_MEMORY;
    tn_free(t.path_of);
    tn_free(t.mover);
    tn_free(t.nested);
    tn_free(t.waited);
    tn_free(t.paths);
    return status;
}
