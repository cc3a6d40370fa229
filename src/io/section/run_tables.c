/* run_tables.c: the keys of the sections simulation and record.
 *
 * Room io/section. See tables.c, the top of the format.
 */
#include <math.h>
#include <stdbool.h>

#include "io/field/selection.h"
#include "io/section/sections.h"

static const char *integrator_word(int32_t index)
{
    return tn_integrator_name((tn_integrator)index);
}

static const tn_words integrator_words = {integrator_word};

static const char *solver_word(int32_t index)
{
    return tn_solver_name((tn_solver)index);
}

static const tn_words solver_words = {solver_word};

static const char *loop_policy_word(int32_t index)
{
    return tn_loop_policy_name((tn_loop_policy)index);
}

static const tn_words loop_policy_words = {loop_policy_word};

static const char *event_timing_word(int32_t index)
{
    return tn_event_timing_name((tn_event_timing)index);
}

static const tn_words event_timing_words = {event_timing_word};

static const char *formulation_word(int32_t index)
{
    return tn_formulation_name((tn_formulation)index);
}

static const tn_words formulation_words = {formulation_word};

static const tn_field simulation_fields[] = {
    {TN_FIELD("integrator", word, tn_simulation_def, integrator),
     .doc = "How time advances; default generalized_alpha, with an accuracy auto.",
     .extra = &integrator_words},
    {TN_FIELD("solver", word, tn_simulation_def, solver),
     .doc = "How the systems of a step are solved; default direct. Sequential impulses only with "
            "the integrators of first order.",
     .extra = &solver_words},
    {TN_FIELD("iterations", count, tn_simulation_def, iterations),
     .doc = "Sweeps of sequential impulses for the velocities, and for the positions; default 20."},
    {TN_FIELD("events", word, tn_simulation_def, events),
     .doc = "Whether limits, caps and friction change where they are reached within a step "
            "(located, the default) or, with sequential impulses, at the ends of steps (at_steps).",
     .extra = &event_timing_words},
    {TN_FIELD("spectral_radius", number, tn_simulation_def, spectral_radius),
     .doc = "Of generalized_alpha, 0 to 1: what is left after a step of what is too fast for it; "
            "default 0.8, nearer to 1 energy is kept better."},
    {TN_FIELD("formulation", word, tn_simulation_def, formulation),
     .doc = "What generalized_alpha requires of joints at the end of a step: index_3, closed "
            "(default); "
            "stabilized_index_2, closed with speeds that keep them so, which gives smoother "
            "reactions and a third less error of the energy for some more work.",
     .extra = &formulation_words},
    {TN_FIELD("position_tolerance", number, tn_simulation_def, position_tolerance),
     .doc = "Error of a joint, m and rad, that is accepted after a step; default 1e-12."},
    {TN_FIELD("force_tolerance", number, tn_simulation_def, force_tolerance),
     .doc = "Of generalized_alpha: what the forces on a body may be out of balance after a step, "
            "relative to the largest; not required by default, 1e-10 for tight reactions."},
    {TN_FIELD("relative_tolerance", number, tn_simulation_def, relative_tolerance),
     .doc =
         "Of dormand_prince: error of a part of a step, of poses against the model's size or "
         "1 rad, of velocities against the fastest body's; default 1e-9; from 1 on steps are not "
         "divided."},
    {TN_FIELD("absolute_tolerance", number, tn_simulation_def, absolute_tolerance),
     .doc = "Of dormand_prince, added to that: in sizes of the model or rad, and those per second; "
            "default 1e-11."},
    {TN_FIELD("accuracy", number, tn_simulation_def, accuracy),
     .doc = "Requested error of the motion and of unique reactions, relative to the "
            "model's size, a radian and its fastest speeds, 1e-12 to 0.1: steps are then as long "
            "as it allows. Default 1e-6 where the section names no integrator, no step and none of "
            "the keys that go with them; else 0: steps of one length, or tolerances as they are "
            "set."},
    {TN_FIELD("step", number, tn_simulation_def, step),
     .doc = "Time step; default 1e-3. With an accuracy the longest step, and the time between "
            "samples; default then record.every, or a thousandth of the duration.",
     .unit = "s"},
    {TN_FIELD("duration", number, tn_simulation_def, duration), .doc = "Simulated time; default 1.",
     .unit = "s"},
    {TN_FIELD("inconsistent_loops", word, tn_simulation_def, loops),
     .doc = "Loops that no pose closes: refuse them (default; gaps from rounding are only "
            "reported), or "
            "run with the smallest gaps, in the sense of least squares.",
     .extra = &loop_policy_words},
};

const tn_table tn_simulation_table = {.title = "the simulation section",
                                      .section = TN_SECTION_SIMULATION,
                                      TN_FIELDS(simulation_fields)};

tn_simulation_def tn_simulation_unsaid(void)
{
    tn_simulation_def def = tn_default_simulation_def();
    def.integrator = TN_INTEGRATOR_COUNT;
    def.accuracy = def.step = (double)NAN;
    return def;
}

static double usual_step(const tn_simulation_def *def, const tn_record_def *record)
{
    if (def->accuracy == 0.0)
        return tn_default_simulation_def().step;
    if (record->every > 0.0)
        return record->every;
    return def->duration > 0.0 ? def->duration / TN_USUAL_LOOKS : tn_default_simulation_def().step;
}

/* Has something been said that only steps of one length, or tolerances of one's own, go with? */
static bool speaks_of_steps(const tn_simulation_def *def)
{
    const tn_simulation_def usual = tn_default_simulation_def();
    return def->integrator != TN_INTEGRATOR_COUNT || !isnan(def->step) ||
           def->solver != usual.solver || def->iterations != usual.iterations ||
           def->events != usual.events || def->formulation != usual.formulation ||
           def->spectral_radius != usual.spectral_radius ||
           def->force_tolerance != usual.force_tolerance ||
           def->relative_tolerance != usual.relative_tolerance ||
           def->absolute_tolerance != usual.absolute_tolerance;
}

void tn_simulation_settle(tn_simulation_def *def, const tn_record_def *record)
{
    if (isnan(def->accuracy))
        def->accuracy = speaks_of_steps(def) ? 0.0 : TN_USUAL_ACCURACY;
    if (def->integrator == TN_INTEGRATOR_COUNT)
        def->integrator = def->accuracy != 0.0 ? TN_ACCURATE_INTEGRATOR : TN_DEFAULT_INTEGRATOR;
    if (isnan(def->step))
        def->step = usual_step(def, record);
}

/* In the order of the bits of TN_RECORD_... */
static const char *record_word(int32_t index)
{
#define WORD_OF_BIT(name, bit, word, columns, in_plane, meaning) [bit] = word,
    static const char *const words[] = {TN_RECORD_LIST(WORD_OF_BIT)};
#undef WORD_OF_BIT
    return index < (int32_t)TN_COUNT_OF(words) ? words[index] : NULL;
}

static const tn_words record_words = {record_word};

static const char *name_of_body(const tn_spec *spec, int32_t index)
{
    return tn_spec_body(spec, (tn_body){index})->name;
}

static const char *name_of_joint(const tn_spec *spec, int32_t index)
{
    return tn_spec_joint(spec, (tn_joint){index})->name;
}

static const char *name_of_marker(const tn_spec *spec, int32_t index)
{
    return tn_spec_marker(spec, (tn_marker){index})->name;
}

static const char *name_of_coupling(const tn_spec *spec, int32_t index)
{
    return tn_spec_coupling(spec, (tn_coupling){index})->name;
}

static const tn_selection body_selection = {"body", TN_SECTION_BODY,
                                            offsetof(tn_record_def, body_count), name_of_body};
static const tn_selection joint_selection = {"joint", TN_SECTION_JOINT,
                                             offsetof(tn_record_def, joint_count), name_of_joint};
static const tn_selection marker_selection = {
    "marker", TN_SECTION_MARKER, offsetof(tn_record_def, marker_count), name_of_marker};

static const tn_selection coupling_selection = {
    "coupling", TN_SECTION_COUPLING, offsetof(tn_record_def, coupling_count), name_of_coupling};

static const tn_field record_fields[] = {
    {TN_FIELD("every", number, tn_record_def, every),
     .doc = "Time between records; default every step, in tenon run about 1000 frames.",
     .unit = "s"},
    {TN_FIELD("what", flags, tn_record_def, what),
     .doc = "What is recorded; default everything, multipliers last.", .extra = &record_words},
    {TN_FIELD("bodies", selection, tn_record_def, bodies),
     .doc = "Names of the bodies recorded; default all.", .extra = &body_selection},
    {TN_FIELD("joints", selection, tn_record_def, joints),
     .doc = "Names of the joints recorded; default all.", .extra = &joint_selection},
    {TN_FIELD("markers", selection, tn_record_def, markers),
     .doc = "Names of the markers recorded; default all.", .extra = &marker_selection},
    {TN_FIELD("couplings", selection, tn_record_def, couplings),
     .doc = "Names of the couplings recorded; default all.", .extra = &coupling_selection},
};

const tn_table tn_record_table = {
    .title = "the record section", .section = TN_SECTION_RECORD, TN_FIELDS(record_fields)};
