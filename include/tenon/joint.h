/* joint.h: the joint catalogue: what types exist, their rows, coordinates and parameters, and the
 * maps between coordinates and joint transform for joints that are attached to nothing.
 *
 * A joint links frame C on body A (the moving side) with frame D on body B (the base, possibly
 * ground). T_CD is the pose of C in D; G is the legal frame nearest to C, T_CD = T_GD T_CG (3.13).
 * Row k is a wrench W_k in G that demands W_k . twist_GD = 0 (bilateral) or bounds a coordinate.
 */
#ifndef TENON_JOINT_H
#define TENON_JOINT_H

#include "tenon/function.h"
#include "tenon/math.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TN_MAX_ROWS        6 /* rows of a joint: bilateral ones first, then the motion rows */
#define TN_MAX_COORDINATES 6
#define TN_MAX_PARAMETERS  8

/* Flags of a row. A row has exactly one of BILATERAL and MOTION. */
enum {
    TN_ROW_BILATERAL = 1, /* a constraint: always on while the joint is enabled */
    TN_ROW_MOTION = 2,    /* a free direction: carries the limit or lock of its coordinate */
    TN_ROW_LINEAR = 4,    /* mainly a force; error in m, multiplier in N */
    TN_ROW_ROTARY = 8     /* mainly a moment; error in rad, multiplier in N m */
};

/* A row of a joint type. */
typedef struct tn_row_info {
    const char *name;   /* short name of the direction: "fx" ... "mz" or the coordinate's name */
    uint32_t flags;     /* TN_ROW_... */
    int32_t coordinate; /* the coordinate a motion row belongs to, or -1 */
} tn_row_info;

/* A coordinate of a joint type. */
typedef struct tn_coordinate_info {
    const char *name;
    int32_t angular; /* 1: an angle in rad that counts turns, 0: a length in m */
} tn_coordinate_info;

/* A parameter of a joint type. */
typedef struct tn_parameter_info {
    const char *name;
    const char *unit; /* "m", "rad", "m/rad", "1" */
    double default_value;
    double lower, upper; /* open interval of allowed values */
    const char *summary;
} tn_parameter_info;

/* What holds the coordinates of a type at the start, unless the joint gives a range. */
typedef enum tn_joint_start {
    TN_START_FREE,
    TN_START_HELD,   /* locked: a rod */
    TN_START_AT_MOST /* their values at the start are their upper limits: a rope */
} tn_joint_start;

/* What some types need beside parameters: lists whose length the user chooses. */
typedef enum tn_joint_data_kind {
    TN_JOINT_DATA_NONE,
    TN_JOINT_DATA_POINTS, /* points */
    TN_JOINT_DATA_AXES    /* coordinates, axes */
} tn_joint_data_kind;

/* One axis of a custom joint: a turn about it, or a shift along it, by function(coordinate). */
typedef struct tn_joint_axis {
    int32_t angular;    /* 1: a turn, function in rad; 0: a shift, function in m */
    tn_vec3 axis;       /* of any length; shifts: in D; turns: in the frame turned so far */
    int32_t coordinate; /* number of the joint's coordinate, or -1: the function is constant */
    tn_function_def function; /* none: the coordinate itself */
} tn_joint_axis;

/* What a user-defined joint returns at some coordinates, all in D: the pose T_CD; the velocity v[j] of C's
 * origin and the angular velocity w[j] of C per unit speed of coordinate j, dp/dq_j = v[j],
 * dR/dq_j = [w[j]]x R; and their derivatives, dv[j][k] = dv[j]/dq_k, dw[j][k] = dw[j]/dq_k. All are zero
 * before the call. Entries of coordinates that the joint does not have are ignored. */
typedef struct tn_joint_motion {
    tn_pose pose;
    tn_vec3 v[TN_MAX_COORDINATES], w[TN_MAX_COORDINATES]; /* m, rad per rad or m */
    tn_vec3 dv[TN_MAX_COORDINATES][TN_MAX_COORDINATES], dw[TN_MAX_COORDINATES][TN_MAX_COORDINATES];
} tn_joint_motion;

/* Must be pure: the same q gives the same bits in every thread. Called with coordinates near those of the
 * mechanism, and with zero. */
typedef void (*tn_joint_motion_function)(void *context, const double *q, tn_joint_motion *out);

/* Data of a joint type that needs lists (tn_joint_data_kind); unused fields are 0. */
typedef struct tn_joint_data {
    const double (*points)[2]; /* [point_count] m, x and z in D */
    int32_t point_count;
    const tn_coordinate_info *coordinates; /* [coordinate_count] the user's own */
    int32_t coordinate_count;
    const tn_joint_axis *axes; /* [axis_count] at most three turns and three shifts */
    int32_t axis_count;
    /* Instead of axes; has no form in model files. The twists (v[j], w[j]) must be independent at
     * coordinates zero and wherever the joint goes. */
    tn_joint_motion_function motion;
    void *motion_context; /* handed to it; not copied */
} tn_joint_data;

/* What the registry contains about a type. All strings are static. For a type with axes, rows, coordinates
 * and counts depend on the joint (tn_joint_info): here they are those of one turn. */
typedef struct tn_joint_type_info {
    const char *name;
    const char *const *aliases; /* NULL-terminated; NULL: none */
    const char *summary;        /* one sentence */
    int32_t dof;                /* motions left between C and D */
    int32_t row_count;          /* bilateral rows (6 - dof), then dof motion rows */
    int32_t bilateral_count;
    int32_t coordinate_count;
    int32_t parameter_count;
    const tn_row_info *rows;               /* [row_count] */
    const tn_coordinate_info *coordinates; /* [coordinate_count] */
    const double (*ranges)[2];             /* [coordinate_count] rad, m: limits of a joint that
                                              gives none; NULL: no limits */
    tn_joint_start start;
    const tn_parameter_info *parameters; /* [parameter_count] */
    /* One more than the index of the parameter that follows from the two axes of a joint if it is not given:
     * the lean (rad) of y_axis towards axis. 0: the axes must be square. */
    int32_t skew_after;
    tn_joint_data_kind data;
    const char *block; /* the type that `block: true` makes of it; NULL: it has no such form */
} tn_joint_type_info;

/* 1 for a type that turns freely about a point and has fewer than three coordinates for this rotation. */
TN_API int tn_joint_is_ball(const tn_joint_type_info *info);

/* 1 if a value given for all constraint rows, or for all linear or rotary ones, applies to this row. These are
 * the bilateral rows; for a type without any, the rows of its coordinates, which do its holding: a rod's length. */
TN_API int tn_joint_row_holds(const tn_joint_type_info *info, int32_t row);

/* Storage for the description of a joint whose data decide its rows and coordinates (tn_joint_info). */
typedef struct tn_joint_own_info {
    tn_joint_type_info info;
    tn_row_info rows[TN_MAX_ROWS];
    tn_coordinate_info coordinates[TN_MAX_COORDINATES];
} tn_joint_own_info;

/* An entry of the registry. */
typedef struct tn_joint_type {
    int32_t i;
} tn_joint_type;

/* Number of joint types. */
TN_API int32_t tn_joint_type_count(void);
/* type.i in 0 .. count-1, else NULL. */
TN_API const tn_joint_type_info *tn_joint_type_get(tn_joint_type type);
/* By name or alias; TN_ERROR_NOT_FOUND leaves *out alone. */
TN_API tn_status tn_joint_type_find(const char *name, tn_joint_type *out);

/* Rows and coordinates of a joint of this type with this data: the type's own, or *own, filled in, where the
 * data decide them. Names of coordinates point into the data. Unusable data are ignored. NULL: no such type. */
TN_API const tn_joint_type_info *tn_joint_info(tn_joint_type type, const tn_joint_data *data,
                                               tn_joint_own_info *own);

/* T_CD of the coordinates q[coordinate_count] (rad, m); parameters[parameter_count] may be NULL
 * for the defaults. ArtiSynth: coordinatesToTCD. TN_ERROR_ARGUMENT for types with data:
 * see tn_joint_def_coordinates_to_pose (spec.h). */
TN_API tn_status tn_joint_coordinates_to_pose(tn_joint_type type, const double *parameters,
                                              const double *q, tn_pose *t_cd);
/* The coordinates of the legal pose nearest to t_cd; angles and branches nearest to reference
 * (NULL: zero). t_gd receives that legal pose unless NULL. */
TN_API tn_status tn_joint_pose_to_coordinates(tn_joint_type type, const double *parameters,
                                              tn_pose t_cd, const double *reference, double *q,
                                              tn_pose *t_gd);

#ifdef __cplusplus
}
#endif
#endif
