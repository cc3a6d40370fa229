/* call_description.c: see call_description.h. */
#include "support/call_description.h"

#include <string.h>

static void add_body(call_bytes *b, tn_spec *spec)
{
    tn_body_def def = tn_default_body_def();
    const unsigned kind = byte(b);
    def.kind = kind % 4 ? TN_BODY_RIGID : (tn_body_kind)(kind / 4 % TN_BODY_KIND_COUNT);
    def.pose = pose(b);
    def.mass = positive(b);
    def.com = byte(b) % 4 ? (tn_vec3){0.0, 0.0, 0.0} : vector(b);
    if (def.kind == TN_BODY_RIGID || def.kind == TN_BODY_PLANAR) {
        const double a = positive(b);
        def.inertia = (tn_mat3){{{a, 0.0, 0.0}, {0.0, a * 1.2, 0.0}, {0.0, 0.0, a * 0.9}}};
    }
    if (byte(b) % 4 == 0)
        def.velocity = (tn_twist){vector(b), vector(b)};
    (void)tn_spec_add_body(spec, &def, NULL);
}

static void add_joint(call_bytes *b, tn_spec *spec, int32_t bodies)
{
    tn_joint_def def = tn_default_joint_def();
    const tn_joint_type_info *info =
        tn_joint_type_get((tn_joint_type){below(b, tn_joint_type_count())});
    def.type = info->name;
    def.a = (tn_body){below(b, bodies)};
    def.b = (tn_body){below(b, bodies + 1) - 1};
    if (byte(b) % 3 == 0) {
        def.placement = TN_PLACE_BODY_FRAMES;
        def.frame_c = pose(b);
        def.frame_d = pose(b);
    } else {
        def.origin = vector(b);
        def.axis = direction(b);
    }
    for (int32_t i = 0; i < info->parameter_count; i++)
        if (byte(b) % 2)
            def.parameters[i] = number(b);
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        const unsigned what = byte(b);
        if (what % 4 == 0) {
            const double one = number(b), other = number(b);
            def.lower[i] = fmin(one, other);
            def.upper[i] = fmax(one, other);
            def.restitution[i] = what % 8 ? 0.0 : 0.5;
        }
        if (what % 16 == 5)
            def.locked[i] = 1;
        if (what % 16 == 6)
            def.set[i] = number(b);
    }
    for (int32_t k = 0; k < info->row_count && byte(b) % 8 == 0; k++) {
        def.compliance[k] = positive(b) * 1e-3;
        def.damping[k] = positive(b);
    }
    (void)tn_spec_add_joint(spec, &def, NULL);
}

static void add_coupling(call_bytes *b, tn_spec *spec, int32_t joints)
{
    tn_coupling_def def = tn_default_coupling_def();
    tn_coupling_term terms[2];
    memset(terms, 0, sizeof terms);
    for (int k = 0; k < 2; k++) {
        terms[k].joint = (tn_joint){below(b, joints)};
        terms[k].ratio = number(b);
    }
    def.terms = terms;
    def.term_count = 2;
    (void)tn_spec_add_coupling(spec, &def, NULL);
}

void call_describe(call_bytes *b, tn_spec *spec)
{
    const int32_t bodies = 1 + below(b, CALL_BODIES), joints = below(b, CALL_JOINTS + 1);
    for (int32_t k = 0; k < bodies; k++)
        add_body(b, spec);
    for (int32_t k = 0; k < joints; k++)
        add_joint(b, spec, bodies);
    if (joints > 0 && byte(b) % 8 == 0)
        add_coupling(b, spec, joints);
    tn_marker_def marker = tn_default_marker_def();
    marker.body = (tn_body){below(b, bodies)};
    marker.position = vector(b);
    (void)tn_spec_add_marker(spec, &marker, NULL);
}

/* ---- changes ------------------------------------------------------------------------------------ */

tn_joint call_joint_of(int32_t element, int32_t joints, int32_t couplings)
{
    const int32_t coupling = element - joints;
    return coupling >= 0 && coupling < couplings ? tn_coupling_as_joint((tn_coupling){coupling})
                                                 : (tn_joint){element};
}

/* Of any joint or coupling, removed ones too, or of none. */
static tn_joint any_joint(call_bytes *b, const tn_spec *spec)
{
    return call_joint_of(below(b, tn_spec_joint_count(spec) + tn_spec_coupling_count(spec) + 2) - 1,
                         tn_spec_joint_count(spec), tn_spec_coupling_count(spec));
}

static void add_load(call_bytes *b, tn_spec *spec)
{
    tn_load_def def = tn_default_load_def((tn_load_kind)below(b, TN_LOAD_KIND_COUNT));
    const double numbers[3] = {number(b), number(b), number(b)};
    const tn_body body = {below(b, tn_spec_body_count(spec) + 1) - 1};
    def.bodies = &body;
    def.body_count = byte(b) % 4 != 0;
    def.markers[0].i = below(b, 3) - 1;
    def.markers[1].i = below(b, 3) - 1;
    def.joint = any_joint(b, spec);
    def.coordinate = below(b, 3);
    def.linear = byte(b) % 2 ? fabs(numbers[0]) : NAN;
    def.strength = numbers[1];
    for (int k = 0; k < 3; k++)
        def.force[k] = def.moment[k] = def.acceleration[k] =
            (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = numbers + k, .count = 1};
    def.thrust = def.effort = def.force[0];
    (void)tn_spec_add_load(spec, &def, NULL);
}

static void add_measure(call_bytes *b, tn_spec *spec)
{
    tn_measure_def def = tn_default_measure_def((tn_quantity)below(b, TN_QUANTITY_COUNT));
    def.joint = any_joint(b, spec);
    def.coordinate = below(b, 3);
    def.load.i = below(b, 3);
    def.markers[0].i = below(b, 2);
    def.markers[1].i = below(b, 3) - 1;
    (void)tn_spec_add_measure(spec, &def, NULL);
}

static tn_status remove_body(tn_spec *spec, int32_t i)
{
    return tn_spec_remove_body(spec, (tn_body){i});
}

static tn_status remove_joint(tn_spec *spec, int32_t i)
{
    return tn_spec_remove_joint(spec, (tn_joint){i});
}

static tn_status remove_coupling(tn_spec *spec, int32_t i)
{
    return tn_spec_remove_coupling(spec, (tn_coupling){i});
}

static tn_status remove_load(tn_spec *spec, int32_t i)
{
    return tn_spec_remove_load(spec, (tn_load){i});
}

static tn_status remove_measure(tn_spec *spec, int32_t i)
{
    return tn_spec_remove_measure(spec, (tn_measure_id){i});
}

/* The lists of a description, what hangs on others first. */
static const struct {
    int32_t (*count)(const tn_spec *spec);
    tn_status (*remove)(tn_spec *spec, int32_t i);
    int of_state;
} lists[CALL_LISTS] = {
    {tn_spec_measure_count, remove_measure, 0},   {tn_spec_load_count, remove_load, 1},
    {tn_spec_coupling_count, remove_coupling, 1}, {tn_spec_joint_count, remove_joint, 1},
    {tn_spec_body_count, remove_body, 1},
};

/* What is there, or was. */
static unsigned remove_something(call_bytes *b, tn_spec *spec)
{
    const int32_t list = below(b, CALL_LISTS), count = lists[list].count(spec);
    const int gone = count > 0 && lists[list].remove(spec, below(b, count)) == TN_OK;
    return gone && lists[list].of_state ? CALL_EDIT_IS_OF_STATE : 0;
}

unsigned call_edit(call_bytes *b, tn_spec *spec)
{
    switch (below(b, 8)) {
    case 0:
        add_body(b, spec);
        return CALL_EDIT_IS_OF_STATE;
    case 1:
    case 2:
        add_joint(b, spec, tn_spec_body_count(spec));
        return CALL_EDIT_MOVES | CALL_EDIT_IS_OF_STATE;
    case 3:
        add_coupling(b, spec, tn_spec_joint_count(spec) + 1);
        return CALL_EDIT_MOVES | CALL_EDIT_IS_OF_STATE;
    case 4:
        add_load(b, spec);
        return CALL_EDIT_IS_OF_STATE;
    case 5:
        add_measure(b, spec);
        return 0;
    default:
        return remove_something(b, spec);
    }
}

void call_take_back(tn_spec *spec, const int32_t before[CALL_LISTS])
{
    for (int32_t k = 0; k < CALL_LISTS; k++)
        for (int32_t i = before[k]; i < lists[k].count(spec); i++)
            (void)lists[k].remove(spec, i);
}

void call_count(const tn_spec *spec, int32_t counts[CALL_LISTS])
{
    for (int32_t k = 0; k < CALL_LISTS; k++)
        counts[k] = lists[k].count(spec);
}
