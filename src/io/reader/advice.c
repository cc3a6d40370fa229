/* advice.c: words and forms of other programs, and what Tenon calls them (advice.h).
 *
 * Room io/reader. A table of words by the mapping they stand in; forms are recognised by what is there.
 */
#include "io/reader/advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/reader/scope.h"
#include "quantity/unit.h"

/* Keys of every shape. */
#define BESIDE " mass density position material "

/* Words that one key, or one sentence, answers. */
static const struct {
    const char *title; /* of the mapping */
    const char *words; /* between blanks */
    const char *advice;
} others[] = {
    {"a model", " body link links segments rigid_bodies ", "write 'bodies'"},
    {"a model", " joint constraint constraints connectors hinges ", "write 'joints'"},
    {"a model", " spring springs damper dampers bushings ",
     "a spring stands in a joint: spring: {theta: {stiffness: 2 N m/rad, damping: 0.1 N m s/rad}}; "
     "between two points the joint is a 'distance', its coordinate 'length'"},
    {"a model", " motor motors actuator actuators drive drives ",
     "a motor stands in a joint: motor: {theta: {speed: 60 rpm, max_force: 5 N m}}"},
    {"a model", " load force forces torque torques moments ", "write 'loads'"},
    {"a model", " measure output outputs sensor sensors plots ",
     "write 'measures' for what is to be plotted, 'record' for when and what"},
    {"a model", " units unit ", "a number may say its unit, 150 mm; 'angle: deg' is for angles"},
    {"a model", " parameter variables constants define params ", "write 'parameters'"},
    {"a model", " part template templates modules assemblies ",
     "write 'parts' for mechanisms to be used again, 'instances' for where"},
    {"a model", " marker points sites ", "write 'markers'"},
    {"a model", " step dt duration time integrator solver accuracy tolerance end_time ",
     "it stands in 'simulation', as in simulation: {duration: 2, accuracy: 1.0e-6}"},
    {"a model", " ground world_body base ",
     "the ground needs no body: a joint without 'b' is on it"},
    {"a model", " gear gears belts pulleys mimic ", "write 'couplings'"},
    {"a body", " rotation orientation euler rot attitude ",
     "rpy: [roll, pitch, yaw], axis_angle: [x, y, z, angle], quaternion: [w, x, y, z], matrix or "
     "axes; 'angle' in the plane"},
    {"a body", " origin pos pose location translation xyz ", "write 'position'"},
    {"a body", " com cog cg center centre centre_of_mass center_of_gravity ",
     "write 'center_of_mass'"},
    {"a body", " shape geometry geom visual collision box sphere cylinder mesh ",
     "write shapes: [box: {size: [0.1, 0.02, 0.01]}]"},
    {"a body", " J I moment_of_inertia inertia_tensor ixx izz ", "write 'inertia'"},
    {"a body", " type fixed static ", "write 'kind': rigid, fixed, planar or particle"},
    {"a body", " color colour ", "bodies have no colours: pictures choose them"},
    {"a body", " parent joint joints ", "joints hold bodies: they stand beside 'bodies'"},
    {"a body", " weight m ", "write 'mass'"},
    {"a shape", " type size radius length file ",
     "the kind is a key of its own: box: {size: [0.1, 0.2, 0.3]}, sphere: {radius: 0.1}"},
    {"cylinder", " height h ", "write 'length', along z"},
    {"box", BESIDE, "it stands beside the kind: {box: {...}, mass: 8}, or at the body"},
    {"sphere", BESIDE, "it stands beside the kind: {sphere: {...}, mass: 8}, or at the body"},
    {"cylinder", BESIDE, "it stands beside the kind: {cylinder: {...}, mass: 8}, or at the body"},
    {"capsule", BESIDE, "it stands beside the kind: {capsule: {...}, mass: 8}, or at the body"},
    {"rounded_box", BESIDE,
     "it stands beside the kind: {rounded_box: {...}, mass: 8}, or at the body"},
    {"ellipsoid", BESIDE, "it stands beside the kind: {ellipsoid: {...}, mass: 8}, or at the body"},
    {"mesh", BESIDE, "it stands beside the kind: {mesh: {...}, mass: 8}, or at the body"},
    {"extrusion", BESIDE, "it stands beside the kind: {extrusion: {...}, mass: 8}, or at the body"},
    {"cylinder", " diameter d ", "write 'radius'"},
    {"sphere", " diameter d r ", "write 'radius'"},
    {"box", " dimensions half_size extents length width height ", "write size: [x, y, z]"},
    {"a joint", " parent base body_b body2 bodyB to second ",
     "write 'b' for the body it is held to; without 'b' it is on the ground"},
    {"a joint", " child body body_a body1 bodyA first ", "write 'a' for the body that moves"},
    {"a joint", " position pos anchor point location at ", "write 'origin'"},
    {"a joint", " limit limits bounds ", "write range: {theta: [-30 deg, 30 deg]}"},
    {"a joint", " direction dir axis_of_rotation ", "write 'axis'"},
    {"a joint", " actuator drive torque effort force ",
     "motor: {theta: {speed: 60 rpm, max_force: 5 N m}}, or in 'loads' {coordinate: h.theta, "
     "effort: 5 N m}"},
    {"a joint", " damper k c ", "write spring: {theta: {stiffness: 2, damping: 0.1}}"},
    {"a joint", " lock fixed ", "write locked: [theta]"},
    {"a joint", " start angle value theta q q0 position0 ",
     "write set: {theta: 30 deg}; 'initial' says what the drawn place counts as"},
    {"a joint", " velocity omega w0 ", "write speed: {theta: 60 rpm}"},
    {"a spring", " k rate constant spring_constant c_rate ", "write 'stiffness'"},
    {"a spring", " c d damper viscosity ", "write 'damping'"},
    {"a spring", " length rest_length free_length neutral offset equilibrium zero l0 x0 ",
     "write 'rest'"},
    {"a spring", " preload ", "write 'force', or 'rest' for where it pushes nothing"},
    {"a motor", " torque effort force max_torque power ",
     "'max_force' is the most it gives; an effort as such is a load: {coordinate: h.theta, effort: "
     "5 N m}"},
    {"a motor", " velocity omega rate rpm target ", "write 'speed'"},
    {"a motor", " angle ", "write 'position'"},
    {"friction", " mu mu_s ", "write 'coefficient'"},
    {"a load", " torque couple ", "write 'moment'"},
    {"a load", " point position origin location ",
     "write 'at' beside 'body', or put a marker there: {marker: hook, force: [0, 0, -10]}"},
    {"a load", " joint ", "write coordinate: joint.coordinate, as in crank.theta"},
    {"a load", " frame system ", "write 'axes'"},
    {"a load", " value magnitude f ", "write 'force', 'moment' or 'effort'"},
    {"a measure", " type output ", "write 'quantity'"},
    {"a measure", " body ", "a marker of the body is measured: {marker: tip, quantity: velocity}"},
    {"a measure", " expression expr value ", "write 'formula'"},
    {"a marker", " point at origin pos location ", "write 'position'"},
    {"a marker", " parent link a ", "write 'body'"},
    {"a material", " rho ", "write 'density'"},
    {"the simulation section", " time end stop t_end tend end_time until ", "write 'duration'"},
    {"the simulation section", " dt timestep time_step h ", "write 'step'"},
    {"the simulation section", " tolerance tol rtol reltol ", "write 'accuracy'"},
    {"the simulation section", " every output_step fps ", "it stands in 'record': {every: 0.01}"},
    {"the simulation section", " gravity ", "'gravity' stands beside 'simulation'"},
    {"the record section", " step dt rate interval period fps ", "write 'every'"},
    {"the record section", " columns output outputs variables ", "write 'what'"},
};

static bool is_among(const char *words, const char *word)
{
    const size_t length = strlen(word);
    const char *at = length > 0 ? strstr(words, word) : NULL;
    for (; at != NULL; at = strstr(at + 1, word)) {
        if (at > words && at[-1] == ' ' && at[length] == ' ') {
            return true;
        }
    }
    return false;
}

const char *tn_advice_on_key(const char *title, const char *key, char *buffer)
{
    const char *colon = strchr(key, ':');
    if (strchr(key, ' ') == NULL) {
        for (size_t i = 0; i < TN_COUNT_OF(others); i++) {
            if (strcmp(others[i].title, title) == 0 && is_among(others[i].words, key)) {
                return others[i].advice;
            }
        }
    }
    if (colon != NULL && colon > key && colon[1] != '\0') {
        snprintf(buffer, TN_HINT_SIZE, "a blank stands behind the colon: '%.*s: %.60s'",
                 (int)(colon - key < 60 ? colon - key : 60), key, colon + 1);
        return buffer;
    }
    if (tn_scalar_read(key).kind == TN_SCALAR_NUMBER) {
        return "numbers have a point, 1.5: a comma parts what stands between { } and [ ]";
    }
    return NULL;
}

const char *tn_advice_on_table(const char *title)
{
    static const struct {
        const char *title, *form;
    } forms[] = {
        {"a spring", "as in {stiffness: 200 N/m, damping: 3 N s/m}"},
        {"a motor", "as in {speed: 60 rpm, max_force: 5 N m}"},
        {"friction", "as in {force: 3 N}"},
        {"a body", "as in {position: [0, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}"},
        {"a joint", "as in {type: hinge, a: crank, origin: [0, 0, 0], axis: [0, 0, 1]}"},
        {"a marker", "as in {body: crank, position: [0.1, 0, 0]}"},
        {"a load", "as in {marker: hook, force: [0, 0, -100]}"},
        {"a material", "as in {density: 7850}"},
    };
    for (size_t i = 0; i < TN_COUNT_OF(forms); i++) {
        if (strcmp(forms[i].title, title) == 0) {
            return forms[i].form;
        }
    }
    return NULL;
}

const char *tn_advice_on_coordinate(const char *word)
{
    static const char of_drives[] = " speed position max_force stiffness damping force coefficient "
                                    "rest viscous frequency ";
    return is_among(of_drives, word) ? "it stands by coordinate, as in {theta: {speed: 60 rpm}}"
                                     : NULL;
}

/* vectors -------------------------------------------------------------------------------------- */

/* "y", "-z" */
static const char *axis_of(const char *text, char *buffer)
{
    const bool minus = text[0] == '-';
    const char axis = text[minus || text[0] == '+'];
    const char *rest = text + (minus || text[0] == '+');
    if ((axis < 'x' || axis > 'z') && (axis < 'X' || axis > 'Z')) {
        return NULL;
    }
    if (rest[1] != '\0') {
        return NULL;
    }
    int v[3] = {0, 0, 0};
    v[axis >= 'x' ? axis - 'x' : axis - 'X'] = minus ? -1 : 1;
    snprintf(buffer, TN_HINT_SIZE, "write [%d, %d, %d]", v[0], v[1], v[2]);
    return buffer;
}

/* "0 0 1" and "(0, 0, 1)": so many numbers in a text. */
static const char *numbers_of(const char *text, int32_t count, char *buffer)
{
    size_t used = (size_t)snprintf(buffer, TN_HINT_SIZE, "write [");
    int32_t found = 0;
    const char *at = text + strspn(text, " (");
    while (*at != '\0' && found < count && used < TN_HINT_SIZE / 2) {
        char *end = NULL;
        const double number = strtod(at, &end);
        if (end == at) {
            return NULL;
        }
        used += (size_t)snprintf(buffer + used, TN_HINT_SIZE - used, "%s%.9g",
                                 found++ > 0 ? ", " : "", number);
        at = end + strspn(end, " ,;)");
    }
    snprintf(buffer + used, TN_HINT_SIZE - used, "]");
    return found == count && *at == '\0' ? buffer : NULL;
}

const char *tn_advice_on_vector(tn_reader *reader, int32_t node, int32_t count, char *buffer)
{
    const tn_node *n = tn_get(reader, node);
    const char *text = n->kind == TN_NODE_SCALAR ? tn_node_text(reader->tree, node) : "";
    const char *found = count == 3 ? axis_of(text, buffer) : NULL;
    tn_value value;
    if (found != NULL || n->kind == TN_NODE_SEQUENCE) {
        return found;
    }
    if (tn_scope_ask(reader, text, strlen(text), &value) == TN_NAME_KNOWN) {
        snprintf(buffer, TN_HINT_SIZE, "a formula starts with '=': '=%.60s'", text);
        return buffer;
    }
    found = count > 1 ? numbers_of(text, count, buffer) : NULL;
    if (found == NULL && count >= 2) {
        static const char *const forms[] = {"two numbers, as in [0.5, 0]",
                                            "three numbers, as in [0, 0, 0.5]",
                                            "four numbers, as in [1, 0, 0, 0]"};
        found = count <= 4 ? forms[count - 2] : NULL;
        found = count == 3 && reader->planar ? "two or three numbers, as in [0.5, 0]" : found;
    }
    return found;
}

/* numbers -------------------------------------------------------------------------------------- */

/* Words of other programs for what YAML writes with a point; NULL: it is none. */
static const char *infinity_of(const char *text)
{
    static const char words[] = " inf Inf INF infinity Infinity INFINITY infinite unlimited ";
    const bool minus = text[0] == '-', sign = minus || text[0] == '+';
    const char *hint = minus ? "write -.inf" : "write .inf";
    return text[sign ? 1 : 0] != '\0' && is_among(words, text + (sign ? 1 : 0)) ? hint : NULL;
}

const char *tn_advice_on_number(tn_reader *reader, int32_t node, char *buffer)
{
    const tn_node *n = tn_get(reader, node);
    const char *text = n->kind == TN_NODE_SCALAR ? tn_node_text(reader->tree, node) : "";
    const size_t digits = strspn(text, "+-0123456789");
    tn_value value;
    if (infinity_of(text) != NULL) {
        return infinity_of(text);
    }
    if (text[0] == '$' || text[0] == '{') {
        const char *name = text + strspn(text, "${ ");
        snprintf(buffer, TN_HINT_SIZE, "a parameter stands in a formula: '=%.*s'",
                 (int)tn_name_length(name), name);
        return tn_name_length(name) > 0 ? buffer : NULL;
    }
    if (digits > 0 && text[digits] == ',' && tn_number_length(text + digits + 1) > 0) {
        return "numbers have a point, as in 1.5";
    }
    if (!n->plain && tn_scalar_read(text).kind == TN_SCALAR_NUMBER) {
        return "write it without quotes";
    }
    if (strstr(text, "sin(") != NULL || strstr(text, "cos(") != NULL) {
        snprintf(buffer, TN_HINT_SIZE, "a formula starts with '=': '=%.100s'", text);
        return buffer;
    }
    if (tn_name_length(text) > 0 && tn_try_formula(reader, node, 0, &value)) {
        snprintf(buffer, TN_HINT_SIZE, "a formula starts with '=': '=%.100s'", text);
        return buffer;
    }
    return NULL;
}

/* mappings ------------------------------------------------------------------------------------- */

const char *tn_advice_on_mapping(const tn_reader *reader, int32_t node, const char *key,
                                 char *buffer)
{
    static const char sections[] =
        " bodies joints markers loads measures couplings materials parts "
        "instances parameters ";
    if (tn_get(reader, node)->kind != TN_NODE_SEQUENCE || !is_among(sections, key)) {
        return NULL;
    }
    snprintf(buffer, TN_HINT_SIZE, "the names are keys, as in %s: {first: %s, second: %s}", key,
             strcmp(key, "parameters") == 0 ? "1" : "{...}",
             strcmp(key, "parameters") == 0 ? "2" : "{...}");
    return buffer;
}
