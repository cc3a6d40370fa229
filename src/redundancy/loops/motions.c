/* motions.c: room redundancy/loops: the free motions of every joint at a pose, and of bodies that
 * are not rigid (closing.h).
 */
#include <math.h>
#include <string.h>

#include "redundancy/loops/closing.h"

/* Share of the largest row below which a joint's rows are no basis: a motion is singular there. */
#define TN_SINGULAR_ROWS 1e-9

/* X = W^-1 by Gauss-Jordan with column pivots; 0 if W is singular. */
static int invert(double W[6][6], double X[6][6])
{
    double A[6][12] = {{0}};
    for (int i = 0; i < 6; i++) {
        memcpy(A[i], W[i], sizeof W[i]);
        A[i][6 + i] = 1.0;
    }
    for (int c = 0; c < 6; c++) {
        int pivot = c;
        for (int i = c; i < 6; i++) {
            if (fabs(A[i][c]) > fabs(A[pivot][c]))
                pivot = i;
        }
        if (!(fabs(A[pivot][c]) > TN_SINGULAR_ROWS))
            return 0;
        for (int k = 0; k < 12; k++) {
            const double swap = A[c][k];
            A[c][k] = A[pivot][k];
            A[pivot][k] = swap;
        }
        for (int i = 0; i < 6; i++) {
            const double factor = i == c ? 0.0 : A[i][c] / A[c][c];
            for (int k = 0; k < 12 && factor != 0.0; k++)
                A[i][k] -= factor * A[c][k];
        }
        for (int k = 11; k >= c; k--)
            A[c][k] /= A[c][c];
    }
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++)
            X[k][i] = A[i][6 + k]; /* X[k] is column k */
    }
    return 1;
}

/* Replaces the motion rows, singular with the others, by what completes the bilateral ones. */
static void complete_rows(double W[6][6], int32_t bilateral)
{
    double basis[6][6];
    int32_t count = 0;
    for (int32_t candidate = 0; candidate < bilateral + 6 && count < 6; candidate++) {
        double row[6] = {0}, before = 0.0, after = 0.0;
        if (candidate < bilateral) {
            memcpy(row, W[candidate], sizeof row);
        } else {
            row[candidate - bilateral] = 1.0;
        }
        for (int i = 0; i < 6; i++)
            before += row[i] * row[i];
        for (int32_t k = 0; k < count; k++) {
            double along = 0.0;
            for (int i = 0; i < 6; i++)
                along += basis[k][i] * row[i];
            for (int i = 0; i < 6; i++)
                row[i] -= along * basis[k][i];
        }
        for (int i = 0; i < 6; i++)
            after += row[i] * row[i];
        if (after < 0.1 * before && candidate >= bilateral)
            continue; /* of six axes some are far from the rows there are */
        for (int i = 0; i < 6; i++)
            basis[count][i] = row[i] / sqrt(after);
        if (candidate >= bilateral)
            memcpy(W[count], basis[count], sizeof basis[count]);
        count++;
    }
}

/* (v, w) from G to world axes. */
static void to_world(const tn_mat3 *R_GW, double t[6])
{
    v3_store(t, m3_mulv(R_GW, v3_load(t)));
    v3_store(t + 3, m3_mulv(R_GW, v3_load(t + 3)));
}

int tn_red_row_is_free(const tn_red_pose *pose, int32_t j, int32_t k, int hard_only)
{
    const tn_model_joint *joint = &pose->model->joints[j];
    const tn_row_info *info = &joint->geometry.cls->info.rows[k];
    const tn_switches *s = &pose->state.switches[j];
    const tn_hold least = hard_only ? TN_HOLD_FRICTION : TN_HOLD_DRIVER;
    if ((hard_only || pose->yields) && s->compliance[k] > 0.0)
        return 1;
    return !(info->flags & TN_ROW_BILATERAL) &&
           !(info->coordinate >= 0 && s->hold[info->coordinate] >= (int)least);
}

static void joint_motions(const tn_red_pose *pose, int32_t j, int hard_only, tn_edge_motions *m)
{
    const tn_model_joint *joint = &pose->model->joints[j];
    const tn_joint_class *cls = joint->geometry.cls;
    const tn_joint_kinematics *kin = &pose->sys.kin[j];
    double W[TN_MAX_ROWS][6];
    tn_joint_wrenches(cls, &joint->geometry.setup, &kin->T_GD, kin->moving->q, W);
    if (!invert(W, m->twist)) {
        complete_rows(W, cls->info.bilateral_count);
        invert(W, m->twist);
    }
    m->in_use = 1;
    m->at = v3_add(tn_system_xform(&pose->sys, joint->a)->p, kin->r_A);
    for (int32_t k = 0; k < 6; k++) {
        m->is_free[k] = (int8_t)tn_red_row_is_free(pose, j, k, hard_only);
        to_world(&kin->R_GW, m->twist[k]);
    }
}

/* What a body that is not rigid can do against ground. */
static void pseudo_motions(const tn_red_pose *pose, int32_t body, tn_edge_motions *m)
{
    const tn_motion_subspace *s = tn_motion_subspace_get(pose->model->bodies[body].kind);
    m->in_use = 1;
    m->at = pose->state.x[body];
    for (int i = 0; i < 6; i++)
        m->twist[i][i] = 1.0;
    for (int32_t c = 0; c < s->dim; c++)
        m->is_free[s->column[c]] = 1;
}

tn_status tn_red_find_motions(tn_closing *c, int hard_only)
{
    c->motions = TN_ARENA_ARRAY(c->arena, tn_edge_motions, c->graph->edge_count);
    if (!c->motions)
        return TN_ERROR_MEMORY;
    for (int32_t e = 0; e < c->graph->edge_count; e++) {
        const tn_red_edge *edge = &c->graph->edges[e];
        if (edge->joint >= 0) {
            joint_motions(c->pose, edge->joint, hard_only, &c->motions[e]);
        } else {
            pseudo_motions(c->pose, edge->a, &c->motions[e]);
        }
    }
    return TN_OK;
}

void tn_red_twist_at(const tn_edge_motions *m, int32_t k, const tn_loop_frame *f, double t[6])
{
    const tn_vec3 w = v3_load(m->twist[k] + 3);
    const tn_vec3 v = v3_add(v3_load(m->twist[k]), v3_cross(w, v3_sub(f->origin, m->at)));
    v3_store(t, v3_scale(1.0 / f->length, v));
    v3_store(t + 3, w);
}

double tn_red_twist_length(const double t[6])
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++)
        sum += t[i] * t[i];
    return sqrt(sum);
}
