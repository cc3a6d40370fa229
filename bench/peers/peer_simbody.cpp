/* peer_simbody: Simbody in the comparison of bench/peers. A tree of Pin mobilizers; each hinge that
 * closes a loop is a Ball and two ConstantAngle constraints, five equations, with Simbody's own
 * projection and least-squares treatment of redundant ones. */
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <Simbody.h>

#include "engine.h"

namespace
{

using namespace SimTK;

const engine_setting settings[] = {
    {"merson", "Runge-Kutta-Merson, accuracy 1e-3: the default, steps of at most h"},
    {"merson_tight", "Runge-Kutta-Merson, accuracy 1e-8, steps of at most h"},
    {"euler", "semi-explicit Euler with fixed steps h"},
    {nullptr, nullptr},
};

struct running {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    std::vector<MobilizedBodyIndex> body;
    std::unique_ptr<Integrator> integrator;
    std::unique_ptr<TimeStepper> stepper;
    std::string trouble;
};

Vec3 vec(const double v[3])
{
    return Vec3(v[0], v[1], v[2]);
}

MobilizedBody &mobilized(running &run, int body)
{
    return body == SCENE_GROUND ? run.matter.updGround()
                                : run.matter.updMobilizedBody(run.body[(size_t)body]);
}

Vec3 origin(const scene *s, int body)
{
    return body == SCENE_GROUND ? Vec3(0) : vec(s->body[body].p);
}

void add_pin(running &run, const scene *s, const scene_hinge &hinge)
{
    const scene_body &b = s->body[hinge.a];
    const Rotation frame(UnitVec3(vec(hinge.axis)), ZAxis);
    const Inertia inertia(b.inertia[0], b.inertia[1], b.inertia[2]);
    const Body::Rigid rigid(MassProperties(b.mass, Vec3(0), inertia));
    MobilizedBody::Pin pin(mobilized(run, hinge.b),
                           Transform(frame, vec(hinge.p) - origin(s, hinge.b)), rigid,
                           Transform(frame, vec(hinge.p) - vec(b.p)));
    run.body[(size_t)hinge.a] = pin.getMobilizedBodyIndex();
}

void add_closure(running &run, const scene *s, const scene_hinge &hinge)
{
    MobilizedBody &a = mobilized(run, hinge.a), &b = mobilized(run, hinge.b);
    const UnitVec3 axis(vec(hinge.axis)), across = axis.perp();
    const UnitVec3 other(axis % across);
    Constraint::Ball(b, vec(hinge.p) - origin(s, hinge.b), a, vec(hinge.p) - origin(s, hinge.a));
    Constraint::ConstantAngle(b, across, a, axis, Pi / 2);
    Constraint::ConstantAngle(b, other, a, axis, Pi / 2);
}

void choose_integrator(running &run, const char *setting, double h)
{
    if (std::strcmp(setting, "euler") == 0) {
        run.integrator = std::make_unique<SemiExplicitEulerIntegrator>(run.system, h);
    } else {
        run.integrator = std::make_unique<RungeKuttaMersonIntegrator>(run.system);
        run.integrator->setAccuracy(std::strcmp(setting, "merson") == 0 ? 1e-3 : 1e-8);
        run.integrator->setMaximumStepSize(h);
    }
    run.stepper = std::make_unique<TimeStepper>(run.system, *run.integrator);
}

void *create(const scene *s, const char *setting, double h)
{
    auto *run = new running;
    run->body.resize((size_t)s->body_count);
    Force::UniformGravity(run->forces, run->matter, vec(s->gravity));
    for (int k = 0; k < s->hinge_count; k++) {
        if (s->hinge[k].closes)
            add_closure(*run, s, s->hinge[k]);
        else
            add_pin(*run, s, s->hinge[k]);
    }
    try {
        State state = run->system.realizeTopology();
        for (int k = 0; k < s->hinge_count; k++)
            if (!s->hinge[k].closes)
                mobilized(*run, s->hinge[k].a).setOneU(state, 0, s->hinge[k].rate);
        choose_integrator(*run, setting, h);
        run->stepper->initialize(state);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "Simbody: %s\n", e.what());
        delete run;
        return nullptr;
    }
    return run;
}

const char *step(void *peer, double h)
{
    running &run = *static_cast<running *>(peer);
    try {
        run.stepper->stepTo(run.stepper->getTime() + h);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "Simbody: %s\n", e.what());
        return "gives up (exception)";
    }
    return nullptr;
}

void refresh(void *peer)
{
    running &run = *static_cast<running *>(peer);
    run.system.realize(run.stepper->getState(), Stage::Velocity);
}

void body(void *peer, int k, engine_motion *out)
{
    running &run = *static_cast<running *>(peer);
    const State &state = run.stepper->getState();
    const MobilizedBody &b = mobilized(run, k);
    const Transform &pose = b.getBodyTransform(state);
    const SpatialVec &velocity = b.getBodyVelocity(state);
    for (int i = 0; i < 3; i++) {
        out->p[i] = pose.p()[i];
        out->w[i] = velocity[0][i];
        out->v[i] = velocity[1][i];
        for (int j = 0; j < 3; j++)
            out->r[i][j] = pose.R()[i][j];
    }
}

void destroy(void *peer)
{
    delete static_cast<running *>(peer);
}

} // namespace

int main(int argc, char **argv)
{
    const engine e = {"Simbody", "3.7", settings, create, step, refresh, body, destroy};
    return engine_main(argc, argv, &e);
}
