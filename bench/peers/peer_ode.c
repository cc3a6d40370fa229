/* peer_ode: the Open Dynamics Engine in the comparison of bench/peers. Bodies with six freedoms,
 * every hinge a dJointTypeHinge: loops need nothing special. */
#include <stdlib.h>
#include <string.h>

#include <ode/ode.h>

#include "engine.h"

typedef struct running {
    dWorldID world;
    dBodyID *body;
    int iterations; /* of dWorldQuickStep; 0: dWorldStep */
} running;

static const engine_setting settings[] = {
    {"step", "dWorldStep (direct), ERP 0.2, CFM 1e-10: the defaults"},
    {"step_tight",
     "dWorldStep (direct), ERP 0.8, CFM 1e-10 (with CFM 0 it aborts on redundant rows)"},
    {"quick", "dWorldQuickStep, 20 iterations, ERP 0.2, CFM 1e-10: the defaults"},
    {"quick_tight", "dWorldQuickStep, 500 iterations, ERP 0.8, CFM 1e-10"},
    {NULL, NULL},
};

static void add_body(running *run, const scene_body *from, dBodyID *out)
{
    dMass mass;
    dMassSetParameters(&mass, from->mass, 0, 0, 0, from->inertia[0], from->inertia[1],
                       from->inertia[2], 0, 0, 0);
    *out = dBodyCreate(run->world);
    dBodySetMass(*out, &mass);
    dBodySetPosition(*out, from->p[0], from->p[1], from->p[2]);
    dBodySetLinearVel(*out, from->v[0], from->v[1], from->v[2]);
    dBodySetAngularVel(*out, from->w[0], from->w[1], from->w[2]);
    dBodySetGyroscopicMode(*out, 1);
    dBodySetAutoDisableFlag(*out, 0);
}

static void add_hinge(running *run, const scene_hinge *from)
{
    dJointID joint = dJointCreateHinge(run->world, 0);
    dJointAttach(joint, run->body[from->a], from->b == SCENE_GROUND ? 0 : run->body[from->b]);
    dJointSetHingeAnchor(joint, from->p[0], from->p[1], from->p[2]);
    dJointSetHingeAxis(joint, from->axis[0], from->axis[1], from->axis[2]);
}

static void *create(const scene *s, const char *setting, double h)
{
    (void)h;
    const int tight = strstr(setting, "tight") != NULL;
    running *run = calloc(1, sizeof *run);
    run->iterations = strncmp(setting, "quick", 5) != 0 ? 0 : tight ? 500 : 20;
    dInitODE2(0);
    run->world = dWorldCreate();
    run->body = calloc((size_t)s->body_count, sizeof *run->body);
    dWorldSetGravity(run->world, s->gravity[0], s->gravity[1], s->gravity[2]);
    dWorldSetERP(run->world, tight ? 0.8 : 0.2);
    dWorldSetCFM(run->world, 1e-10);
    if (run->iterations > 0)
        dWorldSetQuickStepNumIterations(run->world, run->iterations);
    for (int k = 0; k < s->body_count; k++)
        add_body(run, &s->body[k], &run->body[k]);
    for (int k = 0; k < s->hinge_count; k++)
        add_hinge(run, &s->hinge[k]);
    return run;
}

static const char *step(void *peer, double h)
{
    running *run = peer;
    const int good =
        run->iterations > 0 ? dWorldQuickStep(run->world, h) : dWorldStep(run->world, h);
    return good ? NULL : "out of memory";
}

static void body(void *peer, int k, engine_motion *out)
{
    const running *run = peer;
    const dReal *p = dBodyGetPosition(run->body[k]), *r = dBodyGetRotation(run->body[k]);
    const dReal *v = dBodyGetLinearVel(run->body[k]), *w = dBodyGetAngularVel(run->body[k]);
    for (int i = 0; i < 3; i++) {
        out->p[i] = p[i];
        out->v[i] = v[i];
        out->w[i] = w[i];
        for (int j = 0; j < 3; j++)
            out->r[i][j] = r[4 * i + j];
    }
}

static void destroy(void *peer)
{
    running *run = peer;
    dWorldDestroy(run->world);
    dCloseODE();
    free(run->body);
    free(run);
}

int main(int argc, char **argv)
{
    const engine e = {"ODE", "0.16.2, double", settings, create, step, NULL, body, destroy};
    return engine_main(argc, argv, &e);
}
