/* limits.c: room integrate: finding limits, and the two complementarity problems of an impact.
 *
 * With every touching limit held (rows N, pushing inwards only):
 *   impact         M (u+ - u) = G^T L + N^T p,  G u+ = 0,      0 <= p  _|_  N u+ + e N u >= 0
 *   acceleration   M u' = f + G^T l + N^T t,    G u' = -gamma, 0 <= t  _|_  N u' + gamma_N >= 0
 * where the second keeps only rows whose speed is zero after the first. e is the restitution of the
 * coordinate, 0 below TN_REST_SPEED. At an upper limit the signs of p, t and of the row turn round.
 * A limit whose motion row is compliant takes no part in them: it engages without an impact, then
 * its force is -phi/C - D phi', and it is let go when the coordinate comes back to it.
 */
#include <math.h>
#include <string.h>

#include "integrate/drives.h"
#include "integrate/limits.h"

/* Approach speeds below this do not bounce (m/s, rad/s): a bounce series ends. */
#define TN_REST_SPEED 1e-3

/* A held row moving inwards faster than this after an impact has left its limit (m/s, rad/s). */
#define TN_LEAVING_SPEED 1e-9

/* Kinetic energy an impact may seem to gain, relative. */
#define TN_IMPACT_ROUND_OFF 1e-12

/* A limit that pushes by less than this share of the joint's largest multiplier does not push. */
#define TN_NO_PUSH 1e-9

/* A coordinate that hits its limit more often in one step stays there until the step ends: limits
 * that throw each other's coordinates to and fro do so ever faster. */
#define TN_MAX_HITS 3

/* What leads away from a limit, or soon will: m, rad or per second. */
#define TN_NO_PRESSURE 1e-12

/* let_go of a switch. */
enum { TN_STAYS, TN_PULLS, TN_LET_GO, TN_CAME_BACK };

static int32_t coordinate_count(const tn_sim *sim, int32_t j)
{
    return tn_state_is_on(sim->model, &sim->state, j)
               ? sim->model->joints[j].geometry.cls->info.coordinate_count
               : 0;
}

static double beyond(const tn_sim *sim, int32_t j, int32_t i)
{
    const tn_switches *s = &sim->state.switches[j];
    const double q = sim->state.coordinates[j * TN_MAX_COORDINATES + i];
    return fmax(q - s->upper[i], s->lower[i] - q);
}

/* The motion row of coordinate i. */
static int32_t row_of(const tn_sim *sim, int32_t j, int32_t i)
{
    return sim->model->joints[j].geometry.cls->info.bilateral_count + i;
}

/* Is coordinate i held at a limit that only pushes? */
static int at_limit(const tn_sim *sim, int32_t j, int32_t i)
{
    return sim->state.switches[j].hold[i] >= TN_HOLD_LOWER;
}

/* A limit that yields is a spring on one side: held as long as it is compressed. */
static int yields(const tn_sim *sim, int32_t j, int32_t i)
{
    return sim->state.switches[j].compliance[row_of(sim, j, i)] > 0.0;
}

/* How far held coordinate i is inside its limit. */
static double inside(const tn_sim *sim, int32_t j, int32_t i)
{
    const tn_switches *s = &sim->state.switches[j];
    const double q = sim->state.coordinates[j * TN_MAX_COORDINATES + i];
    return s->hold[i] == TN_HOLD_LOWER ? q - s->hold_value[i] : s->hold_value[i] - q;
}

double tn_limits_violation(const tn_sim *sim)
{
    double worst = -INFINITY;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < coordinate_count(sim, j); i++) {
            if (sim->state.switches[j].hold[i] < TN_HOLD_LOCK)
                worst = fmax(worst, beyond(sim, j, i));
            else if (at_limit(sim, j, i) && yields(sim, j, i) && !sim->state.switches[j].let_go[i])
                worst = fmax(worst, inside(sim, j, i));
        }
    }
    return worst;
}

static double pull_of(const tn_sim *sim, int32_t j, int32_t i)
{
    const double lambda = sim->state.lambda[j * TN_MAX_ROWS + row_of(sim, j, i)];
    switch (sim->state.switches[j].hold[i]) {
    case TN_HOLD_LOWER:
        return -lambda;
    case TN_HOLD_UPPER:
        return lambda;
    default:
        return 0.0;
    }
}

/* The largest multiplier of a joint, over all of its rows. */
static double joint_force(const tn_sim *sim, int32_t j)
{
    double largest = 0.0;
    for (int32_t k = 0; k < TN_MAX_ROWS; k++)
        largest = fmax(largest, fabs(sim->state.lambda[j * TN_MAX_ROWS + k]));
    return largest;
}

/* The distance by which the limit's pull moves coordinate i in a step; where a prescribed motion is
 * held up, how far that leads away. */
static double pull_distance(const tn_sim *sim, int32_t j, int32_t i, double step)
{
    const double pressing = tn_drives_pressing(sim, j, i, step);
    if (!isnan(pressing))
        return -pressing;
    return pull_of(sim, j, i) * sim->model->joints[j].row_scale[row_of(sim, j, i)] * step * step;
}

double tn_limits_largest_pull(const tn_sim *sim, double step)
{
    double worst = -INFINITY;
    for (int32_t j = 0; j < sim->model->element_count; j++)
        for (int32_t i = 0; i < coordinate_count(sim, j); i++)
            if (at_limit(sim, j, i) && !yields(sim, j, i) && !sim->state.switches[j].let_go[i])
                worst = fmax(worst, pull_distance(sim, j, i, step));
    return worst;
}

int32_t tn_limits_held(const tn_sim *sim)
{
    int32_t held = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++)
        for (int32_t i = 0; i < coordinate_count(sim, j); i++)
            held += sim->state.switches[j].hold[i] > TN_HOLD_LOCK;
    return held;
}

/* Speed of coordinate i at the current kinematics. */
static double speed_of(const tn_sim *sim, int32_t j, int32_t i)
{
    double speeds[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_speeds(sim, (tn_joint){j}, speeds);
    return speeds[i];
}

static void log_event(tn_sim *sim, tn_event_kind kind, int32_t j, int32_t i)
{
    const int32_t side = sim->state.switches[j].hold[i] == TN_HOLD_UPPER ? 1 : -1;
    tn_event_log_add(&sim->log,
                     (tn_event){kind, sim->event_time, {j}, i, side, speed_of(sim, j, i)});
}

static void release(tn_sim *sim, int32_t joint, int32_t coordinate)
{
    log_event(sim, TN_EVENT_LIMIT_RELEASED, joint, coordinate);
    tn_state_hold(sim->model, &sim->state, joint, coordinate, TN_HOLD_NONE);
    sim->state.lambda[joint * TN_MAX_ROWS + row_of(sim, joint, coordinate)] = 0.0;
    sim->state.lambda_rate[joint * TN_MAX_ROWS + row_of(sim, joint, coordinate)] = 0.0;
    tn_drives_retake(sim, joint, coordinate);
}

/* Is the limit of held coordinate i to be let go? A hard one that does not push; a spring that is
 * back at its length. */
static int is_done(const tn_sim *sim, int32_t j, int32_t i)
{
    const double pressing = tn_drives_pressing(sim, j, i, 1.0);
    if (!isnan(pressing))
        return pressing < TN_NO_PRESSURE;
    if (!yields(sim, j, i))
        return pull_of(sim, j, i) >= -TN_NO_PUSH * joint_force(sim, j);
    const double v = speed_of(sim, j, i);
    const double inwards = sim->state.switches[j].hold[i] == TN_HOLD_LOWER ? v : -v;
    return inside(sim, j, i) >= -TN_LIMIT_TOLERANCE && inwards > 0.0;
}

int32_t tn_limits_mark_pulling(tn_sim *sim)
{
    int32_t marked = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++)
        for (int32_t i = 0; i < coordinate_count(sim, j); i++)
            if (at_limit(sim, j, i) && sim->state.switches[j].let_go[i] == TN_STAYS &&
                is_done(sim, j, i)) {
                sim->state.switches[j].let_go[i] = TN_PULLS;
                marked++;
            }
    return marked;
}

int32_t tn_limits_release_marked(tn_sim *sim)
{
    int32_t released = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < coordinate_count(sim, j); i++) {
            if (sim->state.switches[j].let_go[i] != TN_PULLS)
                continue;
            if (at_limit(sim, j, i))
                release(sim, j, i);
            sim->state.switches[j].let_go[i] = TN_LET_GO;
            released++;
        }
    }
    return released;
}

static void clear_step(tn_switches *s)
{
    memset(s->let_go, 0, sizeof s->let_go);
    memset(s->hits, 0, sizeof s->hits);
}

void tn_limits_begin_step(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++)
        clear_step(&sim->state.switches[j]);
}

static void take(tn_sim *sim, int32_t j, int32_t i)
{
    tn_switches *s = &sim->state.switches[j];
    const double q = sim->state.coordinates[j * TN_MAX_COORDINATES + i];
    const int upper = q - s->upper[i] > s->lower[i] - q;
    tn_hold hold = upper ? TN_HOLD_UPPER : TN_HOLD_LOWER;
    s->hold_value[i] = upper ? s->upper[i] : s->lower[i];
    if (s->upper[i] - s->lower[i] <= TN_LIMIT_TOLERANCE) {
        hold = TN_HOLD_PINNED;
        s->hold_value[i] = 0.5 * (s->lower[i] + s->upper[i]);
    }
    tn_state_hold(sim->model, &sim->state, j, i, hold);
    s->hits[i]++;
    s->let_go[i] = s->let_go[i] == TN_LET_GO || s->hits[i] > TN_MAX_HITS ? TN_CAME_BACK : TN_STAYS;
    log_event(sim, TN_EVENT_LIMIT_REACHED, j, i);
}

/* Is free coordinate i to be held? */
static int touches(const tn_sim *sim, int32_t j, int32_t i, tn_touching which)
{
    const tn_switches *s = &sim->state.switches[j];
    const double out = beyond(sim, j, i);
    if (s->hold[i] >= TN_HOLD_LOCK || out < -TN_LIMIT_TOLERANCE)
        return 0;
    if (out > TN_LIMIT_TOLERANCE || s->lower[i] == s->upper[i])
        return 1;
    if (which == TN_TOUCH_ALL)
        return 1;
    const double q = sim->state.coordinates[j * TN_MAX_COORDINATES + i];
    const double v = speed_of(sim, j, i);
    const double outwards = q - s->upper[i] > s->lower[i] - q ? v : -v;
    return outwards > (s->let_go[i] == TN_LET_GO ? TN_LEAVING_SPEED : -TN_LEAVING_SPEED);
}

int32_t tn_limits_hold_touching(tn_sim *sim, tn_touching which)
{
    int32_t held = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < coordinate_count(sim, j); i++) {
            if (touches(sim, j, i, which))
                take(sim, j, i);
            held += sim->state.switches[j].hold[i] > TN_HOLD_LOCK;
        }
    }
    return held;
}

/* Where a coordinate held by its range or a prescribed motion belongs. */
static double place_of(const tn_sim *sim, int32_t j, int32_t i)
{
    const tn_switches *s = &sim->state.switches[j];
    switch (s->hold[i]) {
    case TN_HOLD_DRIVER:
        return tn_state_drive(&sim->state, j, i)->target;
    case TN_HOLD_LOWER:
        return s->lower[i];
    case TN_HOLD_UPPER:
        return s->upper[i];
    default:
        return 0.5 * (s->lower[i] + s->upper[i]);
    }
}

int tn_limits_stride(tn_sim *sim, double stride)
{
    int on_the_way = 0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t i = 0; i < coordinate_count(sim, j); i++) {
            tn_switches *s = &sim->state.switches[j];
            if (s->hold[i] < TN_HOLD_DRIVER || s->hold[i] == TN_HOLD_LOCK)
                continue;
            const double q = sim->state.coordinates[j * TN_MAX_COORDINATES + i];
            const double place = place_of(sim, j, i), to_go = place - q;
            const int far = fabs(to_go) > stride;
            s->hold_value[i] = far ? q + copysign(stride, to_go) : place;
            on_the_way |= far;
        }
    }
    return on_the_way;
}

/* Calls the function for every coordinate held at a limit that only pushes in this step, with the
 * slot of its row. */
typedef void (*held_function)(tn_sim *sim, int32_t joint, int32_t coordinate, int64_t slot);

static void for_each_held(tn_sim *sim, held_function function)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches copy = sim->state.switches[j];
        const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
        for (int32_t n = 0; n < copy.active_count; n++) {
            const int32_t c = info->rows[copy.active[n]].coordinate;
            if (copy.active[n] >= info->bilateral_count && c >= 0 &&
                copy.hold[c] >= TN_HOLD_LOWER && copy.let_go[c] != TN_CAME_BACK)
                function(sim, j, c, sim->sys.layout->y_offset[j] + n);
        }
    }
}

/* Bounds of a held row: it pushes up at a lower limit, down at an upper one. */
static void bound_row(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    if (yields(sim, j, i))
        return; /* compliant rows are left out of both problems */
    if (sim->state.switches[j].hold[i] == TN_HOLD_LOWER)
        sim->lo[slot] = 0.0;
    else
        sim->hi[slot] = 0.0;
}

/* Restitution: the row is asked for -e times its speed, which is in sys.g (negated). */
static void bounce_row(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    const double speed = -sim->sys.g[slot];
    const double approach = sim->state.switches[j].hold[i] == TN_HOLD_LOWER ? -speed : speed;
    if (approach > TN_REST_SPEED)
        sim->sys.g[slot] -= sim->model->joints[j].restitution[i] * speed;
}

static void set_bounds(tn_sim *sim)
{
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++) {
        sim->lo[k] = -INFINITY;
        sim->hi[k] = INFINITY;
        sim->row_state[k] = TN_MLCP_FREE;
    }
    for_each_held(sim, bound_row);
}

/* Solves the complementarity problem sys.f, sys.g with the mass metric into sys.du, sys.y. */
static tn_status solve(tn_sim *sim, int impulses, tn_step_report *report)
{
    tn_mlcp_options options = tn_mlcp_default_options();
    tn_mlcp_stats stats;
    options.refine.reach = tn_reach(sim);
    if (tn_gap_is_on(&sim->state)) {
        const tn_status factored = tn_factorize(sim, report);
        if (factored != TN_OK)
            return factored;
        tn_gap_keep_in_reach(sim, sim->sys.g, report);
    }
    set_bounds(sim);
    tn_drives_bound(sim, impulses);
    const tn_status status =
        tn_mlcp_solve(sim->mlcp, sim->sys.values, sim->sys.factor, sim->sys.f, sim->sys.g, sim->lo,
                      sim->hi, sim->row_state, sim->sys.du, sim->sys.y, &options, &stats);
    report->factorizations += stats.factorizations;
    report->solves += stats.solves;
    return status;
}

static void negate_rows(tn_sim *sim)
{
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++)
        sim->sys.g[k] = -sim->sys.g[k];
}

/* Releases rows that carry no force: they leave, or could. */
static void release_unloaded(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    if (sim->row_state[slot] != TN_MLCP_FREE)
        release(sim, j, i);
}

/* Releases rows that move inwards; sim->speeds holds the speeds. */
static void release_leaving(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    const double speed = sim->speeds[slot];
    const double inwards = sim->state.switches[j].hold[i] == TN_HOLD_LOWER ? speed : -speed;
    if (inwards > TN_LEAVING_SPEED && !yields(sim, j, i))
        release(sim, j, i);
}

/* J; uses sys.f. */
static double kinetic_energy(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    double sum = 0.0;
    memset(sys->f, 0, sizeof(double) * (size_t)sys->layout->u_size);
    tn_assemble_momentum(sys, sim->state.u, sys->f);
    for (int64_t k = 0; k < sys->layout->u_size; k++)
        sum += 0.5 * sim->state.u[k] * sys->f[k];
    return sum;
}

/* Share of the largest speed that is round-off. */
#define TN_SPEED_ROUND_OFF 1e-15

/* Rows that take no part, and those off by no more than round-off: what they are off would be the
 * scale of the whole solve where velocities are consistent already. */
static void drop_idle_rows(tn_sim *sim)
{
    double fastest = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        fastest = fmax(fastest, fabs(sim->state.u[k]));
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        double *g = sim->sys.g + sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++)
            if (fabs(g[n]) <= TN_SPEED_ROUND_OFF * fastest ||
                tn_active_compliance(&sim->state, j, n) > 0.0)
                g[n] = 0.0;
    }
}

/* The change of the velocities in sys.du, with or without restitution. */
static tn_status solve_impact(tn_sim *sim, int bouncing, tn_step_report *report)
{
    tn_prepare_hard_rows(sim);
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->sys.g);
    negate_rows(sim);
    if (bouncing)
        for_each_held(sim, bounce_row);
    tn_assemble_hold_rates(&sim->sys, &sim->state, 1, sim->sys.g);
    drop_idle_rows(sim);
    return solve(sim, 1, report);
}

static void add_change(tn_sim *sim, double sign)
{
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        sim->state.u[k] += sign * sim->sys.du[k];
}

/* Newton's restitution with different coefficients at once may create energy, or contradict
 * itself; then nothing bounces. */
tn_status tn_limits_impact(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    const double before = kinetic_energy(sim);
    tn_status status = solve_impact(sim, 1, report);
    if (status == TN_OK) {
        add_change(sim, 1.0);
        if (kinetic_energy(sim) > (1.0 + TN_IMPACT_ROUND_OFF) * before) {
            add_change(sim, -1.0);
            status = TN_ERROR_CONFLICT;
        }
    }
    if (status != TN_OK) {
        status = solve_impact(sim, 0, report);
        if (status != TN_OK)
            return status;
        add_change(sim, 1.0);
    }
    tn_assemble_speeds(sys, &sim->state, sim->state.u, sim->speeds);
    for_each_held(sim, release_leaving);
    return TN_OK;
}

/* Bounds of friction that follow from the reactions are found in so many passes ... */
#define TN_REACTION_PASSES 20
/* ... or when no multiplier changes by more than this share of the largest. */
#define TN_SAME_REACTION 1e-12

/* Takes the solution; returns 1 if the multipliers are still those of the pass before. */
static int take_solution(tn_sim *sim)
{
    double change = 0.0, largest = 0.0;
    tn_assemble_gather_lambda(&sim->sys, &sim->state, sim->speeds);
    tn_take_acceleration(sim);
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const double *before = sim->speeds + sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            const double now = sim->state.lambda[j * TN_MAX_ROWS + s->active[n]];
            largest = fmax(largest, fabs(now));
            change = fmax(change, fabs(now - before[n]));
        }
    }
    return change <= TN_SAME_REACTION * largest;
}

/* Accelerations and multipliers with what holds now, and what then is at its bound. */
static tn_status solve_accelerations(tn_sim *sim, tn_step_report *report)
{
    const int passes = tn_drives_need_reactions(sim) ? TN_REACTION_PASSES : 1;
    for (int pass = 0, same = 0; pass < passes && !same; pass++) {
        tn_prepare_hard_rows(sim);
        tn_prepare_acceleration(sim);
        const tn_status status = solve(sim, 0, report);
        if (status != TN_OK)
            return status;
        same = take_solution(sim);
    }
    return TN_OK;
}

/* What lets go gives less from then on where it has slipped, so that more may let go: each at most
 * once. */
tn_status tn_limits_acceleration(tn_sim *sim, tn_step_report *report)
{
    tn_status status = solve_accelerations(sim, report);
    for (int32_t k = 0; status == TN_OK && k < sim->state.head->drive_count; k++) {
        if (tn_drives_settle(sim) == 0)
            break;
        status = solve_accelerations(sim, report);
    }
    if (status != TN_OK)
        return status;
    for_each_held(sim, release_unloaded);
    tn_assemble_drive_forces(&sim->sys, &sim->state, sim->state.u, sim->sys.f);
    return TN_OK;
}
