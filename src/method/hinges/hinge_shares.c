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

/* ---- the numbers of sets, at the pose of the end ---- */

/* What links on the way of a cut bear of its wrench, F and M about the origin of the world. */
static void put_on_path(const tn_alpha_hinges *hinges, const tn_loop_cut *cut, tn_vec3 F, tn_vec3 M)
{
    tn_hinge_shares *shares = hinges->shares;
    const tn_link_loop *of = &hinges->loops->all[cut->loop];
    for (int32_t c = 0; c < cut->columns; c++) {
        const int32_t k = of->column[cut->column[c]], j = tn_share_joint_at(hinges, k);
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
    for (int32_t i = 0; i < cut->count; i++) {
        const int32_t row = sim->model->joints[j].kept[i];
        tn_vec3 f, m;
        if (units[i] == 0.0)
            continue;
        tn_joint_row_wrench(tn_joint_geometry_now(&sim->sys, j), &sim->sys.kin[j], row, &f, &m);
        F = v3_axpy(F, units[i], f);
        M = v3_axpy(M, units[i], m);
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
    tn_hinge_drop_rows(&sim->model->joints[j], all);
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
        const int32_t j = hinges->cuts[sets->cuts[i]].joint;
        double *own = sets->numbers[share->slot[shares->place[j]]];
        for (int32_t row = 0; row < hinges->loops->cuts[sets->cuts[i]].count; row++)
            own[sim->model->joints[j].kept[row]] = sets->units[i][row];
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
