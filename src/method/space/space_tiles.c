/* space_tiles.c: room method/space: in which order ball joints and their bodies go through the stages of a step, tile by
 * tile of the order of elimination. See space.h.
 *
 * On the way through the factor a tile needs its own columns filled and those that they are coupled to; a column needs what
 * its bodies are measured at; a body all its balls predicted; a ball its bodies begun. On the way back a tile's forces are
 * known: a body is corrected when those of all its balls are, a ball is where it is when both bodies are, and so on. Each stage
 * takes a four with the first tile that needs it, or can have it: what is near in the order is done while it is in the
 * cache, and each four once.
 *
 * In: balls in the order of the matrix. Out: the fours of each stage with each tile.
 */
#include <string.h>

#include "base/base.h"
#include "method/space/space.h"

/* Joints from which on they, some 3 kB each with their bodies and all that a step reads and writes, are not in the last cache
 * from one pass to the next (below, machines find them by themselves). */
enum { TN_SPACE_FAR = 6000 };

/* Fours of balls and of bodies, and which touch which. */
typedef struct tn_space_touch {
    tn_space *space;
    int32_t balls, bodies;
    int32_t *start, *ball; /* of each four of bodies: the fours of balls on them */
} tn_space_touch;

/* Both ends of each ball of a four, as fours of bodies; those that stand are none. */
enum { TN_SPACE_ENDS = 2 * TN_SPACE_SIDE };
static int bodies_of(const tn_space_touch *touch, int32_t p, int32_t *bodies)
{
    const tn_space *space = touch->space;
    const tn_space_balls *of = &space->ball_fours[p];
    int count = 0;
    for (int n = 0; n < TN_SPACE_SIDE; n++) {
        const int64_t a = of->a[n] - space->bodies, b = of->b[n] - space->bodies;
        if (a < space->first_standing)
            bodies[count++] = (int32_t)(a / TN_SPACE_SIDE);
        if (b < space->first_standing)
            bodies[count++] = (int32_t)(b / TN_SPACE_SIDE);
    }
    return count;
}

static bool make_touch(tn_space *space, tn_space_touch *touch)
{
    *touch = (tn_space_touch){.space = space,
                              .balls = (space->hinge_count + TN_SPACE_SIDE - 1) / TN_SPACE_SIDE,
                              .bodies = space->first_standing / TN_SPACE_SIDE};
    touch->start = TN_NEW_ARRAY(int32_t, touch->bodies + 2);
    touch->ball = TN_NEW_ARRAY(int32_t, TN_SPACE_ENDS * (int64_t)touch->balls + 1);
    if (!touch->start || !touch->ball)
        return false;
    int32_t bodies[TN_SPACE_ENDS];
    for (int32_t p = 0; p < touch->balls; p++) {
        const int count = bodies_of(touch, p, bodies);
        for (int n = 0; n < count; n++)
            touch->start[bodies[n] + 2]++;
    }
    for (int32_t b = 0; b < touch->bodies; b++)
        touch->start[b + 2] += touch->start[b + 1];
    for (int32_t p = 0; p < touch->balls; p++) {
        const int count = bodies_of(touch, p, bodies);
        for (int n = 0; n < count; n++)
            touch->ball[touch->start[bodies[n] + 1]++] = p;
    }
    return true;
}

/* Of the tile of each four, those of each tile, in the order in which tiles are gone through. */
static tn_status make_turns(const tn_space_touch *touch, const int32_t *tile, int32_t count,
                            bool back, tn_space_turns *turns)
{
    const int32_t tiles = touch->space->tiles.count;
    turns->start = TN_NEW_ARRAY(int32_t, tiles + 2);
    turns->four = TN_NEW_ARRAY(int32_t, count + 1);
    if (!turns->start || !turns->four)
        return TN_ERROR_MEMORY;
    turns->known = touch->space->tiles.far ? count : 0;
    for (int32_t k = 0; k < count; k++)
        turns->start[(back ? tiles - 1 - tile[k] : tile[k]) + 2]++;
    for (int32_t t = 0; t < tiles; t++)
        turns->start[t + 2] += turns->start[t + 1];
    for (int32_t k = 0; k < count; k++)
        turns->four[turns->start[(back ? tiles - 1 - tile[k] : tile[k]) + 1]++] = k;
    return TN_OK;
}

/* ---- stages that others wait for ---- */

static void earlier(int32_t *tile, int32_t t)
{
    *tile = t < *tile ? t : *tile;
}

/* Each four of balls no later than any that its bodies are needed with, and the other way round: the first tile is what is
 * asked for, and on the way back, where tiles go from the last to the first, what is to be had. */
static void of_bodies(const tn_space_touch *touch, const int32_t *ball, int32_t *body)
{
    for (int32_t b = 0; b < touch->bodies; b++) {
        for (int32_t i = touch->start[b]; i < touch->start[b + 1]; i++)
            earlier(&body[b], ball[touch->ball[i]]);
    }
}

static void of_balls(const tn_space_touch *touch, const int32_t *body, int32_t *ball)
{
    int32_t bodies[TN_SPACE_ENDS];
    for (int32_t p = 0; p < touch->balls; p++) {
        const int count = bodies_of(touch, p, bodies);
        for (int n = 0; n < count; n++)
            earlier(&ball[p], body[bodies[n]]);
    }
}

static void put_last(int32_t *tile, int32_t count, int32_t last)
{
    for (int32_t k = 0; k < count; k++)
        tile[k] = last;
}

static void put_own(const tn_space_touch *touch, int32_t *tile)
{
    for (int32_t p = 0; p < touch->balls; p++)
        tile[p] = p / touch->space->tiles.size;
}

/* Its columns, and those they are coupled to. */
static void put_filled(const tn_space_touch *touch, int32_t *tile)
{
    const tn_spd *spd = &touch->space->matrix;
    put_own(touch, tile);
    for (int32_t k = 0; k < spd->n; k++) {
        for (int32_t i = spd->start[k]; i < spd->start[k + 1]; i++)
            earlier(&tile[spd->row[i] / TN_SPACE_SIDE],
                    k / TN_SPACE_SIDE / touch->space->tiles.size);
    }
}

/* Stages of bodies and of balls by turns, so many, each with what the one before is needed or had with: `ball` is that of the
 * balls before the first. */
static tn_status take_turns(const tn_space_touch *touch, bool back, int32_t *ball, int32_t *body,
                            tn_space_turns *const *turns, int count)
{
    const int32_t tiles = touch->space->tiles.count;
    tn_status status = TN_OK;
    for (int n = 0; n < count && status == TN_OK; n++) {
        if (n % 2 == 0) {
            put_last(body, touch->bodies, tiles - 1);
            of_bodies(touch, ball, body);
            status = make_turns(touch, body, touch->bodies, back, turns[n]);
        } else {
            put_own(touch, ball);
            of_balls(touch, body, ball);
            status = make_turns(touch, ball, touch->balls, back, turns[n]);
        }
    }
    return status;
}

static tn_status make_tiles(const tn_space_touch *touch, int32_t *ball, int32_t *body)
{
    tn_space_tiles *tiles = &touch->space->tiles;
    tn_space_turns *const there[] = {&tiles->measured, &tiles->predicted, &tiles->begun};
    tn_space_turns *const back[] = {&tiles->corrected, &tiles->placed, &tiles->weighed,
                                    &tiles->asked};
    put_filled(touch, ball);
    tn_status status = make_turns(touch, ball, touch->balls, false, &tiles->filled);
    if (status == TN_OK)
        status = take_turns(touch, false, ball, body, there, 3);
    put_own(touch, ball);
    return status == TN_OK ? take_turns(touch, true, ball, body, back, 4) : status;
}

tn_status tn_space_tiles_create(tn_space *space, int32_t size)
{
    tn_space_touch touch;
    tn_status status = make_touch(space, &touch) ? TN_OK : TN_ERROR_MEMORY;
    int32_t *ball = TN_NEW_ARRAY(int32_t, touch.balls + 1),
            *body = TN_NEW_ARRAY(int32_t, touch.bodies + 1);
    space->tiles.far = space->hinge_count >= TN_SPACE_FAR;
    space->tiles.size = size;
    space->tiles.count = (touch.balls + size - 1) / size;
    if (!ball || !body)
        status = TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = make_tiles(&touch, ball, body);
    tn_free(ball);
    tn_free(body);
    tn_free(touch.start);
    tn_free(touch.ball);
    return status;
}

static void free_turns(tn_space_turns *turns)
{
    tn_free(turns->start);
    tn_free(turns->four);
}

void tn_space_tiles_destroy(tn_space *space)
{
    tn_space_tiles *tiles = &space->tiles;
    free_turns(&tiles->begun);
    free_turns(&tiles->predicted);
    free_turns(&tiles->measured);
    free_turns(&tiles->filled);
    free_turns(&tiles->corrected);
    free_turns(&tiles->placed);
    free_turns(&tiles->weighed);
    free_turns(&tiles->asked);
    *tiles = (tn_space_tiles){0};
}
