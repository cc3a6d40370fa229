/* surface.c: room spec/flexible: faces of a mesh of solid elements (surface.h): which are outside, and which of them belong to a set of nodes. */
#include "spec/flexible/surface.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "element/element.h"
#include "spec/flexible/solid.h"

/* A face of an element, by its smallest corners. */
typedef struct face {
    int32_t key[3]; /* ascending: three corners distinguish two faces */
    int32_t element, number;
} face;

static void sort_three(int32_t k[3])
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 2 - pass; i++) {
            if (k[i] > k[i + 1]) {
                const int32_t other = k[i];
                k[i] = k[i + 1];
                k[i + 1] = other;
            }
        }
    }
}

/* The three smallest of its corners. */
static void put_key(const int32_t *corners, int32_t count, int32_t key[3])
{
    for (int i = 0; i < 3; i++)
        key[i] = corners[i];
    sort_three(key);
    if (count == 4 && corners[3] < key[2]) {
        key[2] = corners[3];
        sort_three(key);
    }
}

static int compare_faces(const void *a, const void *b)
{
    const face *x = a, *y = b;
    for (int i = 0; i < 3; i++) {
        if (x->key[i] != y->key[i])
            return x->key[i] < y->key[i] ? -1 : 1;
    }
    return x->element != y->element ? (x->element < y->element ? -1 : 1) : x->number - y->number;
}

static int32_t list_faces(const tn_solid_element *elements, int32_t n, face *faces)
{
    int32_t count = 0;
    for (int32_t e = 0; e < n; e++) {
        const tn_solid_element *element = &elements[e];
        const tn_element_type *type = tn_element_type_of(element->kind);
        for (int32_t f = 0; f < type->faces; f++, count++) {
            int32_t corners[4];
            const int32_t around = type->face[f][3] < 0 ? 3 : 4;
            for (int32_t k = 0; k < around; k++)
                corners[k] = element->nodes[type->face[f][k]];
            faces[count].element = e;
            faces[count].number = f;
            put_key(corners, around, faces[count].key);
        }
    }
    return count;
}

static bool same_face(const face *a, const face *b)
{
    return memcmp(a->key, b->key, sizeof a->key) == 0;
}

int32_t tn_solid_outer_faces(const tn_solid_element *elements, int32_t count, tn_solid_face **out)
{
    face *faces = TN_NEW_ARRAY(face, TN_ELEMENT_FACES * (int64_t)count);
    *out = TN_NEW_ARRAY(tn_solid_face, TN_ELEMENT_FACES * (int64_t)count);
    if (!faces || !*out) {
        tn_free(faces);
        tn_free(*out);
        return -1;
    }
    const int32_t all = list_faces(elements, count, faces);
    qsort(faces, (size_t)all, sizeof *faces, compare_faces);
    int32_t outer = 0;
    for (int32_t k = 0, end; k < all; k = end) {
        end = k + 1;
        while (end < all && same_face(&faces[k], &faces[end]))
            end++;
        if (end == k + 1)
            (*out)[outer++] = (tn_solid_face){faces[k].element, faces[k].number};
    }
    tn_free(faces);
    return outer;
}

/* Are all corners of the face among the nodes? */
static bool is_among(const tn_solid_element *element, int32_t number, const bool *in)
{
    const int8_t *corner = tn_element_type_of(element->kind)->face[number];
    bool among = true;
    for (int32_t k = 0; k < 4 && corner[k] >= 0; k++)
        among = among && in[element->nodes[corner[k]]];
    return among;
}

/* Those of the outer faces into faces; returns their number. */
static int32_t faces_of(const tn_solid_def *def, const tn_solid_surface *surface,
                        const tn_solid_face *outer, int32_t outer_count, bool *in,
                        tn_solid_face *faces)
{
    int32_t count = 0;
    memset(in, 0, sizeof *in * (size_t)def->mesh->node_count);
    for (int32_t i = 0; i < surface->count; i++)
        in[surface->nodes[i]] = true;
    for (int32_t f = 0; f < outer_count; f++) {
        if (is_among(&def->mesh->elements[outer[f].element], outer[f].number, in))
            faces[count++] = outer[f];
    }
    return count;
}

tn_status tn_solid_find_surfaces(const tn_solid_def *def, tn_surface_entry *surfaces,
                                 tn_solid_face **faces)
{
    tn_solid_face *outer = NULL;
    *faces = NULL;
    if (def->surface_count == 0)
        return TN_OK;
    const int32_t outer_count =
        tn_solid_outer_faces(def->mesh->elements, def->mesh->element_count, &outer);
    bool *in = TN_NEW_ARRAY(bool, def->mesh->node_count);
    if (outer_count >= 0)
        *faces = TN_NEW_ARRAY(tn_solid_face, (int64_t)outer_count * def->surface_count + 1);
    int32_t first = 0;
    for (int32_t k = 0; k < def->surface_count && *faces && in; k++) {
        const int32_t count =
            faces_of(def, &def->surfaces[k], outer, outer_count, in, *faces + first);
        surfaces[k] = (tn_surface_entry){def->surfaces[k].name, first, count};
        first += count;
    }
    const bool good = *faces && in;
    tn_free(outer);
    tn_free(in);
    return good ? TN_OK : TN_ERROR_MEMORY;
}
