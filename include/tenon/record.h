/* record.h: writes what a simulation does to files, frame by frame: CSV and HDF5.
 *
 * Part of libtenon_io. A recorder looks at one simulation; which quantities and which bodies,
 * joints and markers it writes is a tn_record_def (spec.h). It never changes the simulation.
 *
 * CSV (RFC 4180): one header line, then one line per frame with 17 significant digits:
 *     t
 *     <body>.px py pz qw qx qy qz vx vy vz wx wy wz   pose and velocity, world axes, at the origin
 *     <joint>.<coordinate>  <joint>.lambda<k>         coordinates; multipliers of bilateral row k
 *     <joint>.<coordinate>.force                      of motor, prescribed motion, spring, friction
 *     <joint>.fx fy fz mx my mz                       wrench on A, world axes, about A's origin
 *     <coupling>.value <coupling>.force               what it couples adds up to; its multiplier
 *     <marker>.x y z                                  world position
 *     energy.kinetic energy.potential energy.elastic energy.total
 *     energy.work energy.lost                         by drives, since the start; where there are
 * any A multiplier or coupling force that is not unique at the pose where the file was opened,
 * because redundant joints share a load in one of many ways, has " (not unique)" after its name in
 * the header; models of more than 1500 rows are not judged. Multipliers and wrenches are those of
 * the last step, so they are zero in a frame written before the first one. HDF5: the same numbers,
 * the frame as first dimension, units and column names as attributes: /t [n] /bodies/pose
 * [n][bodies][7]  /bodies/velocity [n][bodies][6] /joints/coordinates [n][c]  /joints/multipliers
 * [n][m]  /joints/wrench [n][joints][6] /joints/drive_force [n][driven coordinates]
 *     /couplings/value [n][couplings]  /couplings/force [n][couplings]
 *     /markers/position [n][markers][3]
 *     /energy [n][4]  /work [n][2]
 *     /bodies/names, /joints/names, /couplings/names, /markers/names
 *                                     in the order of the second dimension
 *     /joints/coordinates_columns, _units and the like for multipliers, drive_force, value, force
 *                                     one per column
 *     /joints/multipliers_unique, /couplings/force_unique
 *                                     1 per column that is unique, 0 where it is not, as in CSV
 */
#ifndef TENON_RECORD_H
#define TENON_RECORD_H

#include "tenon/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_recorder tn_recorder;

/* A recorder without files. def NULL: the model's own record section. The simulation must outlive
 * the recorder. */
TN_API tn_status tn_recorder_create(const tn_sim *sim, const tn_record_def *def, tn_recorder **out);
/* Closes what is still open, ignoring errors: call tn_recorder_close first to learn of them. */
TN_API void tn_recorder_destroy(tn_recorder *recorder);

/* Adds a file and writes its header; an existing file is replaced. TN_ERROR_IO: the file cannot be
 * written, diags says why. */
TN_API tn_status tn_recorder_add_csv(tn_recorder *recorder, const char *path,
                                     tn_diagnostics *diags);
TN_API tn_status tn_recorder_add_hdf5(tn_recorder *recorder, const char *path,
                                      tn_diagnostics *diags);
/* The bodies with their shapes and their motion as a binary glTF 2.0 file (.glb), y up, for 3-D
 * programs; what is recorded of them does not matter. */
TN_API tn_status tn_recorder_add_gltf(tn_recorder *recorder, const char *path,
                                      tn_diagnostics *diags);

/* Appends the present state of the simulation to every file. Allocates nothing itself. */
TN_API tn_status tn_recorder_write(tn_recorder *recorder, tn_diagnostics *diags);

/* The numbers of the present state, as in a row of CSV: out[tn_recorder_column_count]. */
TN_API void tn_recorder_read(tn_recorder *recorder, double *out);

/* Flushes and closes every file. A full disk shows here at the latest, never silently. */
TN_API tn_status tn_recorder_close(tn_recorder *recorder, tn_diagnostics *diags);

/* Numbers in a frame, and the name of each: "t", "link1.px", ... The name is written to out like
 * snprintf does; the result is its full length. */
TN_API int32_t tn_recorder_column_count(const tn_recorder *recorder);
TN_API size_t tn_recorder_column_name(const tn_recorder *recorder, int32_t column, char *out,
                                      size_t size);
/* Frames written so far. */
TN_API int64_t tn_recorder_frame_count(const tn_recorder *recorder);

#ifdef __cplusplus
}
#endif
#endif
