/* peer_tenon: Tenon in the comparison of bench/peers. Every hinge is a hinge; nothing is set but
 * the integrator. */
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "tenon/tenon.h"

typedef struct running {
    const scene *s;
    tn_sim *sim;
    tn_quat *start; /* orientation of each body at the start */
} running;

static const engine_setting settings[] = {
    {"generalized_alpha", "second order, the default"},
    {"stabilized_index_2", "generalized_alpha, speeds that fit the joints"},
    {"dormand_prince", "fifth order, error control"},
    {"constrained_backward_euler", "first order, velocity level, projected"},
    {NULL, NULL},
};

static void *create(const scene *s, const char *setting, double h)
{
    (void)h;
    running *run = calloc(1, sizeof *run);
    tn_sim_options options = tn_default_sim_options(s->model);
    for (int i = 0; i < TN_INTEGRATOR_COUNT; i++)
        if (strcmp(setting, tn_integrator_name((tn_integrator)i)) == 0)
            options.integrator = (tn_integrator)i;
    if (tn_formulation_find(setting, &options.formulation) == TN_OK)
        options.integrator = TN_GENERALIZED_ALPHA; /* whatever the model asks for */
    run->s = s;
    run->start = calloc((size_t)s->body_count, sizeof *run->start);
    if (tn_sim_create(s->model, &options, NULL, &run->sim) != TN_OK)
        return NULL;
    for (int k = 0; k < s->body_count; k++)
        run->start[k] = tn_sim_body_pose(run->sim, s->body[k].id).q;
    return run;
}

static const char *step(void *peer, double h)
{
    running *run = peer;
    const tn_status status = tn_sim_step(run->sim, h, NULL);
    return status == TN_OK ? NULL : tn_status_text(status);
}

static void body(void *peer, int k, engine_motion *out)
{
    const running *run = peer;
    const tn_body id = run->s->body[k].id;
    const tn_vec3 com = tn_model_body_mass(run->s->model, id).com;
    const tn_pose pose = tn_sim_body_pose(run->sim, id);
    const tn_twist twist = tn_sim_body_velocity(run->sim, id);
    const tn_vec3 centre = tn_pose_transform_point(pose, com);
    const tn_vec3 arm = tn_pose_rotate_vector(pose, com);
    const tn_pose back = tn_pose_inverse((tn_pose){.q = run->start[k]});
    const tn_quat q = tn_pose_multiply((tn_pose){.q = pose.q}, back).q;
    engine_rotation(out->r, q.w, q.x, q.y, q.z);
    const double p[3] = {centre.x, centre.y, centre.z}, w[3] = {twist.w.x, twist.w.y, twist.w.z};
    const double v[3] = {twist.v.x + twist.w.y * arm.z - twist.w.z * arm.y,
                         twist.v.y + twist.w.z * arm.x - twist.w.x * arm.z,
                         twist.v.z + twist.w.x * arm.y - twist.w.y * arm.x};
    memcpy(out->p, p, sizeof p);
    memcpy(out->v, v, sizeof v);
    memcpy(out->w, w, sizeof w);
}

static void destroy(void *peer)
{
    running *run = peer;
    tn_sim_destroy(run->sim);
    free(run->start);
    free(run);
}

int main(int argc, char **argv)
{
    const engine e = {"Tenon", "of this tree", settings, create, step, NULL, body, destroy};
    return engine_main(argc, argv, &e);
}
