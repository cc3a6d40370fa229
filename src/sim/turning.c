/* turning.c: room sim: where coordinates turn back, and how well they are transmitted.
 *
 * A coordinate p turns back where its ratio dp/dq to the driven coordinate q changes its sign: a
 * dead point as seen from p. The driven coordinate's own dead point is where it turns back itself,
 * seen from another coordinate: dq/dp = 0. Both are roots of a ratio along a continuous path,
 * located by the Illinois method (false position that halves the weight of an end kept twice).
 * Every trial is reached from the one before, never by a jump, so that the branch is kept.
 */
#include <math.h>

#include "base/base.h"
#include "law/drives/drives.h"
#include "real/real.h"
#include "motion/kinematics.h"
#include "sim/sim_internal.h"

/* Trials; the Illinois method needs about ten. */
#define TN_TURNING_TRIALS 80
/* Ends of the bracket this close (rad, m; relative beyond 1) are one point. */
#define TN_TURNING_TOLERANCE 1e-14
/* A ratio that is this small at a root is one; at a pole, where it also changes its sign, not. */
#define TN_TURNING_RATIO 1e-3
/* rad, m: how far beyond the dead point the search goes, from the first stride on. */
#define TN_DEAD_POINT_STRIDE 1e-3
#define TN_DEAD_POINT_REACH  0.5

/* A coordinate as seen from another. */
typedef struct tn_ratio {
    tn_sim *sim;
    int32_t driven, other; /* elements */
    int32_t driven_coordinate, other_coordinate;
} tn_ratio;

static tn_status ratio_here(tn_ratio *r, double *value)
{
    tn_coords *c = r->sim->coords;
    const tn_status status = tn_coords_ratios(c, r->driven, r->driven_coordinate);
    if (status == TN_OK)
        *value = c->rate[r->other * TN_MAX_COORDINATES + r->other_coordinate];
    return status;
}

/* Moves the driven coordinate to q; an error if it is not reached. */
static tn_status go_to(tn_ratio *r, double q)
{
    const tn_coordinate_request request = {tn_joint_of(r->sim->model, r->driven),
                                           r->driven_coordinate, q};
    tn_coordinate_options options = tn_default_coordinate_options();
    options.all_or_nothing = 1;
    return tn_sim_set_coordinates(r->sim, &request, 1, &options, NULL, NULL);
}

static tn_status ratio_at(tn_ratio *r, double q, double *value)
{
    const tn_status status = go_to(r, q);
    return status == TN_OK ? ratio_here(r, value) : status;
}

/* The root between a, where the ratio is fa, and b. */
static tn_status locate(tn_ratio *r, double a, double fa, double b, double *at)
{
    double fb = 0.0;
    int kept = 0;
    tn_status status = ratio_at(r, b, &fb);
    if (status == TN_OK && fa * fb > 0.0)
        return TN_ERROR_NOT_FOUND;
    *at = fa == 0.0 ? a : b;
    for (int k = 0; k < TN_TURNING_TRIALS && status == TN_OK && fa * fb < 0.0; k++) {
        const double width = TN_TURNING_TOLERANCE * fmax(1.0, fmax(fabs(a), fabs(b)));
        const double secant = (a * fb - b * fa) / (fb - fa);
        double f = 0.0;
        *at = k % 4 == 3 ? 0.5 * (a + b) : secant;
        if (fabs(b - a) <= width || *at == a || *at == b)
            break;
        status = ratio_at(r, *at, &f);
        if (fb * f < 0.0) {
            a = b;
            fa = fb;
            kept = 0;
        } else {
            kept++;
            fa *= kept > 0 ? 0.5 : 1.0;
        }
        b = *at;
        fb = f;
    }
    double f = 0.0;
    if (status == TN_OK)
        status = ratio_at(r, *at, &f);
    return status == TN_OK && !(fabs(f) <= TN_TURNING_RATIO) ? TN_ERROR_NOT_FOUND : status;
}

/* Saves the state, so that a search that fails can restore it. */
static void remember(tn_sim *sim)
{
    tn_state_copy(&sim->mark, &sim->state);
    tn_coords_remember(sim->coords);
}

static tn_status recall(tn_sim *sim, tn_status status)
{
    tn_state_copy(&sim->state, &sim->mark);
    tn_refresh_kinematics(sim);
    tn_coords_recall(sim->coords);
    return status;
}

tn_status tn_sim_find_turning(tn_sim *sim, tn_joint driven, int32_t driven_coordinate, double to,
                              tn_joint other, int32_t other_coordinate, double *at)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    tn_ratio r = {.sim = sim,
                  .driven = tn_sim_element(sim, driven),
                  .driven_coordinate = driven_coordinate,
                  .other = tn_sim_element(sim, other),
                  .other_coordinate = other_coordinate};
    if (!sim || !at || !isfinite(to) ||
        !tn_model_has_coordinate(sim->model, r.driven, driven_coordinate) ||
        !tn_model_has_coordinate(sim->model, r.other, other_coordinate))
        return TN_ERROR_ARGUMENT;
    if (!tn_sim_coords(sim))
        return TN_ERROR_MEMORY;
    double f = 0.0;
    remember(sim);
    tn_status status = ratio_here(&r, &f);
    if (status == TN_OK) {
        status =
            locate(&r, tn_state_coordinate(&sim->state, r.driven, driven_coordinate), f, to, at);
    }
    return status == TN_OK ? status : recall(sim, status);
}

/* The coordinate that moves fastest with the driven one: near the dead point it does not have one
 * itself. Its way forwards, as the driven coordinate goes in `direction`, into *sense. */
static tn_status find_fastest(tn_ratio *r, int32_t joint, int32_t coordinate, double direction,
                              double *sense)
{
    double largest = 0.0;
    const tn_status status = tn_coords_ratios(r->sim->coords, joint, coordinate);
    for (int32_t j = 0; j < r->sim->model->joint_count && status == TN_OK; j++) {
        for (int32_t i = 0; i < r->sim->model->joints[j].geometry.cls->info.coordinate_count; i++) {
            const double rate = r->sim->coords->rate[j * TN_MAX_COORDINATES + i];
            if ((j == joint && i == coordinate) || !(fabs(rate) > largest))
                continue;
            largest = fabs(rate);
            *sense = copysign(1.0, rate * direction);
            r->driven = j;
            r->driven_coordinate = i;
        }
    }
    if (status != TN_OK)
        return status;
    return largest > 0.0 ? TN_OK : TN_ERROR_NOT_FOUND;
}

/* TN_OK if the present pose is a dead point of the coordinate itself, else TN_ERROR_NOT_FOUND; *at: its value. */
static tn_status find_here(tn_sim *sim, int32_t joint, int32_t coordinate, double *at)
{
    bool is = false;
    const tn_status status = tn_coords_is_dead_point(sim->coords, joint, coordinate, &is);
    *at = tn_state_coordinate(&sim->state, joint, coordinate);
    return status == TN_OK && !is ? TN_ERROR_NOT_FOUND : status;
}

/* Past the dead point, where the driven coordinate has turned back, and the root in between. */
static tn_status pass_and_locate(tn_ratio *r, double sense)
{
    double here = 0.0, f = 0.0, at;
    const double from = tn_state_coordinate(&r->sim->state, r->driven, r->driven_coordinate);
    tn_status status = ratio_here(r, &here);
    for (double s = TN_DEAD_POINT_STRIDE; status == TN_OK && s <= TN_DEAD_POINT_REACH; s *= 2.0) {
        status = ratio_at(r, from + sense * s, &f);
        if (status != TN_OK || here * f >= 0.0)
            continue;
        status = go_to(r, from);
        return status == TN_OK ? locate(r, from, here, from + sense * s, &at) : status;
    }
    return status == TN_OK ? TN_ERROR_NOT_FOUND : status;
}

tn_status tn_sim_find_dead_point(tn_sim *sim, tn_joint joint, int32_t coordinate, double direction,
                                 double *at)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const int32_t j = tn_sim_element(sim, joint);
    tn_ratio r = {.sim = sim, .other = j, .other_coordinate = coordinate};
    double sense = 1.0;
    if (j < 0 || !at || !tn_model_has_coordinate(sim->model, j, coordinate) || !(direction != 0.0))
        return TN_ERROR_ARGUMENT;
    if (!tn_sim_coords(sim))
        return TN_ERROR_MEMORY;
    remember(sim);
    if (find_here(sim, j, coordinate, at) == TN_OK)
        return TN_OK;
    tn_status status = find_fastest(&r, j, coordinate, direction, &sense);
    if (status == TN_OK)
        status = pass_and_locate(&r, sense);
    if (status == TN_OK) {
        *at = tn_state_coordinate(&sim->state, j, coordinate);
        return TN_OK;
    }
    return recall(sim, status);
}

/* Locks coordinates that are at a limit: the mechanism may come to a dead point while it slides along a stop. */
static void hold_at_limits(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const int32_t count = sim->model->joints[j].geometry.cls->info.coordinate_count;
        for (int32_t i = 0; i < count; i++) {
            if (tn_sim_at_limit(sim, tn_joint_of(sim->model, j), i, NULL) != 0)
                tn_sim_set_locked(sim, tn_joint_of(sim->model, j), i, 1);
        }
    }
}

/* Locks the coordinates of other motors that have their speed, as prescribed motions: several motors may come to a dead
 * point together. */
static void hold_at_motors(tn_sim *sim, const tn_drive *but)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        if (d != but && tn_drive_hold_of(sim, d) == TN_HOLD_MOTOR)
            tn_sim_set_locked(sim, tn_joint_of(sim->model, d->joint), d->coordinate, 1);
    }
}

/* Direction in which a drive moves its coordinate; 0: not at all. */
static double direction_of(const tn_sim *sim, const tn_drive *d)
{
    const double speed = tn_drive_speed(sim, d);
    if (speed != 0.0)
        return speed;
    if (d->set.driven)
        return d->rate;
    return tn_has_motor(&d->set)
               ? tn_drive_command(sim, d, sim->state.head->time, tn_drive_coordinate(sim, d))
               : 0.0;
}

/* The dead point that drive d is at or runs into. A prescribed motion is removed first, as the coordinate could not
 * move otherwise. A coordinate that followed its motion until now and cannot move is at a dead point. */
static bool stops(tn_sim *sim, const tn_drive *d, double *at)
{
    const tn_joint joint = tn_joint_of(sim->model, d->joint);
    const int32_t coordinate = d->coordinate;
    const double direction = direction_of(sim, d), here = tn_drive_coordinate(sim, d);
    const bool given = d->set.driven && tn_sim_set_driver(sim, joint, coordinate, NULL) == TN_OK;
    if (!(direction != 0.0))
        return false;
    hold_at_limits(sim);
    hold_at_motors(sim, d);
    const tn_status status = tn_sim_find_dead_point(sim, joint, coordinate, direction, at);
    if (given && status == TN_ERROR_SINGULAR)
        *at = here;
    return status == TN_OK || (given && status == TN_ERROR_SINGULAR);
}

tn_status tn_sim_dead_points(tn_sim *sim, tn_dead_point *points, int32_t capacity, int32_t *count)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    if (!sim || !count || capacity < 0 || (capacity > 0 && !points))
        return TN_ERROR_ARGUMENT;
    *count = 0;
    if (sim->model->loop_joints == 0 || sim->state.head->drive_count == 0)
        return TN_OK;
    void *block = tn_alloc(tn_sim_state_size(sim), 1);
    if (!block || !tn_sim_coords(sim)) {
        tn_free(block);
        return TN_ERROR_MEMORY;
    }
    tn_sim_save(sim, block);
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive d = sim->state.drives[k];
        double at = 0.0;
        const bool found = stops(sim, &sim->state.drives[k], &at);
        tn_sim_restore(sim, block);
        if (found && *count < capacity)
            points[*count] = (tn_dead_point){tn_joint_of(sim->model, d.joint), d.coordinate, at};
        *count += found;
    }
    tn_free(block);
    return TN_OK;
}

/* True if a motor moves the coordinate, without prescribed motion, and its joint is on. */
static bool may_be_dead(const tn_sim *sim, const tn_drive *d)
{
    return tn_has_motor(&d->set) && !d->set.driven && direction_of(sim, d) != 0.0 &&
           tn_state_is_on(sim->model, &sim->state, d->joint);
}

void tn_warn_of_dead_points(tn_sim *sim, tn_diagnostics *diags)
{
    for (int32_t k = 0; k < sim->state.head->drive_count && sim->model->loop_joints > 0; k++) {
        const tn_drive *d = &sim->state.drives[k];
        double at;
        if (!may_be_dead(sim, d) || !tn_sim_coords(sim) ||
            find_here(sim, d->joint, d->coordinate, &at) != TN_OK)
            continue;
        const char *name =
            sim->model->joints[d->joint].geometry.cls->info.coordinates[d->coordinate].name;
        tn_diagnostics_add(diags, TN_WARNING, TN_ERROR_SINGULAR,
                           tn_model_place(sim->model, d->joint),
                           "start beside it, or move another coordinate of the loop",
                           "the mechanism starts at a dead point of %s.%s at %s: its motor cannot "
                           "move it from there",
                           tn_element_name(sim->model, d->joint), name,
                           tn_tell_coordinate(sim, d->joint, d->coordinate, at, "").text);
    }
}

tn_status tn_sim_transmission(tn_sim *sim, tn_joint input, int32_t input_coordinate,
                              tn_joint output, int32_t output_coordinate, tn_joint through,
                              tn_transmission *out)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const int32_t from = tn_sim_element(sim, input), to = tn_sim_element(sim, output);
    if (from < 0 || !out || !tn_model_has_coordinate(sim->model, from, input_coordinate) ||
        !tn_model_has_coordinate(sim->model, to, output_coordinate) ||
        to >= sim->model->joint_count || (through.i >= 0 && !tn_has_joint(sim->model, through)))
        return TN_ERROR_ARGUMENT;
    if (!tn_sim_coords(sim))
        return TN_ERROR_MEMORY;
    out->through = (tn_joint){through.i < 0 ? -1 : through.i};
    const tn_status status = tn_coords_transmission(
        sim->coords, from * TN_MAX_COORDINATES + input_coordinate,
        to * TN_MAX_COORDINATES + output_coordinate, &out->through.i, &out->index);
    out->angle = status == TN_OK ? tn_asin(out->index) : 0.0;
    return status;
}
