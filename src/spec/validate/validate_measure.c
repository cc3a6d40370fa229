/* validate_measure.c: does the quantity of a measure exist?
 *
 * Room spec/validate. In: a measure of a spec. Out: complaints. The keys are those of model files.
 */
#include <math.h>

#include "spec/validate/check.h"
#include "spec/measure/measure_fields.h"

/* Of a joint, or the value of a coupling as a joint. */
static void check_coordinate(tn_check *check, const tn_measure_def *def)
{
    const tn_spec *spec = check->spec;
    const int32_t j = def->joint.i;
    const bool coupling = j >= TN_COUPLING_JOINTS;
    tn_joint_type type;
    tn_joint_own_info own;
    if (!tn_check_index(check, "coordinate", coupling ? TN_SECTION_COUPLING : TN_SECTION_JOINT,
                        coupling ? j - TN_COUPLING_JOINTS : j, def->joint.of,
                        coupling ? "coupling" : "joint")) {
        return;
    }
    int32_t count = 1; /* of a coupling */
    if (!coupling) {
        const tn_joint_def *joint = &spec->joints[j].def;
        const int sound = joint->data == NULL || check->status == TN_OK;
        if (!sound || tn_joint_type_find(joint->type, &type) != TN_OK) {
            return; /* complained about already */
        }
        count = tn_joint_info(type, joint->data, &own)->coordinate_count;
    }
    if (def->coordinate < 0 || def->coordinate >= count) {
        tn_complain(check, "coordinate", TN_WHOLE_FIELD, NULL, "there is no coordinate number %d",
                    (int)def->coordinate);
    }
}

static void check_marker(tn_check *check, const char *key, tn_marker marker)
{
    tn_check_index(check, key, TN_SECTION_MARKER, marker.i, marker.of, "marker");
}

static void check_motion(tn_check *check, const tn_measure_def *def)
{
    tn_check_index(check, "joint", TN_SECTION_JOINT, def->joint.i, def->joint.of, "joint");
}

static void check_reaction(tn_check *check, const tn_measure_def *def)
{
    tn_check_index(check, "reaction", TN_SECTION_JOINT, def->joint.i, def->joint.of, "joint");
    if (def->about.i >= 0) {
        check_marker(check, "about", def->about);
    }
}

/* A joint that lets nothing move carries a wrench through one section. */
static void check_section(tn_check *check, const tn_measure_def *def)
{
    tn_joint_type type;
    tn_joint_own_info own;
    if (!tn_check_index(check, "section", TN_SECTION_JOINT, def->joint.i, def->joint.of, "joint")) {
        return;
    }
    const tn_joint_def *joint = &check->spec->joints[def->joint.i].def;
    const int sound = joint->data == NULL || check->status == TN_OK;
    if (sound && tn_joint_type_find(joint->type, &type) == TN_OK &&
        tn_joint_info(type, joint->data, &own)->bilateral_count != TN_MAX_ROWS) {
        tn_complain(check, "section", TN_WHOLE_FIELD, "reaction: of any joint",
                    "a section is that of a beam element or a weld, not of a %s", joint->type);
    }
}

static void check_of_marker(tn_check *check, const tn_measure_def *def)
{
    check_marker(check, "marker", def->markers[0]);
    if (def->markers[1].i >= 0) {
        check_marker(check, "relative_to", def->markers[1]);
    }
}

static void check_between(tn_check *check, const tn_measure_def *def)
{
    const char *key = tn_measure_kind_name(tn_quantity_kind(def->quantity));
    check_marker(check, key, def->markers[0]);
    check_marker(check, key, def->markers[1]);
}

static void check_load(tn_check *check, const tn_measure_def *def)
{
    tn_check_index(check, "load", TN_SECTION_LOAD, def->load.i, def->load.of, "load");
}

/* Bound once more when the model is compiled; here for the message. */
static void check_formula(tn_check *check, const tn_measure_def *def)
{
    if (def->formula == NULL) {
        tn_complain(check, "formula", TN_WHOLE_FIELD, NULL, "the measure has no formula");
    }
}

static void check_nothing(tn_check *check, const tn_measure_def *def)
{
    (void)check;
    (void)def;
}

/* Does the quantity have a component of that kind? Moments and angular momenta in the plane are
 * numbers. */
static void check_component(tn_check *check, const tn_measure_def *def)
{
    const tn_quantity q = def->quantity;
    const int planar = check->spec->world.kind == TN_WORLD_PLANAR;
    const int moment = tn_measure_form_of(q) == TN_FORM_MOMENT;
    const int vector = tn_measure_form_of(q) == TN_FORM_VECTOR;
    const tn_vector_component c = def->component;
    if (c == TN_COMPONENT_ALL || c == TN_COMPONENT_MAGNITUDE) {
        if (c == TN_COMPONENT_MAGNITUDE && q == TN_QUANTITY_WRENCH) {
            tn_complain(check, "component", TN_WHOLE_FIELD, "quantity: force, or moment",
                        "force and moment have no common magnitude");
        }
        return;
    }
    if (!moment && !vector) {
        tn_complain(check, "component", TN_WHOLE_FIELD,
                    q == TN_QUANTITY_WRENCH ? "quantity: force, or moment" : "leave it out",
                    "'%s' has no component '%s'", tn_quantity_name(q), tn_vector_component_name(c));
    } else if (planar && (c == TN_COMPONENT_Z) != moment) {
        tn_complain(check, "component", TN_WHOLE_FIELD, NULL,
                    "in the plane '%s' has no component '%s'", tn_quantity_name(q),
                    tn_vector_component_name(c));
    }
}

void tn_check_measure(tn_check *check, const tn_measure_def *def)
{
    static void (*const checks[TN_MEASURE_KIND_COUNT])(tn_check *, const tn_measure_def *) = {
        [TN_MEASURE_COORDINATE] = check_coordinate,
        [TN_MEASURE_REACTION] = check_reaction,
        [TN_MEASURE_JOINT] = check_motion,
        [TN_MEASURE_MARKER] = check_of_marker,
        [TN_MEASURE_DISTANCE] = check_between,
        [TN_MEASURE_ANGLE] = check_between,
        [TN_MEASURE_ENERGY] = check_nothing,
        [TN_MEASURE_MOMENTUM] = check_nothing,
        [TN_MEASURE_LOAD] = check_load,
        [TN_MEASURE_FORMULA] = check_formula,
        [TN_MEASURE_SECTION] = check_section};
    if ((unsigned)def->quantity >= TN_QUANTITY_COUNT ||
        (unsigned)def->component >= TN_COMPONENT_COUNT ||
        (unsigned)def->axes >= TN_REACTION_AXES_COUNT ||
        (unsigned)def->part > TN_WRENCH_PART_COUNT) {
        tn_complain(check, "quantity", TN_WHOLE_FIELD, NULL,
                    "there is no such quantity, component, axes or part");
        return;
    }
    checks[tn_quantity_kind(def->quantity)](check, def);
    check_component(check, def);
}
