/* tiles.h: room method/blocks: in which order joints and their bodies go through the stages of a step, tile by tile of the
 * order of elimination.
 *
 * On the way through the factor a tile needs its own columns filled and those that they are coupled to; a column needs what
 * its bodies are measured at; a body all its joints predicted; a joint its bodies begun. On the way back a tile's forces are
 * known: a body is corrected when those of all its joints are, a joint is where it is when both bodies are, and so on. Each stage
 * takes who is in turn with the first tile that needs it, or can have it: what is near in the order is done while it is in the
 * cache, and each once.
 */
#ifndef TN_METHOD_BLOCKS_TILES_H
#define TN_METHOD_BLOCKS_TILES_H

#include "method/blocks/spd.h"

/* Bodies, or joints, that are in turn with each tile, by themselves or in packs of so many: from start[t] to start[t + 1], t being the
 * place of the tile among those that are gone through one after the other. */
typedef struct tn_turns {
    int32_t *start, *item;
    int32_t known; /* of these others may be asked for ahead: of all, or of none */
} tn_turns;

typedef struct tn_tiles {
    int32_t count, size; /* size: packs of joints of each */
    bool far;            /* the caches do not hold what a step goes through */
    /* on the way through the factor: bodies begun, joints predicted, bodies measured, blocks filled */
    tn_turns begun, predicted, measured, filled;
    /* back: bodies corrected, joints where they are then, what is left of bodies and asked of joints */
    tn_turns corrected, placed, weighed, asked;
} tn_tiles;

/* The largest pack. */
enum { TN_TILES_PACK = 4 };

/* What they are made of. */
typedef struct tn_tiles_of {
    const tn_spd *matrix;         /* of joints, whose packs are one after the other in its order */
    int32_t joints, bodies, pack; /* packs of joints and of bodies that move; joints of a pack */
    int32_t size;                 /* packs of joints a tile */
    bool far;
    /* Packs of the bodies that the joints of pack p are on and that move, at most 2 pack; returns how many. */
    int (*bodies_of)(const void *mechanism, int32_t p, int32_t *bodies);
    const void *mechanism;
} tn_tiles_of;

tn_status tn_tiles_create(const tn_tiles_of *of, tn_tiles *out);
void tn_tiles_destroy(tn_tiles *tiles);

/* Those whose turn it is: k goes through them. */
#define EACH_TURN(turns, t, k, ...)                                                                \
    for (int32_t turn = (turns)->start[t]; turn < (turns)->start[(t) + 1]; turn++) {               \
        const int32_t k = (turns)->item[turn];                                                     \
        __VA_ARGS__                                                                                \
    }

/* Of them those that follow each other in their order, at once: from `from` to `to`. */
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

/* Who is in turn so much later; -1: nobody. */
TN_INLINE int32_t turn_ahead(const tn_turns *turns, int32_t turn, int32_t ahead)
{
    return turn + ahead < turns->known ? turns->item[turn + ahead] : -1;
}

#endif
