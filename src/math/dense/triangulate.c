/* triangulate.c: room math/dense: triangles of a simple polygon, by cutting off ears.
 *
 * An ear is a convex corner whose triangle holds no other corner. Every simple polygon has two
 * (Meisters 1975), so one is found at every turn; where rounding hides it the corner that is
 * least wrong is cut. Time goes with the square of the number of points.
 */
#include <stdbool.h>

#include "base/base.h"
#include "math/dense/triangulate.h"

static double area2(const tn_vec3 *p, int32_t a, int32_t b, int32_t c)
{
    return (p[b].x - p[a].x) * (p[c].y - p[a].y) - (p[b].y - p[a].y) * (p[c].x - p[a].x);
}

static bool is_ear(const tn_vec3 *p, const int32_t *ring, int32_t n, int32_t at)
{
    const int32_t a = ring[(at + n - 1) % n], b = ring[at], c = ring[(at + 1) % n];
    if (area2(p, a, b, c) <= 0.0)
        return false;
    for (int32_t k = 0; k < n; k++) {
        const int32_t q = ring[k];
        if (q != a && q != b && q != c && area2(p, a, b, q) >= 0.0 && area2(p, b, c, q) >= 0.0 &&
            area2(p, c, a, q) >= 0.0)
            return false;
    }
    return true;
}

static int32_t find_ear(const tn_vec3 *p, const int32_t *ring, int32_t n)
{
    int32_t best = 0;
    double largest = -1.0;
    for (int32_t at = 0; at < n; at++) {
        if (is_ear(p, ring, n, at))
            return at;
        const double area = area2(p, ring[(at + n - 1) % n], ring[at], ring[(at + 1) % n]);
        if (area > largest) {
            largest = area;
            best = at;
        }
    }
    return best;
}

static bool is_clockwise(const tn_vec3 *p, int32_t count)
{
    double sum = 0.0;
    for (int32_t i = 1; i + 1 < count; i++)
        sum += area2(p, 0, i, i + 1);
    return sum < 0.0;
}

tn_status tn_triangulate(const tn_vec3 *points, int32_t count, int32_t *triangles)
{
    int32_t *ring = TN_NEW_ARRAY(int32_t, count);
    if (ring == NULL)
        return TN_ERROR_MEMORY;
    const int clockwise = is_clockwise(points, count);
    for (int32_t i = 0; i < count; i++)
        ring[i] = clockwise ? count - 1 - i : i;
    int32_t *out = triangles;
    for (int32_t n = count; n >= 3; n--) {
        const int32_t at = find_ear(points, ring, n);
        *out++ = ring[(at + n - 1) % n];
        *out++ = ring[at];
        *out++ = ring[(at + 1) % n];
        for (int32_t k = at; k + 1 < n; k++)
            ring[k] = ring[k + 1];
    }
    tn_free(ring);
    return TN_OK;
}
