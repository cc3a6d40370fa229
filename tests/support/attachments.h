/* attachments.h: test support: what may act along the coordinates of joints, hold them, or act on bodies, and trees and loops with
 * such beside themselves in the general iteration.
 */
#ifndef TENON_TESTS_ATTACHMENTS_H
#define TENON_TESTS_ATTACHMENTS_H

#include "alpha_sims.h"

typedef struct attachment {
    const char *name;
    void (*put)(tn_drive_def *drive, tn_joint_def *joint);
    bool still; /* on all joints nothing moves, which is led otherwise */
    void (*load)(tn_body_def *body, tn_load_def *load);
} attachment;

enum { ATTACHMENTS = 28 };
extern const attachment attachments[ATTACHMENTS];

/* Met, as joints move on: before and after the motion is smooth. */
void attach_range(tn_drive_def *drive, tn_joint_def *joint);

/* Adds body k of a chain or tree, of random mass and turn, with what acts on it, and to *load; NULL: nothing. */
tn_body attach_body(tn_spec *spec, int32_t k, const attachment *what, tn_load_def *load,
                    uint64_t *random);
/* Likewise a planar body, which may be out of the plane z = 0. */
tn_body attach_planar_body(tn_spec *spec, int32_t k, const attachment *what, tn_load_def *load,
                           uint64_t *random);
/* The joint that body k of a tree hangs by: on one before it at random, or on the last where they hang `in_row`, as either of its bodies.
 * Its axis is not set. Out: false: the type is NULL, and the body floats. */
bool hang_at_random(tn_joint_def *joint, int32_t k, const char *type, bool in_row,
                    uint64_t *random);
/* Adds the joint, with what acts along its coordinates or holds them; NULL: nothing. Its description changes. */
tn_joint attach_joint(tn_spec *spec, tn_joint_def *joint, const attachment *what);
/* A load on a body, or along the joint it names; of the kind TN_LOAD_KIND_COUNT it is none. */
void attach_load(tn_spec *spec, tn_load_def *load, tn_body body);

/* From here on bodies and joints by the general iteration. */
void forget_hinges(tn_sim *sim);
/* a[n] and b[n] differ by `off` at most. */
void expect_near(const double *a, const double *b, int64_t count, double off, const char *what);
/* Poses, velocities, accelerations, multipliers, what drives do, errors and energies are the same; forces to this share of the largest. */
void expect_same(const tn_sim *one, const tn_sim *other, double same_force);

/* m: what iterations leave in poses is a force by h^2 in reactions. */
#define TOLERANCE 1e-13
/* m and rad, m/s and rad/s: what they leave over all steps. */
#define SAME_MOTION 1e-9
#define SAME_SPEED  1e-8
/* Of the largest force, and energy. Accelerations of the general iteration have noise of its poses by h^2. */
#define SAME_FORCE  1e-5
#define SAME_ENERGY 1e-9

#endif
