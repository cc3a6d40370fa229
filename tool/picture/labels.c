/* labels.c: see labels.h.
 *
 * Greedy: one label after the other takes, of a few places around its point, the one that overlaps
 * least with those already placed; names first, since there may be many values at one joint.
 */
#include <math.h>

#include "picture/labels.h"

#define GAP          7.0  /* pixels between a point and its text */
#define GLYPH        0.56 /* mean width of a letter by the size of the font */
#define OUTSIDE_COST 4.0  /* an overlap with the border counts that much more than with a text */
#define ORDER_COST   0.5  /* square pixels by which an earlier place is preferred */

double tool_text_width(const char *text, double font)
{
    int32_t letters = 0;
    for (; *text; text++)
        letters += ((unsigned char)*text & 0xc0) != 0x80; /* not the inside of a UTF-8 sequence */
    return GLYPH * font * letters;
}

/* Overlap of the boxes whose lower left corners are given, square pixels. */
static double overlap(double ax, double ay, const label *a, double bx, double by, const label *b)
{
    const double w = fmin(ax + a->width, bx + b->width) - fmax(ax, bx);
    const double h = fmin(ay, by) - fmax(ay - a->height, by - b->height);
    return w > 0.0 && h > 0.0 ? w * h : 0.0;
}

static double outside(double x, double y, const label *l, double width, double height)
{
    const double over = fmax(0.0, -x) + fmax(0.0, x + l->width - width) + fmax(0.0, l->height - y) +
                        fmax(0.0, y - height);
    return OUTSIDE_COST * over * l->height;
}

#define MOST_COVERED 0.4 /* share of a text that others may cover */

static void place(label *labels, int32_t index, const int32_t *placed, int32_t placed_count,
                  double width, double height)
{
    /* to the right above, right below, left above, ... further away: in widths, heights, gaps */
    static const double spots[][4] = {
        {0.0, 0.0, 1.0, -1.0},  {0.0, 1.0, 1.0, 1.0},     {-1.0, 0.0, -1.0, -1.0},
        {-1.0, 1.0, -1.0, 1.0}, {-0.5, 0.0, 0.0, -2.0},   {-0.5, 1.0, 0.0, 2.0},
        {0.0, 0.5, 2.0, 0.0},   {-1.0, 0.5, -2.0, 0.0},   {0.0, -1.0, 1.0, -2.0},
        {0.0, 2.0, 1.0, 2.0},   {-1.0, -1.0, -1.0, -2.0}, {-1.0, 2.0, -1.0, 2.0},
    };
    label *l = &labels[index];
    double best_x = l->x, best_y = l->y, least = INFINITY;
    const int spot_count = (int)(sizeof spots / sizeof spots[0]);
    for (int s = 0; s < spot_count; s++) {
        const double x = l->x + spots[s][0] * l->width + spots[s][2] * GAP;
        const double y = l->y + spots[s][1] * l->height + spots[s][3] * GAP;
        double cost = ORDER_COST * s + outside(x, y, l, width, height);
        for (int32_t k = 0; k < placed_count; k++) {
            const label *other = &labels[placed[k]];
            cost += overlap(x, y, l, other->x, other->y, other);
        }
        if (cost < least) {
            least = cost;
            best_x = x;
            best_y = y;
        }
    }
    l->x = best_x;
    l->y = best_y;
    l->shown = least < MOST_COVERED * l->width * l->height + ORDER_COST * spot_count;
}

#define MOST_NAMES  48  /* more names than this hide the mechanism: none is shown */
#define MOST_PLACED 512 /* more labels than this are a cloud: the rest is not shown */

void tool_place_labels(label *labels, int32_t count, double width, double height)
{
    int32_t placed[MOST_PLACED], placed_count = 0, names = 0;
    for (int32_t i = 0; i < count; i++)
        names += !labels[i].of_value;
    for (int32_t values = names > MOST_NAMES; values <= 1; values++) {
        for (int32_t i = 0; i < count && placed_count < MOST_PLACED; i++) {
            if (labels[i].of_value == values) {
                place(labels, i, placed, placed_count, width, height);
                placed[placed_count++] = i;
            }
        }
    }
}
