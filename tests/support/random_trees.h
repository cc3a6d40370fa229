/* random_trees.h: test support: random trees of rigid bodies on the ground or floating, each the
 * moving or the base one of the joint it hangs on.
 */
#ifndef TENON_TESTS_RANDOM_TREES_H
#define TENON_TESTS_RANDOM_TREES_H

#include <stdbool.h>

#include "random_numbers.h"
#include "tenon/tenon.h"

/* Some coordinates are locked, of the others most between stops. */
typedef struct tree_stops {
    double locked, held;      /* shares of all: of the locked ones, and of both */
    double nearest, furthest; /* rad, where stops are */
} tree_stops;

typedef struct tree_plan {
    int32_t count;
    bool floating, backwards; /* backwards: what hangs on others before them in the model */
    const char *types[4];     /* of joints, in turn */
    int32_t type_count;
    const tree_stops *stops; /* NULL: coordinates are free */
} tree_plan;

tn_spec *random_tree_spec(uint64_t *seed, const tree_plan *plan);

#endif
