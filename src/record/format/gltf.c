/* gltf.c: room record/format: the motion as a binary glTF 2.0 file (.glb), for Blender and web viewers.
 *
 * A node for each body that shows something, animated by its poses at every frame (linear in between); below it a
 * node with a mesh for each of its shapes, in the colours of the draw list. The surface of an elastic solid is one
 * mesh with a skin, whose joints are the bodies that its nodes are points of. Everything is kept in memory until the
 * file is closed: 28 bytes a frame and body (12 of a free node), 36 a triangle of a shape, some 120 a node of a surface.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "math/m3.h"
#include "record/format/formats.h"
#include "record/gltf/document.h"

typedef struct gltf_sink {
    tn_sink head;
    FILE *file;
    tn_gltf_document document;
    int32_t shape_capacity, skin_capacity, key_capacity, solids_met;
} gltf_sink;

/* what there is -------------------------------------------------------------------------------- */

/* Bodies that were removed stay where they were drawn. */
static tn_pose pose_of(const gltf_sink *g, const tn_gltf_body *b)
{
    const tn_sim *sim = g->head.frame->sim;
    const tn_body body = {b->body};
    return tn_model_has_body(tn_sim_model(sim), body) ? tn_sim_body_pose(sim, body) : b->start;
}

static tn_status add_shape(gltf_sink *g, const tn_primitive *p)
{
    tn_gltf_document *d = &g->document;
    const int32_t first = d->triangles.count;
    tn_status status = tn_triangles_add(&d->triangles, p);
    if (status != TN_OK || d->triangles.count == first)
        return status;
    tn_gltf_shape *grown =
        tn_grow(d->shapes, &g->shape_capacity, d->shape_count + 1, sizeof *d->shapes);
    if (grown == NULL)
        return TN_ERROR_MEMORY;
    d->shapes = grown;
    const tn_pose body = tn_sim_body_pose(g->head.frame->sim, p->body);
    d->shapes[d->shape_count++] =
        (tn_gltf_shape){p->body.i, first, d->triangles.count - first,
                        tn_pose_multiply(tn_pose_inverse(body), p->pose), p->color};
    d->node[1 + p->body.i] = 1;
    return TN_OK;
}

/* Solids are drawn in their order. The nodes of a modal one are no bodies, which a skin needs: it is left out. */
static tn_status add_skin(gltf_sink *g, const tn_primitive *p)
{
    tn_gltf_document *d = &g->document;
    const tn_sim *sim = g->head.frame->sim;
    const tn_model_solid *solid = &tn_sim_model(sim)->solids[g->solids_met++];
    if (solid->modal)
        return TN_OK;
    tn_gltf_skin *grown = tn_grow(d->skins, &g->skin_capacity, d->skin_count + 1, sizeof *d->skins);
    if (grown == NULL)
        return TN_ERROR_MEMORY;
    d->skins = grown;
    tn_gltf_skin *skin = &d->skins[d->skin_count];
    const tn_status status = tn_gltf_skin_make(sim, solid, p, d->root, skin);
    d->skin_count++;
    for (int32_t j = 0; j < skin->joint_count; j++)
        d->node[1 + skin->bodies[j]] = 1;
    return status;
}

static tn_status collect(void *context, const tn_primitive *p)
{
    if (p->body.i >= 0)
        return add_shape(context, p);
    return p->kind == TN_PRIMITIVE_MESH && p->role == TN_ROLE_BODY ? add_skin(context, p) : TN_OK;
}

static void add_channel(tn_gltf_document *d, bool turns)
{
    d->channels[d->channel_count++] = (tn_gltf_channel){d->body_count, d->key_width, turns};
    d->key_width += turns ? 4 : 3;
}

/* Nodes and channels of the bodies that were marked, in their order. Particles do not turn. */
static tn_status number_bodies(gltf_sink *g)
{
    tn_gltf_document *d = &g->document;
    const tn_sim *sim = g->head.frame->sim;
    const tn_model *model = tn_sim_model(sim);
    const int32_t count = tn_model_get_size(model).bodies;
    d->bodies = TN_NEW_ARRAY(tn_gltf_body, count);
    d->channels = TN_NEW_ARRAY(tn_gltf_channel, 2 * (int64_t)count);
    if (d->bodies == NULL || d->channels == NULL)
        return TN_ERROR_MEMORY;
    d->node[0] = 0;
    d->key_width = 1;
    for (int32_t b = 0; b < count; b++) {
        if (d->node[1 + b] == 0)
            continue;
        add_channel(d, false);
        if (model->bodies[b].kind != TN_BODY_PARTICLE)
            add_channel(d, true);
        d->bodies[d->body_count] = (tn_gltf_body){tn_model_body_name(model, (tn_body){b}),
                                                  tn_sim_body_pose(sim, (tn_body){b}), b};
        d->node[1 + b] = ++d->body_count;
    }
    return TN_OK;
}

static void put_pose(const gltf_sink *g, const tn_gltf_channel *channel, float *key)
{
    const tn_pose T = pose_of(g, &g->document.bodies[channel->body]);
    const double values[7] = {T.p.x, T.p.y, T.p.z, T.q.x, T.q.y, T.q.z, T.q.w};
    for (int i = 0; i < (channel->turns ? 4 : 3); i++)
        key[channel->at + i] = (float)values[(channel->turns ? 3 : 0) + i];
}

static tn_status add_key(tn_sink *sink, const double *row, tn_diagnostics *diags)
{
    gltf_sink *g = (gltf_sink *)sink;
    tn_gltf_document *d = &g->document;
    float *grown =
        tn_grow(d->keys, &g->key_capacity, (d->frame_count + 1) * d->key_width, sizeof *d->keys);
    (void)row;
    (void)diags;
    if (grown == NULL)
        return TN_ERROR_MEMORY;
    d->keys = grown;
    float *key = d->keys + (size_t)d->frame_count * (size_t)d->key_width;
    const float time = (float)tn_sim_time(sink->frame->sim);
    if (d->frame_count > 0 && !(time > key[-d->key_width]))
        return TN_OK; /* times must grow, in single precision too */
    key[0] = time;
    for (int32_t k = 0; k < d->channel_count; k++)
        put_pose(g, &d->channels[k], key);
    d->frame_count++;
    return TN_OK;
}

/* the file ------------------------------------------------------------------------------------- */

static void free_sink(gltf_sink *g)
{
    tn_gltf_document *d = &g->document;
    for (int32_t s = 0; s < d->skin_count; s++)
        tn_gltf_skin_free(&d->skins[s]);
    tn_free(d->skins);
    tn_free(d->triangles.points);
    tn_free(d->shapes);
    tn_free(d->bodies);
    tn_free(d->channels);
    tn_free(d->node);
    tn_free(d->keys);
    tn_free(g->head.path);
    tn_free(g);
}

static tn_status close_file(tn_sink *sink, tn_diagnostics *diags)
{
    gltf_sink *g = (gltf_sink *)sink;
    tn_status status = tn_gltf_write(&g->document, g->file);
    if (fclose(g->file) != 0 && status == TN_OK)
        status = TN_ERROR_IO;
    if (status == TN_ERROR_IO)
        (void)tn_sink_failed(g->head.path, "write", strerror(errno), diags);
    free_sink(g);
    return status;
}

static const tn_sink_ops gltf_ops = {add_key, NULL, close_file};

/* Turns what the model has as up into y. */
static tn_pose root_of(const tn_model *model)
{
    const double half = sqrt(0.5);
    const tn_up up = tn_model_up(model);
    tn_pose root = tn_pose_identity();
    if (up == TN_UP_Z)
        root.q = (tn_quat){.w = half, .x = -half};
    if (up == TN_UP_X)
        root.q = (tn_quat){.w = half, .z = half};
    return root;
}

static tn_status collect_all(gltf_sink *g)
{
    const tn_sim *sim = g->head.frame->sim;
    const tn_model *model = tn_sim_model(sim);
    tn_draw_options options = tn_default_draw_options();
    options.what = TN_DRAW_BODIES | TN_DRAW_MARKS;
    g->document.name = tn_model_name(model);
    g->document.root = root_of(model);
    g->document.node = TN_NEW_ARRAY(int32_t, tn_model_get_size(model).bodies + 1);
    tn_status status = g->head.path && g->document.node ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = tn_sim_draw(sim, &options, collect, g);
    return status == TN_OK ? number_bodies(g) : status;
}

tn_status tn_gltf_open(const tn_frame *frame, const char *path, tn_output *output,
                       tn_diagnostics *diags, tn_sink **out)
{
    gltf_sink *g = TN_NEW(gltf_sink);
    if (g == NULL)
        return TN_ERROR_MEMORY;
    g->head = (tn_sink){&gltf_ops, frame, tn_copy_text(path, strlen(path))};
    tn_status status = collect_all(g);
    if (status == TN_OK && (g->file = tn_output_stream(output)) == NULL)
        status = tn_sink_failed(path, "open for writing", strerror(errno), diags);
    if (status != TN_OK) {
        free_sink(g);
        return status;
    }
    *out = &g->head;
    return TN_OK;
}
