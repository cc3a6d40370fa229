/* tiles.h: room method/blocks: the order in which joints and their bodies are computed in each stage of a step, tile
 * by tile of the order of elimination.
 *
 * Forwards, the elimination of a tile needs its own columns and those coupled to them; a column needs its bodies
 * evaluated; a body needs all its joints predicted; a joint needs its bodies at their start. Backwards, the forces
 * of a tile are known: a body is corrected once the forces of all its joints are, a joint is evaluated once both
 * bodies are corrected, and so on. Each stage computes each item once, with the first tile that needs it, or with
 * the first for which its data is available: items that are close in the order are computed while they are in the
 * cache.
 */
#ifndef TN_METHOD_BLOCKS_TILES_H
#define TN_METHOD_BLOCKS_TILES_H

#include "method/blocks/spd.h"

/* Bodies or joints of each tile in one stage, single ones or packs: from start[t] to start[t + 1], where t counts
 * tiles in the order in which they are visited. */
typedef struct tn_turns {
    int32_t *start, *item;
    int32_t known; /* number of these that may be prefetched: all, or 0 */
} tn_turns;

typedef struct tn_tiles {
    int32_t count, size; /* size: packs of joints of each */
    bool far;            /* the caches do not hold the data of a step */
    /* forwards: bodies at their start, joints predicted, bodies evaluated, blocks filled */
    tn_turns begun, predicted, measured, filled;
    /* backwards: bodies corrected, joints evaluated, residuals of bodies, right-hand sides of joints */
    tn_turns corrected, placed, residual, rhs;
} tn_tiles;

/* Size of the largest pack. */
enum { TN_TILES_PACK = 4 };

/* Input. */
typedef struct tn_tiles_of {
    const tn_spd *matrix;         /* of joints, whose packs are one after the other in its order */
    int32_t joints, bodies, pack; /* packs of joints and of bodies that move; joints of a pack */
    int32_t size;                 /* packs of joints a tile */
    bool far;
    /* The packs of moving bodies that the joints of pack p are on, at most 2 pack; returns how many. */
    int (*bodies_of)(const void *mechanism, int32_t p, int32_t *bodies);
    const void *mechanism;
} tn_tiles_of;

tn_status tn_tiles_create(const tn_tiles_of *of, tn_tiles *out);
void tn_tiles_destroy(tn_tiles *tiles);

/* Runs a statement for each item k of tile t. */
#define EACH_TURN(turns, t, k, ...)                                                                \
    for (int32_t turn = (turns)->start[t]; turn < (turns)->start[(t) + 1]; turn++) {               \
        const int32_t k = (turns)->item[turn];                                                     \
        __VA_ARGS__                                                                                \
    }

/* Runs a statement for each run of consecutive items of tile t: from `from` to `to`. */
#define EACH_RUN(turns, t, from, to, ...)                                                          \
    for (int32_t turn = (turns)->start[t], next = 0; turn < (turns)->start[(t) + 1];               \
         turn = next) {                                                                            \
        next = end_of_run(turns, turn, (turns)->start[(t) + 1]);                                   \
        const int32_t from = (turns)->item[turn], to = from + (next - turn);                       \
        __VA_ARGS__                                                                                \
    }

TN_INLINE int32_t end_of_run(const tn_turns *turns, int32_t turn, int32_t end)
{
    int32_t next = turn + 1;
    for (; next < end && turns->item[next] == turns->item[turn] + (next - turn); next++) {
    }
    return next;
}

/* The item that follows later by this many; -1: there is none. */
TN_INLINE int32_t turn_ahead(const tn_turns *turns, int32_t turn, int32_t ahead)
{
    return turn + ahead < turns->known ? turns->item[turn + ahead] : -1;
}

#endif
