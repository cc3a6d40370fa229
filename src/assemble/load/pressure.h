/* pressure.h: room assemble/load: pressures on surfaces of solids (element/surface.h) in the equations.
 *
 * In: poses of a system, the pressure of a load (Pa). Out: forces on the bodies that nodes are points of; the symmetric part of their
 * derivatives, in the blocks of bodies and pairs.
 */
#ifndef TN_ASSEMBLE_LOAD_PRESSURE_H
#define TN_ASSEMBLE_LOAD_PRESSURE_H

#include "assemble/system.h"
#include "force/load.h"

/* f += its forces. */
void tn_pressure_add(const tn_system *sys, const tn_load_data *load, double pressure, double *f);

/* Of these on one body, about its centre of mass, world axes. */
tn_wrench tn_pressure_on(const tn_system *sys, const tn_load_data *load, double pressure,
                         int32_t body);

/* W; *push (N, may be NULL) += the sum of the forces on nodes. */
double tn_pressure_power(const tn_system *sys, const double *u, const tn_load_data *load,
                         double pressure, double *push);

/* Of all loads at a time: h and pairs of values += factor K. */
void tn_pressures_fill(tn_system *sys, double time, double factor);

#endif
