/* joint_samples.h: test support: random joints of every registered type, and derivatives along
 * curves.
 *
 * A sample is a type with random parameters at a random legal pose, away from the places where
 * its coordinates are singular: there a row has a component beyond JOINT_SAMPLE_MAX_ROW, or one
 * that changes by more than JOINT_SAMPLE_MAX_RATE a second. Sequences are fixed by the seed.
 */
#ifndef TENON_TESTS_JOINT_SAMPLES_H
#define TENON_TESTS_JOINT_SAMPLES_H

#include "joint/joint_rows.h"
#include "random_numbers.h"

/* Largest component of a row of a sample, 1/m or 1. */
#define JOINT_SAMPLE_MAX_ROW 10.0
/* Largest rate of one, 1/(m s) or 1/s; speeds are of the order of one. */
#define JOINT_SAMPLE_MAX_RATE 30.0

typedef struct joint_sample {
    tn_joint_type type;
    const tn_joint_class *cls;
    tn_joint_setup setup;         /* random */
    const tn_joint_data *data;    /* what it was made of, for types with data */
    tn_xform T_GD;                /* legal */
    double q[TN_MAX_COORDINATES]; /* its coordinates; angles within three half turns of 0 */
    double motion[TN_MAX_ROWS];   /* [dof] random speeds of the motions, within 1 */
    double twist_GD[6];           /* in G, of those speeds */
    int rejected;                 /* draws that were thrown away */
} joint_sample;

/* Two bodies joined legally, moving so that the joint stays together. The frames A and B are the
 * centres of mass. */
typedef struct joint_scene {
    joint_sample joint;
    tn_joint_geometry geometry;
    tn_xform T_A, T_B;
    tn_twist A, B; /* world, at the centres of mass */
} joint_scene;

tn_mat3 sample_rotation(uint64_t *seed);
tn_xform sample_pose(uint64_t *seed); /* origin within 1 m */

joint_sample sample_joint(tn_joint_type type, uint64_t *seed);
joint_scene sample_scene(tn_joint_type type, uint64_t *seed);

/* The pose after time t at the constant twist (in the moving frame for T_GD); exact to first
 * order, smooth. */
tn_xform moved_in_frame(const tn_xform *T, const double twist[6], double t);
/* The pose after time t at constant world velocities, exact. */
tn_xform moved_in_world(const tn_xform *T, tn_twist twist, double t);
/* The legal pose reached from the sample's after time t; exact to first order. */
tn_xform moved_legally(const joint_sample *sample, double t);

/* out = d curve / dt at t = 0, [n] with n <= 36: central differences with one Richardson step,
 * error O(step^4). */
typedef void (*sample_curve)(const void *context, double t, double *out);
void curve_derivative(sample_curve curve, const void *context, int n, double step, double *out);

/* Largest component. */
double largest(const double *values, int n);
/* Largest difference of two poses: m, and of the rotation matrices' entries. */
double pose_distance(const tn_xform *a, const tn_xform *b);

#endif
