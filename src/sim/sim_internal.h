/* sim_internal.h: room sim: the public face of a simulation.
 *
 * In: a model and options, then what the user reads and sets. Out: a simulation whose joints are
 * closed, whose velocities are consistent with them, and whose drives are at their starting values.
 * Declares the parts that tn_sim_create calls.
 */
#ifndef TN_SIM_SIM_INTERNAL_H
#define TN_SIM_SIM_INTERNAL_H

#include "base/coordinate_text.h"
#include "motion/simulation.h"

/* sim.c: tn_sim_create with a given method; NULL: that of the options. */
tn_status tn_sim_create_with(const tn_model *model, const tn_sim_options *options,
                             const tn_method *method, tn_diagnostics *diags, tn_sim **out);

/* Everything a simulation has beside its model, options and method; tn_sim_free_parts frees it, also
 * after a failure. */
tn_status tn_sim_allocate_parts(tn_sim *sim);
void tn_sim_free_parts(tn_sim *sim);
/* Closes the joints, if some are open, and sets the coordinates of loops that the model requests. */
tn_status tn_sim_close(tn_sim *sim, bool open, tn_diagnostics *diags);

/* apart.c: the parts of a world whose trees share nothing, if there are any and the method can step them
 * separately. at: offset in bytes of the room for their states in the memory of states. */
tn_status tn_apart_create(tn_sim *sim, size_t at);
void tn_apart_destroy(tn_sim *sim);

/* placement.c */

/* Closes a drawing whose joints are open by more than rounding in a text; reports how far bodies moved, or
 * which joints cannot close. */
tn_status tn_close_drawing(tn_sim *sim, tn_diagnostics *diags);
/* Made when first needed; NULL when out of memory. */
tn_coords *tn_sim_coords(tn_sim *sim);
/* Empties the report and makes the coords if needed; returns the status of that. */
tn_status tn_placement_begin(tn_sim *sim, tn_placement_report *report);

/* gap_start.c: closes the loops of the drawing as far as possible. If the remaining gaps are at most
 * largest, relative to the mechanism's size, the pose is kept and they are accepted and reported; else the
 * state is unchanged. */
tn_status tn_gap_start(tn_sim *sim, double largest, tn_diagnostics *diags);
/* Loops that are closed now but cannot be in poses they move to: they get gaps from the start, which is reported. */
tn_status tn_gap_expect(tn_sim *sim, tn_diagnostics *diags);

/* velocities.c */

/* Makes velocities consistent with joints and locks, with the least kinetic energy of the change, which the
 * report contains. coords must have been made. On failure they are unchanged. */
tn_status tn_fit_velocities(tn_sim *sim, tn_placement_report *report);
/* The same for the first velocities; notes report a change. */
tn_status tn_fit_initial_velocities(tn_sim *sim, tn_diagnostics *diags);
/* A warning if no motion can begin with these velocities. */
void tn_warn_of_no_motion(tn_sim *sim, tn_diagnostics *diags);

/* turning.c: a warning where a motor's coordinate starts at its dead point. */
void tn_warn_of_dead_points(tn_sim *sim, tn_diagnostics *diags);

/* The speeds of the motions of a ball joint whose frame C turns against D by w (rad/s, axes of D);
 * how many: in the plane one. */
#define TN_MOTIONS_OF_BALL 3
int32_t tn_spin_requests(const tn_sim *sim, int32_t joint, tn_vec3 w, tn_coordinate_request *out);

/* wishes.c */

/* Loops that start outside ranges and cannot come inside all of them on their branch are moved to a pose on
 * another branch that is inside. A warning for those that still start outside. */
tn_status tn_start_inside(tn_sim *sim, tn_diagnostics *diags);
void tn_warn_of_outside(const tn_sim *sim, tn_diagnostics *diags);

/* The model's `set` coordinates of joints in loops: those of trees are set when it is compiled. */
tn_status tn_set_loop_coordinates(tn_sim *sim, tn_diagnostics *diags);
/* The initial speeds of the model's joints. */
tn_status tn_set_initial_speeds(tn_sim *sim, tn_diagnostics *diags);

/* drive_start.c: makes a new simulation start on its prescribed motions. */
tn_status tn_drives_start(tn_sim *sim, tn_diagnostics *diags);

/* The value of a coordinate of a joint or a coupling as text, in the unit of the model's file. per: "" or "/s". Indices
 * beyond the coordinates are a ball joint's motions, which are angles. */
static inline tn_coordinate_text tn_tell_coordinate(const tn_sim *sim, int32_t element,
                                                    int32_t coordinate, double value,
                                                    const char *per)
{
    const tn_joint_type_info *info = &sim->model->joints[element].geometry.cls->info;
    const bool angular =
        coordinate >= info->coordinate_count || info->coordinates[coordinate].angular;
    return tn_write_coordinate(value, 6, angular, sim->model->record.degrees != 0, per);
}

#endif
