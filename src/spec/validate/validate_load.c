/* validate_load.c: can a load act like that?
 *
 * Room spec/validate. In: a load of a spec. Out: complaints. A load's kind says which of its parts mean
 * something: what it acts on, and with what. The keys are those of model files.
 */
#include <math.h>

#include "spec/validate/check.h"

static int is_given(const tn_function_def *def)
{
    return def->kind != TN_FUNCTION_NONE;
}

static int any_given(const tn_function_def def[3])
{
    return is_given(&def[0]) || is_given(&def[1]) || is_given(&def[2]);
}

static void check_function(tn_check *check, const char *key, const tn_function_def *def)
{
    char text[TN_FUNCTION_TEXT];
    const char *problem = tn_function_explain(def, 't', text);
    if (problem != NULL) {
        tn_complain(check, key, TN_WHOLE_FIELD, NULL, "%s %s", key, problem);
    }
}

static void check_functions(tn_check *check, const char *key, const tn_function_def def[3])
{
    for (int i = 0; i < 3; i++) {
        check_function(check, key, &def[i]);
    }
}

/* A number that may be unset. */
static void check_coefficient(tn_check *check, const char *key, double value, const char *label)
{
    if (!isnan(value)) {
        tn_check_not_negative(check, key, TN_WHOLE_FIELD, value, label);
    }
}

static void check_point(tn_check *check, const char *key, tn_vec3 point)
{
    if (!isnan(point.x)) {
        tn_check_vector(check, key, point, key);
    }
}

/* Does the body move, so that a load on it does something? Ground and indices that are wrong
 * anyway: no. */
static int moves(const tn_check *check, int32_t body)
{
    return body >= 0 && body < check->spec->body_count &&
           check->spec->bodies[body].def.kind != TN_BODY_FIXED;
}

static void check_bodies(tn_check *check, const tn_load_def *def)
{
    for (int32_t i = 0; i < def->body_count; i++) {
        const int32_t body = def->bodies[i].i;
        const char *key = def->kind == TN_LOAD_WRENCH ? "body" : "bodies";
        if (tn_check_index(check, key, TN_SECTION_BODY, body, def->bodies[i].of, "body") &&
            !moves(check, body)) {
            tn_complain(check, key, TN_WHOLE_FIELD, "leave it out",
                        "'%.100s' does not move: a load on it does nothing",
                        check->spec->bodies[body].def.name);
        }
    }
}

/* The body of a marker; ground for what is no marker. */
static int32_t body_of(const tn_check *check, tn_marker marker)
{
    return marker.i >= 0 && marker.i < check->spec->marker_count
               ? check->spec->markers[marker.i].def.body.i
               : TN_GROUND_INDEX;
}

/* In a planar world only what acts in the plane can be meant. */
static void check_plane(tn_check *check, const tn_load_def *def)
{
    if (check->spec->world.kind != TN_WORLD_PLANAR) {
        return;
    }
    if (is_given(&def->force[2])) {
        tn_complain(check, "force", TN_WHOLE_FIELD, "leave the third component out",
                    "a force in the plane has no z");
    }
    if (is_given(&def->moment[0]) || is_given(&def->moment[1])) {
        tn_complain(check, "moment", TN_WHOLE_FIELD, "give one number, the moment about z",
                    "a moment in the plane is about z");
    }
}

static void check_wrench(tn_check *check, const tn_load_def *def)
{
    const int by_marker = def->markers[0].i >= 0;
    if (by_marker == (def->body_count == 1)) {
        tn_complain(check, "body", TN_WHOLE_FIELD, "body: name, or marker: name",
                    "a force or moment acts on one body or at one marker");
    }
    if (by_marker &&
        tn_check_index(check, "marker", TN_SECTION_MARKER, def->markers[0].i, def->markers[0].of,
                       "marker") &&
        !moves(check, body_of(check, def->markers[0]))) {
        tn_complain(check, "marker", TN_WHOLE_FIELD, "take a marker of a body that moves",
                    "the marker does not move: a load at it does nothing");
    }
    if (by_marker && !isnan(def->point.x)) {
        tn_complain(check, "at", TN_WHOLE_FIELD, NULL, "the marker is the point already");
    }
    if (!by_marker && def->axes == TN_AXES_MARKER) {
        tn_complain(check, "axes", TN_WHOLE_FIELD, "axes: body, or marker: name instead of body",
                    "there is no marker whose axes these could be");
    }
    if (!any_given(def->force) && !any_given(def->moment)) {
        tn_complain(check, "force", TN_WHOLE_FIELD, NULL, "it has neither a force nor a moment");
    }
    check_bodies(check, def);
    check_point(check, "at", def->point);
    check_plane(check, def);
}

static void check_pair(tn_check *check, const tn_load_def *def)
{
    int good = 1;
    for (int i = 0; i < 2; i++) {
        good &= tn_check_index(check, "between", TN_SECTION_MARKER, def->markers[i].i,
                               def->markers[i].of, "marker");
    }
    const int32_t a = body_of(check, def->markers[0]), b = body_of(check, def->markers[1]);
    if (good && a == b) {
        tn_complain(check, "between", TN_WHOLE_FIELD, "take markers of two bodies",
                    "both markers are on the same body: what acts between them does nothing");
    } else if (good && !moves(check, a) && !moves(check, b)) {
        tn_complain(check, "between", TN_WHOLE_FIELD, "take a marker of a body that moves",
                    "neither marker moves: what acts between them does nothing");
    }
    if (!any_given(def->force) && !any_given(def->moment) && !is_given(&def->thrust)) {
        tn_complain(check, "between", TN_WHOLE_FIELD, "thrust: pushes the markers apart",
                    "it has neither a thrust nor a force nor a moment");
    }
    check_plane(check, def);
}

static void check_effort(tn_check *check, const tn_load_def *def)
{
    if (!tn_check_index(check, "coordinate", TN_SECTION_JOINT, def->joint.i, def->joint.of,
                        "joint")) {
        return;
    }
    const tn_joint_def *joint = &check->spec->joints[def->joint.i].def;
    tn_joint_type type;
    const int sound = joint->data == NULL || check->status == TN_OK; /* its lists are no trouble */
    const int known = sound && tn_joint_type_find(joint->type, &type) == TN_OK;
    tn_joint_own_info own;
    const tn_joint_type_info *info = known ? tn_joint_info(type, joint->data, &own) : NULL;
    if (info != NULL && (def->coordinate < 0 || def->coordinate >= info->coordinate_count)) {
        tn_complain(check, "coordinate", TN_WHOLE_FIELD, NULL, "%s has no coordinate number %d",
                    info->name, (int)def->coordinate);
    }
    if (!is_given(&def->effort)) {
        tn_complain(check, "effort", TN_WHOLE_FIELD, NULL, "it has no effort");
    }
}

static void check_uniform(tn_check *check, const tn_load_def *def)
{
    check_bodies(check, def);
    if (!any_given(def->acceleration)) {
        tn_complain(check, "acceleration", TN_WHOLE_FIELD, NULL, "it has no acceleration");
    }
    if (check->spec->world.kind == TN_WORLD_PLANAR && is_given(&def->acceleration[2])) {
        tn_complain(check, "acceleration", TN_WHOLE_FIELD, "leave the third component out",
                    "an acceleration in the plane has no z");
    }
}

static void check_gravity(tn_check *check, const tn_load_def *def)
{
    check_bodies(check, def);
    tn_check_finite(check, "gravity_scale", TN_WHOLE_FIELD, def->scale, "gravity_scale");
}

static void check_drag(tn_check *check, const tn_load_def *def)
{
    check_bodies(check, def);
    check_point(check, "drag", def->point);
    if (!isnan(def->point.x) && def->body_count != 1) {
        tn_complain(check, "drag", TN_WHOLE_FIELD, "one load for each body",
                    "a point of drag is that of one body");
    }
    check_coefficient(check, "drag", def->linear, "linear");
    check_coefficient(check, "drag", def->quadratic, "quadratic");
    check_coefficient(check, "drag", def->rotary, "rotary");
    check_coefficient(check, "drag", def->rotary_quadratic, "rotary_quadratic");
    if (isnan(def->linear) && isnan(def->quadratic) && isnan(def->rotary) &&
        isnan(def->rotary_quadratic)) {
        tn_complain(check, "drag", TN_WHOLE_FIELD, "linear, quadratic, rotary, rotary_quadratic",
                    "the drag has no coefficient");
    }
}

static void check_central(tn_check *check, const tn_load_def *def)
{
    const int by_marker = def->markers[0].i >= 0;
    check_bodies(check, def);
    check_point(check, "central", def->point);
    if (by_marker) {
        tn_check_index(check, "central", TN_SECTION_MARKER, def->markers[0].i, def->markers[0].of,
                       "marker");
    }
    if (by_marker != isnan(def->point.x)) {
        tn_complain(check, "central", TN_WHOLE_FIELD, "marker: name, or point: [x, y, z]",
                    "the centre is one marker or one point");
    }
    tn_check_finite(check, "central", TN_WHOLE_FIELD, def->strength, "strength");
    if (!isnan(def->exponent)) {
        tn_check_finite(check, "central", TN_WHOLE_FIELD, def->exponent, "exponent");
    }
}

static void check_pressure(tn_check *check, const tn_load_def *def)
{
    const tn_spec *spec = check->spec;
    if (!TN_IN(def->solid.i, spec->solid_count) ||
        !TN_IN(def->surface, spec->solids[def->solid.i].surface_count)) {
        tn_complain(check, "surface", TN_WHOLE_FIELD, NULL, "there is no such surface of a solid");
    } else if (spec->solids[def->solid.i].modal) {
        tn_complain(check, "surface", TN_WHOLE_FIELD, "leave 'modal' out, or load its holds",
                    "'%.100s' is a modal body, which bears no pressure",
                    spec->solids[def->solid.i].name);
    } else if (spec->solids[def->solid.i].surfaces[def->surface].count == 0) {
        tn_complain(check, "surface", TN_WHOLE_FIELD, "take all nodes of its faces",
                    "the surface '%.100s' has no whole face of the outside",
                    spec->solids[def->solid.i].surfaces[def->surface].name);
    }
    if (!is_given(&def->pressure)) {
        tn_complain(check, "pressure", TN_WHOLE_FIELD, NULL, "it has no pressure");
    }
}

void tn_check_load(tn_check *check, const tn_load_def *def)
{
    static void (*const checks[TN_LOAD_KIND_COUNT])(tn_check *, const tn_load_def *) = {
        [TN_LOAD_WRENCH] = check_wrench,   [TN_LOAD_PAIR] = check_pair,
        [TN_LOAD_EFFORT] = check_effort,   [TN_LOAD_UNIFORM] = check_uniform,
        [TN_LOAD_GRAVITY] = check_gravity, [TN_LOAD_DRAG] = check_drag,
        [TN_LOAD_CENTRAL] = check_central, [TN_LOAD_PRESSURE] = check_pressure};
    if ((unsigned)def->kind >= TN_LOAD_KIND_COUNT || (unsigned)def->axes >= TN_LOAD_AXES_COUNT) {
        tn_complain(check, "force", TN_WHOLE_FIELD, NULL, "there is no such kind of load or axes");
        return;
    }
    check_functions(check, "force", def->force);
    check_functions(check, "moment", def->moment);
    check_functions(check, "acceleration", def->acceleration);
    check_functions(check, "drag", def->medium);
    check_function(check, "between", &def->thrust);
    check_function(check, "effort", &def->effort);
    check_function(check, "pressure", &def->pressure);
    checks[def->kind](check, def);
}
