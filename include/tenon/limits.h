/* limits.h: how large numbers may be, and how much one call may do. docs/explanation/reliability.md lists all
 * limits.
 */
#ifndef TENON_LIMITS_H
#define TENON_LIMITS_H

#include <stddef.h>

/* Numbers of a description, in any unit: squares and quotients of such numbers are still finite. */
#define TN_LARGEST_NUMBER 1e100
/* An axis shorter than this has no direction; a number that has to be positive is at least this. */
#define TN_SMALLEST_NUMBER 1e-100
/* rad: of a coordinate that is set. Neighbouring doubles of this size differ by an eighth of a radian. */
#define TN_LARGEST_ANGLE 1e15
/* s: steps. Inertias are divided by their squares. */
#define TN_SHORTEST_STEP 1e-100
#define TN_LONGEST_STEP  1e100

/* Imported files. Counted while a file is read, before anything is built; a file beyond a bound is refused. */

/* Elements and attributes of a model in XML, all its files together: far more than any robot has. */
#define TN_MOST_XML_NODES 1000000
/* Attributes of one element: the schemas have some dozens. */
#define TN_MOST_XML_ATTRIBUTES 1000
/* Files that a model includes, those of these files too. */
#define TN_MOST_FILES 256
/* Folders of tn_allow_path. */
#define TN_MOST_ALLOWED 64

/* Model files, tables, meshes and studies. */

/* Bytes of a model file with those that it includes, in any format: positions fit 32 bits. */
#define TN_MAX_TEXT ((size_t)256 << 20)
/* Sequences and mappings of a model file within each other; a model needs 8. */
#define TN_MAX_DEPTH 32
/* Elements of XML within each other: links of links, far more than any robot has. */
#define TN_XML_MOST_DEPTH 256
/* Files that include each other. */
#define TN_DEEPEST_FILE 16
/* Instances of parts of a model, and parts within each other. */
#define TN_MAX_FRAMES   100000
#define TN_DEEPEST_PART 16
/* Items that one `repeat` makes, and all repetitions and instances of a model together. */
#define TN_MAX_REPEATS 100000
#define TN_MAX_ITEMS   2000000
/* Problems of a file that are shown; the others are counted. */
#define TN_MAX_PROBLEMS 1000
/* Bytes of a table in CSV. */
#define TN_MAX_TABLE ((size_t)64 << 20)
/* Bytes and triangles of a mesh: more than a part that is simulated has. */
#define TN_MESH_MAX_BYTES     ((size_t)1024 << 20)
#define TN_MESH_MAX_TRIANGLES 20000000
/* Points of a hull: the time grows with the square of their number, 0.1 s for so many. */
#define TN_HULL_MOST_POINTS 2000
/* Cases of a study: their tables fit into memory. */
#define TN_MOST_CASES 1000000000

/* Formulas. */

/* Levels of a formula: a bracket takes two, so 31 brackets. */
#define TN_DEEPEST_FORMULA 64
/* Arguments of a function. */
#define TN_MAX_ARGUMENTS 8
/* Names in the formula of a measure; formulas of formulas. */
#define TN_MOST_TERMS         64
#define TN_MOST_FORMULA_DEPTH 16

/* Work of one call. A call that reaches one of these bounds returns TN_ERROR_WORK and changes nothing. */

/* Factorisations of the system in one call: steps, coordinates, targets. A step takes 1 to 10; one
 * in 64 parts with an event in each some 10 000. */
#define TN_MOST_FACTORIZATIONS 30000

/* rad or m by which a coordinate may be outside its range, or away from its prescribed motion, to
 * be moved there in strides of 1: 159 turns. */
#define TN_MOST_STRIDES 1000

/* Steps of one tn_sim_advance, and of one tn_batch_step. */
#define TN_MOST_STEPS 10000000
/* Steps of a run (tn_time_grid_of): up to here doubles represent every whole number. */
#define TN_MOST_STEPS_OF_RUN 1e15

/* tn_sim_options: max_iterations and iterations. */
#define TN_MOST_ITERATIONS 1000000

#endif
