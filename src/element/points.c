/* points.c: room element: points of integration (element.h).
 *
 * Hexahedra: products of Gauss points. Tetrahedra: one point, exact to degree 1, or four, to degree 2 (Hammer, Stroud
 * 1956). Wedges: three points of the triangle, to degree 2, times Gauss points. Masses: Gauss points of a cube squeezed
 * onto the triangle and the tetrahedron (Stroud 1971), exact to degree 4 at least. Pyramids: Gauss points of a cube whose top is
 * squeezed onto a point.
 */
#include "element/element.h"

#include <math.h>

/* Of the interval -1 .. 1. */
typedef struct gauss {
    int32_t count;
    double at[4], weight[4];
} gauss;

static gauss gauss_of(int32_t count)
{
    gauss g = {.count = count};
    if (count == 2) {
        const double a = 1.0 / sqrt(3.0);
        g = (gauss){2, {-a, a}, {1.0, 1.0}};
    } else if (count == 3) {
        const double a = sqrt(0.6);
        g = (gauss){3, {-a, 0.0, a}, {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0}};
    } else {
        const double s = 2.0 / 7.0 * sqrt(1.2), a = sqrt(3.0 / 7.0 - s), b = sqrt(3.0 / 7.0 + s);
        const double of_a = 0.5 + sqrt(30.0) / 36.0, of_b = 0.5 - sqrt(30.0) / 36.0;
        g = (gauss){4, {-b, -a, a, b}, {of_b, of_a, of_a, of_b}};
    }
    return g;
}

static int32_t cube_points(int32_t each, tn_element_point *points)
{
    const gauss g = gauss_of(each);
    int32_t n = 0;
    for (int32_t k = 0; k < each; k++) {
        for (int32_t j = 0; j < each; j++) {
            for (int32_t i = 0; i < each; i++) {
                points[n++] = (tn_element_point){{g.at[i], g.at[j], g.at[k]},
                                                 g.weight[i] * g.weight[j] * g.weight[k]};
            }
        }
    }
    return n;
}

static int32_t tet_points(int32_t count, tn_element_point *points)
{
    if (count == 1) {
        points[0] = (tn_element_point){{0.25, 0.25, 0.25}, 1.0 / 6.0};
        return 1;
    }
    const double b = (5.0 - sqrt(5.0)) / 20.0, a = 1.0 - 3.0 * b;
    for (int i = 0; i < 4; i++) {
        points[i] = (tn_element_point){{b, b, b}, 1.0 / 24.0};
        if (i > 0)
            points[i].at[i - 1] = a;
    }
    return 4;
}

static int32_t wedge_points(int32_t layers, tn_element_point *points)
{
    const gauss g = gauss_of(layers);
    int32_t n = 0;
    for (int32_t k = 0; k < layers; k++) {
        for (int i = 0; i < 3; i++) {
            const double x = i == 1 ? 2.0 / 3.0 : 1.0 / 6.0, y = i == 2 ? 2.0 / 3.0 : 1.0 / 6.0;
            points[n++] = (tn_element_point){{x, y, g.at[k]}, g.weight[k] / 6.0};
        }
    }
    return n;
}

/* A point of the cube -1 .. 1 onto the pyramid. */
static void squeeze_top(tn_element_point *p)
{
    const double z = 0.5 * (1.0 + p->at[2]), width = 1.0 - z;
    p->at[0] *= width;
    p->at[1] *= width;
    p->at[2] = z;
    p->weight *= 0.5 * width * width;
}

int32_t tn_element_points(const tn_element_type *type, tn_element_point points[TN_ELEMENT_POINTS])
{
    if (type->corners == 4)
        return tet_points(type->points, points);
    if (type->corners == 8)
        return cube_points(type->points == 8 ? 2 : 3, points);
    if (type->corners == 5) {
        const int32_t count = cube_points(type->points == 8 ? 2 : 3, points);
        for (int32_t i = 0; i < count; i++)
            squeeze_top(&points[i]);
        return count;
    }
    return wedge_points(type->points == 6 ? 2 : 3, points);
}

/* A point of the cube 0 .. 1 onto the wedge, by y (1 - x), or the tetrahedron, by z (1 - x) (1 - y) too. */
static void squeeze(int32_t corners, tn_element_point *p)
{
    const double x = 0.5 * (1.0 + p->at[0]), y = 0.5 * (1.0 + p->at[1]);
    p->at[0] = x;
    p->at[1] = y * (1.0 - x);
    p->weight *= 0.25 * (1.0 - x);
    if (corners == 4) {
        p->at[2] = 0.5 * (1.0 + p->at[2]) * (1.0 - x) * (1.0 - y);
        p->weight *= 0.5 * (1.0 - x) * (1.0 - y);
    }
}

int32_t tn_element_mass_points(const tn_element_type *type, tn_element_point points[TN_MASS_POINTS])
{
    const int32_t count = cube_points(4, points);
    for (int32_t i = 0; i < count && type->corners != 8; i++) {
        if (type->corners == 5)
            squeeze_top(&points[i]);
        else
            squeeze(type->corners, &points[i]);
    }
    return count;
}
