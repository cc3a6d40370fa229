/* peer_pinocchio: Pinocchio in the comparison of bench/peers: trees only. Accelerations by the articulated body
 * algorithm, then semi-implicit Euler: velocities with them, poses with the new velocities. */
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <pinocchio/multibody/model.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>

#include "engine.h"

namespace
{

namespace pin = pinocchio;

const engine_setting settings[] = {
    {"aba_local", "articulated bodies in local axes, semi-implicit Euler"},
    {"aba_world", "the same in the axes of the world"},
    {nullptr, nullptr},
};

struct running {
    pin::Model model;
    std::unique_ptr<pin::Data> data; /* made in place: it has room for the cube of the joints, never touched */
    Eigen::VectorXd q, u, force, turn, next;
    std::vector<pin::JointIndex> joint; /* of each body */
    std::vector<Eigen::Vector3d> arm;   /* m, joint to centre of mass */
    pin::Convention convention;
};

Eigen::Vector3d vec(const double v[3])
{
    return Eigen::Vector3d(v[0], v[1], v[2]);
}

/* Axes of the world have joints of their own, which are cheaper. */
pin::JointModel joint_of(const Eigen::Vector3d &axis)
{
    if (axis == Eigen::Vector3d::UnitX())
        return pin::JointModelRX();
    if (axis == Eigen::Vector3d::UnitY())
        return pin::JointModelRY();
    if (axis == Eigen::Vector3d::UnitZ())
        return pin::JointModelRZ();
    return pin::JointModelRevoluteUnaligned(axis.normalized());
}

/* Joint frames lie on the hinges, with the world's axes at the start. */
void add_body(running &run, const scene *s, int k)
{
    const scene_hinge &hinge = s->hinge[k];
    const scene_body &b = s->body[hinge.a];
    const bool ground = hinge.b == SCENE_GROUND;
    const pin::JointIndex base = ground ? 0 : run.joint[(size_t)hinge.b];
    Eigen::Vector3d from = Eigen::Vector3d::Zero();
    if (!ground)
        from = vec(s->body[hinge.b].p) - run.arm[(size_t)hinge.b];
    run.arm[(size_t)hinge.a] = vec(b.p) - vec(hinge.p);
    run.joint[(size_t)hinge.a] = run.model.addJoint(
        base, joint_of(vec(hinge.axis)),
        pin::SE3(Eigen::Matrix3d::Identity(), vec(hinge.p) - from), "h" + std::to_string(hinge.a));
    const Eigen::Matrix3d inertia = vec(b.inertia).asDiagonal();
    run.model.appendBodyToJoint(run.joint[(size_t)hinge.a],
                                pin::Inertia(b.mass, run.arm[(size_t)hinge.a], inertia),
                                pin::SE3::Identity());
}

void *create(const scene *s, const char *setting, double)
{
    for (int k = 0; k < s->hinge_count; k++)
        if (s->hinge[k].closes)
            return nullptr;
    auto *run = new running;
    run->convention =
        std::strcmp(setting, "aba_world") == 0 ? pin::Convention::WORLD : pin::Convention::LOCAL;
    run->model.gravity.linear() = vec(s->gravity);
    run->joint.resize((size_t)s->body_count);
    run->arm.resize((size_t)s->body_count);
    for (int k = 0; k < s->hinge_count; k++)
        add_body(*run, s, k);
    run->data = std::make_unique<pin::Data>(run->model);
    run->q = run->next = pin::neutral(run->model);
    run->u = run->force = run->turn = Eigen::VectorXd::Zero(run->model.nv);
    for (int k = 0; k < s->hinge_count; k++)
        run->u[run->model.joints[run->joint[(size_t)s->hinge[k].a]].idx_v()] = s->hinge[k].rate;
    return run;
}

const char *step(void *peer, double h)
{
    running &run = *static_cast<running *>(peer);
    pin::aba(run.model, *run.data, run.q, run.u, run.force, run.convention);
    run.u += h * run.data->ddq;
    run.turn = h * run.u;
    pin::integrate(run.model, run.q, run.turn, run.next);
    run.q.swap(run.next);
    return std::isfinite(run.u[0]) ? nullptr : "NaN";
}

void refresh(void *peer)
{
    running &run = *static_cast<running *>(peer);
    pin::forwardKinematics(run.model, *run.data, run.q, run.u);
}

void body(void *peer, int k, engine_motion *out)
{
    const running &run = *static_cast<running *>(peer);
    const pin::JointIndex joint = run.joint[(size_t)k];
    const pin::SE3 &pose = run.data->oMi[joint];
    const pin::Motion &twist = run.data->v[joint]; /* at the joint, in its axes */
    const Eigen::Vector3d &arm = run.arm[(size_t)k];
    const Eigen::Vector3d p = pose.act(arm), w = pose.rotation() * twist.angular();
    const Eigen::Vector3d v = pose.rotation() * (twist.linear() + twist.angular().cross(arm));
    for (int i = 0; i < 3; i++) {
        out->p[i] = p[i];
        out->v[i] = v[i];
        out->w[i] = w[i];
        for (int j = 0; j < 3; j++)
            out->r[i][j] = pose.rotation()(i, j);
    }
}

void destroy(void *peer)
{
    delete static_cast<running *>(peer);
}

} // namespace

int main(int argc, char **argv)
{
    const engine e = {"Pinocchio", PINOCCHIO_VERSION, settings, create, step, refresh, body, destroy};
    return engine_main(argc, argv, &e);
}
