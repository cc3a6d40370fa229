/* hinge_shares.c: room method/hinges: multipliers of loops whose rows repeat others (method/links/loops.h).
 *
 * A row that was left out may bear anything, if the others bear the opposite: with a unit of it, those kept by -V^-1 V_r, and what
 * hangs between bears the sum. Such a set of multipliers moves nothing. Of all multipliers those of least sum A lambda^2 are
 * shown, as general steps show them (solve/least_multipliers.c): with N the sets,
 *     lambda <- lambda - N (N^T A N)^-1 N^T A lambda.
 * Loops that share joints are solved together.
 *
 * In: multipliers of a step that has been shown, and the loops' factors. Out: those of least energy, and their rates.
 */
#include <math.h>
#include <string.h>

#include "assemble/joint_terms.h"
#include "base/base.h"
#include "method/hinges/alpha_hinges.h"
#include "solve/singular.h"

/* Sets at most that are solved for at once: rows of as many loops as there may be in one are left out at most. */
enum { TN_SHARES_MOST = 96 };

/* Joints of loops that share some. */
typedef struct tn_hinge_share {
    int32_t first, joints;                      /* of tn_hinge_shares.joints */
    int32_t first_loop, loops, first_cut, cuts; /* likewise of loops and cuts */
    int32_t rows;                               /* of its loops */
    double *sets;                               /* [rows][joints][6] */
    double *gram, *x;                           /* [rows][rows], [rows] */
    double *weights, *once; /* [joints][6]: A of each row; 0 of what does not share */
    int32_t *touched;       /* [rows][joints] joints of each set that are not 0, */
    int32_t *count;         /* [rows] and how many */
} tn_hinge_share;

struct tn_hinge_shares {
    tn_hinge_share *all;            /* [count] */
    int32_t *joints, *loops, *cuts; /* by share */
    int32_t *
        place; /* [joints of the model] of a joint among those of its share; -1: it is in no loop */
    double *units; /* [rows of all loops] */
    /* of the set that is made, by joints of its share: */
    tn_vec3 *force, *moment;
    int8_t *is_touched;
    int32_t *touched;
    int32_t touched_count;
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

static void visit(const tn_alpha_hinges *hinges, const tn_link_loop *of, int32_t n, int32_t loop,
                  int32_t *root, int32_t *owner)
{
    for (int32_t i = -1; i < of->columns; i++) {
        const int32_t j = i < 0 ? hinges->cuts[n].joint : joint_at(hinges, of->column[i]);
        if (j < 0)
            continue;
        if (owner[j] >= 0) {
            const int32_t a = root_of(root, owner[j]), b = root_of(root, loop);
            root[a > b ? a : b] = a < b ? a : b;
        }
        owner[j] = loop;
    }
}

static void put_weights(const tn_model_joint *joint, double *weights)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    for (int32_t row = 0; row < info->bilateral_count + info->coordinate_count && row < 6; row++)
        weights[row] = joint->softness * joint->row_scale[row];
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
    const int64_t rows = share->rows, size = 6 * (int64_t)share->joints;
    share->sets = TN_NEW_ARRAY(double, (rows + 2) * size + rows * rows + rows);
    if (!share->sets)
        return TN_ERROR_MEMORY;
    share->weights = share->sets + rows * size;
    share->once = share->weights + size;
    share->gram = share->once + size;
    share->x = share->gram + rows * rows;
    share->touched = TN_NEW_ARRAY(int32_t, rows * share->joints + rows);
    if (!share->touched)
        return TN_ERROR_MEMORY;
    share->count = share->touched + rows * share->joints;
    for (int32_t i = 0; i < share->joints; i++)
        put_weights(&model->joints[shares->joints[share->first + i]],
                    share->weights + 6 * (size_t)i);
    return TN_OK;
}

static tn_status make(const tn_model *model, const tn_alpha_hinges *hinges, int32_t *owner,
                      int32_t *root, tn_hinge_shares *shares)
{
    const tn_link_loops *loops = hinges->loops;
    for (int32_t j = 0; j < model->element_count; j++)
        owner[j] = shares->place[j] = -1;
    for (int32_t i = 0; i < loops->count; i++)
        root[i] = i;
    for (int32_t n = 0; n < loops->cut_count; n++) {
        const int32_t loop = loops->cuts[n].loop;
        visit(hinges, &loops->all[loop], n, loop, root, owner);
    }
    tn_status status = TN_OK;
    for (int32_t i = 0; i < loops->count && status == TN_OK; i++) {
        if (root[i] == i)
            status = make_share(model, hinges, owner, root, i, shares);
    }
    return status;
}

tn_status tn_hinge_shares_create(const tn_model *model, tn_alpha_hinges *hinges, bool *fits)
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
        shares->units = TN_NEW_ARRAY(double, loops->row_count);
        shares->force = TN_NEW_ARRAY(tn_vec3, 2 * joints);
        shares->is_touched = TN_NEW_ARRAY(int8_t, joints);
        status =
            shares->all && shares->joints && shares->units && shares->force && shares->is_touched
                ? TN_OK
                : TN_ERROR_MEMORY;
    }
    if (status == TN_OK) {
        shares->place = shares->joints + joints;
        shares->loops = shares->place + joints;
        shares->cuts = shares->loops + loops->count;
        shares->moment = shares->force + joints;
        status = make(model, hinges, scratch, scratch + joints, shares);
    }
    for (int32_t n = 0; status == TN_OK && n < shares->count; n++)
        *fits &= shares->all[n].rows <= TN_SHARES_MOST;
    tn_free(scratch);
    return status;
}

void tn_hinge_shares_destroy(tn_hinge_shares *shares)
{
    if (!shares)
        return;
    for (int32_t n = 0; shares->all && n < shares->count; n++)
        tn_free(shares->all[n].sets);
    for (int32_t n = 0; shares->all && n < shares->count; n++)
        tn_free(shares->all[n].touched);
    tn_free(shares->all);
    tn_free(shares->joints);
    tn_free(shares->units);
    tn_free(shares->force);
    tn_free(shares->is_touched);
    tn_free(shares);
}

/* ---- sets of multipliers that move nothing ---- */

/* What units of its rows are of loops of hosts further out. */
static void hand_outward(const tn_link_loops *loops, const tn_link_loop *from, double *units)
{
    for (int32_t n = 0; n < from->inner_count; n++) {
        const tn_link_loop *in = &loops->all[from->inner[n].loop];
        for (int32_t i = 0; i < from->rows; i++) {
            const double *response = from->inner[n].response + (size_t)i * (size_t)in->rows;
            if (!(fabs(units[from->first + i]) > TN_FORCES_KNOWN))
                continue;
            for (int32_t s = 0; s < in->rows; s++)
                units[in->first + s] += units[from->first + i] * response[s];
        }
    }
}

/* Of row r of the share's loop k, which was left out: units of all rows that answer to it, of loops of hosts further out too. */
static void put_units(const tn_alpha_hinges *hinges, const tn_hinge_share *share, int32_t k,
                      int32_t r)
{
    const tn_link_loops *loops = hinges->loops;
    const int32_t *own = hinges->shares->loops + share->first_loop;
    const tn_link_loop *of = &loops->all[own[k]];
    double *mu = of->c, *units = hinges->shares->units;
    for (int32_t n = 0; n < share->loops; n++)
        memset(units + loops->all[own[n]].first, 0,
               sizeof *units * (size_t)loops->all[own[n]].rows);
    for (int32_t i = 0; i < of->rows; i++)
        mu[i] = -of->V[i * of->rows + r];
    tn_loop_solve(of, mu);
    mu[r] = 1.0;
    memcpy(units + of->first, mu, sizeof *units * (size_t)of->rows);
    for (; k >= 0; k--)
        hand_outward(loops, &loops->all[own[k]], units);
}

/* Joint i of its share is not 0 in the set that is made. */
static void touch(tn_hinge_shares *shares, int32_t i)
{
    const tn_vec3 none = {0.0, 0.0, 0.0};
    if (shares->is_touched[i])
        return;
    shares->is_touched[i] = 1;
    shares->touched[shares->touched_count++] = i;
    shares->force[i] = shares->moment[i] = none;
}

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
        touch(shares, place);
        shares->force[place] = v3_axpy(shares->force[place], by, F);
        shares->moment[place] = v3_axpy(shares->moment[place], by, M);
    }
}

static tn_vec3 origin_of(const tn_sim *sim, int32_t j)
{
    return v3_add(tn_system_xform(&sim->sys, sim->model->joints[j].a)->p, sim->sys.kin[j].r_A);
}

/* Are units of its rows more than rounding? Not of couplings, whose rows never repeat others here. */
static bool bears(const double *units, const tn_loop_cut *cut)
{
    bool any = false;
    for (int32_t row = 0; row < cut->count && !cut->couples; row++)
        any |= fabs(units[cut->first + row]) > TN_FORCES_KNOWN;
    return any;
}

/* Of a cut with these units of its rows: its own multipliers, and what its path bears. */
static void put_cut(const tn_sim *sim, const tn_alpha_hinges *hinges, int32_t n, double *set)
{
    const tn_loop_cut *cut = &hinges->loops->cuts[n];
    const int32_t j = hinges->cuts[n].joint;
    const double *units = hinges->shares->units + cut->first;
    double *own = set + 6 * (size_t)hinges->shares->place[j];
    touch(hinges->shares, hinges->shares->place[j]);
    memset(own, 0, 6 * sizeof *own);
    tn_vec3 F = {0.0, 0.0, 0.0}, M = F;
    for (int32_t i = 0; i < cut->count; i++) {
        const int32_t row = sim->model->joints[j].kept[i];
        tn_vec3 f, m;
        tn_joint_row_wrench(tn_joint_geometry_now(&sim->sys, j), &sim->sys.kin[j], row, &f, &m);
        F = v3_axpy(F, units[i], f);
        M = v3_axpy(M, units[i], m);
        own[row] = units[i];
    }
    put_on_path(hinges, cut, F, v3_add(M, v3_cross(origin_of(sim, j), F)));
}

/* Does a row of a joint of the tree hold: what its type does, or a coordinate that is held? */
static bool is_hard(const tn_sim *sim, int32_t j, int32_t row)
{
    const int32_t i = row - sim->model->joints[j].geometry.cls->info.bilateral_count;
    return i < 0 || sim->state.switches[j].hold[i] > TN_HOLD_SPRING;
}

/* Of set n: those of its joints that are not 0. */
static void put_set(const tn_sim *sim, const tn_alpha_hinges *hinges, const tn_hinge_share *share,
                    int32_t n)
{
    tn_hinge_shares *shares = hinges->shares;
    double *set = share->sets + 6 * (size_t)n * (size_t)share->joints;
    shares->touched = share->touched + (size_t)n * (size_t)share->joints;
    shares->touched_count = 0;
    memset(shares->is_touched, 0, (size_t)share->joints);
    for (int32_t i = 0; i < share->cuts; i++) {
        const int32_t cut = shares->cuts[share->first_cut + i];
        if (bears(shares->units, &hinges->loops->cuts[cut]))
            put_cut(sim, hinges, cut, set);
    }
    share->count[n] = shares->touched_count;
    for (int32_t k = 0; k < shares->touched_count; k++) {
        const int32_t i = shares->touched[k], j = shares->joints[share->first + i];
        const tn_joint_geometry *geometry = tn_joint_geometry_now(&sim->sys, j);
        const tn_joint_kinematics *kin = &sim->sys.kin[j];
        const tn_vec3 F = shares->force[i],
                      M = v3_sub(shares->moment[i], v3_cross(origin_of(sim, j), F));
        double wrench[6], all[6];
        if (sim->model->joints[j].hangs < 0)
            continue;
        v3_store(wrench, m3_tmulv(&kin->R_GW, F));
        v3_store(wrench + 3, m3_tmulv(&kin->R_GW, M));
        tn_hinge_multipliers(geometry, kin, wrench, all);
        tn_hinge_drop_rows(&sim->model->joints[j], all);
        for (int32_t row = 0; row < 6; row++)
            set[6 * i + row] = is_hard(sim, j, row) ? all[row] : 0.0;
    }
}

/* ---- least energy ---- */

static double product(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += a[n] * b[n];
    return sum;
}

/* x of G x = x, of G the upper half, which is lost. False: its pivots are not all positive. */
static bool solve_gram(double *G, int32_t n, double *x)
{
    for (int32_t k = 0; k < n; k++) {
        if (!(G[k * n + k] > 0.0))
            return false;
        for (int32_t i = k + 1; i < n; i++) {
            const double by = G[k * n + i] / G[k * n + k];
            if (by == 0.0)
                continue;
            for (int32_t j = i; j < n; j++)
                G[i * n + j] -= by * G[k * n + j];
            x[i] -= by * x[k];
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        for (int32_t j = k + 1; j < n; j++)
            x[k] -= G[k * n + j] * x[j];
        x[k] /= G[k * n + k];
    }
    return true;
}

static void take_away(const tn_sim *sim, const tn_hinge_share *share, int32_t n, double by_h)
{
    const tn_hinge_world *w = &tn_alpha_of(sim)->hinges->forest.world;
    const int32_t *joints = tn_alpha_of(sim)->hinges->shares->joints + share->first;
    const int32_t *touched = share->touched + (size_t)n * (size_t)share->joints;
    const double *set = share->sets + 6 * (size_t)n * (size_t)share->joints;
    for (int32_t k = 0; k < share->count[n]; k++) {
        const size_t at = (size_t)joints[touched[k]] * TN_MAX_ROWS;
        for (size_t row = 0; row < 6; row++) {
            const double less = share->x[n] * set[6 * (size_t)touched[k] + row];
            w->to.lambda[at + row] -= less;
            if (w->has_rates)
                w->to.lambda_rate[at + row] -= by_h * less;
        }
    }
}

/* Of set n: its products with sets from it on, and with the multipliers there are. */
static void put_gram(const tn_hinge_shares *shares, const tn_hinge_share *share, int32_t n,
                     int32_t count, const double *lambda)
{
    const size_t size = 6 * (size_t)share->joints;
    const double *set = share->sets + (size_t)n * size;
    const int32_t *touched = share->touched + (size_t)n * (size_t)share->joints;
    memset(share->once, 0, size * sizeof(double));
    share->x[n] = 0.0;
    for (int32_t k = 0; k < share->count[n]; k++) {
        const size_t i = 6 * (size_t)touched[k];
        for (size_t row = 0; row < 6; row++)
            share->once[i + row] = share->weights[i + row] * set[i + row];
        share->x[n] +=
            product(share->once + i,
                    lambda + (size_t)shares->joints[share->first + touched[k]] * TN_MAX_ROWS, 6);
    }
    for (int32_t i = n; i < count; i++) {
        const int32_t *with = share->touched + (size_t)i * (size_t)share->joints;
        double sum = 0.0;
        for (int32_t k = 0; k < share->count[i]; k++)
            sum += product(share->once + 6 * (size_t)with[k],
                           share->sets + (size_t)i * size + 6 * (size_t)with[k], 6);
        share->gram[n * count + i] = sum;
    }
}

static void share_out(tn_sim *sim, tn_alpha_hinges *hinges, const tn_hinge_share *share, double h)
{
    const tn_hinge_shares *shares = hinges->shares;
    int32_t count = 0;
    for (int32_t k = 0; k < share->loops; k++) {
        const tn_link_loop *of = &hinges->loops->all[shares->loops[share->first_loop + k]];
        for (int32_t r = of->kept; r < of->rows; r++) {
            if (hinges->loops->rows[of->first + of->order[r]].compliance != 0.0)
                continue;
            put_units(hinges, share, k, of->order[r]);
            put_set(sim, hinges, share, count++);
        }
    }
    for (int32_t n = 0; n < count; n++)
        put_gram(shares, share, n, count, hinges->forest.world.to.lambda);
    if (!solve_gram(share->gram, count, share->x))
        return;
    for (int32_t n = 0; n < count; n++)
        take_away(sim, share, n, 1.0 / h);
}

void tn_hinge_shares_take(tn_sim *sim, double h)
{
    tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    for (int32_t n = 0; hinges->shares && n < hinges->shares->count; n++)
        share_out(sim, hinges, &hinges->shares->all[n], h);
}
