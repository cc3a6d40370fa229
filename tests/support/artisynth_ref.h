/* artisynth_ref.h: test support: reader of the reference runs in tests/data/artisynth.
 *
 * In: a CSV file whose '#' lines give the run (integrator, bodies, joints at t = 0) and whose data
 * rows give, per time: t; per dynamic body, in file order, p, R (row-major), v, w in world axes at
 * the body origin; the coordinates of every joint; the multipliers of every bilateral row.
 * Out: one artisynth_ref. Row 0 is the start: its velocities are as given, its multipliers zero.
 * Limits: hinge, cylindrical, spherical and solid joints; the multipliers of row k belong to the
 * step from row k-1 to row k (forces, not impulses).
 */
#ifndef TENON_TESTS_ARTISYNTH_REF_H
#define TENON_TESTS_ARTISYNTH_REF_H

#include "tenon/math.h"

enum {
    ARTISYNTH_MAX_BODIES = 4,
    ARTISYNTH_MAX_JOINTS = 4,
    ARTISYNTH_MAX_ROWS = 6, /* constraint rows of one joint, limit rows included */
    ARTISYNTH_NAME_SIZE = 48,
    ARTISYNTH_GROUND = -1, /* body index of the ground */
    ARTISYNTH_BODY_COLUMNS = 18
};

typedef struct artisynth_pose {
    tn_mat3 R; /* columns are the frame's axes in world */
    tn_vec3 p; /* m */
} artisynth_pose;

/* What the file says about one body at one time: world axes, at the body origin. */
typedef struct artisynth_motion {
    artisynth_pose pose;
    tn_twist velocity;
} artisynth_motion;

typedef struct artisynth_body {
    char name[ARTISYNTH_NAME_SIZE];
    int dynamic;     /* 0: does not move and has no columns */
    int slot;        /* index among the dynamic bodies, -1 if not dynamic */
    double mass;     /* kg */
    tn_mat3 inertia; /* kg m^2, about the body origin, body axes */
    tn_vec3 com;     /* m, body frame */
} artisynth_body;

typedef struct artisynth_joint {
    char type[ARTISYNTH_NAME_SIZE]; /* "hinge", "cylindrical", "spherical" or "solid" */
    int body_a;                     /* frame C is fixed to it */
    int body_b;                     /* frame D is fixed to it; may be ARTISYNTH_GROUND */
    artisynth_pose T_CW, T_DW;      /* at t = 0 */
    int row_count; /* length of compliance and damping: bilateral rows, then limits */
    int bilateral_count;
    double compliance[ARTISYNTH_MAX_ROWS]; /* m/N or rad/(N m); 0: hard */
    double damping[ARTISYNTH_MAX_ROWS];    /* N s/m or N m s/rad */
    int coordinate_count;
    int first_coordinate; /* among the coordinates of a data row */
    int first_multiplier; /* among the multipliers of a data row */
} artisynth_joint;

typedef struct artisynth_ref {
    char name[ARTISYNTH_NAME_SIZE];
    char integrator[ARTISYNTH_NAME_SIZE];
    char stabilization[ARTISYNTH_NAME_SIZE];
    double step; /* s */
    int body_count, dynamic_count, joint_count;
    int coordinate_count, multiplier_count;
    artisynth_body bodies[ARTISYNTH_MAX_BODIES];
    artisynth_joint joints[ARTISYNTH_MAX_JOINTS];
    int row_count, column_count;
    double *values;  /* row_count x column_count */
    char error[160]; /* why reading failed */
} artisynth_ref;

/* Returns 1, or 0 with ref->error set and nothing to free. */
int artisynth_ref_read(const char *path, artisynth_ref *ref);
void artisynth_ref_free(artisynth_ref *ref);

/* row in [0, row_count) */
double artisynth_ref_time(const artisynth_ref *ref, int row);
/* slot in [0, dynamic_count) */
artisynth_motion artisynth_ref_motion(const artisynth_ref *ref, int row, int slot);
const double *artisynth_ref_coordinates(const artisynth_ref *ref, int row); /* m or rad */
const double *artisynth_ref_multipliers(const artisynth_ref *ref, int row); /* N or N m */

#endif
