/* hinge_shares.c: room method/hinges: multipliers of loops whose rows repeat others (method/links/loops.h).
 *
 * A row that was left out may bear anything, if the others bear the opposite: with a unit of it, those kept by -V^-1 V_r, and what
 * hangs between bears the sum. Such a set of multipliers moves nothing. Of all multipliers those of least sum A lambda^2 are
 * shown, as general steps show them (solve/least_multipliers.c): with N the sets,
 *     lambda <- lambda - N (N^T A N)^-1 N^T A lambda.
 * Loops that share joints are solved together.
 *
 * In: the loops' factors, and multipliers of a step that has been shown. Out: those of least energy, and their rates.
 */
#include <math.h>
#include <string.h>

#include "assemble/joint_terms.h"
#include "base/base.h"
#include "method/hinges/alpha_hinges.h"
#include "solve/singular.h"

/* Joints that a set goes through, as a multiple of those of a cut on its own, on average: past it the general iteration takes the
 * step. */
enum { TN_SHARE_REACH = 4 };

/* Sets of one share: where the numbers of each begin, and the joints, by share, that are not 0 in it. */
typedef struct tn_share_sets {
    int32_t count;
    int32_t *cut_start, *start; /* [rows + 1] of `cuts` and `touched` */
    int32_t *cuts;              /* [room] of the loops' cuts: those that bear something in a set */
    double (*units)[TN_MAX_ROWS]; /* [room] of their rows */
    int32_t *touched;             /* [room] */
    double (*numbers)[6];         /* [room] */
    int32_t room;
} tn_share_sets;

/* N^T A N by lines: of set n from the first set on that shares joints with it. */
typedef struct tn_share_gram {
    int32_t *first; /* [rows] */
    int64_t *at;    /* [rows] */
    double *lines;  /* [room] */
    double *x;      /* [rows] */
    int64_t room;
} tn_share_gram;

/* A joint of a share where the step ends. */
typedef struct tn_share_joint {
    tn_vec3 at;    /* m: the origin of G in the world */
    bool holds[6]; /* which rows bear something: none of a cut, whose units are given */
    bool is_in_tree;
} tn_share_joint;

/* Joints of loops that share some. */
typedef struct tn_hinge_share {
    int32_t first, joints;                      /* of tn_hinge_shares.joints */
    int32_t first_loop, loops, first_cut, cuts; /* likewise of loops and cuts */
    int32_t rows;                               /* of its loops */
    tn_share_sets sets;
    tn_share_gram gram;
    double (*weights)[6];    /* [joints] A of each row; 0 of what does not share */
    double (*weighed)[6];    /* [joints] of the set at hand, by A */
    tn_share_joint *ends;    /* [joints] */
    int32_t *slot;           /* [joints] of the set at hand: among its joints; -1: it is 0 in it */
    void *numbers, *indices; /* what the arrays are parts of */
} tn_hinge_share;

struct tn_hinge_shares {
    tn_hinge_share *all;            /* [count] */
    int32_t *joints, *loops, *cuts; /* by share */
    int32_t *
        place; /* [joints of the model] of a joint among those of its share; -1: it is in no loop */
    double *units;  /* [rows of all loops] */
    double *column; /* [rows of all loops] of one matrix */
    /* of the set that is made, by joints of its share: */
    tn_vec3 *force, *moment;
    int32_t count;
};

static int32_t root_of(int32_t *root, int32_t n)
{
    while (root[n] != n)
        n = root[n];
    return n;
}

/* The joint that is link k, of chains once; -1: none. */
static int32_t joint_at(const tn_alpha_hinges *hinges, int32_t k)
{
    return hinges->places[k].part == TN_LIMB_SHADOW ? -1 : hinges->places[k].joint;
}

static void visit(const tn_alpha_hinges *hinges, int32_t n, int32_t *root, int32_t *owner)
{
    const tn_loop_cut *cut = &hinges->loops->cuts[n];
    const tn_link_loop *of = &hinges->loops->all[cut->loop];
    for (int32_t i = -1; i < cut->moved; i++) {
        const int32_t j =
            i < 0 ? hinges->cuts[n].joint : joint_at(hinges, of->column[cut->column[i]]);
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
    const int64_t rows = share->rows, room = room_of(hinges, shares, share);
    tn_share_sets *sets = &share->sets;
    sets->room = (int32_t)room;
    share->gram.room = rows * (rows < 6 * TN_SHARE_REACH ? rows : 6 * TN_SHARE_REACH);
    double *at = share->numbers =
        TN_NEW_ARRAY(double, 12 * (int64_t)share->joints + 12 * room + share->gram.room + rows);
    int32_t *index = share->indices =
        TN_NEW_ARRAY(int32_t, 2 * (rows + 1) + 2 * room + rows + share->joints);
    share->gram.at = TN_NEW_ARRAY(int64_t, rows);
    share->ends = TN_NEW_ARRAY(tn_share_joint, share->joints);
    if (!at || !index || !share->gram.at || !share->ends)
        return TN_ERROR_MEMORY;
    share->weights = (double(*)[6])(void *)at;
    share->weighed = (double(*)[6])(void *)(at += 6 * (int64_t)share->joints);
    sets->numbers = (double(*)[6])(void *)(at += 6 * (int64_t)share->joints);
    sets->units = (double(*)[TN_MAX_ROWS])(void *)(at += 6 * room);
    share->gram.lines = at += 6 * room;
    share->gram.x = at + share->gram.room;
    sets->cut_start = index;
    sets->start = index += rows + 1;
    sets->cuts = index += rows + 1;
    sets->touched = index += room;
    share->gram.first = index += room;
    share->slot = index + rows;
    return TN_OK;
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
        share->slot[i] = -1;
        put_weights(&model->joints[shares->joints[share->first + i]], share->weights[i]);
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
        shares->force = TN_NEW_ARRAY(tn_vec3, 2 * joints);
        status = shares->all && shares->joints && shares->units && shares->force ? TN_OK
                                                                                 : TN_ERROR_MEMORY;
    }
    if (status == TN_OK) {
        shares->place = shares->joints + joints;
        shares->loops = shares->place + joints;
        shares->cuts = shares->loops + loops->count;
        shares->moment = shares->force + joints;
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
    }
    tn_free(shares->all);
    tn_free(shares->joints);
    tn_free(shares->units);
    tn_free(shares->force);
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

/* Joints of a cut, its own and those of its path. */
static bool touch_cut(const tn_alpha_hinges *hinges, tn_hinge_share *share, int32_t n, int32_t *at)
{
    const tn_hinge_shares *shares = hinges->shares;
    const tn_loop_cut *cut = &hinges->loops->cuts[n];
    const tn_link_loop *of = &hinges->loops->all[cut->loop];
    bool fits = touch(share, shares->place[hinges->cuts[n].joint], at);
    for (int32_t c = 0; c < cut->columns && fits; c++) {
        const int32_t j = joint_at(hinges, of->column[cut->column[c]]);
        fits = j < 0 || touch(share, shares->place[j], at);
    }
    return fits;
}

/* A cut with these units of its rows, to the set that ends at *at. */
static bool add_cut(const tn_alpha_hinges *hinges, tn_hinge_share *share, int32_t n,
                    const double *units, int32_t *at)
{
    tn_share_sets *sets = &share->sets;
    int32_t *end = &sets->cut_start[sets->count + 1];
    if (*end >= sets->room || !touch_cut(hinges, share, n, at))
        return false;
    memcpy(sets->units[*end], units, sizeof(double) * (size_t)hinges->loops->cuts[n].count);
    sets->cuts[(*end)++] = n;
    return true;
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

/* From which set on each shares joints with others. False: there is no room for their products. */
static bool lay_out_gram(tn_hinge_share *share)
{
    const tn_share_sets *sets = &share->sets;
    tn_share_gram *gram = &share->gram;
    int64_t at = 0;
    for (int32_t n = 0; n < sets->count; n++) {
        gram->first[n] = n;
        for (int32_t k = sets->start[n]; k < sets->start[n + 1]; k++) {
            int32_t *first = &share->slot[sets->touched[k]];
            *first = *first < 0 ? n : *first;
            gram->first[n] = *first < gram->first[n] ? *first : gram->first[n];
        }
        gram->at[n] = at;
        at += n + 1 - gram->first[n];
    }
    for (int32_t k = 0; k < sets->start[sets->count]; k++)
        share->slot[sets->touched[k]] = -1;
    return at <= gram->room;
}

/* Which sets there are. */
static bool find_sets(const tn_alpha_hinges *hinges, tn_hinge_share *share)
{
    const tn_hinge_shares *shares = hinges->shares;
    bool fits = true;
    share->sets.count = 0;
    for (int32_t k = 0; k < share->loops && fits; k++) {
        const tn_link_loop *of = &hinges->loops->all[shares->loops[share->first_loop + k]];
        for (int32_t p = 0; p < of->rows && fits; p++) {
            const int32_t r = of->V.order[p];
            if (!tn_loop_matrix_leaves_out(&of->V, p) ||
                hinges->loops->rows[of->first + r].compliance != 0.0)
                continue;
            fits = add_set(hinges, share, k, r);
        }
    }
    return fits && lay_out_gram(share);
}

bool tn_hinge_shares_find(const tn_alpha_hinges *hinges)
{
    bool fits = true;
    for (int32_t n = 0; hinges->shares && n < hinges->shares->count && fits; n++)
        fits = find_sets(hinges, &hinges->shares->all[n]);
    return fits;
}

/* ---- their numbers, at the pose of the end ---- */

/* What links on the way of a cut bear of its wrench, F and M about the origin of the world. */
static void put_on_path(const tn_alpha_hinges *hinges, const tn_loop_cut *cut, tn_vec3 F, tn_vec3 M)
{
    tn_hinge_shares *shares = hinges->shares;
    const tn_link_loop *of = &hinges->loops->all[cut->loop];
    for (int32_t c = 0; c < cut->columns; c++) {
        const int32_t k = of->column[cut->column[c]], j = joint_at(hinges, k);
        const bool with = (cut->from[c] == 0) == hinges->places[k].is_a;
        const double by = with ? -1.0 : 1.0; /* on a of its joint */
        if (j < 0)
            continue;
        const int32_t place = shares->place[j];
        shares->force[place] = v3_axpy(shares->force[place], by, F);
        shares->moment[place] = v3_axpy(shares->moment[place], by, M);
    }
}

/* Does a row of a joint of the tree hold: what its type does, or a coordinate that is held? */
static bool is_hard(const tn_sim *sim, int32_t j, int32_t row)
{
    const int32_t i = row - sim->model->joints[j].geometry.cls->info.bilateral_count;
    return i < 0 || sim->state.switches[j].hold[i] > TN_HOLD_SPRING;
}

static void put_ends(const tn_sim *sim, const tn_hinge_shares *shares, const tn_hinge_share *share)
{
    for (int32_t i = 0; i < share->joints; i++) {
        const int32_t j = shares->joints[share->first + i];
        const tn_model_joint *joint = &sim->model->joints[j];
        tn_share_joint *end = &share->ends[i];
        end->at = v3_add(tn_system_xform(&sim->sys, joint->a)->p, sim->sys.kin[j].r_A);
        end->is_in_tree = joint->hangs >= 0;
        for (int32_t row = 0; row < 6; row++)
            end->holds[row] = end->is_in_tree && is_hard(sim, j, row);
    }
}

/* What a cut with these units of its rows puts on its path. */
static void put_cut(const tn_sim *sim, const tn_alpha_hinges *hinges, const tn_hinge_share *share,
                    int32_t n, const double *units)
{
    const tn_loop_cut *cut = &hinges->loops->cuts[n];
    const int32_t j = hinges->cuts[n].joint;
    tn_vec3 F = {0.0, 0.0, 0.0}, M = F;
    for (int32_t row = 0; row < cut->count; row++) {
        tn_vec3 f, m;
        if (units[row] == 0.0)
            continue;
        tn_joint_row_wrench(tn_joint_geometry_now(&sim->sys, j), &sim->sys.kin[j], row, &f, &m);
        F = v3_axpy(F, units[row], f);
        M = v3_axpy(M, units[row], m);
    }
    put_on_path(hinges, cut, F, v3_add(M, v3_cross(share->ends[hinges->shares->place[j]].at, F)));
}

/* What a joint of the tree bears in the set at hand, as multipliers. */
static void put_joint(const tn_sim *sim, const tn_hinge_shares *shares, const tn_share_joint *end,
                      int32_t i, int32_t j, double *numbers)
{
    const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const tn_vec3 F = shares->force[i], M = v3_sub(shares->moment[i], v3_cross(end->at, F));
    double wrench[6], all[6];
    v3_store(wrench, m3_tmulv(&kin->R_GW, F));
    v3_store(wrench + 3, m3_tmulv(&kin->R_GW, M));
    tn_hinge_multipliers(geometry, kin, wrench, all);
    for (int32_t row = 0; row < 6; row++)
        numbers[row] = end->holds[row] ? all[row] : 0.0;
}

/* Of set n: those of its joints that are not 0. */
static void put_set(const tn_sim *sim, const tn_alpha_hinges *hinges, tn_hinge_share *share,
                    int32_t n)
{
    const tn_vec3 none = {0.0, 0.0, 0.0};
    const tn_hinge_shares *shares = hinges->shares;
    const tn_share_sets *sets = &share->sets;
    for (int32_t k = sets->start[n]; k < sets->start[n + 1]; k++) {
        const int32_t i = sets->touched[k];
        share->slot[i] = k;
        shares->force[i] = shares->moment[i] = none;
    }
    for (int32_t i = sets->cut_start[n]; i < sets->cut_start[n + 1]; i++)
        put_cut(sim, hinges, share, sets->cuts[i], sets->units[i]);
    for (int32_t k = sets->start[n]; k < sets->start[n + 1]; k++) {
        const int32_t i = sets->touched[k], j = shares->joints[share->first + i];
        if (share->ends[i].is_in_tree) {
            put_joint(sim, shares, &share->ends[i], i, j, sets->numbers[k]);
        } else {
            memset(sets->numbers[k], 0, sizeof sets->numbers[k]);
        }
    }
    for (int32_t i = sets->cut_start[n]; i < sets->cut_start[n + 1]; i++) {
        const int32_t place = shares->place[hinges->cuts[sets->cuts[i]].joint],
                      count = hinges->loops->cuts[sets->cuts[i]].count;
        memcpy(sets->numbers[share->slot[place]], sets->units[i], sizeof(double) * (size_t)count);
    }
    for (int32_t k = sets->start[n]; k < sets->start[n + 1]; k++)
        share->slot[sets->touched[k]] = -1;
}

/* ---- least energy ---- */

static double product(const double *a, const double *b, int32_t count)
{
    double sum = 0.0;
    for (int32_t n = 0; n < count; n++)
        sum += a[n] * b[n];
    return sum;
}

static double product_of_six(const double *a, const double *b)
{
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/* Of set n: its products by A with sets before it that share joints, and with the multipliers there are. */
static void put_gram(const tn_hinge_shares *shares, tn_hinge_share *share, int32_t n,
                     const double *lambda)
{
    const tn_share_sets *sets = &share->sets;
    double *line = share->gram.lines + share->gram.at[n] - share->gram.first[n];
    share->gram.x[n] = 0.0;
    for (int32_t k = sets->start[n]; k < sets->start[n + 1]; k++) {
        const int32_t i = sets->touched[k];
        double *weighed = share->weighed[i];
        for (int row = 0; row < 6; row++)
            weighed[row] = share->weights[i][row] * sets->numbers[k][row];
        share->gram.x[n] += product_of_six(
            weighed, lambda + (size_t)shares->joints[share->first + i] * TN_MAX_ROWS);
        share->slot[i] = k;
    }
    for (int32_t m = share->gram.first[n]; m <= n; m++) {
        line[m] = 0.0;
        for (int32_t k = sets->start[m]; k < sets->start[m + 1]; k++) {
            if (share->slot[sets->touched[k]] >= 0)
                line[m] += product_of_six(share->weighed[sets->touched[k]], sets->numbers[k]);
        }
    }
    for (int32_t k = sets->start[n]; k < sets->start[n + 1]; k++)
        share->slot[sets->touched[k]] = -1;
}

/* L D L^T in place, within the lines. False: its pivots are not all positive. */
static bool factorize_gram(const tn_share_gram *gram, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        double *own = gram->lines + gram->at[i] - gram->first[i];
        for (int32_t j = gram->first[i]; j < i; j++) {
            const double *other = gram->lines + gram->at[j] - gram->first[j];
            const int32_t from = gram->first[i] > gram->first[j] ? gram->first[i] : gram->first[j];
            own[j] -= product(own + from, other + from, j - from);
        }
        for (int32_t j = gram->first[i]; j < i; j++) {
            const double by = own[j] / gram->lines[gram->at[j] + j - gram->first[j]];
            own[i] -= by * own[j];
            own[j] = by;
        }
        if (!(own[i] > 0.0))
            return false;
    }
    return true;
}

static void solve_gram(const tn_share_gram *gram, int32_t count)
{
    double *x = gram->x;
    for (int32_t i = 0; i < count; i++) {
        const double *own = gram->lines + gram->at[i] - gram->first[i];
        x[i] -= product(own + gram->first[i], x + gram->first[i], i - gram->first[i]);
    }
    for (int32_t i = 0; i < count; i++)
        x[i] /= gram->lines[gram->at[i] + i - gram->first[i]];
    for (int32_t i = count - 1; i >= 0; i--) {
        const double *own = gram->lines + gram->at[i] - gram->first[i];
        for (int32_t j = gram->first[i]; j < i; j++)
            x[j] -= own[j] * x[i];
    }
}

static void take_away(const tn_sim *sim, const tn_hinge_share *share, int32_t n, double by_h)
{
    const tn_hinge_world *w = &tn_alpha_of(sim)->hinges->forest.world;
    const int32_t *joints = tn_alpha_of(sim)->hinges->shares->joints + share->first;
    const tn_share_sets *sets = &share->sets;
    const double x = share->gram.x[n], by = by_h * x;
    for (int32_t k = sets->start[n]; k < sets->start[n + 1]; k++) {
        const double *restrict numbers = sets->numbers[k];
        const size_t at = (size_t)joints[sets->touched[k]] * TN_MAX_ROWS;
        double *restrict lambda = w->to.lambda + at, *restrict rate = w->to.lambda_rate + at;
        for (size_t row = 0; row < 6; row++)
            lambda[row] -= x * numbers[row];
        for (size_t row = 0; row < 6 && w->has_rates; row++)
            rate[row] -= by * numbers[row];
    }
}

static void share_out(tn_sim *sim, tn_alpha_hinges *hinges, tn_hinge_share *share, double h)
{
    const int32_t count = share->sets.count;
    if (count == 0)
        return;
    put_ends(sim, hinges->shares, share);
    for (int32_t n = 0; n < count; n++)
        put_set(sim, hinges, share, n);
    for (int32_t n = 0; n < count; n++)
        put_gram(hinges->shares, share, n, hinges->forest.world.to.lambda);
    if (!factorize_gram(&share->gram, count))
        return;
    solve_gram(&share->gram, count);
    for (int32_t n = 0; n < count; n++)
        take_away(sim, share, n, 1.0 / h);
}

void tn_hinge_shares_take(tn_sim *sim, double h)
{
    tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    for (int32_t n = 0; hinges->shares && n < hinges->shares->count; n++)
        share_out(sim, hinges, &hinges->shares->all[n], h);
}
