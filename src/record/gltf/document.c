/* document.c: room record/gltf: the bytes of a binary glTF file (document.h): JSON, then the numbers of its arrays. */
#include "record/gltf/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "real/real.h"

/* arrays --------------------------------------------------------------------------------------- */

/* Kinds of numbers and of arrays in glTF. */
enum { SHORT = 5123, INTEGER = 5125, SINGLE = 5126, VERTICES = 34962, CORNERS = 34963 };

/* Arrays of a skin, in this order. */
enum { POSITIONS, JOINTS, WEIGHTS, TRIANGLES, INVERSE, SKIN_ARRAYS };

/* Accessor and bufferView have the same number: shapes, then those of each skin, the times, then the channels: of each
 * body its places and, if it turns, its rotations. */
typedef struct array {
    const float *values;
    int32_t count, width, stride; /* stride floats from item to item */
    int32_t kind, target;
    bool bounded; /* least and largest are written */
} array;

static int32_t first_of_skin(const tn_gltf_document *d, int32_t skin)
{
    return d->shape_count + SKIN_ARRAYS * skin;
}

static array array_of_skin(const tn_gltf_skin *s, int32_t k)
{
    switch (k) {
    case POSITIONS:
        return (array){s->positions, s->vertex_count, 3, 3, SINGLE, VERTICES, true};
    case JOINTS:
        return (array){s->joints, s->vertex_count, 4, 4, SHORT, VERTICES, false};
    case WEIGHTS:
        return (array){s->weights, s->vertex_count, 4, 4, SINGLE, VERTICES, false};
    case TRIANGLES:
        return (array){s->corners, s->corner_count, 1, 1, INTEGER, CORNERS, false};
    default:
        return (array){s->inverse, s->joint_count, 16, 16, SINGLE, 0, false};
    }
}

static int32_t channel_count(const tn_gltf_document *d)
{
    return d->frame_count == 0 ? 0 : d->channel_count;
}

static array array_at(const tn_gltf_document *d, int32_t k)
{
    const int32_t times = first_of_skin(d, d->skin_count);
    if (k < d->shape_count) {
        const tn_gltf_shape *s = &d->shapes[k];
        return (array){
            d->triangles.points + 3 * (size_t)s->first, s->count, 3, 3, SINGLE, VERTICES, true};
    }
    if (k < times)
        return array_of_skin(&d->skins[(k - d->shape_count) / SKIN_ARRAYS],
                             (k - d->shape_count) % SKIN_ARRAYS);
    if (k == times)
        return (array){d->keys, d->frame_count, 1, d->key_width, SINGLE, 0, true};
    const tn_gltf_channel *channel = &d->channels[k - times - 1];
    return (array){d->keys + channel->at,
                   d->frame_count,
                   channel->turns ? 4 : 3,
                   d->key_width,
                   SINGLE,
                   0,
                   false};
}

static int32_t array_count(const tn_gltf_document *d)
{
    const int32_t channels = channel_count(d);
    return first_of_skin(d, d->skin_count) + (channels > 0 ? 1 + channels : 0);
}

static size_t size_of(const array *a)
{
    return (a->kind == SHORT ? 2u : 4u) * (size_t)a->count * (size_t)a->width;
}

/* JSON ----------------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\' || *c < 0x20) {
            fprintf(out, "\\u%04x", *c);
        } else {
            fputc(*c, out);
        }
    }
    fputc('"', out);
}

static void put_place(FILE *out, tn_vec3 p)
{
    fprintf(out, "\"translation\":[%.9g,%.9g,%.9g]", p.x, p.y, p.z);
}

static void put_rotation(FILE *out, tn_quat q)
{
    fprintf(out, ",\"rotation\":[%.9g,%.9g,%.9g,%.9g]", q.x, q.y, q.z, q.w);
}

static void put_world(const tn_gltf_document *d, FILE *out)
{
    fputs("\"nodes\":[{\"name\":", out);
    put_text(out, d->name[0] != '\0' ? d->name : "mechanism");
    if (d->root.q.w != 1.0)
        put_rotation(out, d->root.q);
    for (int32_t b = 0; b < d->body_count; b++)
        fprintf(out, "%s%d%s", b == 0 ? ",\"children\":[" : ",", b + 1,
                b + 1 == d->body_count ? "]" : "");
    fputc('}', out);
}

static void put_body(const tn_gltf_document *d, const tn_gltf_body *body, FILE *out)
{
    const char *separator = ",\"children\":[";
    fputs(",{\"name\":", out);
    put_text(out, body->name);
    fputc(',', out);
    put_place(out, body->start.p);
    put_rotation(out, body->start.q);
    for (int32_t s = 0; s < d->shape_count; s++) {
        if (d->shapes[s].body == body->body) {
            fprintf(out, "%s%d", separator, 1 + d->body_count + s);
            separator = ",";
        }
    }
    fputs(separator[1] == '\0' ? "]}" : "}", out);
}

static int32_t node_of_skin(const tn_gltf_document *d, int32_t skin)
{
    return 1 + d->body_count + d->shape_count + skin;
}

static void put_nodes(const tn_gltf_document *d, FILE *out)
{
    put_world(d, out);
    for (int32_t b = 0; b < d->body_count; b++)
        put_body(d, &d->bodies[b], out);
    for (int32_t s = 0; s < d->shape_count; s++) {
        fprintf(out, ",{\"mesh\":%d,", s);
        put_place(out, d->shapes[s].pose.p);
        put_rotation(out, d->shapes[s].pose.q);
        fputc('}', out);
    }
    for (int32_t s = 0; s < d->skin_count; s++) {
        fputs(",{\"name\":", out);
        put_text(out, d->skins[s].name);
        fprintf(out, ",\"mesh\":%d,\"skin\":%d}", d->shape_count + s, s);
    }
    fputs("],\n", out);
}

static void put_skins(const tn_gltf_document *d, FILE *out)
{
    for (int32_t s = 0; s < d->skin_count; s++) {
        const tn_gltf_skin *skin = &d->skins[s];
        fprintf(out, "%s{\"inverseBindMatrices\":%d,\"joints\":", s == 0 ? "\"skins\":[" : ",",
                first_of_skin(d, s) + INVERSE);
        for (int32_t j = 0; j < skin->joint_count; j++)
            fprintf(out, "%s%d", j == 0 ? "[" : ",", d->node[1 + skin->bodies[j]]);
        fputs("]}", out);
    }
    fputs(d->skin_count > 0 ? "],\n" : "", out);
}

/* sRGB to the linear light of glTF. */
static double linear(double x)
{
    return x <= 0.04045 ? x / 12.92 : tn_pow((x + 0.055) / 1.055, 2.4);
}

static void put_material(tn_vec3 c, const char *separator, FILE *out)
{
    fprintf(out,
            "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.4f,%.4f,%.4f,1],"
            "\"metallicFactor\":0.05,\"roughnessFactor\":0.6}}",
            separator, linear(c.x), linear(c.y), linear(c.z));
}

/* Mesh and material go by the same number: shapes, then skins. */
static void put_meshes(const tn_gltf_document *d, FILE *out)
{
    const int32_t count = d->shape_count + d->skin_count;
    for (int32_t m = 0; m < count; m++) {
        put_material(m < d->shape_count ? d->shapes[m].color : d->skins[m - d->shape_count].color,
                     m == 0 ? "\"materials\":[" : ",", out);
    }
    for (int32_t m = 0; m < count; m++) {
        const int32_t skin = m - d->shape_count, first = skin < 0 ? m : first_of_skin(d, skin);
        fprintf(out, "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d",
                m == 0 ? "],\n\"meshes\":[" : ",", first);
        if (skin >= 0)
            fprintf(out, ",\"JOINTS_0\":%d,\"WEIGHTS_0\":%d", first + JOINTS, first + WEIGHTS);
        fputc('}', out);
        if (skin >= 0)
            fprintf(out, ",\"indices\":%d", first + TRIANGLES);
        fprintf(out, ",\"material\":%d}]}", m);
    }
    fputs(count > 0 ? "],\n" : "", out);
}

static void put_animation(const tn_gltf_document *d, FILE *out)
{
    const int32_t times = first_of_skin(d, d->skin_count), count = channel_count(d);
    if (count == 0)
        return;
    fputs("\"animations\":[{\"name\":\"motion\",\"samplers\":[", out);
    for (int32_t k = 0; k < count; k++)
        fprintf(out, "%s{\"input\":%d,\"output\":%d}", k == 0 ? "" : ",", times, times + 1 + k);
    fputs("],\"channels\":[", out);
    for (int32_t k = 0; k < count; k++) {
        fprintf(out, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                k == 0 ? "" : ",", k, 1 + d->channels[k].body,
                d->channels[k].turns ? "rotation" : "translation");
    }
    fputs("]}],\n", out);
}

static void put_bounds(FILE *out, const char *name, const float *bound, int32_t width)
{
    for (int32_t i = 0; i < width; i++)
        fprintf(out, "%s%.9g%s", i == 0 ? name : ",", (double)bound[i], i + 1 == width ? "]" : "");
}

static void put_limits(const array *a, FILE *out)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t n = 0; n < a->count; n++) {
        for (int32_t i = 0; i < a->width; i++) {
            const float x = a->values[(size_t)n * (size_t)a->stride + (size_t)i];
            low[i] = x < low[i] ? x : low[i];
            high[i] = x > high[i] ? x : high[i];
        }
    }
    put_bounds(out, ",\"min\":[", low, a->width);
    put_bounds(out, ",\"max\":[", high, a->width);
}

static const char *type_of(int32_t width)
{
    return width == 1 ? "SCALAR" : width == 3 ? "VEC3" : width == 4 ? "VEC4" : "MAT4";
}

static size_t put_arrays(const tn_gltf_document *d, FILE *out)
{
    size_t offset = 0;
    const int32_t count = array_count(d);
    for (int32_t k = 0; k < count; k++) {
        const array a = array_at(d, k);
        fprintf(out, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
                k == 0 ? "\"accessors\":[" : ",\n", k, a.kind, a.count, type_of(a.width));
        if (a.bounded)
            put_limits(&a, out);
        fputc('}', out);
    }
    for (int32_t k = 0; k < count; k++) {
        const array a = array_at(d, k);
        fprintf(out, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu",
                k == 0 ? "],\n\"bufferViews\":[" : ",", offset, size_of(&a));
        if (a.target != 0)
            fprintf(out, ",\"target\":%d", a.target);
        fputc('}', out);
        offset += size_of(&a);
    }
    if (count > 0)
        fprintf(out, "],\n\"buffers\":[{\"byteLength\":%zu}],\n", offset);
    return offset;
}

static size_t put_json(const tn_gltf_document *d, FILE *out)
{
    fputc('{', out);
    put_nodes(d, out);
    put_skins(d, out);
    put_meshes(d, out);
    put_animation(d, out);
    const size_t binary = put_arrays(d, out);
    fputs("\"scenes\":[{\"nodes\":[0", out);
    for (int32_t s = 0; s < d->skin_count; s++)
        fprintf(out, ",%d", node_of_skin(d, s));
    fputs("]}],\"scene\":0,\"asset\":{\"version\":\"2.0\",\"generator\":\"Tenon\"}}", out);
    return binary;
}

/* the file ------------------------------------------------------------------------------------- */

/* Little-endian, whatever the machine. */
static void put_bytes(FILE *out, size_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        fputc((int)(value >> (8 * i) & 255u), out);
}

static void put_number(FILE *out, float value, int32_t kind)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bytes(out, kind == SINGLE ? bits : (size_t)value, kind == SHORT ? 2 : 4);
}

static void put_binary(const tn_gltf_document *d, FILE *out)
{
    const int32_t count = array_count(d);
    for (int32_t k = 0; k < count; k++) {
        const array a = array_at(d, k);
        for (int32_t n = 0; n < a.count; n++) {
            for (int32_t i = 0; i < a.width; i++)
                put_number(out, a.values[(size_t)n * (size_t)a.stride + (size_t)i], a.kind);
        }
    }
}

tn_status tn_gltf_write(const tn_gltf_document *d, FILE *file)
{
    char *json = NULL;
    size_t length = 0;
    FILE *text = open_memstream(&json, &length);
    if (text == NULL)
        return TN_ERROR_MEMORY;
    const size_t binary = put_json(d, text);
    if (fclose(text) != 0)
        return TN_ERROR_MEMORY;
    const size_t padded = (length + 3) / 4 * 4;
    put_bytes(file, 0x46546c67u, 4); /* "glTF" */
    put_bytes(file, 2, 4);
    put_bytes(file, 12 + 8 + padded + (binary > 0 ? 8 + binary : 0), 4);
    put_bytes(file, padded, 4);
    put_bytes(file, 0x4e4f534au, 4); /* "JSON" */
    fwrite(json, 1, length, file);
    for (size_t k = length; k < padded; k++)
        fputc(' ', file);
    if (binary > 0) {
        put_bytes(file, binary, 4);
        put_bytes(file, 0x004e4942u, 4); /* "BIN" */
        put_binary(d, file);
    }
    free(json);
    return ferror(file) ? TN_ERROR_IO : TN_OK;
}
