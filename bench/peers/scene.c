/* scene.c: a Tenon model file as plain numbers (scene.h). */
#include "scene.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/io.h"
#include "tenon/sim.h"

#define OFF_DIAGONAL 1e-9 /* share of the largest moment of inertia that counts as none */

static void put(double out[3], tn_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

int scene_find(const scene *s, const char *name)
{
    for (int k = 0; k < s->body_count; k++)
        if (strcmp(s->body[k].name, name) == 0)
            return k;
    return SCENE_GROUND;
}

static int index_of(const scene *s, tn_body id)
{
    for (int k = 0; k < s->body_count; k++)
        if (s->body[k].id.i == id.i)
            return k;
    return SCENE_GROUND;
}

/* Diagonal of R J R^T; false if it is not diagonal. */
static bool turn_inertia(double out[3], const tn_mat3 *inertia, tn_quat q)
{
    const tn_mat3 r = tn_quat_to_matrix(q);
    double off = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    sum += r.m[i][k] * inertia->m[k][l] * r.m[j][l];
            if (i == j)
                out[i] = sum;
            else
                off = fmax(off, fabs(sum));
        }
    }
    return off <= OFF_DIAGONAL * fmax(out[0], fmax(out[1], out[2]));
}

static bool read_bodies(scene *s, const tn_sim *sim)
{
    const int32_t count = tn_model_get_size(s->model).bodies;
    s->body = calloc((size_t)count, sizeof *s->body);
    for (int32_t i = 0; i < count; i++) {
        const tn_body id = {i};
        if (tn_model_body_kind(s->model, id) == TN_BODY_FIXED)
            continue;
        const tn_mass_properties mass = tn_model_body_mass(s->model, id);
        const tn_pose pose = tn_sim_body_pose(sim, id);
        const tn_twist twist = tn_sim_body_velocity(sim, id);
        const tn_vec3 arm = tn_pose_rotate_vector(pose, mass.com);
        scene_body *body = &s->body[s->body_count++];
        snprintf(body->name, sizeof body->name, "%s", tn_model_body_name(s->model, id));
        body->id = id;
        body->mass = mass.mass;
        put(body->p, tn_pose_transform_point(pose, mass.com));
        put(body->w, twist.w);
        put(body->v, twist.v);
        body->v[0] += twist.w.y * arm.z - twist.w.z * arm.y;
        body->v[1] += twist.w.z * arm.x - twist.w.x * arm.z;
        body->v[2] += twist.w.x * arm.y - twist.w.y * arm.x;
        if (tn_model_body_kind(s->model, id) != TN_BODY_RIGID ||
            !turn_inertia(body->inertia, &mass.inertia, pose.q)) {
            fprintf(stderr, "scene: body %s: not a rigid body along the axes\n", body->name);
            return false;
        }
    }
    return true;
}

static bool read_hinge(const scene *s, const tn_sim *sim, tn_joint joint, scene_hinge *hinge)
{
    tn_body a, b;
    tn_pose t_ca, t_db;
    const tn_model *model = s->model;
    tn_model_joint_bodies(model, joint, &a, &b);
    tn_model_joint_frames(model, joint, &t_ca, &t_db);
    const tn_pose base = b.i == TN_GROUND_INDEX ? tn_pose_identity() : tn_sim_body_pose(sim, b);
    const tn_pose frame = tn_pose_multiply(base, t_db);
    snprintf(hinge->name, sizeof hinge->name, "%s", tn_model_joint_name(model, joint));
    hinge->a = index_of(s, a);
    hinge->b = index_of(s, b);
    put(hinge->p, frame.p);
    put(hinge->axis, tn_pose_rotate_vector(frame, (tn_vec3){0.0, 0.0, 1.0}));
    if (hinge->a == SCENE_GROUND) { /* the ground is always b; the axis turns round with it */
        hinge->a = hinge->b;
        hinge->b = SCENE_GROUND;
        for (int k = 0; k < 3; k++)
            hinge->axis[k] = -hinge->axis[k];
    }
    const char *type = tn_joint_type_get(tn_model_joint_type(model, joint))->name;
    if (strcmp(type, "hinge") != 0)
        fprintf(stderr, "scene: joint %s is a %s, not a hinge\n", hinge->name, type);
    return strcmp(type, "hinge") == 0;
}

/* Turns a hinge so that b is the side already reached. */
static void turn_hinge(scene_hinge *hinge)
{
    const int a = hinge->a;
    hinge->a = hinge->b;
    hinge->b = a;
    for (int k = 0; k < 3; k++)
        hinge->axis[k] = -hinge->axis[k];
}

/* Tree first: breadth first from the ground, so that branches stay short. */
static void order_hinges(scene *s)
{
    bool *reached = calloc((size_t)s->body_count + 1, sizeof *reached);
    scene_hinge *sorted = calloc((size_t)s->hinge_count, sizeof *sorted);
    bool *used = calloc((size_t)s->hinge_count, sizeof *used);
    int count = 0;
    reached[0] = true; /* the ground; body k is reached[k + 1] */
    for (int before = -1; count != before;) {
        before = count;
        bool *next = calloc((size_t)s->body_count + 1, sizeof *next);
        for (int k = 0; k < s->hinge_count; k++) {
            scene_hinge *hinge = &s->hinge[k];
            if (!used[k] && reached[hinge->a + 1] && !reached[hinge->b + 1])
                turn_hinge(hinge);
            const int a = hinge->a + 1;
            if (used[k] || !reached[hinge->b + 1] || reached[a] || next[a])
                continue;
            used[k] = next[a] = true;
            sorted[count++] = *hinge;
        }
        for (int k = 0; k <= s->body_count; k++)
            reached[k] = reached[k] || next[k];
        free(next);
    }
    for (int k = 0; k < s->hinge_count; k++) {
        if (!used[k]) {
            sorted[count] = s->hinge[k];
            sorted[count++].closes = 1;
        }
    }
    free(s->hinge);
    free(used);
    free(reached);
    s->hinge = sorted;
}

static bool read_hinges(scene *s, const tn_sim *sim)
{
    s->hinge_count = tn_model_get_size(s->model).joints;
    s->hinge = calloc((size_t)s->hinge_count, sizeof *s->hinge);
    for (int k = 0; k < s->hinge_count; k++)
        if (!read_hinge(s, sim, (tn_joint){k}, &s->hinge[k]))
            return false;
    order_hinges(s);
    for (int k = 0; k < s->hinge_count; k++) {
        scene_hinge *hinge = &s->hinge[k];
        for (int i = 0; i < 3; i++)
            hinge->rate +=
                hinge->axis[i] * (s->body[hinge->a].w[i] -
                                  (hinge->b == SCENE_GROUND ? 0.0 : s->body[hinge->b].w[i]));
    }
    return true;
}

static bool read_tip(scene *s, const tn_spec *spec, const tn_sim *sim, const char *marker)
{
    tn_marker id;
    if (tn_model_find_marker(s->model, marker, &id) != TN_OK) {
        fprintf(stderr, "scene: no marker %s\n", marker);
        return false;
    }
    s->tip = index_of(s, tn_spec_marker(spec, id)->body);
    put(s->tip_at, tn_sim_marker_position(sim, id));
    for (int i = 0; i < 3; i++)
        s->tip_at[i] -= s->body[s->tip].p[i];
    return true;
}

scene *scene_read(const char *file, const char *marker)
{
    scene *s = calloc(1, sizeof *s);
    tn_diagnostics *problems = tn_diagnostics_create();
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    bool good = tn_spec_read_file(file, problems, &spec) == TN_OK &&
                tn_model_compile(spec, problems, &model) == TN_OK &&
                tn_sim_create(model, NULL, problems, &sim) == TN_OK;
    tn_diagnostics_print(problems, stderr, NULL, 0);
    s->model = model;
    if (good) {
        put(s->gravity, tn_spec_world(spec)->gravity);
        good = read_bodies(s, sim) && read_hinges(s, sim) &&
               (marker == NULL || read_tip(s, spec, sim, marker));
    }
    tn_sim_destroy(sim);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(problems);
    if (!good) {
        scene_free(s);
        s = NULL;
    }
    return s;
}

void scene_free(scene *s)
{
    if (s == NULL)
        return;
    tn_model_destroy(s->model);
    free(s->body);
    free(s->hinge);
    free(s);
}
