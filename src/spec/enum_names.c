/* enum_names.c: the words of the enumerations that the lists of the public headers spell out.
 *
 * Room spec.
 */
#include "spec/spec_internal.h"

#include <string.h>

/* Index of name in names, -1 when it is not there. */
static int find_name(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Of an entry (value, name, ...) of a list. */
#define SECOND(value, name, ...) name,
#define NAME(...)                SECOND(__VA_ARGS__, 0)

/* tn_WHAT_name; NULL for what is no value. */
#define NAMES(what, LIST, COUNT)                                                                   \
    static const char *const what##_names[] = {LIST(NAME)};                                        \
    const char *tn_##what##_name(tn_##what value)                                                  \
    {                                                                                              \
        return (unsigned)value < (unsigned)(COUNT) ? what##_names[value] : NULL;                   \
    }

/* tn_WHAT_find: TN_ERROR_NOT_FOUND, and out as it was, for an unknown name. */
#define FINDER(what, COUNT)                                                                        \
    tn_status tn_##what##_find(const char *name, tn_##what *out)                                   \
    {                                                                                              \
        TN_DEMAND(name &&out, TN_ERROR_ARGUMENT);                                                  \
        const int found = find_name(what##_names, COUNT, name);                                    \
        if (found < 0) {                                                                           \
            return TN_ERROR_NOT_FOUND;                                                             \
        }                                                                                          \
        *out = (tn_##what)found;                                                                   \
        return TN_OK;                                                                              \
    }

NAMES(world_kind, TN_WORLD_KIND_LIST, TN_WORLD_KIND_COUNT)
NAMES(up, TN_UP_LIST, TN_UP_COUNT)
NAMES(body_kind, TN_BODY_KIND_LIST, TN_BODY_KIND_COUNT)
FINDER(body_kind, TN_BODY_KIND_COUNT)
#define INTEGRATORS(X)                          TN_INTEGRATOR_LIST(QUOTED)
#define QUOTED(id, name, text, order, controls) #name,
NAMES(integrator, INTEGRATORS, TN_INTEGRATOR_COUNT)
FINDER(integrator, TN_INTEGRATOR_COUNT)
NAMES(solver, TN_SOLVER_LIST, TN_SOLVER_COUNT)
FINDER(solver, TN_SOLVER_COUNT)
NAMES(loop_policy, TN_LOOP_POLICY_LIST, TN_LOOPS_COUNT)
NAMES(event_timing, TN_EVENT_TIMING_LIST, TN_EVENT_TIMING_COUNT)
FINDER(event_timing, TN_EVENT_TIMING_COUNT)
NAMES(formulation, TN_FORMULATION_LIST, TN_FORMULATION_COUNT)
FINDER(formulation, TN_FORMULATION_COUNT)
NAMES(frame_style, TN_FRAME_STYLE_LIST, TN_FRAME_STYLE_COUNT)
NAMES(coupling_hold, TN_COUPLING_HOLD_LIST, TN_COUPLING_HOLD_COUNT)
NAMES(load_kind, TN_LOAD_KIND_LIST, TN_LOAD_KIND_COUNT)
NAMES(load_axes, TN_LOAD_AXES_LIST, TN_LOAD_AXES_COUNT)
NAMES(measure_kind, TN_MEASURE_KIND_LIST, TN_MEASURE_KIND_COUNT)
NAMES(quantity, TN_QUANTITY_LIST, TN_QUANTITY_COUNT)
NAMES(reaction_axes, TN_REACTION_AXES_LIST, TN_REACTION_AXES_COUNT)
NAMES(vector_component, TN_COMPONENT_LIST, TN_COMPONENT_COUNT)

const char *tn_integrator_summary(tn_integrator integrator)
{
    static const char *const summaries[] = {
#define SUMMARY(id, name, text, order, controls) text,
        TN_INTEGRATOR_LIST(SUMMARY)
#undef SUMMARY
    };
    return (unsigned)integrator < TN_INTEGRATOR_COUNT ? summaries[integrator] : NULL;
}

int tn_integrator_order(tn_integrator integrator)
{
    static const int8_t orders[] = {
#define ORDER(id, name, text, order, controls) order,
        TN_INTEGRATOR_LIST(ORDER)
#undef ORDER
    };
    return (unsigned)integrator < TN_INTEGRATOR_COUNT ? orders[integrator] : 0;
}

int tn_integrator_controls_errors(tn_integrator integrator)
{
    static const int8_t controls_errors[] = {
#define CONTROLS(id, name, text, order, controls) controls,
        TN_INTEGRATOR_LIST(CONTROLS)
#undef CONTROLS
    };
    return (unsigned)integrator < TN_INTEGRATOR_COUNT ? controls_errors[integrator] : 0;
}
