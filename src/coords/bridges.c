/* bridges.c: room coords: requests of joints outside loops only, at a cost proportional to what moves.
 *
 * Nothing is solved: each joint is turned to its goal and what hangs on it is carried along. Only
 * the requested joints change their coordinates and switches, and only joints of bodies that move
 * get new kinematics; those of the others are current between calls. For a chain of n joints the cost
 * is O(n), with a factor small against a factorization of its matrix (bench/bench_coords.c).
 *
 * Not for drives, whose rows may have any joint's switches, nor where velocities are made
 * consistent afterwards: that needs the whole state kept.
 */
#include <string.h>

#include "assemble/elements.h"
#include "coords/coords.h"

int tn_coords_are_bridges(const tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    if (c->state->head->drive_count > 0)
        return 0;
    for (int32_t k = 0; k < count; k++) {
        const int32_t j = tn_coords_element(c, &requests[k]), block = c->tree.block[j];
        if (tn_model_as_coupling(c->model, j) >= 0 ||
            (block >= 0 && c->tree.joint_count[block] != 1))
            return 0;
    }
    return 1;
}

static void copy_switches(tn_state *to, const tn_state *from, int32_t joint)
{
    *tn_state_edit(to, joint) = from->switches[joint];
    to->plain[joint] = from->plain[joint];
}

static void save(tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    tn_state_copy_placement(c->model, &c->saved, c->state);
    for (int32_t k = 0; k < count; k++)
        copy_switches(&c->saved, c->state, tn_coords_element(c, &requests[k]));
}

void tn_coords_undo_bridges(tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    tn_state_copy_placement(c->model, c->state, &c->saved);
    for (int32_t k = 0; k < count; k++)
        copy_switches(c->state, &c->saved, tn_coords_element(c, &requests[k]));
    tn_coords_refresh(c);
}

/* Marks the requested joints, and no others, in `in`. */
static void read_requests(tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    memset(c->in, 0, (size_t)c->model->element_count);
    memset(c->hold, TN_KEEP_FREE, (size_t)c->model->element_count * TN_MAX_COORDINATES);
    for (int32_t k = 0; k < count; k++) {
        const int32_t j = tn_coords_element(c, &requests[k]);
        if (!c->in[j]) {
            c->in[j] = 1;
            tn_coords_read_switches_of(c, j);
            tn_joint_refresh(c->sys, c->state, j);
        }
    }
    tn_coords_sort_requests(c, requests, count);
}

static bool has_moved(const tn_coords *c, int32_t body)
{
    return body >= 0 && c->moves[body];
}

static int element_has_moved(const tn_coords *c, int32_t j)
{
    for (int32_t p = c->model->through_start[j]; p < c->model->through_start[j + 1]; p++) {
        const tn_model_joint *joint = &c->model->joints[c->model->through[p]];
        if (has_moved(c, joint->a) || has_moved(c, joint->b))
            return 1;
    }
    return 0;
}

/* Poses and kinematics of what has moved; couplings come last among the elements. */
static void renew(tn_coords *c)
{
    c->renewed = 0;
    for (int32_t i = 0; i < c->model->body_count; i++) {
        if (c->moves[i])
            c->sys->T[i] = (tn_xform){q_to_m3(c->state->q[i]), c->state->x[i]};
    }
    for (int32_t j = 0; j < c->model->element_count; j++) {
        if (element_has_moved(c, j) && tn_state_is_on(c->model, c->state, j)) {
            tn_element_ops_of(c->sys, j)->refresh(c->sys, c->state, j);
            c->renewed++;
        }
    }
}

void tn_coords_set_bridges(tn_coords *c, const tn_coordinate_request *requests, int32_t count)
{
    save(c, requests, count);
    read_requests(c, requests, count);
    tn_coords_turn_bridges(c);
    renew(c);
    for (int32_t k = 0; k < count; k++) { /* nothing is measured of what is off */
        const int32_t j = tn_coords_element(c, &requests[k]);
        c->in[j] = (int8_t)tn_state_is_on(c->model, c->state, j);
    }
    tn_coords_measure(c);
    for (int32_t k = 0; k < count; k++)
        tn_coords_write_switches_of(c, tn_coords_element(c, &requests[k]));
    tn_coords_keep_velocities(c);
}
