/* gltf.c: room record/format: the motion as a binary glTF 2.0 file (.glb), for Blender and web viewers.
 *
 * A node for each body, animated by its poses at every frame (linear in between); below it a node
 * with a mesh for each of its shapes, in the colours of the draw list. A root node turns the world
 * so that up is y, as glTF has it. Numbers are single precision, as the format demands. Everything
 * is kept in memory until the file is closed: 32 bytes a frame and body, and 36 a triangle.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "real/real.h"
#include "base/base.h"
#include "math/m3.h"
#include "model/model.h"
#include "record/format/gltf_mesh.h"
#include "record/format/formats.h"

typedef struct shape {
    int32_t body;
    int32_t first, count; /* points */
    tn_pose pose;         /* in the body */
    tn_vec3 color;
} shape;

typedef struct gltf_sink {
    tn_sink head;
    FILE *file;
    tn_triangles triangles;
    shape *shapes;
    int32_t shape_count, shape_capacity;
    float *keys; /* [frame_count][1 + 7 bodies]: time, poses (x y z, qx qy qz qw) */
    int32_t frame_count, key_capacity;
    int32_t body_count;
} gltf_sink;

/* what there is -------------------------------------------------------------------------------- */

/* Bodies that were removed keep their nodes, which are empty. */
static tn_pose pose_of(const tn_sim *sim, int32_t b)
{
    const tn_body body = {b};
    return tn_model_has_body(tn_sim_model(sim), body) ? tn_sim_body_pose(sim, body)
                                                      : tn_pose_identity();
}

static tn_status collect(void *context, const tn_primitive *p)
{
    gltf_sink *g = context;
    const int32_t first = g->triangles.count;
    tn_status status = tn_triangles_add(&g->triangles, p);
    if (status != TN_OK || g->triangles.count == first)
        return status;
    shape *grown = tn_grow(g->shapes, &g->shape_capacity, g->shape_count + 1, sizeof *g->shapes);
    if (grown == NULL)
        return TN_ERROR_MEMORY;
    g->shapes = grown;
    const tn_pose body = tn_sim_body_pose(g->head.frame->sim, p->body);
    g->shapes[g->shape_count++] =
        (shape){p->body.i, first, g->triangles.count - first,
                tn_pose_multiply(tn_pose_inverse(body), p->pose), p->color};
    return TN_OK;
}

static tn_status add_key(tn_sink *sink, const double *row, tn_diagnostics *diags)
{
    gltf_sink *g = (gltf_sink *)sink;
    const int32_t width = 1 + 7 * g->body_count;
    float *grown =
        tn_grow(g->keys, &g->key_capacity, (g->frame_count + 1) * width, sizeof *g->keys);
    (void)row;
    (void)diags;
    if (grown == NULL)
        return TN_ERROR_MEMORY;
    g->keys = grown;
    float *key = g->keys + (size_t)g->frame_count * (size_t)width;
    const float time = (float)tn_sim_time(sink->frame->sim);
    if (g->frame_count > 0 && !(time > key[-width]))
        return TN_OK; /* times must grow, in single precision too */
    *key++ = time;
    for (int32_t b = 0; b < g->body_count; b++) {
        const tn_pose T = pose_of(sink->frame->sim, b);
        const float pose[7] = {(float)T.p.x, (float)T.p.y, (float)T.p.z, (float)T.q.x,
                               (float)T.q.y, (float)T.q.z, (float)T.q.w};
        memcpy(key, pose, sizeof pose);
        key += 7;
    }
    g->frame_count++;
    return TN_OK;
}

/* the JSON part -------------------------------------------------------------------------------- */

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

static void put_pose(FILE *out, const tn_pose *T)
{
    fprintf(out, "\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]", T->p.x,
            T->p.y, T->p.z, T->q.x, T->q.y, T->q.z, T->q.w);
}

/* Node 0 is the world, then the bodies, then the shapes. */
static void put_nodes(const gltf_sink *g, FILE *out)
{
    const tn_model *model = tn_sim_model(g->head.frame->sim);
    const tn_up up = tn_model_up(model);
    const double half = sqrt(0.5);
    fputs("\"nodes\":[{\"name\":", out);
    put_text(out, tn_model_name(model)[0] != '\0' ? tn_model_name(model) : "mechanism");
    if (up == TN_UP_Z)
        fprintf(out, ",\"rotation\":[%.9g,0,0,%.9g]", -half, half);
    if (up == TN_UP_X)
        fprintf(out, ",\"rotation\":[0,0,%.9g,%.9g]", half, half);
    for (int32_t b = 0; b < g->body_count; b++) {
        fprintf(out, "%s%d%s", b == 0 ? ",\"children\":[" : ",", b + 1,
                b + 1 == g->body_count ? "]" : "");
    }
    fputc('}', out);
    for (int32_t b = 0; b < g->body_count; b++) {
        const tn_pose T = pose_of(g->head.frame->sim, b);
        const char *separator = ",\"children\":[";
        fputs(",{\"name\":", out);
        put_text(out, tn_model_body_name(model, (tn_body){b}));
        fputc(',', out);
        put_pose(out, &T);
        for (int32_t s = 0; s < g->shape_count; s++) {
            if (g->shapes[s].body == b) {
                fprintf(out, "%s%d", separator, 1 + g->body_count + s);
                separator = ",";
            }
        }
        fputs(separator[1] == '\0' ? "]}" : "}", out);
    }
    for (int32_t s = 0; s < g->shape_count; s++) {
        fprintf(out, ",{\"mesh\":%d,", s);
        put_pose(out, &g->shapes[s].pose);
        fputc('}', out);
    }
    fputs("],\n", out);
}

/* sRGB to the linear light of glTF. */
static double linear(double x)
{
    return x <= 0.04045 ? x / 12.92 : tn_pow((x + 0.055) / 1.055, 2.4);
}

static void put_materials(const gltf_sink *g, FILE *out)
{
    for (int32_t s = 0; s < g->shape_count; s++) {
        const tn_vec3 c = g->shapes[s].color;
        fprintf(out,
                "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.4f,%.4f,%.4f,1],"
                "\"metallicFactor\":0.05,\"roughnessFactor\":0.6}}",
                s == 0 ? "\"materials\":[" : ",", linear(c.x), linear(c.y), linear(c.z));
    }
    for (int32_t s = 0; s < g->shape_count; s++) {
        fprintf(out, "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"material\":%d}]}",
                s == 0 ? "],\n\"meshes\":[" : ",", s, s);
    }
    fputs(g->shape_count > 0 ? "],\n" : "", out);
}

/* Accessor and bufferView go by the same number: shapes, then the times, then for each body its
 * places and its rotations. */
static void put_animation(const gltf_sink *g, FILE *out)
{
    if (g->frame_count == 0 || g->body_count == 0)
        return;
    const int32_t times = g->shape_count;
    fputs("\"animations\":[{\"name\":\"motion\",\"samplers\":[", out);
    for (int32_t k = 0; k < 2 * g->body_count; k++)
        fprintf(out, "%s{\"input\":%d,\"output\":%d}", k == 0 ? "" : ",", times, times + 1 + k);
    fputs("],\"channels\":[", out);
    for (int32_t k = 0; k < 2 * g->body_count; k++) {
        fprintf(out, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                k == 0 ? "" : ",", k, 1 + k / 2, k % 2 == 0 ? "translation" : "rotation");
    }
    fputs("]}],\n", out);
}

static void put_bounds(FILE *out, const char *name, const float *bound, int32_t width)
{
    for (int32_t i = 0; i < width; i++)
        fprintf(out, "%s%.9g%s", i == 0 ? name : ",", (double)bound[i], i + 1 == width ? "]" : "");
}

/* One array of floats: count items of width, stride floats from item to item. */
typedef struct array {
    const float *values;
    int32_t count, width, stride;
    bool bounded; /* least and largest are written */
    int32_t target;
} array;

static array array_at(const gltf_sink *g, int32_t k)
{
    const int32_t stride = 1 + 7 * g->body_count, motion = k - g->shape_count - 1;
    if (k < g->shape_count) {
        return (array){g->triangles.points + 3 * (size_t)g->shapes[k].first,
                       g->shapes[k].count,
                       3,
                       3,
                       true,
                       34962}; /* ARRAY_BUFFER */
    }
    if (motion < 0)
        return (array){g->keys, g->frame_count, 1, stride, true, 0};
    return (array){g->keys + 1 + 7 * (motion / 2) + 3 * (motion % 2),
                   g->frame_count,
                   motion % 2 == 0 ? 3 : 4,
                   stride,
                   false,
                   0};
}

static int32_t array_count(const gltf_sink *g)
{
    return g->frame_count == 0 ? g->shape_count : g->shape_count + 1 + 2 * g->body_count;
}

static void put_accessor(FILE *out, const array *a, int32_t k)
{
    static const char *const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    fprintf(out, "%s{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"%s\"",
            k == 0 ? "\"accessors\":[" : ",\n", k, a->count, types[a->width]);
    if (a->bounded) {
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
    fputc('}', out);
}

static size_t put_arrays(const gltf_sink *g, FILE *out)
{
    size_t offset = 0;
    const int32_t count = array_count(g);
    for (int32_t k = 0; k < count; k++) {
        const array a = array_at(g, k);
        put_accessor(out, &a, k);
    }
    for (int32_t k = 0; k < count; k++) {
        const array a = array_at(g, k);
        const size_t size = sizeof(float) * (size_t)a.count * (size_t)a.width;
        fprintf(out, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu",
                k == 0 ? "],\n\"bufferViews\":[" : ",", offset, size);
        if (a.target != 0)
            fprintf(out, ",\"target\":%d", a.target);
        fputc('}', out);
        offset += size;
    }
    if (count > 0)
        fprintf(out, "],\n\"buffers\":[{\"byteLength\":%zu}],\n", offset);
    return offset;
}

static size_t put_json(const gltf_sink *g, FILE *out)
{
    put_nodes(g, out);
    put_materials(g, out);
    put_animation(g, out);
    const size_t binary = put_arrays(g, out);
    fputs("\"scenes\":[{\"nodes\":[0]}],\"scene\":0,"
          "\"asset\":{\"version\":\"2.0\",\"generator\":\"Tenon\"}}",
          out);
    return binary;
}

/* the file ------------------------------------------------------------------------------------- */

static void put_u32(FILE *out, size_t value)
{
    for (int i = 0; i < 4; i++)
        fputc((int)(value >> (8 * i) & 255u), out);
}

/* Little-endian, whatever the machine. */
static void put_float(FILE *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(out, bits);
}

static void put_binary(const gltf_sink *g, FILE *out)
{
    for (int32_t k = 0; k < array_count(g); k++) {
        const array a = array_at(g, k);
        for (int32_t n = 0; n < a.count; n++) {
            for (int32_t i = 0; i < a.width; i++)
                put_float(out, a.values[(size_t)n * (size_t)a.stride + (size_t)i]);
        }
    }
}

static tn_status write_file(gltf_sink *g)
{
    char *json = NULL;
    size_t length = 0;
    FILE *text = open_memstream(&json, &length);
    if (text == NULL)
        return TN_ERROR_MEMORY;
    fputc('{', text);
    const size_t binary = put_json(g, text);
    if (fclose(text) != 0)
        return TN_ERROR_MEMORY;
    const size_t padded = (length + 3) / 4 * 4;
    put_u32(g->file, 0x46546c67u); /* "glTF" */
    put_u32(g->file, 2);
    put_u32(g->file, 12 + 8 + padded + (binary > 0 ? 8 + binary : 0));
    put_u32(g->file, padded);
    put_u32(g->file, 0x4e4f534au); /* "JSON" */
    fwrite(json, 1, length, g->file);
    for (size_t k = length; k < padded; k++)
        fputc(' ', g->file);
    if (binary > 0) {
        put_u32(g->file, binary);
        put_u32(g->file, 0x004e4942u); /* "BIN" */
        put_binary(g, g->file);
    }
    free(json);
    return ferror(g->file) ? TN_ERROR_IO : TN_OK;
}

static void free_sink(gltf_sink *g)
{
    tn_free(g->triangles.points);
    tn_free(g->shapes);
    tn_free(g->keys);
    tn_free(g->head.path);
    tn_free(g);
}

static tn_status close_file(tn_sink *sink, tn_diagnostics *diags)
{
    gltf_sink *g = (gltf_sink *)sink;
    tn_status status = write_file(g);
    if (fclose(g->file) != 0 && status == TN_OK)
        status = TN_ERROR_IO;
    if (status == TN_ERROR_IO)
        (void)tn_sink_failed(g->head.path, "write", strerror(errno), diags);
    free_sink(g);
    return status;
}

static const tn_sink_ops gltf_ops = {add_key, NULL, close_file};

tn_status tn_gltf_open(const tn_frame *frame, const char *path, tn_output *output,
                       tn_diagnostics *diags, tn_sink **out)
{
    gltf_sink *g = TN_NEW(gltf_sink);
    if (g == NULL)
        return TN_ERROR_MEMORY;
    g->head = (tn_sink){&gltf_ops, frame, tn_copy_text(path, strlen(path))};
    g->body_count = tn_model_get_size(tn_sim_model(frame->sim)).bodies;
    tn_draw_options options = tn_default_draw_options();
    options.what = TN_DRAW_BODIES | TN_DRAW_MARKS;
    tn_status status = g->head.path == NULL ? TN_ERROR_MEMORY : TN_OK;
    for (int32_t b = 0; b < g->body_count && status == TN_OK; b++) {
        if (tn_model_has_body(tn_sim_model(frame->sim), (tn_body){b}))
            status = tn_sim_draw_body(frame->sim, (tn_body){b}, &options, collect, g);
    }
    if (status == TN_OK && (g->file = tn_output_stream(output)) == NULL)
        status = tn_sink_failed(path, "open for writing", strerror(errno), diags);
    if (status != TN_OK) {
        free_sink(g);
        return status;
    }
    *out = &g->head;
    return TN_OK;
}
