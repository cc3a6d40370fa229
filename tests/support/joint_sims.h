/* joint_sims.h: test support: simulations of one joint between two bodies, or a body and ground,
 * and what they conserve.
 */
#ifndef TENON_TESTS_JOINT_SIMS_H
#define TENON_TESTS_JOINT_SIMS_H

#include "joint_samples.h"
#include "tenon/tenon.h"

typedef struct joint_sim {
    tn_model *model;
    tn_sim *sim;
    int32_t bodies;
} joint_sim;

typedef struct momenta {
    tn_vec3 linear;                   /* kg m/s */
    tn_vec3 angular;                  /* kg m^2/s, about the world origin */
    double linear_size, angular_size; /* sums of the parts' sizes, to be relative to */
} momenta;

/* Compiles and creates; fails the test if that fails. joint_sim_destroy afterwards. */
joint_sim joint_sim_of_spec(tn_spec *spec, const tn_sim_options *options);

/* Body A of the scene on body B, both free (grounded 0), or on the ground where B is (grounded 1;
 * A then moves only in the joint). Masses, inertias and centres of mass are drawn from the seed. */
joint_sim joint_sim_create(const joint_scene *scene, int grounded, tn_vec3 gravity,
                           tn_integrator integrator, uint64_t seed);

/* The same with a range on every coordinate: `reach` (rad, m) to both sides of where it starts. */
typedef struct joint_ranges {
    double reach, restitution;
} joint_ranges;
joint_sim joint_sim_create_in_ranges(const joint_scene *scene, int grounded, tn_vec3 gravity,
                                     tn_integrator integrator, uint64_t seed,
                                     const joint_ranges *ranges);
/* Anew from its start, by generalized_alpha with the other formulation. */
void joint_sim_restart(joint_sim *s, tn_formulation formulation);
void joint_sim_destroy(joint_sim *s);

/* Steps; fails the test if a step fails. */
void joint_sim_run(joint_sim *s, double h, int32_t steps);

momenta joint_sim_momenta(const joint_sim *s);

tn_pose pose_of(const tn_xform *T);

#endif
