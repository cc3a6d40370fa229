/* simbody.cpp: bench/accuracy: Simbody on the same mechanisms, by its own Runge-Kutta-Merson, as its
 * manual proposes: trees of mobilizers with as many coordinates as they have freedoms. Hinges that
 * close loops are a ball and two constant angles in space, two points in planes in the plane. */
#include <cstring>
#include <memory>
#include <vector>

#include <Simbody.h>

extern "C" {
#include "precision.h"
}

namespace
{

using namespace SimTK;

struct running {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    const char *name = "";
    const mechanism *like = nullptr;
    std::vector<MobilizedBodyIndex> body;
    std::unique_ptr<RungeKuttaMersonIntegrator> integrator;
    std::unique_ptr<TimeStepper> stepper;
};

Vec3 vec(tn_vec3 v)
{
    return Vec3(v.x, v.y, v.z);
}

Transform transform(tn_pose t)
{
    return Transform(Rotation(Quaternion(t.q.w, t.q.x, t.q.y, t.q.z)), vec(t.p));
}

bool is(const running &run, const char *name)
{
    return std::strcmp(run.name, name) == 0;
}

Body::Rigid body_of(const running &run, tn_body id)
{
    const tn_mass_properties mass = tn_model_body_mass(run.like->model, id);
    const double(*J)[3] = mass.inertia.m;
    const bool flat = is(run, "A03"); /* turns about z only */
    const Inertia inertia = flat ? Inertia(J[2][2], J[2][2], J[2][2])
                                 : Inertia(J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2]);
    return Body::Rigid(MassProperties(mass.mass, vec(mass.com),
                                      inertia.shiftFromMassCenter(vec(mass.com), mass.mass)));
}

MobilizedBody &mobilized(running &run, tn_body id)
{
    return id.i == TN_GROUND_INDEX ? run.matter.updGround()
                                   : run.matter.updMobilizedBody(run.body[(size_t)id.i]);
}

bool is_there(const running &run, tn_body id)
{
    return id.i == TN_GROUND_INDEX || run.body[(size_t)id.i].isValid();
}

struct ends {
    tn_body a, b;
    Transform c, d; /* in a, in b */
};

ends ends_of(const running &run, int joint)
{
    tn_pose c, d;
    ends out;
    tn_model_joint_bodies(run.like->model, {joint}, &out.a, &out.b);
    tn_model_joint_frames(run.like->model, {joint}, &c, &d);
    out.c = transform(c);
    out.d = transform(d);
    return out;
}

void close(running &run, const ends &e)
{
    MobilizedBody &a = mobilized(run, e.a), &b = mobilized(run, e.b);
    if (is(run, "A03")) {
        Constraint::PointInPlane(b, e.d.x(), dot(e.d.x(), e.d.p()), a, e.c.p());
        Constraint::PointInPlane(b, e.d.y(), dot(e.d.y(), e.d.p()), a, e.c.p());
        return;
    }
    Constraint::Ball(b, e.d.p(), a, e.c.p());
    Constraint::ConstantAngle(b, e.d.x(), a, e.c.z(), Pi / 2);
    Constraint::ConstantAngle(b, e.d.y(), a, e.c.z(), Pi / 2);
}

tn_vec3 turning(const running &run, tn_body id)
{
    return id.i == TN_GROUND_INDEX ? tn_vec3{0.0, 0.0, 0.0}
                                   : tn_sim_body_velocity(run.like->sim, id).w;
}

/* Hinges: a tree, as far as bodies are new; the others close loops. Returns the speeds. */
std::vector<std::pair<MobilizedBodyIndex, double>> add_hinges(running &run)
{
    std::vector<std::pair<MobilizedBodyIndex, double>> speeds;
    std::vector<bool> used(16, false);
    const int hinges = is(run, "A03") ? 10 : tn_model_get_size(run.like->model).joints;
    for (bool grows = true; grows;) {
        grows = false;
        for (int j = 0; j < hinges; j++) {
            const ends e = ends_of(run, j);
            if (used[(size_t)j] || is_there(run, e.a) == is_there(run, e.b))
                continue;
            const bool turned = is_there(run, e.a);
            const tn_body child = turned ? e.b : e.a, parent = turned ? e.a : e.b;
            MobilizedBody::Pin pin(mobilized(run, parent), turned ? e.c : e.d, body_of(run, child),
                                   turned ? e.d : e.c);
            run.body[(size_t)child.i] = pin.getMobilizedBodyIndex();
            const Rotation world = transform(tn_sim_body_pose(run.like->sim, e.a)).R();
            const Vec3 axis = world * Vec3(e.c.z());
            const Vec3 w = vec(turning(run, child)) - vec(turning(run, parent));
            speeds.emplace_back(pin.getMobilizedBodyIndex(), dot(axis, w));
            used[(size_t)j] = grows = true;
        }
    }
    for (int j = 0; j < hinges; j++)
        if (!used[(size_t)j])
            close(run, ends_of(run, j));
    return speeds;
}

/* The spring and the moment of the squeezer. */
void drive(running &run)
{
    Force::MobilityConstantForce(run.forces, mobilized(run, {0}), 0, 0.033);
    const Transform arm = transform(tn_sim_body_pose(run.like->sim, {2}));
    const Vec3 end(-0.010472393940882346, 0.025357788347509479, 0); /* m, in the world */
    Force::TwoPointLinearSpring(run.forces, run.matter.updGround(), Vec3(0.014, 0.072, 0),
                                mobilized(run, {2}), ~arm * end, 4530, 0.07785);
}

State initial(running &run)
{
    if (is(run, "A01")) {
        MobilizedBody::Pin ball(run.matter.updGround(), Transform(),
                                Body::Rigid(MassProperties(1, Vec3(-1, 0, 0), Inertia(0, 1, 1))),
                                Transform());
        run.body[0] = ball.getMobilizedBodyIndex();
        return run.system.realizeTopology();
    }
    if (is(run, "P06")) {
        MobilizedBody::Ball top(run.matter.updGround(), Transform(), body_of(run, {0}),
                                Transform());
        run.body[0] = top.getMobilizedBodyIndex();
        State state = run.system.realizeTopology();
        top.setUToFitAngularVelocity(state, Vec3(0.01, 3, 0.02));
        return state;
    }
    const auto speeds = add_hinges(run);
    if (is(run, "A03"))
        drive(run);
    State state = run.system.realizeTopology();
    for (const auto &speed : speeds)
        run.matter.getMobilizedBody(speed.first).setOneU(state, 0, speed.second);
    return state;
}

void *create(const accuracy_case *c, const mechanism *m, double accuracy)
{
    auto *run = new running;
    run->name = c->name;
    run->like = m;
    run->body.resize((size_t)tn_model_get_size(m->model).bodies);
    const tn_vec3 gravity = tn_spec_world(m->spec)->gravity;
    if (gravity.x != 0 || gravity.y != 0 || gravity.z != 0)
        Force::UniformGravity(run->forces, run->matter, vec(gravity));
    try {
        const State state = initial(*run);
        run->integrator = std::make_unique<RungeKuttaMersonIntegrator>(run->system);
        run->integrator->setAccuracy(accuracy);
        run->stepper = std::make_unique<TimeStepper>(run->system, *run->integrator);
        run->stepper->initialize(state);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "Simbody: %s\n", e.what());
        delete run;
        return nullptr;
    }
    return run;
}

int go(void *peer, double time)
{
    try {
        static_cast<running *>(peer)->stepper->stepTo(time);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "Simbody: %s\n", e.what());
        return 0;
    }
    return 1;
}

double *put(double *at, const Vec3 &v)
{
    for (int i = 0; i < 3; i++)
        *at++ = v[i];
    return at;
}

void see(void *peer, double *seen)
{
    running &run = *static_cast<running *>(peer);
    const State &state = run.stepper->getState();
    run.system.realize(state, Stage::Velocity);
    const MobilizedBody &first = run.matter.getMobilizedBody(run.body[0]);
    if (is(run, "A01")) {
        double p[3];
        put(p, first.findStationLocationInGround(state, Vec3(-1, 0, 0)));
        seen[0] = p[0];
        seen[1] = p[1];
        return;
    }
    if (is(run, "P06")) {
        for (int i = 0; i < 9; i++)
            seen[i] = first.getBodyRotation(state)[i / 3][i % 3];
        put(seen + 9, first.getBodyAngularVelocity(state));
        return;
    }
    if (is(run, "A03") || is(run, "P14")) {
        seen[0] = first.getOneQ(state, 0) + (is(run, "A03") ? -0.0620 : 1.2);
        seen[1] = first.getOneU(state, 0);
        seen += 2;
    }
    const int count = is(run, "A03") ? 1 : tn_model_get_size(run.like->model).markers;
    for (int k = 0; k < count; k++) {
        const tn_marker_def *marker = tn_spec_marker(run.like->spec, {k});
        const Vec3 p =
            mobilized(run, marker->body).findStationLocationInGround(state, vec(marker->position));
        double all[3];
        put(all, p);
        for (int i = 0; i < (is(run, "A03") ? 2 : 3); i++)
            *seen++ = all[i];
    }
}

void destroy(void *peer)
{
    delete static_cast<running *>(peer);
}

} // namespace

extern "C" const engine engine_simbody = {"Simbody", create, go, see, destroy};
