/* sample_mechanisms.h: test support: the mechanisms of tests/data/mechanisms and some more, at
 * their initial state. Each is described in the .md file of its number.
 */
#ifndef TENON_TESTS_SAMPLE_MECHANISMS_H
#define TENON_TESTS_SAMPLE_MECHANISMS_H

#include "mechanism.h"

/* The ArtiSynth guide's four-bar without compliance and damping: unit square in x-z with hinges
 * along y, bar 0 (x = -1/2) fixed, released at rest with bars 1 and 3 horizontal. */
mechanism sample_four_bar(void);
/* Angle of its bars 1 and 3 from hanging, exact: pi/2 at t = 0. */
double four_bar_angle(double t);
/* J between the highest and the lowest position. */
double four_bar_swing_energy(void);

/* A04: bodies 0..4 are the links, markers 0..3 the points J2..J5. */
mechanism sample_bricard(void);
mechanism sample_bricard_slender(void);

/* A02: bodies 0..n are the cranks, n+1..2n the couplers; marker 0 is B0. The bodies are rigid
 * (TN_BODY_RIGID) or planar. */
mechanism sample_n_four_bar(int n, tn_body_kind kind);
double n_four_bar_swing_energy(int n);

/* P14: bodies 0..2 are links 1..3; joints 0..3; markers 0, 1 are J2, J3. */
mechanism sample_bennett(void);

/* P08 (ii): bodies crank, rod, slider; joints A, B, C, guide. */
mechanism sample_slider_crank(void);

/* A01: a mass on a rod of 1 m, from the horizontal. */
mechanism sample_pendulum(void);

/* P02: a rod of 1 m on a hinge, level, with a stop 60 degrees below. */
mechanism sample_rod_above_a_stop(double restitution);

/* P03: one body on a cylindrical joint. */
mechanism sample_inclined_cylinder(void);

/* P06: one body on a spherical joint at its centre of mass. */
mechanism sample_top(void);

/* n unit rods hanging from each other on hinges whose axes turn by 40 degrees from one to the next,
 * the first horizontal; released at rest. */
mechanism sample_hinge_chain(int n);

/* slider, cylindrical, spherical and solid joints with a loop closed by a second spherical joint.
 */
mechanism sample_mixed(void);

/* A yaw and a pitch hinge that carry a loop of four bars and five hinges. */
mechanism sample_turret(void);

#endif
