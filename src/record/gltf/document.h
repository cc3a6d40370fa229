/* document.h: room record/gltf: a motion written as a binary glTF 2.0 file (.glb).
 *
 * In: the bodies that have something to show, with their poses at each frame; surfaces that move with one body each; skins, surfaces
 * whose vertices move with different bodies. Out: the bytes of the file. Node 0 is the world, turned so that up is y, as glTF has it;
 * then come the nodes of bodies, of shapes below their bodies, and of skins, which are roots of the scene: a skin
 * moves by its joints alone. Numbers are single precision, as the format demands.
 */
#ifndef TN_RECORD_GLTF_DOCUMENT_H
#define TN_RECORD_GLTF_DOCUMENT_H

#include <stdio.h>

#include "record/gltf/skin.h"
#include "record/gltf/triangles.h"

typedef struct tn_gltf_shape {
    int32_t body;
    int32_t first, count; /* points */
    tn_pose pose;         /* in the body */
    tn_vec3 color;
} tn_gltf_shape;

/* A body that has a node. */
typedef struct tn_gltf_body {
    const char *name;
    tn_pose start;
    int32_t body; /* of the model */
} tn_gltf_body;

/* What moves a body: its place, or its rotation. */
typedef struct tn_gltf_channel {
    int32_t body; /* of the document */
    int32_t at;   /* in a key: x y z, or qx qy qz qw */
    bool turns;
} tn_gltf_channel;

typedef struct tn_gltf_document {
    const char *name;
    tn_pose root; /* of the world in axes whose y is up */
    tn_triangles triangles;
    tn_gltf_shape *shapes;
    tn_gltf_skin *skins;
    tn_gltf_body *bodies;
    tn_gltf_channel *channels;
    int32_t shape_count, skin_count, body_count, channel_count;
    int32_t *
        node; /* [1 + bodies of the model] number of the node of body b at 1 + b; 0: none, or the world */
    float *
        keys; /* [frame_count][key_width]: time, then of each body x y z and, if it turns, qx qy qz qw */
    int32_t frame_count, key_width;
} tn_gltf_document;

/* TN_ERROR_MEMORY, TN_ERROR_IO. */
tn_status tn_gltf_write(const tn_gltf_document *d, FILE *file);

#endif
