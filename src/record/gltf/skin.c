/* skin.c: room record/gltf: the surface of an elastic solid as a skin (skin.h). */
#include "record/gltf/skin.h"

#include <string.h>

#include "base/base.h"
#include "math/m3.h"

/* Numbers of what has been met so far; -1: not yet. */
typedef struct numbering {
    int32_t *vertex; /* [nodes] */
    int32_t *joint;  /* [1 + bodies] */
} numbering;

static void put_inverse(const tn_sim *sim, int32_t body, tn_pose root, float m[16])
{
    const tn_pose T =
        body < 0 ? root : tn_pose_multiply(root, tn_sim_body_pose(sim, (tn_body){body}));
    const tn_pose inverse = tn_pose_inverse(T);
    const tn_mat3 R = q_to_m3(inverse.q);
    memset(m, 0, 16 * sizeof *m);
    for (int i = 0; i < 9; i++)
        m[4 * (i % 3) + i / 3] = (float)R.m[i / 3][i % 3];
    m[12] = (float)inverse.p.x;
    m[13] = (float)inverse.p.y;
    m[14] = (float)inverse.p.z;
    m[15] = 1.0F;
}

static int32_t joint_of(const tn_sim *sim, int32_t body, tn_pose root, numbering *n,
                        tn_gltf_skin *s)
{
    int32_t *number = &n->joint[1 + body];
    if (*number < 0) {
        *number = s->joint_count++;
        s->bodies[*number] = body;
        put_inverse(sim, body, root, s->inverse + 16 * (size_t)*number);
    }
    return *number;
}

static void put_vertex(tn_gltf_skin *s, tn_vec3 p, int32_t joint)
{
    const size_t k = (size_t)s->vertex_count++;
    s->positions[3 * k] = (float)p.x;
    s->positions[3 * k + 1] = (float)p.y;
    s->positions[3 * k + 2] = (float)p.z;
    s->joints[4 * k] = (float)joint;
    s->weights[4 * k] = 1.0F;
}

static void fill(const tn_sim *sim, const tn_model_solid *solid, const tn_primitive *drawn,
                 tn_pose root, numbering *n, tn_gltf_skin *s)
{
    for (int32_t k = 0; k < 3 * drawn->triangle_count; k++) {
        const int32_t node = drawn->triangles[k / 3].v[k % 3];
        if (n->vertex[node] < 0) {
            n->vertex[node] = s->vertex_count;
            put_vertex(s, tn_pose_transform_point(root, drawn->points[node]),
                       joint_of(sim, solid->nodes[node].body, root, n, s));
        }
        s->corners[s->corner_count++] = (float)n->vertex[node];
    }
}

static tn_status make_rooms(const tn_primitive *drawn, int32_t bodies, numbering *n,
                            tn_gltf_skin *s)
{
    const int64_t nodes = drawn->point_count;
    n->vertex = TN_NEW_ARRAY(int32_t, nodes);
    n->joint = TN_NEW_ARRAY(int32_t, bodies + 1);
    s->bodies = TN_NEW_ARRAY(int32_t, nodes);
    s->positions = TN_NEW_ARRAY(float, 3 * nodes);
    s->joints = TN_NEW_ARRAY(float, 4 * nodes);
    s->weights = TN_NEW_ARRAY(float, 4 * nodes);
    s->corners = TN_NEW_ARRAY(float, 3 * (int64_t)drawn->triangle_count);
    s->inverse = TN_NEW_ARRAY(float, 16 * nodes);
    if (!n->vertex || !n->joint || !s->bodies || !s->positions || !s->joints || !s->weights ||
        !s->corners || !s->inverse)
        return TN_ERROR_MEMORY;
    for (int64_t i = 0; i < nodes; i++)
        n->vertex[i] = -1;
    for (int32_t i = 0; i <= bodies; i++)
        n->joint[i] = -1;
    return TN_OK;
}

tn_status tn_gltf_skin_make(const tn_sim *sim, const tn_model_solid *solid,
                            const tn_primitive *drawn, tn_pose root, tn_gltf_skin *out)
{
    numbering n = {0};
    *out = (tn_gltf_skin){.color = drawn->color, .name = solid->name};
    const tn_status status =
        make_rooms(drawn, tn_model_get_size(tn_sim_model(sim)).bodies, &n, out);
    if (status == TN_OK)
        fill(sim, solid, drawn, root, &n, out);
    tn_free(n.vertex);
    tn_free(n.joint);
    return status;
}

void tn_gltf_skin_free(tn_gltf_skin *s)
{
    tn_free(s->bodies);
    tn_free(s->positions);
    tn_free(s->joints);
    tn_free(s->weights);
    tn_free(s->corners);
    tn_free(s->inverse);
}
