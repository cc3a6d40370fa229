/* coords.h: placing a mechanism: joint coordinates, closed loops included, and point targets.
 *
 * Setting a coordinate moves the bodies (ArtiSynth Modeling Guide 3.3.4). In a tree a whole side
 * moves rigidly and every other joint keeps its coordinates. In a closed loop the pose is followed
 * continuously from the present one to the requested one, so the mechanism stays on its branch;
 * what hangs on the loop is carried along. All calls either succeed or leave the pose as it was.
 */
#ifndef TENON_COORDS_H
#define TENON_COORDS_H

#include "tenon/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One coordinate wanted at a value (rad, m; angles count turns). */
typedef struct tn_coordinate_request {
    tn_joint joint;
    int32_t coordinate;
    double value;
} tn_coordinate_request;

/* What became of a request. One line per outcome: enum, word, meaning. */
#define TN_COORDINATE_OUTCOME_LIST(X)                                                              \
    X(TN_COORDINATE_SET, "set", "the coordinate has the requested value")                          \
    X(TN_COORDINATE_DEPENDENT, "dependent",                                                        \
      "it follows from earlier requests, locks or the loop itself")                                \
    X(TN_COORDINATE_LIMITED, "limited",                                                            \
      "stopped by a range, its own or another joint's, or by a dead point of the loop")            \
    X(TN_COORDINATE_SINGULAR, "singular",                                                          \
      "it stays: in this pose of the loop more than one way begins with it, or none does")

typedef enum tn_coordinate_outcome {
#define TN_COORDINATE_OUTCOME_ENUM(id, word, text) id,
    TN_COORDINATE_OUTCOME_LIST(TN_COORDINATE_OUTCOME_ENUM)
#undef TN_COORDINATE_OUTCOME_ENUM
        TN_COORDINATE_OUTCOME_COUNT
} tn_coordinate_outcome;

/* The word of an outcome, such as "limited"; "?": no such outcome. */
TN_API const char *tn_coordinate_outcome_word(tn_coordinate_outcome outcome);

/* The result of one request. */
typedef struct tn_coordinate_answer {
    tn_coordinate_outcome outcome;
    double value; /* rad, m: what was reached */
} tn_coordinate_answer;

/* Options of the calls below. Fill it from tn_default_coordinate_options. */
typedef struct tn_coordinate_options {
    uint32_t cookie;
    /* 1: of a mechanism that hangs on nothing fixed, body A of the first requested joint is on the
     * side that moves; 0: the lighter side moves. */
    int32_t always_move_a;
    int32_t project_velocity; /* 1: velocities are made consistent with the new pose */
    int32_t all_or_nothing;   /* 1: an answer other than SET is a failure */
    /* Of speeds, 1: all joints that are free follow with the least kinetic energy of the change, as
     * after a blow on the coordinate; 0: joints in no loop with a coordinate that is set keep their
     * own speeds. */
    int32_t others_follow;
} tn_coordinate_options;

/* All options 0. */
TN_API tn_coordinate_options tn_default_coordinate_options(void);

#define TN_MAX_WORST_JOINTS 5

/* How well the joints are closed, and the work it took. */
typedef struct tn_placement_report {
    tn_status status;
    int32_t converged;     /* 1: all hard rows are closed */
    double position_error; /* m, largest error of a hard linear row */
    double angle_error;    /* rad, largest error of a hard rotary row */
    /* Loop gaps that no pose closes (tn_sim_options.loops). Position and angle errors are counted
     * from them. */
    double gap;          /* m */
    double gap_angle;    /* rad */
    int32_t worst_count; /* joints that are open, worst first */
    tn_joint worst_joint[TN_MAX_WORST_JOINTS];
    double worst_error[TN_MAX_WORST_JOINTS]; /* m or rad */
    /* A coordinate that was outside its range before and could not be brought back into it, which
     * is a failure; index -1: none. */
    tn_joint beyond_joint;
    int32_t beyond_coordinate;
    double beyond; /* rad, m: by how much */
    /* If velocities were made consistent: the largest change of the velocity of a centre of mass and of an
     * angular velocity, the body that changed most (-1: none by more than round-off), the number of bodies
     * that changed, and the kinetic energy lost (never negative). */
    double velocity_change; /* m/s */
    double spin_change;     /* rad/s */
    tn_body changed_most;
    int32_t changed_bodies;
    double energy_change;   /* J */
    double largest_move;    /* m, of a centre of mass */
    double largest_turn;    /* rad */
    tn_body moved_most;     /* index -1 if nothing moved */
    int32_t moved_bodies;   /* how many are elsewhere than before */
    int32_t path_steps;     /* poses on the way */
    int32_t factorizations; /* of the KKT matrix */
} tn_placement_report;

/* Sets several coordinates at once; an earlier request has priority over a later one that contradicts it.
 * Values are clipped to the ranges; a locked coordinate moves and is locked at its new value.
 * If a moved coordinate of a loop is outside its range at the start, it is first brought back into it; if
 * this is impossible the call fails and the report names the coordinate.
 * World velocities stay unless options request projection. answers[count] and report may be NULL;
 * options NULL: the defaults. TN_ERROR_NOT_CONVERGED: the pose is unchanged. */
TN_API tn_status tn_sim_set_coordinates(tn_sim *sim, const tn_coordinate_request *requests,
                                        int32_t count, const tn_coordinate_options *options,
                                        tn_coordinate_answer *answers, tn_placement_report *report);

/* Which part of a marker's pose is requested. */
typedef enum tn_marker_aim {
    TN_AIM_POSITION, /* its place */
    TN_AIM_ROTATION, /* the orientation of its axes */
    TN_AIM_POSE      /* both */
} tn_marker_aim;

/* Requested position of a marker, orientation, or both. The same marker may have two requests: its
 * position exactly, its orientation as nearly as possible. */
typedef struct tn_marker_request {
    tn_marker marker;
    tn_vec3 position; /* m, world */
    double weight;    /* > 0: as near as possible, weighed against other such markers; 0: exactly */
    tn_marker_aim aim;
    tn_quat rotation; /* of the marker's axes in the world; of any length but zero */
    double arm;       /* m: an error of one radian counts like an error of this length; 0: the
                       * mechanism's size */
    /* Instead of a marker (index -1): a point of a body (m, its frame), with the body's axes. */
    tn_body body;
    tn_vec3 point;
} tn_marker_request;

/* Requests the position of a marker exactly, and no orientation. */
TN_API tn_marker_request tn_default_marker_request(tn_marker marker);
/* The same of a point of a body that has no marker there. */
TN_API tn_marker_request tn_default_point_request(tn_body body, tn_vec3 point);

/* How far a marker is from its request. */
typedef struct tn_marker_answer {
    double distance; /* m; 0 if no position was requested */
    double angle; /* rad, 0 .. pi, of the remaining rotation; 0 if no orientation was requested */
} tn_marker_answer;

/* Inverse kinematics. Sets coordinates as tn_sim_set_coordinates does. Then, with these held, moves the rest
 * from the present pose so that markers reach their requests exactly (weight 0) or with the least sum of
 * weight (distance^2 + arm^2 angle^2), with joints closed and ranges kept; rotations go the shorter way.
 * If an exact request cannot be reached the call fails: the pose is unchanged, and
 * marker_answers[marker_count] (may be NULL) contain how near each marker came.
 * TN_ERROR_UNSUPPORTED: an orientation of a particle, which has none. */
TN_API tn_status tn_sim_pose(tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                             const tn_marker_request *markers, int32_t marker_count,
                             const tn_coordinate_options *options, tn_coordinate_answer *answers,
                             tn_marker_answer *marker_answers, tn_placement_report *report);

/* Sets the velocities to those at unit speed of one coordinate (1 rad/s or 1 m/s); bodies attached to
 * its loop move with it. Returns first and second derivatives of all coordinates with respect to this one,
 * rate and second [joints][TN_MAX_COORDINATES]. body_second[bodies][6] (may be NULL): second derivatives of
 * the positions of the bodies' origins and of their rotations, world axes, per unit speed squared. If the
 * mechanism keeps freedom, the motion of least kinetic energy. Where branches cross, the motion along the
 * branch on which the mechanism came; second derivatives are NaN there.
 * TN_ERROR_SINGULAR: it cannot move here (a dead point, or all is held); nothing has changed. */
TN_API tn_status tn_sim_motion_ratios(tn_sim *sim, tn_joint joint, int32_t coordinate, double *rate,
                                      double *second, double *body_second);

/* Finds where another coordinate turns back: where its derivative with respect to the driven coordinate
 * changes sign, between the present value of the driven coordinate and `to`. Returns the driven coordinate's
 * value there and leaves the mechanism in that pose. TN_ERROR_NOT_FOUND: no such place. On failure the pose is
 * unchanged. */
TN_API tn_status tn_sim_find_turning(tn_sim *sim, tn_joint driven, int32_t driven_coordinate,
                                     double to, tn_joint other, int32_t other_coordinate,
                                     double *at);
/* Finds the dead point at which a coordinate itself turns back, here or close ahead in the given direction
 * (> 0 or < 0). Returns its value there and leaves the mechanism in that pose. Use it after
 * tn_sim_set_coordinates returned LIMITED. TN_ERROR_NOT_FOUND: none near. On failure the pose is unchanged. */
TN_API tn_status tn_sim_find_dead_point(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                        double direction, double *at);

/* A dead point: a coordinate turns back there while the mechanism moves on. A drive along this coordinate cannot move
 * the mechanism through it. */
typedef struct tn_dead_point {
    tn_joint joint;
    int32_t coordinate;
    double value; /* rad, m */
} tn_dead_point;

/* Lists the dead points that coordinates with a prescribed motion or a motor are at or run into; for use after a
 * step that failed. *count: number found; points[capacity] gets the first of them. The simulation is unchanged.
 * TN_ERROR_MEMORY. */
TN_API tn_status tn_sim_dead_points(tn_sim *sim, tn_dead_point *points, int32_t capacity,
                                    int32_t *count);

/* How well an input coordinate drives an output one through a joint of the output's member. */
typedef struct tn_transmission {
    double index;     /* 0 .. 1: share of the transmitted wrench that does work on the output */
    double angle;     /* rad, 0 .. pi/2: transmission angle, arc sine of the index */
    tn_joint through; /* the joint it was taken at */
} tn_transmission;

/* Transmission index: the input is held and the output loaded. index = |power| of the wrench that `through`
 * passes to the output's member, at unit speed of the output, divided by the largest power a wrench of this
 * magnitude could have there. In a planar four-bar its arc sine is the angle between coupler and rocker (below
 * 90 degrees), in a slider-crank the angle between the rod and the normal of the slide. 0: the input does
 * not hold the output. through.i -1: the joint that passes most. TN_ERROR_NOT_FOUND: no such joint.
 * Pose and velocities are unchanged. */
TN_API tn_status tn_sim_transmission(tn_sim *sim, tn_joint input, int32_t input_coordinate,
                                     tn_joint output, int32_t output_coordinate, tn_joint through,
                                     tn_transmission *out);

/* Sets speeds of several coordinates at once (values of requests: rad/s or m/s). Joints and locks are satisfied.
 * In loops the other coordinates follow, with the least kinetic energy of the change where they are free;
 * joints in no such loop keep their speeds unless options->others_follow is 1. A mechanism attached to nothing
 * fixed keeps its momenta. DEPENDENT: the request contradicts an earlier one, or the coordinate is locked.
 * LIMITED: it is at the end of its range and would leave it, or would make another one do so. answers[count]
 * (speeds) and report may be NULL; options NULL: the defaults. With all_or_nothing such a request is an error,
 * TN_ERROR_CONFLICT. On failure the velocities are unchanged. */
TN_API tn_status tn_sim_set_coordinate_speeds(tn_sim *sim, const tn_coordinate_request *requests,
                                              int32_t count, const tn_coordinate_options *options,
                                              tn_coordinate_answer *answers,
                                              tn_placement_report *report);
/* One of them; TN_ERROR_CONFLICT, and nothing changes, if it cannot have that speed. */
TN_API tn_status tn_sim_set_coordinate_speed(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                             double speed);

/* Sets the angular velocity of a ball joint's frame C relative to D (rad/s, axes of D). Use it for such joints
 * because their coordinates do not describe every angular velocity. TN_ERROR_UNSUPPORTED: another type of
 * joint. TN_ERROR_CONFLICT: loops prevent it; nothing changes. report may be NULL. */
TN_API tn_status tn_sim_set_angular_velocity(tn_sim *sim, tn_joint joint, tn_vec3 w,
                                             tn_placement_report *report);

/* Closes the joints from the present pose, however open they are, with the least movement of the bodies:
 * sum of m |dx|^2 + e^T J e, with e the rotation vector; heavy bodies move least and fixed ones not at all.
 * Then makes velocities consistent with the least kinetic energy of the change. On failure the pose is
 * unchanged and the report names the joints that cannot close. tn_sim_create does this with the model's
 * initial pose, and with its velocities unless the integrator does it in the first step; notes in its
 * diagnostics report what moved or changed. report may be NULL. */
TN_API tn_status tn_sim_assemble(tn_sim *sim, tn_placement_report *report);

#ifdef __cplusplus
}
#endif
#endif
