/* skin.h: room record/gltf: the surface of an elastic solid whose vertices move with the bodies that its nodes are points of. */
#ifndef TN_RECORD_GLTF_SKIN_H
#define TN_RECORD_GLTF_SKIN_H

#include "model/model.h"
#include "tenon/draw.h"

/* Each vertex has one joint, with weight 1. Numbers of vertices and joints are kept as floats, which hold them exactly. */
typedef struct tn_gltf_skin {
    int32_t *bodies;  /* [joint_count] that are joints; -1: the world */
    float *positions; /* [vertex_count][3] m, in axes of the scene */
    float *joints;    /* [vertex_count][4] number of the joint, 0 0 0 */
    float *weights;   /* [vertex_count][4] 1 0 0 0 */
    float *corners;   /* [corner_count] vertices, three a triangle */
    float *inverse;   /* [joint_count][16] inverse bind matrices, by columns */
    int32_t vertex_count, corner_count, joint_count;
    tn_vec3 color;
    const char *name;
} tn_gltf_skin;

/* From the solid as it is drawn; `root`: of the world in the scene. TN_ERROR_MEMORY. */
tn_status tn_gltf_skin_make(const tn_sim *sim, const tn_model_solid *solid,
                            const tn_primitive *drawn, tn_pose root, tn_gltf_skin *out);
void tn_gltf_skin_free(tn_gltf_skin *skin);

#endif
