/* hidden.c: the order in which the faces of a picture are painted: the nearer cover the farther.
 *
 * Binary space partition (Fuchs, Kedem, Naylor 1980). A face's plane splits all others into those
 * behind it, which are painted before it, and those in front, painted after; what crosses the plane
 * is cut. This is right for solids that pierce each other too. Every face is turned to the viewer
 * (normal z > 0), so behind always means farther away. Lines are cut by planes but split nothing.
 * Pictures of more than MANY_FACES faces are only sorted by depth: cutting would take too long.
 */
#include <math.h>
#include <stdlib.h>

#include "math/m3.h"
#include "picture/picture.h"

#define MANY_FACES 6000
#define CANDIDATES 8    /* faces tried as the next to split by */
#define JUDGES     48   /* faces each of them is tried on */
#define CUT_COST   6    /* a cut costs as much as an imbalance of so many faces */
#define ON_PLANE   1e-7 /* thickness of a plane, as a share of the picture */

typedef struct list {
    int32_t head, tail, count;
} list;

static const list EMPTY = {PICTURE_NONE, PICTURE_NONE, 0};

typedef struct partition {
    picture *pic;
    double epsilon; /* m */
} partition;

static void append(picture *pic, list *l, int32_t face)
{
    pic->faces[face].next = PICTURE_NONE;
    if (l->tail == PICTURE_NONE) {
        l->head = face;
    } else {
        pic->faces[l->tail].next = face;
    }
    l->tail = face;
    l->count++;
}

/* Smallest and largest distance of a face's corners from the plane of another. */
static void span(const picture *pic, const picture_face *plane, const picture_face *face,
                 double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int32_t i = 0; i < face->count; i++) {
        const double s = v3_dot(plane->normal, pic->corners[face->first + i].p) - plane->offset;
        *low = fmin(*low, s);
        *high = fmax(*high, s);
    }
}

static int32_t cost(const partition *part, list faces, int32_t candidate)
{
    const picture *pic = part->pic;
    const int32_t stride = faces.count / JUDGES + 1;
    int32_t cuts = 0, balance = 0, at = 0;
    for (int32_t f = faces.head; f != PICTURE_NONE; f = pic->faces[f].next) {
        if (at++ % stride != 0 || f == candidate)
            continue;
        double low, high;
        span(pic, &pic->faces[candidate], &pic->faces[f], &low, &high);
        if (low < -part->epsilon && high > part->epsilon) {
            cuts++;
        } else if (high > part->epsilon) {
            balance++;
        } else if (low < -part->epsilon) {
            balance--;
        }
    }
    return CUT_COST * cuts + abs(balance);
}

/* The face to split by; PICTURE_NONE when there are only lines. */
static int32_t choose(const partition *part, list faces)
{
    const picture *pic = part->pic;
    const int32_t stride = faces.count / CANDIDATES + 1;
    int32_t best = PICTURE_NONE, least = INT32_MAX, at = 0;
    for (int32_t f = faces.head; f != PICTURE_NONE; f = pic->faces[f].next) {
        const int plane = pic->faces[f].count > 2;
        if (plane && (best == PICTURE_NONE || at % stride == 0)) {
            const int32_t c = cost(part, faces, f);
            if (c < least) {
                least = c;
                best = f;
            }
        }
        at++;
    }
    return best;
}

/* The part of a face on one side (sign) of a plane. A cut makes no edge to be drawn. */
static int32_t cut(const partition *part, const picture_face *plane, int32_t face, double sign)
{
    picture *pic = part->pic;
    picture_face piece = pic->faces[face];
    const int32_t first = piece.first, count = piece.count;
    piece.first = pic->corner_count;
    for (int32_t i = 0; i < count && pic->status == TN_OK; i++) {
        const picture_corner a = pic->corners[first + i];
        const picture_corner b = pic->corners[first + (i + 1) % count];
        const double sa = sign * (v3_dot(plane->normal, a.p) - plane->offset);
        const double sb = sign * (v3_dot(plane->normal, b.p) - plane->offset);
        if (sa >= 0.0)
            picture_corner_add(pic, a.p, a.edge && (count > 2 || i == 0));
        if ((sa >= 0.0) == (sb >= 0.0) || (count == 2 && i == 1))
            continue;
        const tn_vec3 on = v3_axpy(a.p, sa / (sa - sb), v3_sub(b.p, a.p));
        picture_corner_add(pic, on, sa >= 0.0 ? 0 : a.edge);
    }
    piece.count = pic->corner_count - piece.first;
    return pic->status == TN_OK ? picture_face_add(pic, piece) : PICTURE_NONE;
}

/* Puts a face behind, on or in front of the plane, or its parts behind and in front. */
static void sort_in(const partition *part, int32_t plane, int32_t face, list *behind, list *on,
                    list *before)
{
    picture *pic = part->pic;
    double low, high;
    span(pic, &pic->faces[plane], &pic->faces[face], &low, &high);
    if (face == plane || (low >= -part->epsilon && high <= part->epsilon)) {
        append(pic, on, face);
    } else if (high <= part->epsilon) {
        append(pic, behind, face);
    } else if (low >= -part->epsilon) {
        append(pic, before, face);
    } else {
        const picture_face by = pic->faces[plane];
        const int32_t far = cut(part, &by, face, -1.0), near = cut(part, &by, face, 1.0);
        if (pic->status == TN_OK) {
            append(pic, behind, far);
            append(pic, before, near);
        }
    }
}

static void paint_all(picture *pic, list faces)
{
    for (int32_t f = faces.head; f != PICTURE_NONE; f = pic->faces[f].next)
        picture_order_add(pic, f);
}

static void paint(const partition *part, list faces)
{
    picture *pic = part->pic;
    while (faces.count > 0 && pic->status == TN_OK) {
        const int32_t plane = choose(part, faces);
        if (plane == PICTURE_NONE)
            break;
        list behind = EMPTY, on = EMPTY, before = EMPTY;
        for (int32_t f = faces.head; f != PICTURE_NONE && pic->status == TN_OK;) {
            const int32_t next = pic->faces[f].next;
            sort_in(part, plane, f, &behind, &on, &before);
            f = next;
        }
        paint(part, behind);
        paint_all(pic, on);
        faces = before;
    }
    paint_all(pic, faces);
}

/* by depth ------------------------------------------------------------------------------------- */

typedef struct depth {
    double z;
    int32_t face;
} depth;

static int compare_depths(const void *left, const void *right)
{
    const depth *a = left, *b = right;
    if (a->z != b->z)
        return a->z < b->z ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

static void paint_by_depth(picture *pic)
{
    depth *depths = calloc((size_t)pic->face_count, sizeof(*depths));
    if (depths == NULL) {
        pic->status = TN_ERROR_MEMORY;
        return;
    }
    for (int32_t f = 0; f < pic->face_count; f++) {
        const picture_face *face = &pic->faces[f];
        depths[f].face = f;
        for (int32_t i = 0; i < face->count; i++)
            depths[f].z += pic->corners[face->first + i].p.z / face->count;
    }
    qsort(depths, (size_t)pic->face_count, sizeof(*depths), compare_depths);
    for (int32_t f = 0; f < pic->face_count; f++)
        picture_order_add(pic, depths[f].face);
    free(depths);
}

void picture_sort(picture *pic)
{
    if (pic->face_count > MANY_FACES) {
        paint_by_depth(pic);
        return;
    }
    double size = 0.0;
    for (int32_t i = 0; i < pic->corner_count; i++)
        size = fmax(size, v3_norm(v3_sub(pic->corners[i].p, pic->corners[0].p)));
    list faces = EMPTY;
    for (int32_t f = 0; f < pic->face_count; f++)
        append(pic, &faces, f);
    paint(&(partition){pic, ON_PLANE * size}, faces);
}
