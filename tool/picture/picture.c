/* picture.c: collecting the parts of a picture (picture.h). */
#include "picture/picture.h"

#include <string.h>

#include "base/base.h"
#include "math/m3.h"

/* Makes room for one item more; *array stays as it is when out of memory. */
static int grow(picture *pic, void **array, int32_t *capacity, int32_t count, size_t size)
{
    void *grown = pic->status == TN_OK ? tn_grow(*array, capacity, count + 1, size) : NULL;
    if (grown == NULL) {
        pic->status = TN_ERROR_MEMORY;
        return 0;
    }
    *array = grown;
    return 1;
}

#define GROW(pic, list, one)                                                                       \
    grow(pic, (void **)&(pic)->list, &(pic)->one##_capacity, (pic)->one##_count,                   \
         sizeof(*(pic)->list))

void picture_free(picture *pic)
{
    for (int32_t i = 0; i < pic->text_count; i++)
        tn_free(pic->texts[i].text);
    tn_free(pic->corners);
    tn_free(pic->faces);
    tn_free(pic->points);
    tn_free(pic->strokes);
    tn_free(pic->texts);
    tn_free(pic->order);
    *pic = (picture){0};
}

tn_vec3 picture_project(const picture *pic, const tn_primitive *primitive, tn_vec3 point)
{
    const tn_vec3 p = tn_pose_transform_point(primitive->pose, point);
    return v3(v3_dot(pic->view.right, p), v3_dot(pic->view.up, p), v3_dot(pic->view.toward, p));
}

void picture_corner_add(picture *pic, tn_vec3 p, int32_t edge)
{
    if (GROW(pic, corners, corner))
        pic->corners[pic->corner_count++] = (picture_corner){p, edge};
}

int32_t picture_face_add(picture *pic, picture_face face)
{
    if (!GROW(pic, faces, face))
        return PICTURE_NONE;
    pic->faces[pic->face_count] = face;
    return pic->face_count++;
}

void picture_point_add(picture *pic, tn_vec3 p)
{
    if (GROW(pic, points, point))
        pic->points[pic->point_count++] = p;
}

void picture_stroke_add(picture *pic, picture_stroke stroke)
{
    if (GROW(pic, strokes, stroke))
        pic->strokes[pic->stroke_count++] = stroke;
}

void picture_order_add(picture *pic, int32_t face)
{
    if (GROW(pic, order, order))
        pic->order[pic->order_count++] = face;
}

static void add_text(picture *pic, const tn_primitive *p)
{
    char *text = tn_copy_text(p->text, strlen(p->text));
    if (text == NULL || !GROW(pic, texts, text)) {
        tn_free(text);
        pic->status = TN_ERROR_MEMORY;
        return;
    }
    const tn_vec3 at = picture_project(pic, p, v3(0.0, 0.0, 0.0));
    pic->texts[pic->text_count++] = (picture_text){at, text, p->coordinate >= 0};
}

tn_status picture_add(void *context, const tn_primitive *primitive)
{
    static void (*const adders[TN_PRIMITIVE_KIND_COUNT])(picture *, const tn_primitive *) = {
        [TN_PRIMITIVE_LINE] = picture_add_strokes,
        [TN_PRIMITIVE_ARROW] = picture_add_strokes,
        [TN_PRIMITIVE_POLYLINE] = picture_add_strokes,
        [TN_PRIMITIVE_ARC] = picture_add_strokes,
        [TN_PRIMITIVE_QUAD] = picture_add_faces,
        [TN_PRIMITIVE_SPHERE] = picture_add_faces,
        [TN_PRIMITIVE_ELLIPSOID] = picture_add_faces,
        [TN_PRIMITIVE_CYLINDER] = picture_add_faces,
        [TN_PRIMITIVE_CAPSULE] = picture_add_faces,
        [TN_PRIMITIVE_BOX] = picture_add_faces,
        [TN_PRIMITIVE_PRISM] = picture_add_faces,
        [TN_PRIMITIVE_MESH] = picture_add_faces,
        [TN_PRIMITIVE_LABEL] = add_text,
    };
    picture *pic = context;
    adders[primitive->kind](pic, primitive);
    return pic->status;
}
