/* tiles.c: room method/blocks: assigns the work of each stage to tiles. See tiles.h.
 *
 * In: joints in the order of the matrix. Out: for each stage, the packs of each tile.
 */
#include "method/blocks/tiles.h"

#include "base/base.h"

/* Packs of bodies, and the packs of joints on them. */
typedef struct tn_tiles_touch {
    const tn_tiles_of *of;
    const tn_tiles *tiles;
    int32_t *start, *joint; /* of each pack of bodies: the packs of joints on them */
} tn_tiles_touch;

static int bodies_of(const tn_tiles_of *of, int32_t p, int32_t *bodies)
{
    return of->bodies_of(of->mechanism, p, bodies);
}

static bool make_touch(const tn_tiles_of *of, const tn_tiles *tiles, tn_tiles_touch *touch)
{
    *touch =
        (tn_tiles_touch){.of = of,
                         .tiles = tiles,
                         .start = TN_NEW_ARRAY(int32_t, of->bodies + 2),
                         .joint = TN_NEW_ARRAY(int32_t, 2 * of->pack * (int64_t)of->joints + 1)};
    if (!touch->start || !touch->joint)
        return false;
    int32_t bodies[2 * TN_TILES_PACK];
    for (int32_t p = 0; p < of->joints; p++) {
        const int count = bodies_of(of, p, bodies);
        for (int n = 0; n < count; n++)
            touch->start[bodies[n] + 2]++;
    }
    for (int32_t b = 0; b < of->bodies; b++)
        touch->start[b + 2] += touch->start[b + 1];
    for (int32_t p = 0; p < of->joints; p++) {
        const int count = bodies_of(of, p, bodies);
        for (int n = 0; n < count; n++)
            touch->joint[touch->start[bodies[n] + 1]++] = p;
    }
    return true;
}

/* Lists the packs of each tile, in the order in which tiles are visited, from the tile of each pack. */
static tn_status make_turns(const tn_tiles_touch *touch, const int32_t *tile, int32_t count,
                            bool back, tn_turns *turns)
{
    const int32_t tiles = touch->tiles->count;
    turns->start = TN_NEW_ARRAY(int32_t, tiles + 2);
    turns->item = TN_NEW_ARRAY(int32_t, count + 1);
    if (!turns->start || !turns->item)
        return TN_ERROR_MEMORY;
    turns->known = touch->tiles->far ? count : 0;
    for (int32_t k = 0; k < count; k++)
        turns->start[(back ? tiles - 1 - tile[k] : tile[k]) + 2]++;
    for (int32_t t = 0; t < tiles; t++)
        turns->start[t + 2] += turns->start[t + 1];
    for (int32_t k = 0; k < count; k++)
        turns->item[turns->start[(back ? tiles - 1 - tile[k] : tile[k]) + 1]++] = k;
    return TN_OK;
}

/* ---- stages that depend on each other ---- */

static void earlier(int32_t *tile, int32_t t)
{
    *tile = t < *tile ? t : *tile;
}

/* Each pack of joints gets the first tile that needs any of its bodies, and each pack of bodies likewise. On the way
 * back, where tiles go from the last to the first, it is the first tile after which the results of all its bodies,
 * or joints, are available. */
static void of_bodies(const tn_tiles_touch *touch, const int32_t *joint, int32_t *body)
{
    for (int32_t b = 0; b < touch->of->bodies; b++) {
        for (int32_t i = touch->start[b]; i < touch->start[b + 1]; i++)
            earlier(&body[b], joint[touch->joint[i]]);
    }
}

static void of_joints(const tn_tiles_touch *touch, const int32_t *body, int32_t *joint)
{
    int32_t bodies[2 * TN_TILES_PACK];
    for (int32_t p = 0; p < touch->of->joints; p++) {
        const int count = bodies_of(touch->of, p, bodies);
        for (int n = 0; n < count; n++)
            earlier(&joint[p], body[bodies[n]]);
    }
}

static void put_last(int32_t *tile, int32_t count, int32_t last)
{
    for (int32_t k = 0; k < count; k++)
        tile[k] = last;
}

static void put_own(const tn_tiles_touch *touch, int32_t *tile)
{
    for (int32_t p = 0; p < touch->of->joints; p++)
        tile[p] = p / touch->of->size;
}

/* The tile that needs the columns of a pack: its own, or one with columns that are coupled to them. */
static void put_filled(const tn_tiles_touch *touch, int32_t *tile)
{
    const tn_spd *spd = touch->of->matrix;
    const int32_t pack = touch->of->pack;
    put_own(touch, tile);
    for (int32_t k = 0; k < spd->n; k++) {
        for (int32_t i = spd->start[k]; i < spd->start[k + 1]; i++)
            earlier(&tile[spd->row[i] / pack], k / pack / touch->of->size);
    }
}

/* A number of stages, of bodies and joints alternately, each derived from the one before; `joint`: the tiles of the
 * stage of joints before the first. */
static tn_status take_turns(const tn_tiles_touch *touch, bool back, int32_t *joint, int32_t *body,
                            tn_turns *const *turns, int count)
{
    const int32_t bodies = touch->of->bodies, joints = touch->of->joints;
    tn_status status = TN_OK;
    for (int n = 0; n < count && status == TN_OK; n++) {
        if (n % 2 == 0) {
            put_last(body, bodies, touch->tiles->count - 1);
            of_bodies(touch, joint, body);
            status = make_turns(touch, body, bodies, back, turns[n]);
        } else {
            put_own(touch, joint);
            of_joints(touch, body, joint);
            status = make_turns(touch, joint, joints, back, turns[n]);
        }
    }
    return status;
}

static tn_status make_tiles(const tn_tiles_touch *touch, tn_tiles *tiles, int32_t *joint,
                            int32_t *body)
{
    tn_turns *const there[] = {&tiles->measured, &tiles->predicted, &tiles->begun};
    tn_turns *const back[] = {&tiles->corrected, &tiles->placed, &tiles->residual, &tiles->rhs};
    put_filled(touch, joint);
    tn_status status = make_turns(touch, joint, touch->of->joints, false, &tiles->filled);
    if (status == TN_OK)
        status = take_turns(touch, false, joint, body, there, 3);
    put_own(touch, joint);
    return status == TN_OK ? take_turns(touch, true, joint, body, back, 4) : status;
}

tn_status tn_tiles_create(const tn_tiles_of *of, tn_tiles *out)
{
    TN_ASSERT(of->pack <= TN_TILES_PACK);
    *out = (tn_tiles){
        .count = (of->joints + of->size - 1) / of->size, .size = of->size, .far = of->far};
    tn_tiles_touch touch;
    tn_status status = make_touch(of, out, &touch) ? TN_OK : TN_ERROR_MEMORY;
    int32_t *joint = TN_NEW_ARRAY(int32_t, of->joints + 1),
            *body = TN_NEW_ARRAY(int32_t, of->bodies + 1);
    if (!joint || !body)
        status = TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = make_tiles(&touch, out, joint, body);
    tn_free(joint);
    tn_free(body);
    tn_free(touch.start);
    tn_free(touch.joint);
    return status;
}

static void free_turns(tn_turns *turns)
{
    tn_free(turns->start);
    tn_free(turns->item);
}

void tn_tiles_destroy(tn_tiles *tiles)
{
    free_turns(&tiles->begun);
    free_turns(&tiles->predicted);
    free_turns(&tiles->measured);
    free_turns(&tiles->filled);
    free_turns(&tiles->corrected);
    free_turns(&tiles->placed);
    free_turns(&tiles->residual);
    free_turns(&tiles->rhs);
    *tiles = (tn_tiles){0};
}
