/* stored_energy.h: room assemble/load: what bodies, springs and compliant rows hold, and what is lost.
 */
#ifndef TN_ASSEMBLE_LOAD_STORED_ENERGY_H
#define TN_ASSEMBLE_LOAD_STORED_ENERGY_H

#include "assemble/system.h"

/* Energy and power of stiff compliant rows, springs along coordinates and solids, whose oscillation a step of h seconds
 * does not resolve: h^2 A / C > 1 or h D A > 1, with A the inverse of the mass that the row moves. Losses of springs
 * along coordinates are in tn_drive.power_out. */
typedef struct tn_stiff_store {
    double energy; /* J */
    double power;  /* W, rate at which the energy grows */
    double losses; /* W, of rows' damping */
} tn_stiff_store;

/* J, in all compliant rows, springs along coordinates and solids, of a state with its kinematics and
 * coordinates; *stiff: in those that h is too long for. */
double tn_store_of(const tn_system *sys, const tn_state *state, double h, tn_stiff_store *stiff);
/* J, of kinematics whose coordinates the state may not have yet. */
double tn_stored_energy(const tn_system *sys, const tn_state *state);

/* J, of the bodies: 1/2 m v^2 + 1/2 w.J w; -m g.x. */
void tn_body_energy(const tn_system *sys, const tn_state *state, double *kinetic,
                    double *potential);

/* W, lost now in the bodies' own damping; and in that of compliant rows and solids. */
double tn_body_losses(const tn_system *sys, const tn_state *state);
double tn_row_losses(const tn_system *sys, const tn_state *state);

#endif
