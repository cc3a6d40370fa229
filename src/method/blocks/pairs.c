/* pairs.c: room method/blocks: which models are rigid bodies on hinges, and which hinges share a body. See pairs.h. */
#include "method/blocks/pairs.h"

#include <stdlib.h>

#include "assemble/body_terms.h"
#include "method/alpha/hinge_terms.h"

static bool is_rigid(const tn_model_body *body)
{
    return body->dim == 0 || (body->dim == 6 && tn_body_is_plain(body) && body->mass > 0.0 &&
                              !tn_body_is_damped(body));
}

/* A hinge of a loop whose rows all have weight: it carries its share of any load. */
static bool is_hinge(const tn_model *model, int32_t j)
{
    return tn_is_straight(model, j) &&
           (!model->joints[j].in_loop || model->joints[j].softness > 0.0);
}

/* The same, with its coordinate free. */
static bool is_ball_joint(const tn_model *model, int32_t j)
{
    const tn_model_joint *joint = &model->joints[j];
    return joint->type.i == TN_JOINT_spherical && !joint->geometry.flat &&
           joint->kept_bilateral == joint->geometry.cls->info.bilateral_count &&
           (!joint->in_loop || joint->softness > 0.0);
}

static bool are_rigid_on(const tn_model *model, bool (*is_such)(const tn_model *model, int32_t j))
{
    bool good = model->element_count == model->joint_count && model->loop_joints > 0 &&
                model->load_count == 0 && model->solid_count == 0 && model->armature_count == 0;
    for (int32_t i = 0; i < model->body_count && good; i++)
        good = is_rigid(&model->bodies[i]);
    for (int32_t j = 0; j < model->joint_count && good; j++)
        good = is_such(model, j);
    return good;
}

bool tn_are_rigid_on_hinges(const tn_model *model)
{
    return are_rigid_on(model, is_hinge);
}

bool tn_are_rigid_on_balls(const tn_model *model)
{
    return are_rigid_on(model, is_ball_joint);
}

/* Lists the joint ends on each moving body: 2 j is the end on body a of joint j, 2 j + 1 that on b. */
typedef struct tn_ends {
    int32_t *first; /* [moving] -1: none */
    int32_t *next;  /* [2 joints] */
} tn_ends;

static void list_ends(const tn_pairs_of *of, tn_ends *ends)
{
    for (int32_t k = 0; k < of->moving; k++)
        ends->first[k] = -1;
    for (int32_t end = 2 * of->model->joint_count - 1; end >= 0; end--) {
        const tn_model_joint *joint = &of->model->joints[end / 2];
        const int32_t body = end % 2 == 0 ? joint->a : joint->b;
        const int32_t bar = body < 0 ? of->moving : of->bar[body];
        if (bar >= of->moving)
            continue;
        ends->next[end] = ends->first[bar];
        ends->first[bar] = end;
    }
}

/* A body of n hinges has n^2 / 2 pairs: they are counted before they are listed. */
static int64_t count_pairs(const tn_pairs_of *of, const tn_ends *ends)
{
    int64_t count = 0;
    for (int32_t k = 0; k < of->moving; k++) {
        int64_t hinges = 0;
        for (int32_t end = ends->first[k]; end >= 0; end = ends->next[end])
            hinges++;
        count += hinges * (hinges - 1) / 2;
    }
    return count;
}

static void list_pairs(const tn_pairs_of *of, const tn_ends *ends, tn_spd_edge *edges,
                       tn_pairs *out)
{
    for (int32_t k = 0; k < of->moving; k++) {
        for (int32_t one = ends->first[k]; one >= 0; one = ends->next[one]) {
            for (int32_t other = ends->next[one]; other >= 0; other = ends->next[other]) {
                edges[out->count] = (tn_spd_edge){one / 2, other / 2};
                out->pairs[out->count++] = (tn_pair){one / 2, other / 2, k, -1};
            }
        }
    }
}

static int compare_pairs(const void *left, const void *right)
{
    const tn_pair *l = left, *r = right;
    if (l->block != r->block)
        return l->block < r->block ? -1 : 1;
    return (l->bar > r->bar) - (l->bar < r->bar);
}

/* Sets the start of pairs and of bare blocks of each row; bare[k]: at first, does block k have a pair? */
static void find_starts(const tn_spd *spd, tn_pairs *pairs)
{
    for (int32_t p = 0; p < pairs->count; p++)
        pairs->start[pairs->pairs[p].first + 1]++;
    for (int32_t k = 0; k < spd->n; k++) {
        pairs->start[k + 1] += pairs->start[k];
        for (int32_t b = spd->start[k]; b < spd->start[k + 1]; b++) {
            if (pairs->bare[b] == 0)
                pairs->bare[pairs->bare_count++] = b;
        }
        pairs->bare_start[k + 1] = pairs->bare_count;
    }
}

/* Sorts the pairs by their blocks; `bare` has room for all blocks. */
static void place_pairs(const tn_spd *spd, tn_pairs *pairs)
{
    for (int32_t p = 0; p < pairs->count; p++) {
        tn_pair *pair = &pairs->pairs[p];
        const int32_t one = spd->position[pair->first], other = spd->position[pair->second];
        pair->first = one < other ? one : other;
        pair->second = one < other ? other : one;
        pair->block = tn_spd_find(spd, pair->first, pair->second);
        pairs->bare[pair->block] = 1;
    }
    qsort(pairs->pairs, (size_t)pairs->count, sizeof *pairs->pairs, compare_pairs);
    for (int32_t p = 0; p < pairs->count; p++)
        pairs->pairs[p].opens = p == 0 || pairs->pairs[p].block != pairs->pairs[p - 1].block;
    find_starts(spd, pairs);
}

void tn_pairs_destroy(tn_pairs *pairs)
{
    tn_free(pairs->pairs);
    tn_free(pairs->start);
    tn_free(pairs->bare);
    tn_free(pairs->bare_start);
}

static tn_status make_pairs(const tn_pairs_of *of, tn_ends *ends, tn_spd *spd, tn_pairs *out,
                            bool *fits)
{
    list_ends(of, ends);
    const int64_t count = count_pairs(of, ends);
    *fits = count <= (int64_t)of->most * of->model->joint_count;
    if (!*fits)
        return TN_OK;
    tn_spd_edge *edges = TN_NEW_ARRAY(tn_spd_edge, count + 1);
    out->pairs = TN_NEW_ARRAY(tn_pair, count + 1);
    tn_status status = edges && out->pairs ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        list_pairs(of, ends, edges, out);
        status = tn_spd_create(of->model->joint_count, of->size, edges, count, of->most, spd, fits);
    }
    tn_free(edges);
    if (status != TN_OK || !*fits)
        return status;
    out->bare = TN_NEW_ARRAY(int32_t, spd->start[spd->n] + 1);
    out->start = TN_NEW_ARRAY(int32_t, spd->n + 1);
    out->bare_start = TN_NEW_ARRAY(int32_t, spd->n + 1);
    if (!out->bare || !out->start || !out->bare_start)
        return TN_ERROR_MEMORY;
    place_pairs(spd, out);
    return TN_OK;
}

tn_status tn_pairs_create(const tn_pairs_of *of, tn_spd *spd, tn_pairs *out, bool *fits)
{
    tn_ends ends = {TN_NEW_ARRAY(int32_t, of->moving + 1),
                    TN_NEW_ARRAY(int32_t, 2 * (int64_t)of->model->joint_count)};
    const tn_status status =
        ends.first && ends.next ? make_pairs(of, &ends, spd, out, fits) : TN_ERROR_MEMORY;
    tn_free(ends.first);
    tn_free(ends.next);
    return status;
}
