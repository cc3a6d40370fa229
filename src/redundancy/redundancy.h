/* redundancy.h: room redundancy: what the stresses of a mechanism's loops mean.
 *
 * In: loops and their stresses (redundancy/loops/loops.h). Out: which rows are redundant and why, which
 * reactions are therefore not unique, which change of joints would remove the redundancy.
 *
 *     second  which stresses last, by second order
 *     freedoms  which motions do
 *     rows    dependent rows and their composition, classes
 *     change  replacing joints
 *     unique, measures  reactions and measures that do not depend on how redundant rows share the load
 */
#ifndef TN_REDUNDANCY_H
#define TN_REDUNDANCY_H

#include "redundancy/loops/loops.h"

/* ---- second, freedoms ---- */

/* Combines the stresses so that each lasts or belongs to this pose only, and marks and counts the
 * latter. Factors the pose. */
tn_status tn_red_second_split(tn_red_pose *pose, const tn_red_graph *graph, double threshold,
                              tn_red_closure *closure, int32_t *momentary);
/* Degrees of freedom of the largest finite motion that second order allows: dof where no stress is
 * momentary. basis: dof independent velocities that the rows allow. */
tn_status tn_red_freedoms(tn_red_pose *pose, const tn_red_closure *closure, const double *basis,
                          int32_t dof, int32_t *freedoms);

/* ---- rows ---- */

/* Dependent rows of the stresses, classes by comparison with the witness (may be NULL: as marked). Also
 * writes the permanent stresses to permanent[] (y_size each). */
tn_status tn_red_rows_find(const tn_red_pose *pose, const tn_red_graph *graph,
                           const tn_red_closure *here, const tn_red_closure *witness,
                           double tolerance, tn_arena *arena, tn_red_closure *permanent,
                           tn_analysis *out);
/* ---- share ---- */

/* The stresses of the hard rows, kept with the analysis: entry i of a column belongs to row[i] of
 * joint[i]. */
typedef struct tn_red_share {
    int32_t count, size;
    int32_t *joint, *row; /* [size] */
    double *column;       /* [count][size] */
} tn_red_share;

/* The same for measures: all of them, those of couplings too; entry i belongs to multiplier place[i] of a state. */
typedef struct tn_red_stresses {
    int32_t count, size;
    int32_t *place; /* [size] element * TN_MAX_ROWS + row */
    double *lambda; /* [size][count] */
    double zero;    /* N: a force of all stresses together below which it counts as zero */
    double length;  /* m, by which moments are divided to compare them with forces */
} tn_red_stresses;

/* What analysis->storage is. */
typedef struct tn_red_storage {
    tn_arena arena;
    tn_red_share share;
    tn_red_stresses stresses;
} tn_red_storage;

tn_status tn_red_share_keep(const tn_red_pose *pose, const tn_red_closure *hard,
                            tn_red_storage *storage);

/* ---- unique, measures ---- */

/* Masks per joint and coupling. */
tn_status tn_red_uniqueness_find(const tn_red_pose *pose, const tn_red_closure *hard,
                                 tn_red_storage *storage, tn_analysis *out);
tn_status tn_red_stresses_keep(const tn_red_pose *pose, const tn_red_closure *hard,
                               tn_red_storage *storage);
/* A mask for each measure of the analysed simulation, which must not have moved since: bit k is set if value k is
 * unique. */
TN_SIBLING tn_status tn_red_measures_find(const tn_sim *sim, const tn_analysis *analysis,
                                          uint8_t *mask);

/* ---- change, idle ---- */

tn_status tn_red_change_find(const tn_red_pose *pose, const tn_red_closure *permanent,
                             tn_arena *arena, tn_analysis *out);
tn_status tn_red_idle_find(const tn_red_pose *pose, const tn_red_graph *graph, tn_arena *arena,
                           tn_analysis *out);

#endif
