/* record.h: writes the motion of a simulation to files, frame by frame: CSV, HDF5 and glTF.
 *
 * Part of libtenon_io. A recorder reads one simulation and never changes it. Which quantities and which
 * bodies, joints and markers it writes is a tn_record_def (simulation.h).
 *
 * CSV (RFC 4180): comment lines that begin with '#', one line of names, then one line per frame with 17
 * significant digits. Comments: "# units:" with one unit per column; "# not unique:" with the names of columns
 * whose values depend on how redundant joints share a load, at the pose where the file was opened (not
 * determined for models of more than 1500 rows). The columns: "t", then those of
 * TN_RECORD_LIST (simulation.h). Reactions, efforts and multipliers are those of the last step;
 * tn_sim_start gives those of a start.
 * HDF5: the same numbers, the frame as first dimension, units and column names as attributes:
 *     /t [n]
 *     /bodies/pose [n][bodies][7]  /bodies/velocity [n][bodies][6]      (planar models: [3] and [3])
 *     /joints/coordinates [n][c]  /joints/speeds [n][c]  /joints/effort [n][e]
 *     /joints/reaction [n][joints][6]                                  (planar models: [3])
 *     /joints/multipliers [n][m]
 *     /couplings/value [n][couplings]  /couplings/force [n][couplings]
 *     /markers/position [n][markers][3]                                (planar models: [2])
 *     /measures/value [n][values of all measures]
 *     /energy [n][4]  /work [n][2]
 *     /bodies/names, /joints/names, /couplings/names, /markers/names
 *                                     in the order of the second dimension
 *     /joints/coordinates_columns, _units and the like for speeds, effort, multipliers, value,
 *     force, /measures/value          one per column
 *     /joints/reaction_unique, /joints/multipliers_unique, /couplings/force_unique
 *                                     1 per value that is unique, 0 where it is not, as in CSV
 */
#ifndef TENON_RECORD_H
#define TENON_RECORD_H

#include "tenon/solid.h"
#include "tenon/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes one simulation to any number of files. */
typedef struct tn_recorder tn_recorder;

/* A recorder without files. def NULL: the model's own record section. The simulation must outlive the
 * recorder. TN_ERROR_ARGUMENT: def names bodies, joints, markers or couplings that do not exist. After
 * tn_sim_change the recorder is not usable: its columns have no names, and adding or writing returns
 * TN_ERROR_ARGUMENT. */
TN_API tn_status tn_recorder_create(const tn_sim *sim, const tn_record_def *def, tn_recorder **out);
/* Closes what is still open and ignores errors: call tn_recorder_close first to see them. */
TN_API void tn_recorder_destroy(tn_recorder *recorder);

/* Adds a file and writes its header; an existing file is replaced. CSV to "-" is standard output.
 * TN_ERROR_IO: the file cannot be written, diags says why. */
TN_API tn_status tn_recorder_add_csv(tn_recorder *recorder, const char *path,
                                     tn_diagnostics *diags);
/* Likewise for HDF5. */
TN_API tn_status tn_recorder_add_hdf5(tn_recorder *recorder, const char *path,
                                      tn_diagnostics *diags);
/* The bodies with their shapes and their motion as a binary glTF 2.0 file (.glb), y up, for 3-D
 * programs; the record section has no effect on this file. */
TN_API tn_status tn_recorder_add_gltf(tn_recorder *recorder, const char *path,
                                      tn_diagnostics *diags);

/* Appends the present state of the simulation to every file. Allocates nothing itself. */
TN_API tn_status tn_recorder_write(tn_recorder *recorder, tn_diagnostics *diags);

/* The numbers of the present state, as in a row of CSV: out[tn_recorder_column_count]. */
TN_API void tn_recorder_read(tn_recorder *recorder, double *out);

/* An event; mostly a tn_event with its text. */
typedef struct tn_record_event {
    double time;       /* s */
    const char *event; /* "limit reached" */
    const char *where; /* "door.theta"; "" for nowhere */
    int32_t side;
    double value;
} tn_record_event;

/* Writes a table of events to every HDF5 file, as /events/time, event, where, side, value [n]; CSV
 * files have no place for it. Once, before closing. TN_ERROR_ARGUMENT: a text is NULL. */
TN_API tn_status tn_recorder_write_events(tn_recorder *recorder, const tn_record_event *events,
                                          int32_t count, tn_diagnostics *diags);

/* Flushes and closes every file. A full disk is reported here at the latest. */
TN_API tn_status tn_recorder_close(tn_recorder *recorder, tn_diagnostics *diags);

/* Numbers in a frame, and the name of each: "t", "link1.px", ... The name is written to out as by
 * snprintf; the result is its full length. */
TN_API int32_t tn_recorder_column_count(const tn_recorder *recorder);
/* The name of a column: see tn_recorder_column_count. */
TN_API size_t tn_recorder_column_name(const tn_recorder *recorder, int32_t column, char *out,
                                      size_t size);
/* "m", "rad/s"; with degrees if the record definition has them. */
TN_API const char *tn_recorder_column_unit(const tn_recorder *recorder, int32_t column);

/* The factor from SI units and rad to the unit a record uses for values of this unit, and in the last
 * argument that unit: "deg/s" for "rad/s" if the record is in degrees. */
TN_API double tn_record_scale(const tn_record_def *def, const char *unit, const char **told);
/* Frames written so far. */
TN_API int64_t tn_recorder_frame_count(const tn_recorder *recorder);

/* Writes a solid in its present state as a file of ParaView (VTK XML, unstructured grid, .vtu): its deformed mesh, the
 * displacement (m) and stress (Pa: xx, yy, zz, xy, yz, zx) of each node, and its von Mises stress. TN_ERROR_ARGUMENT;
 * TN_ERROR_IO; TN_ERROR_MEMORY. */
TN_API tn_status tn_sim_write_vtu(const tn_sim *sim, tn_solid solid, const char *path);

#ifdef __cplusplus
}
#endif
#endif
