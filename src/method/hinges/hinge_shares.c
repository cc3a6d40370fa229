/* hinge_shares.c: room method/hinges: multipliers of loops whose rows repeat others (method/loops/loops.h).
 *
 * A row that was left out may bear anything, if the others bear the opposite: with a unit of it, those kept by -V^-1 V_r, and what
 * hangs between bears the sum. Such a set of multipliers moves nothing. Of all multipliers those of least sum A lambda^2 are
 * shown, as general steps show them (solve/least_multipliers.c): with N the sets,
 *     lambda <- lambda - N (N^T A N)^-1 N^T A lambda.
 * Loops that share joints are solved together.
 *
 * In: these sets (hinge_share_sets.c), and multipliers of a step that has been shown. Out: those of least energy, and their rates.
 */
#include <math.h>
#include <string.h>

#include "assemble/joint_terms.h"
#include "method/hinges/hinge_shares.h"

/* A change of multipliers that is none: poses that are met to 1e-12 m leave 1e-7 of the weight of a body unknown, at steps of 1e-3 s. */
#define TN_SHARED_OUT 1e-9

/* ---- the numbers of sets, at the pose of the end ---- */

static void put_ends(const tn_sim *sim, const tn_hinge_shares *shares, const tn_hinge_share *share)
{
    for (int32_t i = 0; i < share->joints; i++) {
        const int32_t j = shares->joints[share->first + i];
        const tn_model_joint *joint = &sim->model->joints[j];
        tn_share_joint *end = &share->ends[i];
        end->at = v3_add(tn_system_xform(&sim->sys, joint->a)->p, sim->sys.kin[j].r_A);
        for (int32_t n = 0, row = joint->geometry.cls->info.bilateral_count; row < 6; n++, row++)
            end->holds[row] = end->is_in_tree && sim->state.switches[j].hold[n] > TN_HOLD_SPRING;
    }
}

/* The wrench of a cut with these units of its rows, the moment about the origin of the world. */
static tn_wrench wrench_of(const tn_sim *sim, const tn_alpha_hinges *hinges, tn_vec3 at, int32_t n,
                           const double *units)
{
    const int32_t j = hinges->cuts[n].joint;
    const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
    const int8_t *kept = sim->model->joints[j].kept;
    tn_wrench W = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int32_t i = 0; i < hinges->loops->cuts[n].count; i++) {
        tn_vec3 f, m;
        if (units[i] == 0.0)
            continue;
        tn_joint_row_wrench(geometry, &sim->sys.kin[j], kept[i], &f, &m);
        W.f = v3_axpy(W.f, units[i], f);
        W.m = v3_axpy(W.m, units[i], m);
    }
    W.m = v3_add(W.m, v3_cross(at, W.f));
    return W;
}

/* What the joints of set n bear, as wrenches. */
static void put_wrenches(const tn_sim *sim, const tn_alpha_hinges *hinges,
                         const tn_hinge_share *share, int32_t n)
{
    const tn_share_sets *sets = &share->sets;
    const tn_vec3 none = {0.0, 0.0, 0.0};
    for (int32_t k = sets->start[n]; k < sets->start[n + 1]; k++)
        share->wrench[k][0] = share->wrench[k][1] = none;
    for (int32_t i = sets->cut_start[n]; i < sets->cut_start[n + 1]; i++) {
        const tn_vec3 at = share->ends[sets->touched[sets->own[i]]].at;
        const tn_wrench W = wrench_of(sim, hinges, at, sets->cuts[i], sets->units[i]);
        for (int32_t c = sets->way_start[i]; c < sets->way_start[i + 1]; c++) {
            const int32_t way = sets->ways[c], k = way < 0 ? ~way : way;
            const double by = way < 0 ? -1.0 : 1.0;
            share->wrench[k][0] = v3_axpy(share->wrench[k][0], by, W.f);
            share->wrench[k][1] = v3_axpy(share->wrench[k][1], by, W.m);
        }
    }
}

/* Multipliers of joint j of the tree that make a wrench, of rows that hold. */
static void put_rows(const tn_sim *sim, const tn_share_joint *end, int32_t j,
                     const tn_vec3 wrench[2], double numbers[6])
{
    const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    double own[6];
    v3_store(own, m3_tmulv(&kin->R_GW, wrench[0]));
    v3_store(own + 3, m3_tmulv(&kin->R_GW, v3_sub(wrench[1], v3_cross(end->at, wrench[0]))));
    tn_hinge_multipliers(geometry, kin, own, numbers);
    for (int row = 0; row < 6; row++)
        numbers[row] *= end->holds[row];
}

/* Of set n: multipliers of its joints. */
static void put_set(const tn_sim *sim, const tn_alpha_hinges *hinges, const tn_hinge_share *share,
                    int32_t n)
{
    const tn_share_sets *sets = &share->sets;
    const int32_t *joints = hinges->shares->joints + share->first;
    put_wrenches(sim, hinges, share, n);
    for (int32_t k = sets->start[n]; k < sets->start[n + 1]; k++) {
        const tn_share_joint *end = &share->ends[sets->touched[k]];
        if (end->is_in_tree)
            put_rows(sim, end, joints[sets->touched[k]], share->wrench[k], sets->numbers[k]);
        else
            memset(sets->numbers[k], 0, sizeof sets->numbers[k]);
    }
    for (int32_t i = sets->cut_start[n]; i < sets->cut_start[n + 1]; i++) {
        const int8_t *kept = sim->model->joints[hinges->cuts[sets->cuts[i]].joint].kept;
        double *own = sets->numbers[sets->own[i]];
        for (int32_t row = 0; row < hinges->loops->cuts[sets->cuts[i]].count; row++)
            own[kept[row]] = sets->units[i][row];
    }
}

/* ---- what there is to share ---- */

/* What joint i deflects by under its multipliers and A, as a twist about the origin of the world. Out: their sum A lambda^2. */
static double put_deflection(const tn_sim *sim, const tn_alpha_hinges *hinges,
                             const tn_hinge_share *share, int32_t i)
{
    const tn_share_joint *end = &share->ends[i];
    const int32_t j = hinges->shares->joints[share->first + i];
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const double *lambda = hinges->forest.world.to.lambda + (size_t)j * TN_MAX_ROWS;
    double along[6], twist[6], energy = 0.0;
    for (int row = 0; row < 6; row++) {
        const double by = share->weights[i][row] * lambda[row];
        energy += by * lambda[row];
        along[row] = by * end->holds[row];
    }
    if (!end->is_in_tree)
        return energy;
    tn_hinge_twist(tn_joint_geometry_now(&sim->sys, j), kin, along, twist);
    const tn_vec3 w = m3_mulv(&kin->R_GW, v3_load(twist + 3));
    share->deflections[i].w = w;
    share->deflections[i].v = v3_sub(m3_mulv(&kin->R_GW, v3_load(twist)), v3_cross(w, end->at));
    return energy;
}

/* The work of set n by the deflections of all its joints, and in *own sum A lambda^2 of a unit of it in its cuts. */
static double work_of(const tn_sim *sim, const tn_alpha_hinges *hinges, const tn_hinge_share *share,
                      int32_t n, double *own)
{
    const tn_share_sets *sets = &share->sets;
    double work = 0.0;
    *own = 0.0;
    for (int32_t i = sets->cut_start[n]; i < sets->cut_start[n + 1]; i++) {
        const int32_t place = sets->touched[sets->own[i]], j = hinges->cuts[sets->cuts[i]].joint;
        const int8_t *kept = sim->model->joints[j].kept;
        const double *lambda = hinges->forest.world.to.lambda + (size_t)j * TN_MAX_ROWS;
        const tn_wrench W =
            wrench_of(sim, hinges, share->ends[place].at, sets->cuts[i], sets->units[i]);
        for (int32_t c = sets->way_start[i]; c < sets->way_start[i + 1]; c++) {
            const int32_t way = sets->ways[c];
            const tn_share_deflection *of =
                &share->deflections[sets->touched[way < 0 ? ~way : way]];
            const double along = v3_dot(W.f, of->v) + v3_dot(W.m, of->w);
            work += way < 0 ? -along : along;
        }
        for (int32_t r = 0; r < hinges->loops->cuts[sets->cuts[i]].count; r++) {
            const double unit = sets->units[i][r], by = share->weights[place][kept[r]] * unit;
            work += by * lambda[kept[r]];
            *own += by * unit;
        }
    }
    return work;
}

/* Multipliers are of least energy where the deflections of joints close all loops along the rows that were left out: N^T A lambda is
 * 0. Is it but for what is far below what poses that are met to their tolerance leave of forces? With a set N, taking x N away changes
 * multipliers by |N^T A lambda| / |N| |lambda| of their size at most, sizes by A, and N is at least what it is in its cuts. */
static bool are_least(const tn_sim *sim, const tn_alpha_hinges *hinges, const tn_hinge_share *share)
{
    double energy = 0.0, own;
    bool least = true;
    for (int32_t i = 0; i < share->joints; i++)
        energy += put_deflection(sim, hinges, share, i);
    for (int32_t n = 0; n < share->sets.count; n++) {
        const double work = share->gram.x[n] = work_of(sim, hinges, share, n, &own);
        least &= work * work <= TN_SHARED_OUT * TN_SHARED_OUT * own * energy;
    }
    return least;
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

/* Products of sets by A with each other: joint by joint. */
static void put_gram(const tn_hinge_share *share)
{
    const tn_share_touches *of = &share->touches;
    const tn_share_gram *gram = &share->gram;
    double(*numbers)[6] = share->sets.numbers;
    memset(gram->lines, 0, sizeof *gram->lines * (size_t)gram->at[share->sets.count]);
    for (int32_t i = 0; i < share->joints; i++) {
        for (int32_t t = of->start[i]; t < of->start[i + 1]; t++) {
            const int32_t n = of->set[t];
            double weighed[6], *line = gram->lines + gram->at[n] - gram->first[n];
            for (int row = 0; row < 6; row++)
                weighed[row] = share->weights[i][row] * numbers[of->at[t]][row];
            for (int32_t s = of->start[i]; s <= t; s++)
                line[of->set[s]] += product_of_six(weighed, numbers[of->at[s]]);
        }
    }
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

/* From the multipliers of all joints, and from their rates. */
static void take_away(const tn_sim *sim, const tn_hinge_share *share, double by_h)
{
    const tn_hinge_world *w = &tn_alpha_of(sim)->hinges->forest.world;
    const int32_t *joints = tn_alpha_of(sim)->hinges->shares->joints + share->first;
    const tn_share_touches *of = &share->touches;
    for (int32_t i = 0; i < share->joints; i++) {
        const size_t at = (size_t)joints[i] * TN_MAX_ROWS;
        double *restrict lambda = w->to.lambda + at, *restrict rate = w->to.lambda_rate + at;
        double more[6] = {0.0};
        for (int32_t t = of->start[i]; t < of->start[i + 1]; t++) {
            for (int row = 0; row < 6; row++)
                more[row] += share->gram.x[of->set[t]] * share->sets.numbers[of->at[t]][row];
        }
        for (int row = 0; row < 6; row++)
            lambda[row] -= more[row];
        for (int row = 0; row < 6 && w->has_rates; row++)
            rate[row] -= by_h * more[row];
    }
}

static void share_out(const tn_sim *sim, const tn_alpha_hinges *hinges, const tn_hinge_share *share,
                      double h)
{
    const int32_t count = share->sets.count;
    if (count == 0)
        return;
    put_ends(sim, hinges->shares, share);
    if (are_least(sim, hinges, share))
        return;
    for (int32_t n = 0; n < count; n++)
        put_set(sim, hinges, share, n);
    put_gram(share);
    if (!factorize_gram(&share->gram, count))
        return;
    solve_gram(&share->gram, count);
    take_away(sim, share, 1.0 / h);
}

void tn_hinge_shares_take(const tn_sim *sim, double h)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    for (int32_t n = 0; hinges->shares && n < hinges->shares->count; n++)
        share_out(sim, hinges, &hinges->shares->all[n], h);
}
