/* hinge_head.c: room method/links: the head of a large tree, see hinge_world.h. */
#include <math.h>

#include "method/links/hinge_world.h"

static tn_vec3 row_of(const tn_v4 *a)
{
    return v3_load((const double *)a);
}

/* M v, of three rows. */
static tn_vec3 rows_times(const tn_v4 *M, tn_vec3 v)
{
    return v3(v3_dot(row_of(&M[0]), v), v3_dot(row_of(&M[1]), v), v3_dot(row_of(&M[2]), v));
}

/* ---- which links ---- */

static bool has_stem(const tn_hinge_head *head, int32_t limb)
{
    for (int32_t n = 0; n < head->stem_count; n++) {
        if (head->stems[n].limb == limb)
            return true;
    }
    return false;
}

bool tn_hinge_head_find(const tn_hinge_world *w, tn_hinge_head *head)
{
    *head = (tn_hinge_head){.limbs = TN_HINGE_HEAD};
    for (int32_t k = TN_HINGE_HEAD; k < w->count; k++) {
        const int32_t inner = w->inner[k];
        if (inner >= TN_HINGE_HEAD)
            continue;
        if (inner < 0 || head->outer_count == TN_HINGE_STEMS)
            return false;
        head->outer[head->outer_count++] = k;
        if (!has_stem(head, inner))
            head->stems[head->stem_count++].limb = inner;
    }
    return head->outer_count > 0;
}

/* ---- going inward to it ---- */

void tn_hinge_head_note_pulls(const tn_hinge_world *w, const tn_hinge_inertia *inertias,
                              tn_hinge_head *head)
{
    for (int32_t n = 0; n < head->stem_count; n++) {
        tn_hinge_stem *stem = &head->stems[n];
        const tn_hinge_inertia *hung = &inertias[w->slots[stem->limb].own];
        stem->hung = (tn_hinge_pull){hung->hung_f, hung->hung_n};
        const double *limb = hinge_limb_at(w, stem->limb);
        stem->place = limb_v3(limb + TN_LIMB_FIELD(place));
        stem->moved = limb_v3(limb + TN_LIMB_FIELD(moved));
        stem->turned = limb_q(limb + TN_LIMB_FIELD(turned));
    }
}

/* Row i less that of [v]. */
static void less_turned(tn_v4 *row, int i, tn_vec3 v)
{
    const tn_vec3 of[3] = {v3(0.0, -v.z, v.y), v3(v.z, 0.0, -v.x), v3(-v.y, v.x, 0.0)};
    v3_store((double *)row, v3_sub(row_of(row), of[i]));
}

/* What is there for the link is of its own body too. */
static void take_load(const tn_hinge_load *all, const tn_hinge_record *own, tn_hinge_load *load)
{
    *load = *all;
    for (int i = 0; i < 3; i++) {
        ((double *)&load->A[i])[i] -= own->part.mass;
        less_turned(&load->B[i], i, v3_load(own->part.B));
        less_turned(&load->D[i], i, v3_load(own->part.D));
        v3_store((double *)&load->C[i], v3_sub(row_of(&load->C[i]), v3_load(own->part.C[i])));
    }
}

void tn_hinge_head_note_matrix(const tn_hinge_world *w, const tn_hinge_off *off,
                               tn_hinge_head *head)
{
    head->rest = *off;
    for (int32_t n = 0; n < head->stem_count; n++) {
        const int32_t limb = head->stems[n].limb;
        take_load(&w->loads[w->slots[limb].own], &w->records[limb], &head->stems[n].load);
    }
}

/* ---- as it is iterated ---- */

/* By what the body has turned and moved: sums of small twists leave out their products, which a taut chain that is moved along
 * by nothing else answers to. */
void tn_hinge_head_follow(const tn_hinge_world *w, tn_hinge_head *head)
{
    for (int32_t n = 0; n < head->stem_count; n++) {
        tn_hinge_stem *stem = &head->stems[n];
        const double *limb = hinge_limb_at(w, stem->limb);
        const tn_quat turn = q_mul(limb_q(limb + TN_LIMB_FIELD(turned)), q_conjugate(stem->turned));
        const tn_vec3 at = v3_sub(stem->place, limb_v3(limb + TN_LIMB_FIELD(arm)));
        stem->w = v3_scale(2.0, v3(turn.x, turn.y, turn.z));
        stem->v = v3_sub(v3_sub(limb_v3(limb + TN_LIMB_FIELD(moved)), stem->moved),
                         v3_cross(stem->w, at));
    }
}

void tn_hinge_head_put_twists(const tn_hinge_world *w, const tn_hinge_head *head)
{
    for (int32_t n = 0; n < head->stem_count; n++) {
        double *limb = hinge_limb_at(w, head->stems[n].limb);
        put_v3(limb + TN_LIMB_FIELD(v), head->stems[n].v);
        put_v3(limb + TN_LIMB_FIELD(w), head->stems[n].w);
    }
}

void tn_hinge_head_hang(const tn_hinge_world *w, const tn_hinge_rule *c, const tn_hinge_head *head,
                        tn_hinge_inertia *inertias)
{
    const double beta = 1.0 / c->by_beta;
    for (int32_t n = 0; n < head->stem_count; n++) {
        const tn_hinge_stem *stem = &head->stems[n];
        const tn_hinge_load *load = &stem->load;
        const tn_vec3 f = v3_add(row_of(&load->left_f), v3_add(rows_times(load->A, stem->v),
                                                               rows_times(load->B, stem->w)));
        const tn_vec3 m = v3_add(row_of(&load->left_n), v3_add(rows_times(load->D, stem->v),
                                                               rows_times(load->C, stem->w)));
        const tn_vec3 place = limb_v3(hinge_limb_at(w, stem->limb) + TN_LIMB_FIELD(place));
        const tn_vec3 away = v3_sub(stem->place, place), force = stem->hung.force;
        const tn_vec3 more_f = v3_scale(beta, f);
        const tn_vec3 more_n = v3_sub(v3_scale(beta, m), v3_cross(place, more_f));
        inertias[w->slots[stem->limb].own] = (tn_hinge_inertia){
            .hung_f = v3_add(force, more_f),
            .hung_n = v3_add(v3_add(stem->hung.moment, v3_cross(away, force)), more_n)};
    }
}

double tn_hinge_head_rest_off(const tn_hinge_world *w, const tn_hinge_head *head)
{
    double most = head->rest.largest;
    for (int32_t n = 0; n < head->outer_count; n++) {
        const double *inner = hinge_limb_at(w, w->inner[head->outer[n]]);
        const tn_hinge_record *record = &w->records[head->outer[n]];
        const double by = v3_dot(v3_load(record->factor.row_f), limb_v3(inner + TN_LIMB_FIELD(v))) +
                          v3_dot(v3_load(record->factor.row_m), limb_v3(inner + TN_LIMB_FIELD(w)));
        most = fmax(fabs(record->factor.s - record->factor.by_d * by), most);
    }
    return most;
}
