/* drive_round.c: room law/drives: bounds on the force vector of a joint's lengths.
 *
 * In a joint with round bounds, dry friction and caps of motors and springs along its lengths are
 * the half axes b_i of an ellipse (a disc, a ball, where they are equal), not the edges of a box:
 *     sticks, or below the cap   sum (f_i / b_i)^2 <= 1
 *     slips                      f_i = -p_i b_i,   p_i = b_i v_i / sqrt(sum (b_j v_j)^2)
 * which is the force that takes most out of the motion v. Of motors v is the speed beyond the one
 * they want: they are friction on a ground that moves, and track where friction sticks. A spring
 * beyond its cap keeps its direction, f_i b_i / b_i sqrt(...). Rows know boxes only: what sticks is
 * held by rows without bounds and let go when the ellipse is left; while it slips, p is kept over a
 * step, at the speed foreseen for the end of it (second order; turn_slowly keeps that stable
 * however slow). What starts from rest slips along its acceleration: p is found in passes
 * (tn_round_settle).
 *
 * Limits: p follows the motion from step to step, so a direction that turns by much within one
 * step, as in the last one before it stops, is followed to first order only; what is left of the
 * speed across p when that along it vanishes is taken out at once. The work and the loss of a
 * spring at its cap are accounted as if its bounds were a box: their sum is right. A motor whose length
 * is locked or at a stop has its cap for itself.
 */
#include <math.h>

#include "law/drives/drive_changes.h"

/* Largest change of a share p_i in a pass at which directions count as found. */
#define TN_SAME_SHARE 1e-7

/* Share by which a force may exceed the ellipse and still lie on it. */
#define TN_ON_BOUND 1e-9

typedef struct tn_round {
    tn_drive *member[TN_MAX_COORDINATES];
    int32_t count;
} tn_round;

/* Which of the drives of a joint with round bounds. */
typedef bool (*select_function)(const tn_drive *d);

/* Motors and friction: never both in one joint. */
static bool rubs(const tn_drive *d)
{
    return tn_has_friction(&d->set) || tn_has_motor(&d->set);
}

static tn_hold hold_of(const tn_drive *d)
{
    return tn_has_motor(&d->set) ? TN_HOLD_MOTOR : TN_HOLD_FRICTION;
}

static tn_friction_bounds bounds_of(const tn_sim *sim, const tn_drive *d)
{
    const double cap = d->set.motor_force;
    return tn_has_motor(&d->set) ? (tn_friction_bounds){cap, cap}
                                 : tn_friction_bounds_of(&sim->sys, &sim->state, d);
}

/* The speed it would have where it sticks, h seconds from now and the coordinate moved by dq. */
static double wanted_speed(const tn_sim *sim, const tn_drive *d, double h, double dq)
{
    return tn_has_motor(&d->set)
               ? tn_drive_command(sim, d, sim->now + h, tn_drive_coordinate(sim, d) + dq)
               : 0.0;
}

/* p of the head comment, as it acts. */
static double direction_of(const tn_drive *d)
{
    return d->slip_share * (tn_has_motor(&d->set) ? -d->motor_side : d->slip);
}

static bool is_capped(const tn_drive *d)
{
    return d->set.sprung && isfinite(d->set.spring_force);
}

static bool is_any(const tn_drive *d)
{
    (void)d;
    return true;
}

/* Those that nothing else holds. */
static tn_round round_of(const tn_sim *sim, int32_t joint, select_function select)
{
    tn_round r = {.count = 0};
    for (int32_t k = sim->state.switches[joint].drive; k != TN_NO_DRIVE;
         k = sim->state.drives[k].next) {
        tn_drive *d = &sim->state.drives[k];
        if (d->round && select(d) && tn_drive_hold_of(sim, d) < TN_HOLD_DRIVER)
            r.member[r.count++] = d;
    }
    return r;
}

static bool leads(const tn_round *r, const tn_drive *d)
{
    return r->count > 0 && r->member[0] == d;
}

static double square(double x)
{
    return x * x;
}

/* sqrt(sum (f_i / b_i)^2); bounds that are infinite do not count. */
static double load_of(const double *f, const double *b, int32_t count)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++)
        sum += square(f[i] / fmax(b[i], TN_LEAST_BOUND));
    return sqrt(sum);
}

static void set_slip(tn_drive *d, double p)
{
    const int8_t side = (int8_t)(p < 0.0 ? -1 : 1);
    if (tn_has_motor(&d->set)) {
        d->motor_side = (int8_t)-side;
    } else {
        d->slip = side;
    }
    d->slip_share = fabs(p);
}

/* The vector b_i w_i, and how long it is. */
static double weighted(const tn_round *r, const double *b, const double *w, double *p)
{
    double length = 0.0;
    for (int32_t i = 0; i < r->count; i++) {
        p[i] = b[i] * w[i];
        length += p[i] * p[i];
    }
    return sqrt(length);
}

/* They slip along w, m/s or any multiple; largest change of a share. Where coefficients have no force to go by, the direction is that
 * of the least force. */
static double slip_along(const tn_sim *sim, const tn_round *r, const double *w)
{
    double p[TN_MAX_COORDINATES], b[TN_MAX_COORDINATES], change = 0.0;
    for (int32_t i = 0; i < r->count; i++)
        b[i] = bounds_of(sim, r->member[i]).slips;
    double length = weighted(r, b, w, p);
    if (length == 0.0) {
        for (int32_t i = 0; i < r->count; i++)
            b[i] = r->member[i]->set.friction_share;
        length = weighted(r, b, w, p);
    }
    for (int32_t i = 0; i < r->count && length > 0.0; i++) {
        p[i] /= length;
        change = fmax(change, fabs(p[i] - direction_of(r->member[i])));
        set_slip(r->member[i], p[i]);
    }
    return change;
}

/* w = v + h K b_max^2 p_i / b_i, K the rows' inverse masses: along it p is that of the speed v + h
 * K (f_new - f_old) at which friction itself has turned, whatever it takes: no overshoot. */
static void turn_slowly(const tn_sim *sim, const tn_round *r, double h, double *w)
{
    double b[TN_MAX_COORDINATES], largest = 0.0, K = 0.0;
    for (int32_t i = 0; i < r->count; i++) {
        const tn_drive *d = r->member[i];
        const tn_model_joint *joint = &sim->model->joints[d->joint];
        b[i] = bounds_of(sim, d).slips;
        largest = fmax(largest, b[i]);
        K += joint->row_scale[tn_motion_row(joint, d->coordinate)];
    }
    for (int32_t i = 0; i < r->count; i++) {
        if (b[i] > 0.0)
            w[i] += h * K * largest * largest / b[i] * direction_of(r->member[i]);
    }
}

static int sticks(const tn_sim *sim, const tn_round *r)
{
    int any = 0;
    for (int32_t i = 0; i < r->count; i++)
        any |= tn_drive_hold_of(sim, r->member[i]) == hold_of(r->member[i]);
    return any;
}

/* How much of the ellipse what sticks takes. */
static double friction_load(const tn_sim *sim, const tn_round *r)
{
    double f[TN_MAX_COORDINATES], b[TN_MAX_COORDINATES];
    for (int32_t i = 0; i < r->count; i++) {
        f[i] = tn_drive_force(sim, r->member[i]);
        b[i] = bounds_of(sim, r->member[i]).sticks;
    }
    return load_of(f, b, r->count);
}

static void speeds_of(const tn_sim *sim, const tn_round *r, double *v)
{
    for (int32_t i = 0; i < r->count; i++)
        v[i] = tn_drive_speed(sim, r->member[i]);
}

/* Forces of the springs at speeds v, h seconds ahead; how much of their ellipse they take. */
static double spring_load(const tn_sim *sim, const tn_round *r, const double *v, double h,
                          double *f)
{
    double b[TN_MAX_COORDINATES];
    for (int32_t i = 0; i < r->count; i++) {
        const tn_drive *d = r->member[i];
        f[i] = tn_spring_force(&sim->sys, d, tn_drive_coordinate(sim, d) + h * v[i], v[i]);
        b[i] = d->set.spring_force;
    }
    return load_of(f, b, r->count);
}

static void share_spring(const tn_round *r, const double *f, double load)
{
    for (int32_t i = 0; i < r->count; i++) {
        tn_drive *d = r->member[i];
        d->spring_side = (int8_t)(f[i] < 0.0 ? -1 : 1);
        d->spring_share = fabs(f[i]) / (load * d->set.spring_force);
    }
}

static int spring_at_cap(const tn_round *r)
{
    return r->count > 0 && r->member[0]->spring_side != 0;
}

/* Beyond their caps, or not. */
static void sort_springs(tn_sim *sim, const tn_round *r, int capped)
{
    double v[TN_MAX_COORDINATES], f[TN_MAX_COORDINATES];
    speeds_of(sim, r, v);
    const double load = spring_load(sim, r, v, 0.0, f);
    for (int32_t i = 0; i < r->count; i++)
        r->member[i]->spring_side = 0;
    if (capped && load > 0.0)
        share_spring(r, f, load);
    for (int32_t i = 0; i < r->count; i++)
        tn_drive_soften(sim, r->member[i], tn_drive_coordinate(sim, r->member[i]));
}

/* Their speeds beyond those at which they would stick. */
static void slip_speeds(const tn_sim *sim, const tn_round *r, double *v)
{
    speeds_of(sim, r, v);
    for (int32_t i = 0; i < r->count; i++)
        v[i] -= wanted_speed(sim, r->member[i], 0.0, 0.0);
}

static double speed_along(const tn_sim *sim, const tn_round *r)
{
    double v[TN_MAX_COORDINATES], sum = 0.0;
    slip_speeds(sim, r, v);
    for (int32_t i = 0; i < r->count; i++)
        sum += direction_of(r->member[i]) * v[i];
    return sum;
}

static void friction_event(const tn_sim *sim, const tn_drive *d, double step, double *worst,
                           tn_change *which)
{
    const tn_round r = round_of(sim, d->joint, rubs);
    if (!leads(&r, d))
        return;
    if (!sticks(sim, &r)) {
        tn_keep_larger(-step * speed_along(sim, &r), TN_CHANGE_STICK, worst, which);
    } else if (d->changes <= TN_MAX_CHANGES) {
        tn_keep_larger(TN_BOUND_DISTANCE * (friction_load(sim, &r) - 1.0), TN_CHANGE_LET_GO, worst,
                       which);
    }
}

double tn_round_event(const tn_sim *sim, const tn_drive *d, double step, tn_change *which)
{
    double worst = -INFINITY, v[TN_MAX_COORDINATES], f[TN_MAX_COORDINATES];
    friction_event(sim, d, step, &worst, which);
    const tn_round r = round_of(sim, d->joint, is_capped);
    if (!leads(&r, d))
        return worst;
    speeds_of(sim, &r, v);
    const double over = spring_load(sim, &r, v, 0.0, f) - 1.0;
    tn_keep_larger(TN_BOUND_DISTANCE * (spring_at_cap(&r) ? -over : over), TN_CHANGE_SPRING, &worst,
                   which);
    return worst;
}

static void hold_all(tn_sim *sim, const tn_round *r)
{
    for (int32_t i = 0; i < r->count; i++) {
        tn_drive *d = r->member[i];
        d->command = wanted_speed(sim, d, 0.0, 0.0);
        d->motor_side = 0;
        tn_drive_hold_here(sim, d, hold_of(d));
    }
}

void tn_round_stick(tn_sim *sim, const tn_drive *d)
{
    const tn_round r = round_of(sim, d->joint, rubs);
    hold_all(sim, &r);
}

/* They give way to the force that would hold them. */
void tn_round_let_go(tn_sim *sim, const tn_drive *d)
{
    const tn_round r = round_of(sim, d->joint, rubs);
    double w[TN_MAX_COORDINATES];
    for (int32_t i = 0; i < r.count; i++) {
        w[i] = -tn_drive_force(sim, r.member[i]);
        tn_drive_free(sim, r.member[i]);
    }
    slip_along(sim, &r, w);
}

void tn_round_turn_spring(tn_sim *sim, const tn_drive *d)
{
    const tn_round r = round_of(sim, d->joint, is_capped);
    sort_springs(sim, &r, !spring_at_cap(&r));
}

static void sort_friction(tn_sim *sim, const tn_round *r, double step)
{
    double v[TN_MAX_COORDINATES];
    int rests = 1;
    slip_speeds(sim, r, v);
    for (int32_t i = 0; i < r->count; i++) {
        tn_drive *d = r->member[i];
        rests &= isinf(bounds_of(sim, d).sticks) ||
                 fabs(v[i]) <= tn_drive_tolerance(sim, d, hold_of(d), step);
    }
    if (rests) {
        hold_all(sim, r);
        return;
    }
    for (int32_t i = 0; i < r->count; i++) {
        tn_state_hold(sim->model, &sim->state, r->member[i]->joint, r->member[i]->coordinate,
                      TN_HOLD_NONE);
    }
    slip_along(sim, r, v);
}

void tn_round_sort(tn_sim *sim, const tn_drive *d, double step)
{
    const tn_round all = round_of(sim, d->joint, is_any);
    const tn_round capped = round_of(sim, d->joint, is_capped);
    const tn_round friction = round_of(sim, d->joint, rubs);
    double v[TN_MAX_COORDINATES], f[TN_MAX_COORDINATES];
    sort_springs(sim, &all, 0);
    speeds_of(sim, &capped, v);
    if (spring_load(sim, &capped, v, 0.0, f) > 1.0)
        sort_springs(sim, &capped, 1);
    sort_friction(sim, &friction, step);
}

static void seen_speeds(const tn_round *r, double h, double *v)
{
    for (int32_t i = 0; i < r->count; i++)
        v[i] = r->member[i]->seen_speed + h * r->member[i]->seen_rate;
}

static void move_slip(tn_sim *sim, const tn_round *r, double h)
{
    double now[TN_MAX_COORDINATES], then[TN_MAX_COORDINATES], forth = 0.0, fastest = 0.0;
    seen_speeds(r, 0.0, now);
    seen_speeds(r, h, then);
    for (int32_t i = 0; i < r->count; i++) {
        const double way = 0.5 * h * (now[i] + then[i]);
        now[i] -= wanted_speed(sim, r->member[i], 0.0, 0.0);
        then[i] -= wanted_speed(sim, r->member[i], h, way);
        forth += now[i] * then[i];
        fastest = fmax(fastest, fabs(now[i]));
    }
    if (sticks(sim, r) || !(forth > 0.0) || fastest <= TN_SAME_SPEED)
        return;
    turn_slowly(sim, r, h, then);
    slip_along(sim, r, then);
}

void tn_round_move(tn_sim *sim, const tn_drive *d, double h)
{
    const tn_round friction = round_of(sim, d->joint, rubs);
    const tn_round capped = round_of(sim, d->joint, is_capped);
    double v[TN_MAX_COORDINATES], f[TN_MAX_COORDINATES];
    if (leads(&friction, d) && d->seen)
        move_slip(sim, &friction, h);
    if (!leads(&capped, d) || !spring_at_cap(&capped))
        return;
    seen_speeds(&capped, h, v);
    const double load = spring_load(sim, &capped, v, h, f);
    if (load > 0.0)
        share_spring(&capped, f, load);
}

void tn_round_note(tn_sim *sim, double h)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        tn_drive *d = &sim->state.drives[k];
        if (!d->round)
            continue;
        const double v = tn_drive_speed(sim, d);
        d->seen_rate = h > 0.0 ? (v - d->seen_speed) / h : 0.0;
        d->seen_speed = v;
        d->seen = 1;
    }
}

/* What goes on in about its direction turns to its speed; what turns back is an event. */
void tn_round_turn(tn_sim *sim)
{
    double v[TN_MAX_COORDINATES], f[TN_MAX_COORDINATES];
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        const tn_round friction = round_of(sim, d->joint, rubs);
        const tn_round capped = round_of(sim, d->joint, is_capped);
        if (leads(&friction, d) && !sticks(sim, &friction) && speed_along(sim, &friction) > 0.0) {
            slip_speeds(sim, &friction, v);
            slip_along(sim, &friction, v);
        }
        if (!leads(&capped, d) || !spring_at_cap(&capped))
            continue;
        speeds_of(sim, &capped, v);
        const double load = spring_load(sim, &capped, v, 0.0, f);
        if (load > 0.0)
            share_spring(&capped, f, load);
    }
}

/* Accelerations of the coordinates, G u' + (dG/dt) u, beyond those of what they would stick to. */
static void accelerations(const tn_sim *sim, const tn_round *r, int32_t j, double *a)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    double q[TN_MAX_COORDINATES], by_udot[TN_MAX_COORDINATES], gamma[TN_MAX_ROWS];
    tn_drive_motion(&sim->sys, &sim->state, j, sim->state.udot, q, by_udot);
    tn_element_ops_of(&sim->sys, j)->accelerations(&sim->sys, j, sim->state.u, gamma);
    for (int32_t i = 0; i < r->count; i++) {
        const int32_t c = r->member[i]->coordinate;
        a[i] = by_udot[c] + gamma[tn_motion_row(joint, c)];
        if (tn_has_motor(&r->member[i]->set))
            a[i] -= tn_drive_command_rate(sim, r->member[i], sim->now);
    }
}

static int is_at_rest(const tn_sim *sim, const tn_round *r)
{
    double v[TN_MAX_COORDINATES];
    int rests = 1;
    slip_speeds(sim, r, v);
    for (int32_t i = 0; i < r->count; i++)
        rests &= fabs(v[i]) <= TN_SAME_SPEED;
    return rests;
}

int tn_round_settle(tn_sim *sim, tn_drive *d)
{
    const tn_round r = round_of(sim, d->joint, rubs);
    double a[TN_MAX_COORDINATES];
    if (!leads(&r, d) || d->changes > TN_MAX_CHANGES)
        return 0;
    if (sticks(sim, &r)) {
        if (friction_load(sim, &r) <= 1.0 + TN_ON_BOUND)
            return 0;
        tn_round_let_go(sim, d);
        return 1;
    }
    if (!is_at_rest(sim, &r))
        return 0;
    accelerations(sim, &r, d->joint, a);
    turn_slowly(sim, &r, 1.0, a);
    return slip_along(sim, &r, a) > TN_SAME_SHARE;
}
