/* gltf.h: a motion as glTF 2.0 (binary, .glb): bodies as meshes, their poses as an animation. */
#ifndef TN_TOOL_GLTF_H
#define TN_TOOL_GLTF_H

#include <stdbool.h>
#include <stdint.h>

#include "tenon/sim.h"

typedef struct gltf gltf;

/* Collects the shapes of the bodies. NULL: no memory. */
gltf *gltf_begin(const tn_sim *sim);
/* The present poses as the next key of the animation; false: no memory. */
bool gltf_add(gltf *film);
int64_t gltf_frame_count(const gltf *film);
/* Writes the file; 0, or what errno says. */
int gltf_write(const gltf *film, const char *path);
void gltf_free(gltf *film);

#endif
