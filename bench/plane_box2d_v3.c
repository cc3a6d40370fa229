/* plane_box2d_v3.c: the chain of bench_plane in Box2D of version 3, with its default settings: soft joints of 60 Hz, four substeps,
 * numbers of single precision. No shapes, no sleep; its cap on speeds is out of the way. */
#include "bench_plane.h"

#include <math.h>
#include <stdlib.h>

#include <box2d/box2d.h>

#define SUBSTEPS  4
#define FAST      1e4f /* m/s: more than the chain reaches */
#define HALF_LINK 0.5f /* m */

/* What has moved between 3.1 and 3.2. */
#ifdef PLANE_BOX2D_BASE
#define PIN_BODY(pin, X)  (pin).base.bodyId##X
#define PIN_POINT(pin, X) (pin).base.localFrame##X.p
#else
#define PIN_BODY(pin, X)  (pin).bodyId##X
#define PIN_POINT(pin, X) (pin).localAnchor##X
#endif

static b2WorldId make_world(void)
{
    b2WorldDef def = b2DefaultWorldDef();
    def.gravity = (b2Vec2){0.0f, (float)-PLANE_GRAVITY};
    def.enableSleep = false;
    def.enableContinuous = false;
    def.maximumLinearSpeed = FAST;
    return b2CreateWorld(&def);
}

static b2BodyId make_link(b2WorldId world, const plane_chain *chain, int32_t k)
{
    b2BodyDef def = b2DefaultBodyDef();
    def.type = b2_dynamicBody;
    def.enableSleep = false;
    def.allowFastRotation = true;
    def.position.x = (float)k + HALF_LINK;
    const b2BodyId link = b2CreateBody(world, &def);
    const float mass = (float)(k + 1 == chain->links ? chain->tip_mass : 1.0);
    b2Body_SetMassData(link, (b2MassData){.mass = mass, .rotationalInertia = mass / 12.0f});
    return link;
}

static void make_chain(b2WorldId world, const plane_chain *chain, b2BodyId *links)
{
    const b2BodyDef ground = b2DefaultBodyDef();
    b2BodyId before = b2CreateBody(world, &ground);
    for (int32_t k = 0; k < chain->links; k++) {
        links[k] = make_link(world, chain, k);
        b2RevoluteJointDef pin = b2DefaultRevoluteJointDef();
        PIN_BODY(pin, A) = before;
        PIN_BODY(pin, B) = links[k];
        PIN_POINT(pin, A) = (b2Vec2){k > 0 ? HALF_LINK : 0.0f, 0.0f};
        PIN_POINT(pin, B) = (b2Vec2){-HALF_LINK, 0.0f};
        b2CreateRevoluteJoint(world, &pin);
        before = links[k];
    }
}

static double energy_of(const plane_chain *chain, const b2BodyId *links)
{
    double sum = 0.0;
    for (int32_t k = 0; k < chain->links; k++) {
        const b2Vec2 v = b2Body_GetLinearVelocity(links[k]);
        const double vx = v.x, vy = v.y, w = b2Body_GetAngularVelocity(links[k]);
        const double m = b2Body_GetMass(links[k]);
        sum += 0.5 * m * (vx * vx + vy * vy + w * w / 12.0) +
               m * PLANE_GRAVITY * (double)b2Body_GetPosition(links[k]).y;
    }
    return sum;
}

/* m: the largest distance of the two points of a pin, from poses read back */
static double separation_of(const plane_chain *chain, const b2BodyId *links)
{
    double most = 0.0, x = 0.0, y = 0.0; /* end of the link before */
    for (int32_t k = 0; k < chain->links; k++) {
        const b2Rot r = b2Body_GetRotation(links[k]);
        const double px = b2Body_GetPosition(links[k]).x, py = b2Body_GetPosition(links[k]).y;
        const double dx = HALF_LINK * (double)r.c, dy = HALF_LINK * (double)r.s;
        most = fmax(most, hypot(px - dx - x, py - dy - y));
        x = px + dx;
        y = py + dy;
    }
    return most;
}

static plane_result run(const plane_chain *chain)
{
    const b2WorldId world = make_world();
    b2BodyId *links = calloc((size_t)chain->links, sizeof *links);
    make_chain(world, chain, links);
    plane_result result = {0.0, 0.0, 0.0, chain->steps};
    const double before = energy_of(chain, links);
    double seconds = 0.0;
    for (int32_t k = 0; k < chain->steps; k++) {
        const double start = plane_seconds();
        b2World_Step(world, (float)chain->step, SUBSTEPS);
        seconds += plane_seconds() - start;
        result.separation = fmax(result.separation, separation_of(chain, links));
    }
    result.microseconds = 1e6 * seconds / chain->steps / chain->links;
    result.energy = (energy_of(chain, links) - before) / plane_energy_scale(chain);
    b2DestroyWorld(world);
    free(links);
    return result;
}

const plane_engine plane_box2d_v3 = {"box2d " PLANE_BOX2D_NAME ", 4 substeps", run};
