// plane_box2d.cpp: the chain of bench_plane in Box2D 2.4, with its default settings (8 velocity and
// 3 position iterations, warm starting). No shapes, no sleep; its speed cap of 2 m per step is that
// of the library as packaged.
#include "bench_plane.h"

#include <algorithm>
#include <vector>

#include <box2d/box2d.h>

namespace {

const int velocity_iterations = 8, position_iterations = 3;

double energy_of(const std::vector<b2Body *> &links)
{
    double sum = 0.0;
    for (const b2Body *link : links) {
        const double vx = link->GetLinearVelocity().x, vy = link->GetLinearVelocity().y;
        const double w = link->GetAngularVelocity(), m = link->GetMass();
        sum += 0.5 * m * (vx * vx + vy * vy) + 0.5 * link->GetInertia() * w * w +
               m * PLANE_GRAVITY * link->GetWorldCenter().y;
    }
    return sum;
}

std::vector<b2Body *> make_chain(b2World &world, const plane_chain &chain,
                                 std::vector<b2Joint *> &joints)
{
    std::vector<b2Body *> links;
    b2BodyDef ground_def;
    b2Body *before = world.CreateBody(&ground_def);
    for (int32_t k = 0; k < chain.links; k++) {
        b2BodyDef def;
        def.type = b2_dynamicBody;
        def.allowSleep = false;
        def.position.Set(static_cast<float>(k) + 0.5f, 0.0f);
        b2Body *link = world.CreateBody(&def);
        b2MassData mass;
        mass.mass = static_cast<float>(k + 1 == chain.links ? chain.tip_mass : 1.0);
        mass.center.SetZero();
        mass.I = mass.mass / 12.0f;
        link->SetMassData(&mass);
        b2RevoluteJointDef pin;
        pin.Initialize(before, link, b2Vec2(static_cast<float>(k), 0.0f));
        joints.push_back(world.CreateJoint(&pin));
        links.push_back(link);
        before = link;
    }
    return links;
}

plane_result run(const plane_chain *chain)
{
    b2World world(b2Vec2(0.0f, static_cast<float>(-PLANE_GRAVITY)));
    std::vector<b2Joint *> joints;
    const std::vector<b2Body *> links = make_chain(world, *chain, joints);
    plane_result result = {0.0, 0.0, 0.0, chain->steps};
    const double before = energy_of(links);
    double seconds = 0.0;
    for (int32_t k = 0; k < chain->steps; k++) {
        const double start = plane_seconds();
        world.Step(static_cast<float>(chain->step), velocity_iterations, position_iterations);
        seconds += plane_seconds() - start;
        for (b2Joint *joint : joints) {
            const b2Vec2 gap = joint->GetAnchorA() - joint->GetAnchorB();
            result.separation = std::max(result.separation, static_cast<double>(gap.Length()));
        }
    }
    result.microseconds = 1e6 * seconds / chain->steps / chain->links;
    result.energy = (energy_of(links) - before) / plane_energy_scale(chain);
    return result;
}

} // namespace

const plane_engine plane_box2d = {"box2d 2.4, 8 + 3 iterations", run};
