/* draw.c: room web: the library's draw list as three arrays of numbers and one text.
 *
 * For each primitive: PAGE_INTS integers (kind, role, body, joint, frame, coordinate, closed, first
 * point, points, first triangle, triangles, offset of its text or -1) and PAGE_REALS numbers
 * (colour, position, rotation (w first), size, from, to). Points and triangles of bodies never
 * change: they are only listed when everything is asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "page.h"

enum { PAGE_INTS = 12, PAGE_REALS = 15 };

typedef struct list {
    char *items;
    size_t size, room;
} list;

static struct {
    list ints, reals, points, triangles, text;
    bool whole;
} drawn;

/* Puts a copy of the bytes at the end of the list; false: no memory. */
static bool append(list *l, const void *bytes, size_t size)
{
    if (l->size + size > l->room) {
        const size_t room = 2 * (l->size + size) + 256;
        char *items = realloc(l->items, room);
        if (items == NULL)
            return false;
        l->items = items;
        l->room = room;
    }
    if (size > 0)
        memcpy(l->items + l->size, bytes, size);
    l->size += size;
    return true;
}

static tn_status add(void *context, const tn_primitive *p)
{
    (void)context;
    const bool lasting = p->role == TN_ROLE_BODY || p->role == TN_ROLE_FIXED;
    const bool listed = drawn.whole || !lasting || p->kind == TN_PRIMITIVE_LINE;
    const int32_t points = listed ? p->point_count : 0, triangles = listed ? p->triangle_count : 0;
    const int32_t ints[PAGE_INTS] = {
        (int32_t)p->kind,
        (int32_t)p->role,
        p->body.i,
        page_joint_index(p->joint),
        (int32_t)p->frame,
        p->coordinate,
        p->closed,
        (int32_t)(drawn.points.size / sizeof(tn_vec3)),
        points,
        (int32_t)(drawn.triangles.size / sizeof(tn_triangle)),
        triangles,
        p->text != NULL ? (int32_t)drawn.text.size : -1,
    };
    const double reals[PAGE_REALS] = {
        p->color.x,  p->color.y,  p->color.z,  p->pose.p.x, p->pose.p.y,
        p->pose.p.z, p->pose.q.w, p->pose.q.x, p->pose.q.y, p->pose.q.z,
        p->size.x,   p->size.y,   p->size.z,   p->from,     p->to,
    };
    const bool kept =
        append(&drawn.ints, ints, sizeof ints) && append(&drawn.reals, reals, sizeof reals) &&
        append(&drawn.points, p->points, sizeof(tn_vec3) * (size_t)points) &&
        append(&drawn.triangles, p->triangles, sizeof(tn_triangle) * (size_t)triangles) &&
        (p->text == NULL || append(&drawn.text, p->text, strlen(p->text) + 1));
    return kept ? TN_OK : TN_ERROR_MEMORY;
}

/* what: TN_DRAW_...; of one joint (or -1) everything is drawn. whole 1: with all points. A
 * tn_status. */
int PAGE_EXPORT(page_draw)(uint32_t what, int joint, int whole)
{
    list *lists[] = {&drawn.ints, &drawn.reals, &drawn.points, &drawn.triangles, &drawn.text};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        lists[i]->size = 0;
    drawn.whole = whole != 0;
    tn_draw_options options = tn_default_draw_options();
    options.what = what;
    tn_status status = tn_sim_draw(the_page.sim, &options, add, NULL);
    if (status == TN_OK && joint >= 0 && joint < the_page.size.joints) {
        options.what = TN_DRAW_ALL & ~what & ~(uint32_t)TN_DRAW_BODIES;
        status = tn_sim_draw_joint(the_page.sim, page_joint(joint), &options, add, NULL);
    }
    return status;
}

/* The five lists: 0 integers, 1 reals, 2 points, 3 triangles, 4 text; sizes in bytes. */
const void *PAGE_EXPORT(page_drawn)(int which)
{
    const list *lists[] = {&drawn.ints, &drawn.reals, &drawn.points, &drawn.triangles, &drawn.text};
    return lists[which]->items;
}

size_t PAGE_EXPORT(page_drawn_size)(int which)
{
    const list *lists[] = {&drawn.ints, &drawn.reals, &drawn.points, &drawn.triangles, &drawn.text};
    return lists[which]->size;
}
