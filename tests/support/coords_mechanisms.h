/* coords_mechanisms.h: test support: mechanisms for setting coordinates and assembling. All move in
 * or near the x-y plane, hinges along z, links of steel-like density 1 kg/m.
 */
#ifndef TENON_TESTS_COORDS_MECHANISMS_H
#define TENON_TESTS_COORDS_MECHANISMS_H

#include "mechanism.h"

/* Base body on ground (hinge is joint 2) with two hinged siblings: joints 0 and 1. */
mechanism coords_siblings(void);
/* n unit rods along x, each hinged to the one before; marker k is the tip of rod k. */
mechanism coords_chain(int n);
/* Two bodies joined by a hinge, hanging on nothing. */
mechanism coords_floating(double mass_a, double mass_b);
/* Joint 0 has range [-0.5, 0.5], joint 1 is locked at 0. */
mechanism coords_ranged_and_locked(void);

typedef enum coords_four_bar_kind {
    COORDS_PARALLELOGRAM, /* crank and rocker 1 m, ground and coupler 2 m, crank at 0 deg + 45 */
    COORDS_CRANK_ROCKER,  /* crank 1, coupler 3, rocker 2.5, ground 3; crank up */
    COORDS_CRANK_ROCKER_RANGED /* the rocker may go 0.2 rad up from where it is */
} coords_four_bar_kind;
/* Bodies crank, coupler, rocker; joints ground-crank, crank-coupler, coupler-rocker, ground-rocker.
 */
mechanism coords_four_bar(coords_four_bar_kind kind);
/* World angle of the crank-rocker's rocker when the crank has turned by q from its start; and at
 * the first dead point the rocker meets in the sense it moves when the crank turns forwards. */
double coords_rocker_angle(double q);
double coords_rocker_angle_at_dead_point(void);

mechanism coords_universal_four_bar(void);
mechanism coords_slotted_three_bar(void);
/* Joints 0 .. 5 are the legs' sliders. */
mechanism coords_stewart(void);
mechanism coords_watt(void);
/* Four times: two hinges and a loop of five, each unit on the one before; 28 hinges. */
mechanism coords_multi_loop(void);
/* A regular polygon of n equal rods and n hinges, one rod on ground by the first hinge and another.
 */
mechanism coords_ring(int n);

#endif
