/* mechanism.h: test support: building a mechanism through the public interface in few lines.
 *
 * Every call asserts success.
 */
#ifndef TENON_TESTS_MECHANISM_H
#define TENON_TESTS_MECHANISM_H

#include "tenon/tenon.h"

typedef struct mechanism {
    tn_spec *spec;
    tn_model *model;
    tn_sim *sim;
} mechanism;

mechanism mechanism_new(tn_vec3 gravity);
/* Of the text of a model file; and started. */
mechanism mechanism_read(const char *text);
mechanism mechanism_of(const char *text, int method);
/* Of a file in tests/data. */
mechanism mechanism_read_file(const char *name);
void mechanism_free(mechanism *m);

tn_body mechanism_body(mechanism *m, const tn_body_def *def);
tn_joint mechanism_joint(mechanism *m, const tn_joint_def *def);
tn_marker mechanism_marker(mechanism *m, tn_body body, tn_vec3 position);

/* A straight rod from p to q, its frame at the middle with z along the rod; world velocity of the
 * middle; inertias in kg m^2 about the middle. */
typedef struct rod {
    tn_vec3 p, q; /* m */
    double mass;  /* kg */
    double along, across;
    tn_twist velocity;
} rod;
tn_body mechanism_rod(mechanism *m, const rod *r);

/* A joint whose C and D coincide at origin, z along axis. */
tn_joint_def mechanism_axis_def(const char *type, tn_body a, tn_body b, tn_vec3 origin,
                                tn_vec3 axis);
tn_joint mechanism_axis_joint(mechanism *m, const char *type, tn_body a, tn_body b, tn_vec3 origin,
                              tn_vec3 axis);

/* Ways of stepping: the integrators, and generalized_alpha with the stabilized index-2 formulation.
 */
enum { BY_SPEEDS = TN_INTEGRATOR_COUNT, METHODS };
const char *method_name(int method);
int method_order(int method);
/* Or higher. */
int method_is_second_order(int method);
void method_choose(int method, tn_sim_options *options);

/* Compiles, and gives options for mechanism_start_with. */
tn_sim_options mechanism_compile(mechanism *m, int method);
void mechanism_start_with(mechanism *m, const tn_sim_options *options);

/* Compiles and starts; may be called again to start afresh. */
void mechanism_start(mechanism *m, int method);

/* The same with reactions to round-off (force_tolerance 1e-10). */
void mechanism_start_tight(mechanism *m, int method);

/* With dormand_prince and this relative tolerance, a hundredth of it absolute; 1 or more: parts
 * of steps are whole steps. */
void mechanism_start_exact(mechanism *m, double tolerance);

/* The same with the velocities the bodies were given, whether they fit the joints or not. */
void mechanism_start_as_given(mechanism *m);

/* Largest things met on the way. */
typedef struct run_stats {
    double position_error, angle_error; /* m, rad */
    double energy_drift;                /* J, against the start of the run */
    int iterations, fallbacks, halvings;
} run_stats;

/* Takes count steps of h; every one must succeed. stats accumulates; may be NULL. */
void mechanism_run(mechanism *m, double h, int count, run_stats *stats);

/* Rows and rank of the system, and degrees of freedom that fit them. */
void mechanism_check_rank(const tn_sim *sim, int rows, int rank);

static inline tn_vec3 vec(double x, double y, double z)
{
    return (tn_vec3){x, y, z};
}
tn_vec3 vec_sub(tn_vec3 a, tn_vec3 b);
tn_vec3 vec_cross(tn_vec3 a, tn_vec3 b);
double vec_norm(tn_vec3 a);
tn_mat3 mat_diagonal(double x, double y, double z);

#endif
