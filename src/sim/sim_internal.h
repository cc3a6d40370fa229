/* sim_internal.h: room sim: the public face of a simulation.
 *
 * In: a model and options, then what the user reads and sets. Out: a simulation whose joints are
 * closed, whose velocities fit them, and whose drives are where they start. Here is how it is put
 * together.
 */
#ifndef TN_SIM_SIM_INTERNAL_H
#define TN_SIM_SIM_INTERNAL_H

#include "base/coordinate_text.h"
#include "motion/simulation.h"

/* sim.c: tn_sim_create with a method of one's own; NULL: that of the options. */
tn_status tn_sim_create_with(const tn_model *model, const tn_sim_options *options,
                             const tn_method *method, tn_diagnostics *diags, tn_sim **out);

/* Everything a simulation has beside its model, options and method; tn_sim_free_parts frees it, also
 * after a failure. */
tn_status tn_sim_allocate_parts(tn_sim *sim);
void tn_sim_free_parts(tn_sim *sim);
/* Joints closed, if some are open, and the coordinates of loops set that the model asks for. */
tn_status tn_sim_close(tn_sim *sim, bool open, tn_diagnostics *diags);

/* apart.c: the parts of a world whose trees share nothing, if there are any and the method lets them go
 * apart; `at`: bytes, where in the memory of its states there is room for theirs. */
tn_status tn_apart_create(tn_sim *sim, size_t at);
void tn_apart_destroy(tn_sim *sim);

/* placement.c */

/* Closes a drawing whose joints are further open than text rounds; tells how far bodies moved, or
 * which joints cannot close. */
tn_status tn_close_drawing(tn_sim *sim, tn_diagnostics *diags);
/* Made when first needed; NULL when out of memory. */
tn_coords *tn_sim_coords(tn_sim *sim);
/* Empties the report and sees to it that there are coords; its status otherwise. */
tn_status tn_placement_begin(tn_sim *sim, tn_placement_report *report);

/* gap_start.c: closes the loops of the drawing as far as they go. If gaps remain that are at most
 * largest, relative to the mechanism's size, the pose is kept, they are taken over and told; else
 * the state is as before. */
tn_status tn_gap_start(tn_sim *sim, double largest, tn_diagnostics *diags);
/* Loops that are closed now and will not be where they move to: they keep gaps from the start, which is told. */
tn_status tn_gap_expect(tn_sim *sim, tn_diagnostics *diags);

/* velocities.c */

/* Velocities that fit joints and locks, with the least kinetic energy of the change, which the
 * report tells. coords must have been made. On failure they are as before. */
tn_status tn_fit_velocities(tn_sim *sim, tn_placement_report *report);
/* The same for the first velocities; a change is told in notes. */
tn_status tn_fit_initial_velocities(tn_sim *sim, tn_diagnostics *diags);
/* A warning where they are the beginning of no motion. */
void tn_warn_of_no_motion(tn_sim *sim, tn_diagnostics *diags);

/* turning.c: a warning where a motor's coordinate starts at its dead point. */
void tn_warn_of_dead_points(tn_sim *sim, tn_diagnostics *diags);

/* The speeds of the motions of a ball joint whose frame C turns against D by w (rad/s, axes of D);
 * how many: in the plane one. */
#define TN_MOTIONS_OF_BALL 3
int32_t tn_spin_requests(const tn_sim *sim, int32_t joint, tn_vec3 w, tn_coordinate_request *out);

/* wishes.c */

/* Loops that start outside ranges, and cannot come inside all of them on their branch: to a pose on
 * another branch that is. A warning of what still starts outside. */
tn_status tn_start_inside(tn_sim *sim, tn_diagnostics *diags);
void tn_warn_of_outside(const tn_sim *sim, tn_diagnostics *diags);

/* The model's `set` coordinates of joints in loops: those of trees are set when it is compiled. */
tn_status tn_set_loop_coordinates(tn_sim *sim, tn_diagnostics *diags);
/* The speeds the model's joints start with. */
tn_status tn_set_initial_speeds(tn_sim *sim, tn_diagnostics *diags);

/* drive_start.c: makes a new simulation start on its prescribed motions. */
tn_status tn_drives_start(tn_sim *sim, tn_diagnostics *diags);

/* A value of a coordinate, of a joint or a coupling, as the model's file counts, per: "" or "/s". What is behind the coordinates, a
 * ball's motions, are angles. */
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
