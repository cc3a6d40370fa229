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

TN_API const char *tn_coordinate_outcome_word(tn_coordinate_outcome outcome);

typedef struct tn_coordinate_answer {
    tn_coordinate_outcome outcome;
    double value; /* rad, m: what was reached */
} tn_coordinate_answer;

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

TN_API tn_coordinate_options tn_default_coordinate_options(void);

#define TN_MAX_WORST_JOINTS 5

/* How well the joints are closed, and what it took. */
typedef struct tn_placement_report {
    tn_status status;
    int32_t converged;     /* 1: all hard rows are closed */
    double position_error; /* m, largest error of a hard linear row */
    double angle_error;    /* rad, largest error of a hard rotary row */
    /* What loops stay open by because no pose closes them (tn_sim_options.loops): there the errors
     * are counted from. */
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
    /* Where velocities were made consistent: the largest change of a body's velocity at its centre
     * of mass and of its angular velocity, whose it was (-1: nobody's by more than round-off), how
     * many bodies changed, and the kinetic energy that is gone (never negative). */
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

/* Sets coordinates, several at once; an earlier request wins over a later one that contradicts it.
 * Values are clipped to the ranges; a locked coordinate moves and is locked at its new value.
 * A coordinate of a loop that is moved, and is outside its range before, is brought back into it
 * first; one that cannot be is a failure, and the report has its name.
 * World velocities stay unless options ask for projection. answers[count] and report may be NULL,
 * options NULL means the defaults. TN_ERROR_NOT_CONVERGED: the pose is the old one. */
TN_API tn_status tn_sim_set_coordinates(tn_sim *sim, const tn_coordinate_request *requests,
                                        int32_t count, const tn_coordinate_options *options,
                                        tn_coordinate_answer *answers, tn_placement_report *report);

/* What of a marker is wanted somewhere. */
typedef enum tn_marker_aim {
    TN_AIM_POSITION, /* its place */
    TN_AIM_ROTATION, /* the orientation of its axes */
    TN_AIM_POSE      /* both */
} tn_marker_aim;

/* A marker wanted at a place, in an orientation, or both. The same marker may be asked for twice:
 * its place exactly, its orientation as nearly as possible. */
typedef struct tn_marker_request {
    tn_marker marker;
    tn_vec3 position; /* m, world */
    double weight;    /* > 0: as near as possible, against other such markers; 0: exactly */
    tn_marker_aim aim;
    tn_quat rotation; /* of the marker's axes in the world; of any length but zero */
    double arm;       /* m: a miss of one radian counts like one of this length; 0: the mechanism's
                       * size */
    /* Instead of a marker (index -1): a point of a body (m, its frame), with the body's axes. */
    tn_body body;
    tn_vec3 point;
} tn_marker_request;

/* The position of a marker, exactly; the rotation is none. */
TN_API tn_marker_request tn_default_marker_request(tn_marker marker);
/* The same of a point of a body that has no marker there. */
TN_API tn_marker_request tn_default_point_request(tn_body body, tn_vec3 point);

/* How far a marker is from where it was wanted. */
typedef struct tn_marker_answer {
    double distance; /* m; 0 where no place was asked for */
    double angle;    /* rad, 0 .. pi, of the rotation that is missing; 0 where none was asked for */
} tn_marker_answer;

/* Inverse kinematics: sets coordinates as tn_sim_set_coordinates does, then, these held, moves the
 * rest so that markers come to their places and orientations, exactly (weight 0) or with the least
 * sum of weight (distance^2 + arm^2 angle^2), joints closed and ranges kept, from the present pose
 * on, turning by the shorter way. What cannot be reached exactly is a failure: the pose is then the
 * old one, and marker_answers[marker_count] (may be NULL) tell how near each of them came before.
 * TN_ERROR_UNSUPPORTED: an orientation of a particle, which has none. */
TN_API tn_status tn_sim_pose(tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                             const tn_marker_request *markers, int32_t marker_count,
                             const tn_coordinate_options *options, tn_coordinate_answer *answers,
                             tn_marker_answer *marker_answers, tn_placement_report *report);

/* Sets the velocities to those at unit speed of one coordinate (1 rad/s or 1 m/s), what hangs on
 * its loop carried along, and gives all coordinates' first and second derivatives with respect to
 * it, [joints][TN_MAX_COORDINATES], and unless NULL those of the bodies: second derivatives of the
 * position of their origins and accelerations of their rotation, world axes, per unit speed
 * squared, [bodies][6]. Where the coordinate leaves freedom, the motion of least energy. Where
 * branches cross, the motion of the branch the mechanism came on; second derivatives are NaN there.
 * TN_ERROR_SINGULAR: it cannot move here (a dead point, or all is held); nothing has changed. */
TN_API tn_status tn_sim_motion_ratios(tn_sim *sim, tn_joint joint, int32_t coordinate, double *rate,
                                      double *second, double *body_second);

/* Where another coordinate turns back, its derivative with respect to the driven one changing sign,
 * on the way of the driven coordinate from here to `to`: the driven coordinate's value there, and
 * the pose is there then. TN_ERROR_NOT_FOUND: it does not; on failure the pose is the old one. */
TN_API tn_status tn_sim_find_turning(tn_sim *sim, tn_joint driven, int32_t driven_coordinate,
                                     double to, tn_joint other, int32_t other_coordinate,
                                     double *at);
/* The dead point at which a coordinate itself turns back, here or close ahead in the sense of direction
 * (> 0 or < 0): its value there, and the pose is there then. For where tn_sim_set_coordinates was
 * stopped (LIMITED). TN_ERROR_NOT_FOUND: there is none near; on failure the pose is the old one. */
TN_API tn_status tn_sim_find_dead_point(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                        double direction, double *at);

/* A dead point: where a coordinate turns back while the mechanism moves on. Nothing that drives the coordinate moves the
 * mechanism through it. */
typedef struct tn_dead_point {
    tn_joint joint;
    int32_t coordinate;
    double value; /* rad, m */
} tn_dead_point;

/* The dead points that driven coordinates, by given motions or by motors, are at or run into: for after a step that failed.
 * *count of them, of which points[capacity] gets as many as it holds. The simulation stays as it is. TN_ERROR_MEMORY. */
TN_API tn_status tn_sim_dead_points(tn_sim *sim, tn_dead_point *points, int32_t capacity,
                                    int32_t *count);

/* How well an input coordinate drives an output one through a joint of the output's member. */
typedef struct tn_transmission {
    double index;     /* 0 .. 1: share of the transmitted wrench that does work on the output */
    double angle;     /* rad, 0 .. pi/2: transmission angle, arc sine of the index */
    tn_joint through; /* the joint it was taken at */
} tn_transmission;

/* The input held and the output loaded, the index is |power| of the wrench that `through` passes to
 * the output's member, at unit speed of the output, over the most a wrench of this size could have
 * there. In a planar four-bar its arc sine is the angle between coupler and rocker (below 90
 * degrees), in a slider-crank that between the rod and the normal of the slide. 0: the input does
 * not hold the output. through.i -1: the joint that passes most. TN_ERROR_NOT_FOUND: no such joint.
 * Pose and velocities stay. */
TN_API tn_status tn_sim_transmission(tn_sim *sim, tn_joint input, int32_t input_coordinate,
                                     tn_joint output, int32_t output_coordinate, tn_joint through,
                                     tn_transmission *out);

/* Sets speeds of coordinates (requests' values, rad/s or m/s), several at once. The joints hold,
 * and so do locks; in loops the other coordinates follow, with the least kinetic energy of the
 * change where they are free to; joints in no such loop keep their speeds unless
 * options->others_follow is 1. What hangs on nothing fixed keeps its momenta. A later request that
 * contradicts an earlier one, or a coordinate that is locked, is DEPENDENT; one at the end of its
 * range that would leave it, or make another one do so, is LIMITED. answers[count] (speeds) and
 * report may be NULL, options NULL means the defaults. With all_or_nothing a failure is
 * TN_ERROR_CONFLICT. On failure the velocities are the old ones. */
TN_API tn_status tn_sim_set_coordinate_speeds(tn_sim *sim, const tn_coordinate_request *requests,
                                              int32_t count, const tn_coordinate_options *options,
                                              tn_coordinate_answer *answers,
                                              tn_placement_report *report);
/* One of them; TN_ERROR_CONFLICT, and nothing changes, if it cannot have that speed. */
TN_API tn_status tn_sim_set_coordinate_speed(tn_sim *sim, tn_joint joint, int32_t coordinate,
                                             double speed);

/* The angular velocity of a ball joint's frame C against D (rad/s, axes of D), likewise: it may be
 * any, and no coordinate counts all of it. TN_ERROR_UNSUPPORTED for other joints; TN_ERROR_CONFLICT,
 * and nothing changes, where loops hold it. report may be NULL. */
TN_API tn_status tn_sim_set_angular_velocity(tn_sim *sim, tn_joint joint, tn_vec3 w,
                                             tn_placement_report *report);

/* Closes the joints from the present pose, however open they are, with the least movement of the
 * bodies: sum of m |dx|^2 + e^T J e, e the rotation vector, so heavy bodies move least and fixed
 * ones not at all. Then velocities are made consistent with the least kinetic energy of the change.
 * On failure the pose is the old one and the report names the joints that cannot close. Making a
 * simulation does this with the model's initial pose, and with its velocities unless the integrator
 * is one whose first step does; notes among its diagnostics tell what moved or changed. report may
 * be NULL. */
TN_API tn_status tn_sim_assemble(tn_sim *sim, tn_placement_report *report);

#ifdef __cplusplus
}
#endif
#endif
