/* pieces.c: room law: joints on surfaces that are smooth piece by piece.
 *
 * At a seam, where a point slides from one piece to the next, curvature and acceleration jump. A
 * sub-step over a seam would lose its order, and its error estimate would not show it. Therefore a
 * sub-step is taken on one piece, continued beyond its ends, and the seam is an event like a limit
 * (advance.c). A point that is free above the surface, and every point between steps, is on no piece:
 * the nearest one counts.
 */
#include <math.h>

#include "base/base.h"
#include "law/limits/limits_impl.h"
#include "law/limits/passage.h"
#include "law/pieces.h"
#include "motion/kinematics.h"

#define TN_NO_PIECE (-1)

typedef struct tn_kept {
    int32_t joint;
    int32_t piece;              /* on which the sub-step is taken; TN_NO_PIECE: the nearest */
    tn_joint_geometry geometry; /* of that piece alone */
    tn_piece_place start;       /* where the sub-step begins */
} tn_kept;

struct tn_pieces {
    int32_t count;
    tn_kept *kept;                /* [count] */
    const tn_joint_geometry **of; /* [elements], for tn_system */
};

static const tn_joint_pieces *pieces_of(const tn_sim *sim, int32_t j)
{
    const tn_joint_geometry *geometry = &sim->model->joints[j].geometry;
    const tn_joint_pieces *pieces = geometry->cls->pieces;
    return pieces && pieces->count(&geometry->setup) > 1 ? pieces : NULL;
}

tn_status tn_pieces_create(tn_sim *sim)
{
    int32_t count = 0;
    for (int32_t j = 0; j < sim->model->joint_count; j++)
        count += pieces_of(sim, j) != NULL;
    if (count == 0)
        return TN_OK;
    tn_pieces *p = sim->pieces = TN_NEW(tn_pieces);
    if (!p)
        return TN_ERROR_MEMORY;
    p->kept = TN_NEW_ARRAY(tn_kept, count);
    p->of = TN_NEW_ARRAY(const tn_joint_geometry *, sim->model->element_count);
    if (!p->kept || !p->of)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        if (pieces_of(sim, j))
            p->kept[p->count++] = (tn_kept){.joint = j, .piece = TN_NO_PIECE};
    }
    sim->sys.pieces = p->of;
    return TN_OK;
}

void tn_pieces_destroy(tn_sim *sim)
{
    if (!sim->pieces)
        return;
    tn_free(sim->pieces->kept);
    tn_free(sim->pieces->of);
    tn_free(sim->pieces);
}

bool tn_pieces_are(const tn_sim *sim)
{
    return sim->pieces != NULL && sim->traits.accelerations;
}

/* Does the surface of joint j hold the point now? */
static bool acts(const tn_sim *sim, int32_t j)
{
    const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
    return tn_state_is_on(sim->model, &sim->state, j) &&
           (info->bilateral_count > 0 || sim->state.switches[j].hold[0] >= TN_HOLD_LOCK);
}

static tn_piece_place place_on(const tn_sim *sim, const tn_joint_geometry *geometry, int32_t j)
{
    double twist[6];
    tn_piece_place place;
    tn_assemble_joint_twist(&sim->sys, sim->state.u, j, twist);
    geometry->cls->pieces->place(&geometry->setup, &sim->sys.kin[j].T_GD, twist, &place);
    return place;
}

static void let_go(tn_sim *sim, tn_kept *k)
{
    k->piece = TN_NO_PIECE;
    sim->pieces->of[k->joint] = NULL;
}

static void keep(tn_sim *sim, tn_kept *k, int32_t piece)
{
    const tn_joint_geometry *whole = &sim->model->joints[k->joint].geometry;
    k->piece = piece;
    k->geometry = *whole;
    k->geometry.setup = whole->cls->pieces->alone(&whole->setup, piece);
    sim->pieces->of[k->joint] = &k->geometry;
}

/* The piece that the point of joint j is on; at a seam the one it moves onto, and *seam is true. */
static int32_t piece_ahead(const tn_sim *sim, int32_t j, bool *seam)
{
    const tn_piece_place at = place_on(sim, &sim->model->joints[j].geometry, j);
    const bool over = at.after < TN_LIMIT_TOLERANCE && at.speed > 0.0;
    const bool back = at.before < TN_LIMIT_TOLERANCE && at.speed < 0.0;
    *seam = fmin(at.before, at.after) < TN_LIMIT_TOLERANCE;
    return at.piece + over - back;
}

bool tn_pieces_begin_part(tn_sim *sim)
{
    bool any = false;
    for (int32_t i = 0; tn_pieces_are(sim) && i < sim->pieces->count; i++) {
        tn_kept *k = &sim->pieces->kept[i];
        bool seam = false;
        if (!acts(sim, k->joint)) {
            let_go(sim, k);
            continue;
        }
        if (k->piece == TN_NO_PIECE)
            keep(sim, k, piece_ahead(sim, k->joint, &seam));
        k->start = place_on(sim, &k->geometry, k->joint);
        any = any || seam;
    }
    return any;
}

int32_t tn_pieces_cross(tn_sim *sim)
{
    int32_t changed = 0;
    for (int32_t i = 0; tn_pieces_are(sim) && i < sim->pieces->count; i++) {
        tn_kept *k = &sim->pieces->kept[i];
        const int32_t before = k->piece;
        bool seam;
        if (acts(sim, k->joint)) {
            keep(sim, k, piece_ahead(sim, k->joint, &seam));
        } else {
            let_go(sim, k);
        }
        changed += k->piece != before;
    }
    return changed;
}

void tn_pieces_end(tn_sim *sim)
{
    if (!tn_pieces_are(sim))
        return;
    for (int32_t i = 0; i < sim->pieces->count; i++)
        let_go(sim, &sim->pieces->kept[i]);
    tn_refresh_kinematics(sim);
}

double tn_pieces_beyond(const tn_sim *sim)
{
    double worst = -INFINITY;
    for (int32_t i = 0; tn_pieces_are(sim) && i < sim->pieces->count; i++) {
        const tn_kept *k = &sim->pieces->kept[i];
        if (k->piece == TN_NO_PIECE)
            continue;
        const tn_piece_place at = place_on(sim, &k->geometry, k->joint);
        worst = fmax(worst, -fmin(at.before, at.after));
    }
    return worst;
}

bool tn_pieces_passed_between(const tn_sim *sim, double h, double *when)
{
    double first = INFINITY;
    for (int32_t i = 0; tn_pieces_are(sim) && i < sim->pieces->count; i++) {
        const tn_kept *k = &sim->pieces->kept[i];
        if (k->piece == TN_NO_PIECE)
            continue;
        const tn_piece_place from = k->start, to = place_on(sim, &k->geometry, k->joint);
        const double d0 = h * from.speed, d1 = h * to.speed;
        const tn_passage over = {-from.after, d0, -to.after, d1},
                         back = {-from.before, -d0, -to.before, -d1};
        double where = 1.0;
        if (tn_passage_peak(&over, &where) > TN_LIMIT_TOLERANCE ||
            tn_passage_peak(&back, &where) > TN_LIMIT_TOLERANCE)
            first = fmin(first, where);
    }
    *when = first * h;
    return first < 1.0;
}
