/* peer_dart: DART in the comparison of bench/peers. One skeleton, a tree of RevoluteJoints; each
 * hinge that closes a loop is two BallJointConstraints on its axis, the way of DART's own example
 * of rigid loops (it has no revolute constraint). */
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <dart/dart.hpp>

#include "engine.h"

namespace
{

using dart::constraint::BallJointConstraint;
using dart::constraint::DynamicJointConstraint;
using Eigen::Isometry3d;
using Eigen::Vector3d;

const engine_setting settings[] = {
    {"default", "two BallJointConstraints a loop, ERP 0.01, CFM 1e-5: the defaults"},
    {"stiff", "the same with ERP 0.2, CFM 1e-7"},
    {nullptr, nullptr},
};

struct running {
    dart::simulation::WorldPtr world;
    std::vector<dart::dynamics::BodyNode *> body;
};

Vector3d vec(const double v[3])
{
    return Vector3d(v[0], v[1], v[2]);
}

Vector3d origin(const scene *s, int body)
{
    return body == SCENE_GROUND ? Vector3d(Vector3d::Zero()) : vec(s->body[body].p);
}

void add_body(running &run, const scene *s, const dart::dynamics::SkeletonPtr &skeleton,
              const scene_hinge &hinge)
{
    const scene_body &from = s->body[hinge.a];
    dart::dynamics::RevoluteJoint::Properties joint;
    joint.mName = hinge.name;
    joint.mAxis = vec(hinge.axis);
    joint.mT_ParentBodyToJoint.translation() = vec(hinge.p) - origin(s, hinge.b);
    joint.mT_ChildBodyToJoint.translation() = vec(hinge.p) - vec(from.p);
    dart::dynamics::BodyNode::Properties body;
    body.mName = from.name;
    body.mInertia.setMass(from.mass);
    body.mInertia.setMoment(from.inertia[0], from.inertia[1], from.inertia[2], 0, 0, 0);
    auto *parent = hinge.b == SCENE_GROUND ? nullptr : run.body[(size_t)hinge.b];
    auto made =
        skeleton->createJointAndBodyNodePair<dart::dynamics::RevoluteJoint>(parent, joint, body);
    made.first->setVelocity(0, hinge.rate);
    run.body[(size_t)hinge.a] = made.second;
}

void add_closure(running &run, const scene_hinge &hinge)
{
    for (int side = 0; side < 2; side++) {
        double point[3];
        engine_axis_point(&hinge, side, point);
        auto *a = run.body[(size_t)hinge.a];
        std::shared_ptr<BallJointConstraint> closure;
        if (hinge.b == SCENE_GROUND)
            closure = std::make_shared<BallJointConstraint>(a, vec(point));
        else
            closure =
                std::make_shared<BallJointConstraint>(a, run.body[(size_t)hinge.b], vec(point));
        run.world->getConstraintSolver()->addConstraint(closure);
    }
}

void *create(const scene *s, const char *setting, double h)
{
    auto *run = new running;
    if (std::strcmp(setting, "stiff") == 0) {
        DynamicJointConstraint::setErrorReductionParameter(0.2);
        DynamicJointConstraint::setConstraintForceMixing(1e-7);
    }
    run->world = dart::simulation::World::create("peers");
    run->body.resize((size_t)s->body_count);
    run->world->setGravity(vec(s->gravity));
    run->world->setTimeStep(h);
    auto skeleton = dart::dynamics::Skeleton::create("mechanism");
    for (int k = 0; k < s->hinge_count; k++)
        if (!s->hinge[k].closes)
            add_body(*run, s, skeleton, s->hinge[k]);
    run->world->addSkeleton(skeleton);
    for (int k = 0; k < s->hinge_count; k++)
        if (s->hinge[k].closes)
            add_closure(*run, s->hinge[k]);
    return run;
}

const char *step(void *peer, double)
{
    static_cast<running *>(peer)->world->step();
    return nullptr;
}

void body(void *peer, int k, engine_motion *out)
{
    const auto *node = static_cast<running *>(peer)->body[(size_t)k];
    const Isometry3d pose = node->getWorldTransform();
    const Vector3d v = node->getLinearVelocity(), w = node->getAngularVelocity();
    for (int i = 0; i < 3; i++) {
        out->p[i] = pose.translation()[i];
        out->v[i] = v[i];
        out->w[i] = w[i];
        for (int j = 0; j < 3; j++)
            out->r[i][j] = pose.linear()(i, j);
    }
}

void destroy(void *peer)
{
    delete static_cast<running *>(peer);
}

} // namespace

int main(int argc, char **argv)
{
    const engine e = {"DART", "6.12.1", settings, create, step, nullptr, body, destroy};
    return engine_main(argc, argv, &e);
}
