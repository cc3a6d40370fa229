/* peer_bullet: Bullet (double precision) in the comparison of bench/peers, in both of its ways:
 * rigid bodies with btHingeConstraint everywhere, solved by sequential impulses or by Dantzig's
 * direct method; and Featherstone's btMultiBody for the tree, each loop closed by two
 * btMultiBodyPoint2Point on the hinge's axis. */
#include <cstring>
#include <memory>
#include <vector>

#include <btBulletDynamicsCommon.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>

#include "engine.h"

namespace
{

const engine_setting settings[] = {
    {"impulses", "btHingeConstraint, sequential impulses, 10 iterations, ERP 0.2: the defaults"},
    {"impulses_tight", "the same with 1000 iterations, ERP 0.8"},
    {"dantzig", "btHingeConstraint, btMLCPSolver with btDantzigSolver, ERP 0.8"},
    {"multibody", "btMultiBody, loops by btMultiBodyPoint2Point, 100 iterations, ERP 0.2"},
    {nullptr, nullptr},
};

btVector3 vec(const double v[3])
{
    return btVector3(v[0], v[1], v[2]);
}

btVector3 origin(const scene *s, int body)
{
    return body == SCENE_GROUND ? btVector3(0, 0, 0) : vec(s->body[body].p);
}

struct running {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSphereShape shape{0.01}; /* m; a body needs one to be simulated; nothing collides */
    btDantzigSolver dantzig;
    std::unique_ptr<btConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> hinges;
    std::vector<std::unique_ptr<btMultiBody>> trees;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
    std::vector<std::unique_ptr<btMultiBodyConstraint>> closures;
    std::vector<std::pair<btMultiBody *, int>> link; /* of each body of the scene */
};

void add_body(running &run, const scene_body &from)
{
    btRigidBody::btRigidBodyConstructionInfo info(from.mass, nullptr, &run.shape,
                                                  vec(from.inertia));
    info.m_startWorldTransform.setOrigin(vec(from.p));
    auto body = std::make_unique<btRigidBody>(info);
    body->setLinearVelocity(vec(from.v));
    body->setAngularVelocity(vec(from.w));
    body->setActivationState(DISABLE_DEACTIVATION);
    body->setFlags(BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
    run.world->addRigidBody(body.get(), 0, 0);
    run.bodies.push_back(std::move(body));
}

void add_hinge(running &run, const scene *s, const scene_hinge &from)
{
    const bool ground = from.b == SCENE_GROUND;
    btRigidBody &base = ground ? btTypedConstraint::getFixedBody() : *run.bodies[from.b];
    const btVector3 at = vec(from.p);
    btVector3 axis = vec(from.axis);
    run.hinges.push_back(std::make_unique<btHingeConstraint>(
        *run.bodies[from.a], base, at - origin(s, from.a), at - origin(s, from.b), axis, axis));
    run.world->addConstraint(run.hinges.back().get(), true);
}

void build_rigid(running &run, const scene *s, const char *setting)
{
    if (std::strcmp(setting, "dantzig") == 0)
        run.solver = std::make_unique<btMLCPSolver>(&run.dantzig);
    else
        run.solver = std::make_unique<btSequentialImpulseConstraintSolver>();
    run.world = std::make_unique<btDiscreteDynamicsWorld>(&run.dispatcher, &run.broadphase,
                                                          run.solver.get(), &run.configuration);
    if (std::strcmp(setting, "impulses") != 0)
        run.world->getSolverInfo().m_erp = 0.8;
    if (std::strcmp(setting, "impulses_tight") == 0)
        run.world->getSolverInfo().m_numIterations = 1000;
    for (int k = 0; k < s->body_count; k++)
        add_body(run, s->body[k]);
    for (int k = 0; k < s->hinge_count; k++)
        add_hinge(run, s, s->hinge[k]);
}

/* ---- multi-bodies: one for each branch that starts at the ground */

void collect(const scene *s, int body, std::vector<const scene_hinge *> &out)
{
    for (int k = 0; k < s->hinge_count; k++) {
        if (!s->hinge[k].closes && s->hinge[k].b == body) {
            out.push_back(&s->hinge[k]);
            collect(s, s->hinge[k].a, out);
        }
    }
}

/* Which closures are solved is found by way of collision objects, so each link needs one. */
void add_collider(running &run, btMultiBody &tree, int link)
{
    auto collider = std::make_unique<btMultiBodyLinkCollider>(&tree, link);
    collider->setCollisionShape(&run.shape);
    run.world->addCollisionObject(collider.get(), 0, 0);
    tree.getLink(link).m_collider = collider.get();
    run.colliders.push_back(std::move(collider));
}

void add_tree(running &run, const scene *s, const scene_hinge &root)
{
    std::vector<const scene_hinge *> hinges{&root};
    collect(s, root.a, hinges);
    auto tree =
        std::make_unique<btMultiBody>((int)hinges.size(), 0.0, btVector3(0, 0, 0), true, false);
    tree->setBasePos(vec(root.p));
    for (int i = 0; i < (int)hinges.size(); i++) {
        const scene_hinge &h = *hinges[i];
        const scene_body &b = s->body[h.a];
        const bool ground = h.b == SCENE_GROUND;
        const btVector3 base = ground ? vec(root.p) : vec(s->body[h.b].p);
        tree->setupRevolute(i, b.mass, vec(b.inertia), ground ? -1 : run.link[h.b].second,
                            btQuaternion(0, 0, 0, 1), vec(h.axis), vec(h.p) - base,
                            vec(b.p) - vec(h.p), true);
        run.link[h.a] = {tree.get(), i};
    }
    tree->finalizeMultiDof();
    tree->setLinearDamping(0.0);
    tree->setAngularDamping(0.0);
    tree->setCanSleep(false);
    tree->setUseGyroTerm(true);
    for (int i = 0; i < (int)hinges.size(); i++) {
        tree->setJointVel(i, hinges[i]->rate);
        add_collider(run, *tree, i);
    }
    static_cast<btMultiBodyDynamicsWorld *>(run.world.get())->addMultiBody(tree.get());
    run.trees.push_back(std::move(tree));
}

void add_closure(running &run, const scene *s, const scene_hinge &hinge)
{
    for (int side = 0; side < 2; side++) {
        double point[3];
        engine_axis_point(&hinge, side, point);
        const auto a = run.link[hinge.a];
        const btVector3 at_a = vec(point) - origin(s, hinge.a);
        const btVector3 at_b = vec(point) - origin(s, hinge.b);
        std::unique_ptr<btMultiBodyConstraint> closure;
        if (hinge.b == SCENE_GROUND)
            closure = std::make_unique<btMultiBodyPoint2Point>(
                a.first, a.second, static_cast<btRigidBody *>(nullptr), at_a, at_b);
        else
            closure = std::make_unique<btMultiBodyPoint2Point>(
                a.first, a.second, run.link[hinge.b].first, run.link[hinge.b].second, at_a, at_b);
        closure->setMaxAppliedImpulse(1e10);
        static_cast<btMultiBodyDynamicsWorld *>(run.world.get())
            ->addMultiBodyConstraint(closure.get());
        closure->finalizeMultiDof();
        run.closures.push_back(std::move(closure));
    }
}

void build_multibody(running &run, const scene *s)
{
    auto solver = std::make_unique<btMultiBodyConstraintSolver>();
    run.world = std::make_unique<btMultiBodyDynamicsWorld>(&run.dispatcher, &run.broadphase,
                                                           solver.get(), &run.configuration);
    run.solver = std::move(solver);
    run.world->getSolverInfo().m_numIterations = 100;
    run.link.resize((size_t)s->body_count);
    run.world->setGravity(vec(s->gravity));
    for (int k = 0; k < s->hinge_count; k++)
        if (!s->hinge[k].closes && s->hinge[k].b == SCENE_GROUND)
            add_tree(run, s, s->hinge[k]);
    for (int k = 0; k < s->hinge_count; k++)
        if (s->hinge[k].closes)
            add_closure(run, s, s->hinge[k]);
}

void *create(const scene *s, const char *setting, double)
{
    auto *run = new running;
    if (std::strcmp(setting, "multibody") == 0)
        build_multibody(*run, s);
    else
        build_rigid(*run, s, setting);
    run->world->setGravity(vec(s->gravity));
    for (auto &each : run->bodies)
        each->setGravity(vec(s->gravity));
    return run;
}

const char *step(void *peer, double h)
{
    static_cast<running *>(peer)->world->stepSimulation(h, 0);
    return nullptr;
}

void body(void *peer, int k, engine_motion *out)
{
    running &run = *static_cast<running *>(peer);
    btTransform pose;
    btVector3 v, w;
    if (run.link.empty()) {
        pose = run.bodies[k]->getWorldTransform();
        v = run.bodies[k]->getLinearVelocity();
        w = run.bodies[k]->getAngularVelocity();
    } else {
        btMultiBody &tree = *run.link[k].first;
        const int link = run.link[k].second, count = tree.getNumLinks();
        std::vector<btVector3> omega((size_t)count + 1), velocity((size_t)count + 1);
        tree.compTreeLinkVelocities(omega.data(), velocity.data());
        pose.setOrigin(tree.localPosToWorld(link, btVector3(0, 0, 0)));
        pose.setBasis(tree.localFrameToWorld(link, btMatrix3x3::getIdentity()));
        v = tree.localDirToWorld(link, velocity[(size_t)link + 1]);
        w = tree.localDirToWorld(link, omega[(size_t)link + 1]);
    }
    for (int i = 0; i < 3; i++) {
        out->p[i] = pose.getOrigin()[i];
        out->v[i] = v[i];
        out->w[i] = w[i];
        for (int j = 0; j < 3; j++)
            out->r[i][j] = pose.getBasis()[i][j];
    }
}

void destroy(void *peer)
{
    running *run = static_cast<running *>(peer);
    for (auto &hinge : run->hinges)
        run->world->removeConstraint(hinge.get());
    for (auto &each : run->bodies)
        run->world->removeRigidBody(each.get());
    for (auto &each : run->colliders)
        run->world->removeCollisionObject(each.get());
    run->world.reset();
    delete run;
}

} // namespace

int main(int argc, char **argv)
{
    const engine e = {"Bullet", "3.24, double", settings, create, step, nullptr, body, destroy};
    return engine_main(argc, argv, &e);
}
