/* hinge_share_sets.c: room method/hinges: which sets of multipliers move nothing. See hinge_shares.c.
 *
 * In: the loops' factors. Out: of each row that was left out the cuts that bear something with it, and the joints on their paths.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "method/hinges/hinge_shares.h"
#include "solve/singular.h"

static int32_t root_of(int32_t *root, int32_t n)
{
    while (root[n] != n)
        n = root[n];
    return n;
}

static void visit(const tn_alpha_hinges *hinges, int32_t n, int32_t *root, int32_t *owner)
{
    const tn_loop_cut *cut = &hinges->loops->cuts[n];
    const tn_link_loop *of = &hinges->loops->all[cut->loop];
    for (int32_t i = -1; i < cut->moved; i++) {
        const int32_t j =
            i < 0 ? hinges->cuts[n].joint : tn_share_joint_at(hinges, of->column[cut->column[i]]);
        if (j < 0)
            continue;
        if (owner[j] >= 0) {
            const int32_t a = root_of(root, owner[j]), b = root_of(root, cut->loop);
            root[a > b ? a : b] = a < b ? a : b;
        }
        owner[j] = cut->loop;
    }
}

static void put_weights(const tn_model_joint *joint, double *weights)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    for (int32_t row = 0; row < info->bilateral_count + info->coordinate_count && row < 6; row++)
        weights[row] = joint->softness * joint->row_scale[row];
}

/* Joints of all cuts of a share, each once for each row that may be left out, and a multiple of them. */
static int64_t room_of(const tn_alpha_hinges *hinges, const tn_hinge_shares *shares,
                       const tn_hinge_share *share)
{
    int64_t room = 0;
    for (int32_t n = 0; n < share->cuts; n++) {
        const tn_loop_cut *cut = &hinges->loops->cuts[shares->cuts[share->first_cut + n]];
        const int64_t own = TN_SHARE_REACH * (int64_t)(cut->moved + 1);
        room += cut->count * (own < share->joints ? own : share->joints);
    }
    return room;
}

/* Numbers of a share whose joints, loops and cuts are known. */
static tn_status make_numbers(const tn_alpha_hinges *hinges, const tn_hinge_shares *shares,
                              tn_hinge_share *share)
{
    const int64_t rows = share->rows, joints = share->joints, room = room_of(hinges, shares, share);
    tn_share_sets *sets = &share->sets;
    sets->room = (int32_t)room;
    share->gram.room = rows * (rows < 6 * TN_SHARE_REACH ? rows : 6 * TN_SHARE_REACH);
    double *at = share->numbers =
        TN_NEW_ARRAY(double, 6 * joints + 12 * room + share->gram.room + rows);
    int32_t *index = share->indices =
        TN_NEW_ARRAY(int32_t, 2 * (rows + 1) + 7 * room + 1 + rows + 2 * joints + 1);
    share->gram.at = TN_NEW_ARRAY(int64_t, rows + 1);
    share->ends = TN_NEW_ARRAY(tn_share_joint, joints);
    share->deflections = TN_NEW_ARRAY(tn_share_deflection, joints);
    share->wrench = (tn_vec3(*)[2])(void *)TN_NEW_ARRAY(tn_vec3, 2 * room);
    sets->left_out = TN_NEW_ARRAY(int8_t, rows);
    if (!at || !index || !share->gram.at || !share->ends || !share->deflections || !share->wrench ||
        !sets->left_out)
        return TN_ERROR_MEMORY;
    memset(sets->left_out, 2, (size_t)rows); /* nothing is known */
    share->weights = (double(*)[6])(void *)at;
    sets->numbers = (double(*)[6])(void *)(at += 6 * joints);
    sets->units = (double(*)[TN_MAX_ROWS])(void *)(at += 6 * room);
    share->gram.lines = at += 6 * room;
    share->gram.x = at + share->gram.room;
    sets->cut_start = index;
    sets->start = index += rows + 1;
    sets->cuts = index += rows + 1;
    sets->own = index += room;
    sets->ways = index += room;
    sets->touched = index += room;
    share->touches.set = index += room;
    share->touches.at = index += room;
    sets->way_start = index += room;
    share->touches.start = index += room + 1;
    share->gram.first = index += joints + 1;
    share->slot = index + rows;
    return TN_OK;
}

/* What does not change of joint i of a share. */
static void make_end(const tn_model_joint *joint, tn_share_joint *end)
{
    end->is_in_tree = tn_tree_hangs(joint) >= 0;
    for (int32_t n = 0; n < joint->kept_bilateral && end->is_in_tree; n++)
        end->holds[joint->kept[n]] = 1.0;
}

static tn_status make_share(const tn_model *model, const tn_alpha_hinges *hinges,
                            const int32_t *owner, int32_t *root, int32_t loop,
                            tn_hinge_shares *shares)
{
    tn_hinge_share *share = &shares->all[shares->count];
    if (shares->count > 0) {
        share->first = share[-1].first + share[-1].joints;
        share->first_loop = share[-1].first_loop + share[-1].loops;
        share->first_cut = share[-1].first_cut + share[-1].cuts;
    }
    for (int32_t i = loop; i < hinges->loops->count; i++) {
        if (root_of(root, i) != loop)
            continue;
        shares->loops[share->first_loop + share->loops++] = i;
        share->rows += hinges->loops->all[i].rows;
        for (int32_t n = 0; n < hinges->loops->all[i].cuts; n++)
            shares->cuts[share->first_cut + share->cuts++] = hinges->loops->all[i].cut + n;
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (owner[j] < 0 || root_of(root, owner[j]) != loop)
            continue;
        shares->place[j] = share->joints;
        shares->joints[share->first + share->joints++] = j;
    }
    shares->count++;
    const tn_status status = make_numbers(hinges, shares, share);
    for (int32_t i = 0; i < share->joints && status == TN_OK; i++) {
        const tn_model_joint *joint = &model->joints[shares->joints[share->first + i]];
        share->slot[i] = -1;
        put_weights(joint, share->weights[i]);
        make_end(joint, &share->ends[i]);
    }
    return status;
}

static tn_status make(const tn_model *model, const tn_alpha_hinges *hinges, int32_t *owner,
                      int32_t *root, tn_hinge_shares *shares)
{
    const tn_link_loops *loops = hinges->loops;
    for (int32_t j = 0; j < model->element_count; j++)
        owner[j] = shares->place[j] = -1;
    for (int32_t i = 0; i < loops->count; i++)
        root[i] = i;
    for (int32_t n = 0; n < loops->cut_count; n++)
        visit(hinges, n, root, owner);
    tn_status status = TN_OK;
    for (int32_t i = 0; i < loops->count && status == TN_OK; i++) {
        if (root[i] == i)
            status = make_share(model, hinges, owner, root, i, shares);
    }
    return status;
}

tn_status tn_hinge_shares_create(const tn_model *model, tn_alpha_hinges *hinges)
{
    const tn_link_loops *loops = hinges->loops;
    const int64_t joints = model->element_count;
    tn_hinge_shares *shares = hinges->shares = TN_NEW(tn_hinge_shares);
    int32_t *scratch = TN_NEW_ARRAY(int32_t, joints + loops->count);
    tn_status status = shares && scratch ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        shares->all = TN_NEW_ARRAY(tn_hinge_share, loops->count);
        shares->joints =
            TN_NEW_ARRAY(int32_t, (int64_t)loops->count + loops->cut_count + 2 * joints);
        shares->units = TN_NEW_ARRAY(double, 2 * (int64_t)loops->row_count);
        status = shares->all && shares->joints && shares->units ? TN_OK : TN_ERROR_MEMORY;
    }
    if (status == TN_OK) {
        shares->place = shares->joints + joints;
        shares->loops = shares->place + joints;
        shares->cuts = shares->loops + loops->count;
        shares->column = shares->units + loops->row_count;
        status = make(model, hinges, scratch, scratch + joints, shares);
    }
    tn_free(scratch);
    return status;
}

void tn_hinge_shares_destroy(tn_hinge_shares *shares)
{
    if (!shares)
        return;
    for (int32_t n = 0; shares->all && n < shares->count; n++) {
        tn_free(shares->all[n].numbers);
        tn_free(shares->all[n].indices);
        tn_free(shares->all[n].gram.at);
        tn_free(shares->all[n].ends);
        tn_free(shares->all[n].deflections);
        tn_free(shares->all[n].wrench);
        tn_free(shares->all[n].sets.left_out);
    }
    tn_free(shares->all);
    tn_free(shares->joints);
    tn_free(shares->units);
    tn_free(shares);
}

/* ---- sets of multipliers that move nothing ---- */

/* What units of its rows are of loops of hosts further out. */
static void hand_outward(const tn_link_loops *loops, const tn_link_loop *from, double *units)
{
    for (int32_t n = 0; n < from->cuts; n++) {
        const tn_loop_cut *cut = &loops->cuts[from->cut + n];
        for (int32_t i = 0; i < cut->inner_count; i++) {
            const tn_link_loop *in = &loops->all[cut->inner[i].loop];
            for (int32_t row = 0; row < cut->count; row++) {
                const double by = units[cut->first + row],
                             *response = cut->inner[i].response + row * in->rows;
                for (int32_t s = 0; s < in->rows && fabs(by) > TN_FORCES_KNOWN; s++)
                    units[in->first + s] += by * response[s];
            }
        }
    }
}

/* Do rows answer to row r by more than rounding? Then `column` is that of V. */
static bool is_answered(const tn_link_loop *of, int32_t r, double *column)
{
    const tn_loop_lines lines = tn_loop_matrix_lines(&of->V, r);
    const double least = TN_ROW_REPEATS * TN_ROW_REPEATS * of->by_most[r];
    bool any = false;
    for (int32_t i = lines.first; i < lines.last && !any && least > 0.0; i++) {
        if (i == r || !(of->by_most[i] > 0.0))
            continue;
        const double V = tn_loop_matrix_entry(&of->V, i, r);
        any = V * V > least * of->by_most[i];
    }
    if (any)
        tn_loop_matrix_column(&of->V, r, column);
    return any;
}

/* Of row r of the share's loop k, which was left out and which others answer to: units of all rows that do, of loops of hosts further
 * out too. */
static void put_units(const tn_alpha_hinges *hinges, const tn_hinge_share *share, int32_t k,
                      int32_t r)
{
    const tn_link_loops *loops = hinges->loops;
    const int32_t *own = hinges->shares->loops + share->first_loop;
    const tn_link_loop *of = &loops->all[own[k]];
    double *mu = hinges->shares->column, *units = hinges->shares->units;
    for (int32_t n = 0; n < share->loops; n++)
        memset(units + loops->all[own[n]].first, 0,
               sizeof *units * (size_t)loops->all[own[n]].rows);
    tn_loop_matrix_solve(&of->V, mu);
    for (int32_t i = 0; i < of->rows; i++)
        units[of->first + i] = -mu[i];
    units[of->first + r] = 1.0;
    for (; k >= 0; k--)
        hand_outward(loops, &loops->all[own[k]], units);
}

/* Are units of its rows more than rounding? Not of couplings, whose rows never repeat others here. */
static bool bears(const double *units, const tn_loop_cut *cut)
{
    bool any = false;
    for (int32_t row = 0; row < cut->count && !cut->couples; row++)
        any |= fabs(units[cut->first + row]) > TN_FORCES_KNOWN;
    return any;
}

/* Joint i of its share is not 0 in the set at hand. False: there is no room. */
static bool touch(tn_hinge_share *share, int32_t i, int32_t *at)
{
    if (share->slot[i] >= 0)
        return true;
    if (*at >= share->sets.room)
        return false;
    share->slot[i] = *at;
    share->sets.touched[(*at)++] = i;
    return true;
}

/* Joints of a cut, its own and those of its path, and its way through them: entry i of those of all sets. */
static bool touch_cut(const tn_alpha_hinges *hinges, tn_hinge_share *share, int32_t i, int32_t *at)
{
    const tn_hinge_shares *shares = hinges->shares;
    tn_share_sets *sets = &share->sets;
    const tn_loop_cut *cut = &hinges->loops->cuts[sets->cuts[i]];
    const tn_link_loop *of = &hinges->loops->all[cut->loop];
    int32_t place = shares->place[hinges->cuts[sets->cuts[i]].joint], way = sets->way_start[i];
    bool fits = touch(share, place, at) && way + cut->columns <= sets->room;
    sets->own[i] = share->slot[place];
    for (int32_t c = 0; c < cut->columns && fits; c++) {
        const int32_t k = of->column[cut->column[c]], j = tn_share_joint_at(hinges, k);
        if (j < 0)
            continue;
        place = shares->place[j];
        fits = touch(share, place, at);
        const bool with = (cut->from[c] == 0) == hinges->places[k].is_a;
        sets->ways[way++] = with ? ~share->slot[place] : share->slot[place]; /* on a of its joint */
    }
    sets->way_start[i + 1] = way;
    return fits;
}

/* A cut with these units of its rows, to the set that ends at *at. */
static bool add_cut(const tn_alpha_hinges *hinges, tn_hinge_share *share, int32_t n,
                    const double *units, int32_t *at)
{
    tn_share_sets *sets = &share->sets;
    int32_t *end = &sets->cut_start[sets->count + 1];
    if (*end >= sets->room)
        return false;
    sets->cuts[*end] = n;
    memcpy(sets->units[*end], units, sizeof(double) * (size_t)hinges->loops->cuts[n].count);
    return touch_cut(hinges, share, (*end)++, at);
}

/* All cuts that bear something under the units at hand. */
static bool add_cuts(const tn_alpha_hinges *hinges, tn_hinge_share *share, int32_t *at)
{
    const tn_hinge_shares *shares = hinges->shares;
    bool fits = true;
    for (int32_t i = 0; i < share->cuts && fits; i++) {
        const int32_t n = shares->cuts[share->first_cut + i];
        const tn_loop_cut *cut = &hinges->loops->cuts[n];
        fits =
            !bears(shares->units, cut) || add_cut(hinges, share, n, shares->units + cut->first, at);
    }
    return fits;
}

/* The set of row r of the share's loop k. False: there is no room. */
static bool add_set(const tn_alpha_hinges *hinges, tn_hinge_share *share, int32_t k, int32_t r)
{
    const tn_link_loop *of = &hinges->loops->all[hinges->shares->loops[share->first_loop + k]];
    const int32_t n = of->cut + of->V.block[r], row = r - of->V.begin[of->V.block[r]];
    tn_share_sets *sets = &share->sets;
    int32_t at = sets->start[sets->count];
    double unit[TN_MAX_ROWS] = {0.0};
    bool fits;
    sets->cut_start[sets->count + 1] = sets->cut_start[sets->count];
    unit[row] = 1.0;
    if (is_answered(of, r, hinges->shares->column) || hinges->loops->cuts[n].inner_count > 0) {
        put_units(hinges, share, k, r);
        fits = add_cuts(hinges, share, &at);
    } else {
        fits = add_cut(hinges, share, n, unit, &at);
    }
    for (int32_t i = sets->start[sets->count]; i < at; i++)
        share->slot[sets->touched[i]] = -1;
    sets->start[++sets->count] = at;
    return fits;
}

/* By joints. */
static void list_touches(tn_hinge_share *share)
{
    const tn_share_sets *sets = &share->sets;
    const tn_share_touches *of = &share->touches;
    memset(of->start, 0, sizeof *of->start * ((size_t)share->joints + 1));
    for (int32_t k = 0; k < sets->start[sets->count]; k++)
        of->start[sets->touched[k] + 1]++;
    for (int32_t i = 0; i < share->joints; i++) {
        share->slot[i] = of->start[i];
        of->start[i + 1] += of->start[i];
    }
    for (int32_t n = 0; n < sets->count; n++) {
        for (int32_t k = sets->start[n]; k < sets->start[n + 1]; k++) {
            const int32_t t = share->slot[sets->touched[k]]++;
            of->set[t] = n;
            of->at[t] = k;
        }
    }
    for (int32_t i = 0; i < share->joints; i++)
        share->slot[i] = -1;
}

/* From which set on each shares joints with others. False: there is no room for their products. */
static bool lay_out_gram(tn_hinge_share *share)
{
    const tn_share_touches *of = &share->touches;
    tn_share_gram *gram = &share->gram;
    int64_t at = 0;
    for (int32_t n = 0; n < share->sets.count; n++)
        gram->first[n] = n;
    for (int32_t i = 0; i < share->joints; i++) {
        for (int32_t t = of->start[i]; t < of->start[i + 1]; t++) {
            int32_t *first = &gram->first[of->set[t]];
            *first = of->set[of->start[i]] < *first ? of->set[of->start[i]] : *first;
        }
    }
    for (int32_t n = 0; n < share->sets.count; n++) {
        gram->at[n] = at;
        at += n + 1 - gram->first[n];
    }
    gram->at[share->sets.count] = at;
    return at <= gram->room;
}

/* Was row r of a loop left out, one that holds? 1: no link moves it, so that no other row answers to it; 2: others may. */
static int8_t is_left_out(const tn_alpha_hinges *hinges, const tn_link_loop *of, int32_t p)
{
    const int32_t r = of->V.order[p];
    if (!tn_loop_matrix_leaves_out(&of->V, p) ||
        hinges->loops->rows[of->first + r].compliance != 0.0)
        return 0;
    return of->by_most[r] > 0.0 || hinges->loops->cuts[of->cut + of->V.block[r]].inner_count > 0
               ? 2
               : 1;
}

/* Are the sets those that were found last: of the same rows, to which none answers? */
static bool are_known(const tn_alpha_hinges *hinges, const tn_hinge_share *share)
{
    const int8_t *left_out = share->sets.left_out;
    bool same = true;
    for (int32_t k = 0; k < share->loops && same; k++) {
        const tn_link_loop *of = &hinges->loops->all[hinges->shares->loops[share->first_loop + k]];
        for (int32_t p = 0; p < of->rows && same; p++)
            same = left_out[of->V.order[p]] < 2 &&
                   left_out[of->V.order[p]] == is_left_out(hinges, of, p);
        left_out += of->rows;
    }
    return same;
}

/* Which sets there are. */
static bool find_sets(const tn_alpha_hinges *hinges, tn_hinge_share *share)
{
    int8_t *left_out = share->sets.left_out;
    bool fits = true;
    if (are_known(hinges, share))
        return true;
    share->sets.count = 0;
    for (int32_t k = 0; k < share->loops && fits; k++) {
        const tn_link_loop *of = &hinges->loops->all[hinges->shares->loops[share->first_loop + k]];
        for (int32_t p = 0; p < of->rows && fits; p++) {
            const int32_t r = of->V.order[p];
            left_out[r] = is_left_out(hinges, of, p);
            fits = left_out[r] == 0 || add_set(hinges, share, k, r);
        }
        left_out += of->rows;
    }
    if (fits) {
        list_touches(share);
        fits = lay_out_gram(share);
    }
    if (!fits)
        memset(share->sets.left_out, 2, (size_t)share->rows);
    return fits;
}

bool tn_hinge_shares_find(const tn_alpha_hinges *hinges)
{
    bool fits = true;
    for (int32_t n = 0; hinges->shares && n < hinges->shares->count && fits; n++)
        fits = find_sets(hinges, &hinges->shares->all[n]);
    return fits;
}
