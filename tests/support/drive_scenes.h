/* drive_scenes.h: test support: small machines whose coordinates are driven, and what is asked of
 * them. Every call asserts success.
 */
#ifndef TENON_TESTS_DRIVE_SCENES_H
#define TENON_TESTS_DRIVE_SCENES_H

#include "mechanism.h"

#define DRIVE_GRAVITY 9.81 /* m/s^2, downwards: -y */

static const tn_joint joint0 = {0};

/* A pendulum on a hinge along z at the origin, its centre of mass at `arm` on the x axis; gravity
 * along -y: m g l cos(theta) pulls it down. */
typedef struct pendulum_data {
    double mass, arm, inertia; /* kg; m; kg m^2 about the centre of mass */
    double start;              /* rad */
    double speed;              /* rad/s */
    double gravity;            /* m/s^2 */
} pendulum_data;
mechanism drive_pendulum(const pendulum_data *data, const tn_drive_def *drive);

/* A block of `mass` on a slider, inclined by `angle` (rad) to the horizontal: z up the slope. */
typedef struct slope_data {
    double mass, angle, speed, gravity;
    double lower, upper; /* m; both 0: no range */
} slope_data;
mechanism drive_slope(const slope_data *data, const tn_drive_def *drive);

double drive_coordinate(const mechanism *m, int32_t joint, int32_t coordinate);
double drive_speed(const mechanism *m, int32_t joint, int32_t coordinate);
/* Steps; fails the test unless every step succeeds without fallback. Returns the events. */
int drive_run(mechanism *m, double h, int count);
/* total - work + lost. */
double drive_balance_of_energy(const mechanism *m);
/* Asserts the wrench's parts add up to the whole in all frames, to 1e-12 of it. */
void drive_check_parts(const mechanism *m, tn_joint joint);

tn_function_def drive_sine(const double numbers[4]);
tn_function_def drive_polynomial(const double *numbers, int32_t count);
tn_function_def drive_constant(const double *number);

#endif
