/* rounded_line.c: room joint/point: a line with rounded corners (rounded_line.h).
 *
 * A corner that turns by a, rounded from the distance d on, has the radius d / tan(a/2), and its
 * arc stays within d tan(a/4) of it. All pieces are searched for the nearest point.
 */
#include "real/real.h"
#include "joint/point/rounded_line.h"

#include <math.h>

#define TN_HALF_TURN 3.14159265358979323846 /* rad */

/* A corner that turns by less (rad) is straight on: its arc would have no curvature to speak of. */
#define TN_STRAIGHT 1e-9

/* Distances this close (share of their size) are the same, if the places are not. */
#define TN_AS_NEAR 1e-12

static double direction(const double *a, const double *b, double tangent[2])
{
    const double x = b[0] - a[0], z = b[1] - a[1], length = tn_hypot(x, z);
    tangent[0] = x / length;
    tangent[1] = z / length;
    return length;
}

/* Appends a piece that begins at `start` or, for others than the first, where the last ends. */
static void append(tn_rounded_line *line, const double start[2], const double tangent[2],
                   double length, double curvature)
{
    tn_line_piece *piece = &line->pieces[line->count];
    *piece = (tn_line_piece){
        {start[0], start[1]}, {tangent[0], tangent[1]}, 0.0, length, curvature, false, false};
    if (line->count > 0) {
        piece->from = piece[-1].from + piece[-1].length;
        piece->begins = piece[-1].ends = true;
    }
    line->count++;
}

static void follow(const double (*points)[2], int32_t count, double share, tn_rounded_line *line)
{
    double t[2], next[2] = {0.0, 0.0},
                 begin = 0.0; /* of the segment, where its straight part begins */
    double length = direction(points[0], points[1], t);
    for (int32_t i = 1; i < count; i++) {
        double cut = 0.0, turn = 0.0, next_length = 0.0;
        if (i + 1 < count) {
            next_length = direction(points[i], points[i + 1], next);
            turn = tn_atan2(t[0] * next[1] - t[1] * next[0], t[0] * next[0] + t[1] * next[1]);
            cut = fabs(turn) > TN_STRAIGHT ? share * fmin(length, next_length) : 0.0;
        }
        const double *corner = points[i];
        const double start[2] = {points[i - 1][0] + begin * t[0], points[i - 1][1] + begin * t[1]};
        append(line, start, t, length - begin - cut, 0.0);
        if (cut > 0.0) {
            const double at[2] = {corner[0] - cut * t[0], corner[1] - cut * t[1]};
            const double curvature = tn_tan(0.5 * turn) / cut;
            append(line, at, t, turn / curvature, curvature);
        }
        t[0] = next[0];
        t[1] = next[1];
        begin = cut;
        length = next_length;
    }
}

tn_status tn_rounded_line_make(const double (*points)[2], int32_t count, double share,
                               tn_arena *arena, const tn_rounded_line **out)
{
    tn_rounded_line *line = tn_arena_alloc(arena, sizeof *line);
    if (!line)
        return TN_ERROR_MEMORY;
    line->pieces = tn_arena_alloc(arena, 2 * sizeof(tn_line_piece) * (size_t)count);
    if (!line->pieces)
        return TN_ERROR_MEMORY;
    follow(points, count, share, line);
    line->alone = tn_arena_alloc(arena, sizeof *line * (size_t)line->count);
    if (!line->alone)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < line->count; i++)
        line->alone[i] = (tn_rounded_line){1, &line->pieces[i], NULL};
    *out = line;
    return TN_OK;
}

/* Where a piece is after the arc length s of it. */
static void place_on(const tn_line_piece *piece, double s, tn_line_place *place)
{
    const double k = piece->curvature, a = k * s;
    const double along = k == 0.0 ? s : tn_sin(a) / k,
                 across = k == 0.0 ? 0.0 : 2.0 * tn_sin(0.5 * a) * tn_sin(0.5 * a) / k;
    const double *t = piece->tangent;
    place->s = piece->from + s;
    place->curvature = k;
    place->point[0] = piece->start[0] + along * t[0] - across * t[1];
    place->point[1] = piece->start[1] + along * t[1] + across * t[0];
    place->tangent[0] = tn_cos(a) * t[0] - tn_sin(a) * t[1];
    place->tangent[1] = tn_cos(a) * t[1] + tn_sin(a) * t[0];
    place->normal[0] = -place->tangent[1];
    place->normal[1] = place->tangent[0];
}

/* Arc length within a piece of its point nearest to (along, across) its start, where the piece is
 * allowed to begin and end at low and high. */
static double nearest_on(const tn_line_piece *piece, double along, double across, double low,
                         double high)
{
    const double k = piece->curvature;
    double s = along;
    if (k != 0.0) { /* the angle about the centre, which is at (0, 1/k) */
        const double side = copysign(1.0, k);
        s = tn_atan2(side * along, side * (1.0 / k - across)) / k;
        if (s < 0.5 * piece->length - TN_HALF_TURN / fabs(k)) /* the nearer end of the arc */
            s += 2.0 * TN_HALF_TURN / fabs(k);
    }
    return fmin(fmax(s, low), high);
}

int tn_rounded_line_nearest(const tn_rounded_line *line, const double point[2],
                            tn_line_place *place)
{
    double best = INFINITY;
    int unique = 1;
    for (int32_t i = 0; i < line->count; i++) {
        const tn_line_piece *piece = &line->pieces[i];
        const double x = point[0] - piece->start[0], z = point[1] - piece->start[1];
        const double *t = piece->tangent;
        tn_line_place here;
        place_on(piece,
                 nearest_on(piece, x * t[0] + z * t[1], z * t[0] - x * t[1],
                            i == 0 ? -INFINITY : 0.0,
                            i == line->count - 1 ? INFINITY : piece->length),
                 &here);
        const double dx = point[0] - here.point[0], dz = point[1] - here.point[1];
        const double distance = tn_hypot(dx, dz);
        if (distance < (1.0 - TN_AS_NEAR) * best) {
            unique = 1;
        } else if (distance <= (1.0 + TN_AS_NEAR) * best && i > 0 &&
                   fabs(here.s - place->s) > TN_AS_NEAR * (1.0 + fabs(here.s))) {
            unique = 0;
        }
        if (distance < best) {
            best = distance;
            *place = here;
            place->piece = i;
            place->distance = dx * here.normal[0] + dz * here.normal[1];
        }
    }
    return unique;
}

void tn_rounded_line_at(const tn_rounded_line *line, double s, tn_line_place *place)
{
    int32_t low = 0, high = line->count;
    while (high - low > 1) {
        const int32_t middle = (low + high) / 2;
        if (s < line->pieces[middle].from) {
            high = middle;
        } else {
            low = middle;
        }
    }
    place->piece = low;
    place->distance = 0.0;
    place_on(&line->pieces[low], s - line->pieces[low].from, place);
}
