/* posed.c: `tenon pose --out`: the file of a model in another pose (posed.h).
 *
 * Either the user's own text, with `set` in the joints that moved; or, if that cannot describe the pose, every
 * value written anew. The edited text is used only if it was read back and gives the pose.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/meshes.h"
#include "pick/coordinate.h"
#include "io/text/file.h"
#include "io/tree/text_edit.h"
#include "io/tree/tree.h"
#include "pick/posed.h"
#include "spec/shape/skew.h"
#include "tenon/measure.h"
#include "tenon/record.h"

/* Sets the parameter that the y axis gives, before the axis is removed. */
static void keep_skew(tn_joint_def *def)
{
    tn_joint_type type;
    if (tn_joint_type_find(def->type, &type) == TN_OK)
        tn_joint_take_skew(def, tn_joint_type_get(type), def->parameters);
}

/* Beyond this an angle does not follow from the frames: half a turn, or for joints with several angles a
 * quarter, where another set of angles is the same rotation. */
#define HALF_TURN 3.14159265358979323846

/* True if the frames alone would not give back the coordinates of a joint. */
static bool counts_turns(const tool_loaded *loaded, tn_joint joint, double *q)
{
    const tn_joint_type_info *info = tn_model_joint_info(loaded->model, joint);
    int32_t angles = 0;
    double largest = 0.0;
    tn_sim_joint_coordinates(loaded->sim, joint, q);
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        angles += info->coordinates[i].angular;
        largest = fmax(largest, info->coordinates[i].angular ? fabs(q[i]) : 0.0);
    }
    return largest > (angles > 1 ? 0.5 * HALF_TURN : HALF_TURN);
}

/* Places a joint as it is now: by its frames in the bodies, or, if turns count, by frame D in the world and
 * the coordinates. */
static void place_joint(const tool_loaded *loaded, tn_joint joint, tn_joint_def *def)
{
    const int32_t count = tn_model_joint_info(loaded->model, joint)->coordinate_count;
    double q[TN_MAX_COORDINATES] = {0};
    def->placement = TN_PLACE_BODY_FRAMES;
    tn_model_joint_frames(loaded->model, joint, &def->frame_c, &def->frame_d);
    for (int i = 0; i < TN_MAX_COORDINATES; i++)
        def->initial[i] = def->set[i] = NAN;
    if (!counts_turns(loaded, joint, q))
        return;
    def->placement = TN_PLACE_WORLD_FRAME;
    if (def->b.i >= 0)
        def->frame_d = tn_pose_multiply(tn_sim_body_pose(loaded->sim, def->b), def->frame_d);
    for (int32_t i = 0; i < count; i++)
        def->initial[i] = q[i];
}

/* Writes the same model with bodies in the present pose, and its meshes beside it. */
tn_status tool_write_posed(const char *model, tool_loaded *loaded, const char *path)
{
    if (tool_copy_meshes(model, loaded->spec, path) != TOOL_OK)
        return TN_ERROR_IO;
    tn_spec *spec = tn_spec_create();
    tn_status status = spec ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = tn_spec_set_world(spec, tn_spec_world(loaded->spec));
    if (status == TN_OK)
        status = tn_spec_set_simulation(spec, tn_spec_simulation(loaded->spec));
    if (status == TN_OK)
        status = tn_spec_set_record(spec, tn_spec_record(loaded->spec));
    for (int32_t i = 0; i < tn_spec_body_count(loaded->spec) && status == TN_OK; i++) {
        tn_body_def def = *tn_spec_body(loaded->spec, (tn_body){i});
        def.pose = tn_sim_body_pose(loaded->sim, (tn_body){i});
        status = tn_spec_add_body(spec, &def, NULL);
    }
    for (int32_t j = 0; j < tn_spec_joint_count(loaded->spec) && status == TN_OK; j++) {
        tn_joint_def def = *tn_spec_joint(loaded->spec, (tn_joint){j});
        place_joint(loaded, (tn_joint){j}, &def);
        keep_skew(&def);
        def.x_axis = def.y_axis = tn_default_joint_def().x_axis; /* they are in the frames now */
        status = tn_spec_add_joint(spec, &def, NULL);
    }
    for (int32_t k = 0; k < tn_spec_coupling_count(loaded->spec) && status == TN_OK; k++) {
        tn_coupling_def def = *tn_spec_coupling(loaded->spec, (tn_coupling){k});
        if (def.hold == TN_COUPLING_HELD)
            def.value = NAN; /* its value in this pose, with turns of joints counted anew */
        status = tn_spec_add_coupling(spec, &def, NULL);
    }
    for (int32_t i = 0; i < tn_spec_marker_count(loaded->spec) && status == TN_OK; i++)
        status = tn_spec_add_marker(spec, tn_spec_marker(loaded->spec, (tn_marker){i}), NULL);
    for (int32_t i = 0; i < tn_spec_load_count(loaded->spec) && status == TN_OK; i++)
        status = tn_spec_add_load(spec, tn_spec_load(loaded->spec, (tn_load){i}), NULL);
    for (int32_t i = 0; i < tn_spec_measure_count(loaded->spec) && status == TN_OK; i++)
        status = tn_spec_add_measure(spec, tn_spec_measure(loaded->spec, (tn_measure_id){i}), NULL);
    if (status == TN_OK)
        status = tn_spec_write_file(spec, path, loaded->diags);
    tn_spec_destroy(spec);
    return status;
}

/* The text kept ------------------------------------------------------------------------------------
 */

/* m and rad, relative to the distance from the origin: by how much the same pose, computed in two ways, differs. */
#define SAME_POSE 1e-9

/* Relative error of written numbers: degrees converted to radians and back have some roundings. */
#define NUMBER_ERROR 4e-15

/* "[-]d.dddde-xxx" */
#define NUMBER_SIZE 32
/* "{theta: 0.1, z: 0.2}" */
#define MAPPING_SIZE 512

/* Edits and the texts they point to. */
typedef struct plan {
    tn_text_edit *edits;
    char (*values)[MAPPING_SIZE];
    int32_t count, room;
    const char *quote; /* around names: JSON stays JSON */
} plan;

static tn_status plan_create(const tool_loaded *loaded, int settings, plan *p)
{
    const tn_model_size size = tn_model_get_size(loaded->model);
    p->count = 0;
    p->room = settings + size.couplings + size.joints * TN_MAX_COORDINATES;
    p->edits = calloc((size_t)p->room + 1, sizeof *p->edits);
    p->values = calloc((size_t)p->room + 1, sizeof *p->values);
    return p->edits && p->values ? TN_OK : TN_ERROR_MEMORY;
}

static void plan_free(plan *p)
{
    free(p->edits);
    free(p->values);
}

static char *add_edit(plan *p, const char *section, const char *name, const char *key,
                      const char *sub)
{
    p->edits[p->count] = (tn_text_edit){section, name, key, sub, p->values[p->count]};
    return p->values[p->count++];
}

/* Writes a number in the file's unit of angle, with as few digits as read back the same value. */
static void write_number(const tool_loaded *loaded, bool angular, double value, char *text)
{
    const char *unit;
    value *= tn_record_scale(tn_model_record(loaded->model), angular ? "rad" : "m", &unit);
    for (int digits = 12; digits <= 17; digits++) {
        snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
        if (fabs(strtod(text, NULL) - value) <= NUMBER_ERROR * fabs(value))
            return;
    }
}

static bool says_set(const tn_joint_def *def)
{
    bool any = false;
    for (int i = 0; i < TN_MAX_COORDINATES; i++)
        any |= !isnan(def->set[i]);
    return any;
}

/* Plans the edits for the given coordinates of a joint: one for each, if it sets some already, or one
 * for all. */
static void plan_joint(const tool_loaded *loaded, tn_joint joint, const bool *wanted, plan *p)
{
    const tn_joint_type_info *info = tn_model_joint_info(loaded->model, joint);
    const tn_joint_def *def = tn_spec_joint(loaded->spec, joint);
    const char *name = tn_model_joint_name(loaded->model, joint);
    double q[TN_MAX_COORDINATES];
    char number[NUMBER_SIZE], *all = NULL;
    tn_sim_joint_coordinates(loaded->sim, joint, q);
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        const char *coordinate = info->coordinates[i].name;
        if (!wanted[i])
            continue;
        write_number(loaded, info->coordinates[i].angular, q[i], number);
        if (says_set(def)) {
            snprintf(add_edit(p, "joints", name, "set", coordinate), MAPPING_SIZE, "%s", number);
            continue;
        }
        if (all == NULL)
            all = add_edit(p, "joints", name, "set", NULL);
        const size_t used = strlen(all);
        snprintf(all + used, MAPPING_SIZE - used, "%s%s%s%s: %s", used ? ", " : "{", p->quote,
                 coordinate, p->quote, number);
    }
    if (all !=
        NULL) /* without room for all it is an incomplete mapping, which gives_pose refuses */
        snprintf(all + strlen(all), MAPPING_SIZE - strlen(all), "}");
}

static void plan_coupling(const tool_loaded *loaded, tn_coupling coupling, plan *p)
{
    const tn_joint as_joint = tn_model_coupling_joint(loaded->model, coupling);
    const bool angular = tool_coordinate_info(loaded->model, as_joint, 0)->angular;
    char *value =
        add_edit(p, "couplings", tn_model_coupling_name(loaded->model, coupling), "value", NULL);
    write_number(loaded, angular, tn_sim_coupling_value(loaded->sim, coupling), value);
}

static void plan_settings(const tool_arguments *arguments, plan *p)
{
    for (int k = 0; k < arguments->setting_count; k++) {
        p->edits[p->count++] = (tn_text_edit){"parameters", arguments->settings[k].name, NULL, NULL,
                                              arguments->settings[k].value};
    }
}

/* Plans edits for the requested coordinates, by joint; couplings get other values. */
static void plan_requests(const tool_loaded *loaded, const tn_coordinate_request *requests,
                          int32_t count, plan *p)
{
    const tn_model_size size = tn_model_get_size(loaded->model);
    for (int32_t j = 0; j < size.joints + size.couplings; j++) {
        const bool coupled = j >= size.joints;
        const tn_coupling coupling = {j - size.joints};
        const tn_joint joint = coupled ? tn_coupling_as_joint(coupling) : (tn_joint){j};
        bool wanted[TN_MAX_COORDINATES] = {false}, any = false;
        for (int32_t k = 0; k < count; k++) {
            if (requests[k].joint.i == joint.i)
                any = wanted[requests[k].coordinate] = true;
        }
        if (any && coupled) {
            plan_coupling(loaded, coupling, p);
        } else if (any) {
            plan_joint(loaded, joint, wanted, p);
        }
    }
}

/* Plans edits for every coordinate that differs from the file. */
static tn_status plan_moved(const tool_loaded *loaded, plan *p)
{
    tn_sim *before = NULL;
    const tn_status status = tn_sim_create(loaded->model, &loaded->options, NULL, &before);
    for (int32_t j = 0; status == TN_OK && j < tn_model_get_size(loaded->model).joints; j++) {
        double now[TN_MAX_COORDINATES] = {0}, then[TN_MAX_COORDINATES] = {0};
        bool moved[TN_MAX_COORDINATES] = {false}, any = false;
        tn_sim_joint_coordinates(loaded->sim, (tn_joint){j}, now);
        tn_sim_joint_coordinates(before, (tn_joint){j}, then);
        for (int32_t i = 0; i < tn_model_joint_info(loaded->model, (tn_joint){j})->coordinate_count;
             i++)
            any |= moved[i] = fabs(now[i] - then[i]) > SAME_POSE;
        if (any)
            plan_joint(loaded, (tn_joint){j}, moved, p);
    }
    tn_sim_destroy(before);
    return status;
}

static bool same_body(const tn_sim *a, const tn_sim *b, tn_body body)
{
    const tn_pose p = tn_sim_body_pose(a, body), q = tn_sim_body_pose(b, body);
    const double x = p.p.x - q.p.x, y = p.p.y - q.p.y, z = p.p.z - q.p.z;
    const double far = 1.0 + sqrt(p.p.x * p.p.x + p.p.y * p.p.y + p.p.z * p.p.z);
    const double along = p.q.w * q.q.w + p.q.x * q.q.x + p.q.y * q.q.y + p.q.z * q.q.z;
    return sqrt(x * x + y * y + z * z) <= SAME_POSE * far && 1.0 - fabs(along) <= SAME_POSE;
}

static bool same_joint(const tn_sim *a, const tn_sim *b, tn_joint joint)
{
    double p[TN_MAX_COORDINATES] = {0}, q[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_coordinates(a, joint, p);
    tn_sim_joint_coordinates(b, joint, q);
    for (int i = 0; i < TN_MAX_COORDINATES; i++) {
        if (fabs(p[i] - q[i]) > SAME_POSE * (1.0 + fabs(p[i])))
            return false;
    }
    return true;
}

/* True if the text, read as the future file, gives the pose, turns included. */
static bool gives_pose(const tool_loaded *loaded, const char *text, size_t length, const char *path)
{
    const tn_model_size size = tn_model_get_size(loaded->model);
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    bool same = tn_spec_read_string(text, length, path, NULL, &spec) == TN_OK &&
                tn_model_compile(spec, NULL, &model) == TN_OK &&
                tn_sim_create(model, NULL, NULL, &sim) == TN_OK &&
                tn_model_get_size(model).bodies == size.bodies &&
                tn_model_get_size(model).joints == size.joints;
    for (int32_t i = 0; same && i < size.bodies; i++)
        same = same_body(loaded->sim, sim, (tn_body){i});
    for (int32_t j = 0; same && j < size.joints; j++)
        same = same_joint(loaded->sim, sim, (tn_joint){j});
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    return same;
}

/* Tries one plan; TN_ERROR_UNSUPPORTED: it does not give the pose. */
static tn_status try_plan(const tool_loaded *loaded, const plan *p, const char *text, size_t length,
                          const char *path)
{
    char *edited = NULL;
    size_t edited_length = 0;
    tn_status status = tn_text_edit_all(text, length, p->edits, p->count, &edited, &edited_length);
    if (status == TN_OK && !gives_pose(loaded, edited, edited_length, path))
        status = TN_ERROR_UNSUPPORTED;
    if (status == TN_OK)
        status = tn_file_write(path, edited, edited_length, loaded->diags);
    tn_text_free(edited);
    return status;
}

static bool is_json(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0')
        at++;
    return at < length && text[at] == '{';
}

static tn_status try_plans(const tool_arguments *arguments, const tool_loaded *loaded,
                           const tn_coordinate_request *requests, int32_t count, const char *text,
                           size_t length, const char *path)
{
    plan p;
    tn_status status = plan_create(loaded, arguments->setting_count, &p);
    p.quote = is_json(text, length) ? "\"" : "";
    if (status == TN_OK) {
        plan_settings(arguments, &p);
        plan_requests(loaded, requests, count, &p);
        status = try_plan(loaded, &p, text, length, path);
    }
    if (status == TN_ERROR_UNSUPPORTED) {
        memset(p.values, 0, (size_t)p.room * sizeof *p.values);
        p.count = 0;
        plan_settings(arguments, &p);
        status = plan_moved(loaded, &p);
        status = status == TN_OK ? try_plan(loaded, &p, text, length, path) : status;
    }
    plan_free(&p);
    return status;
}

tn_status tool_keep_posed(const tool_arguments *arguments, tool_loaded *loaded,
                          const tn_coordinate_request *requests, int32_t count, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    if (tn_spec_file_count(loaded->spec) == 0) /* imported from another format */
        return tool_write_posed(arguments->operand, loaded, path);
    tn_status status = tn_file_read(arguments->operand, TN_MAX_TEXT, loaded->diags, &text, &length);
    if (status == TN_OK)
        status = try_plans(arguments, loaded, requests, count, text, length, path);
    tn_text_free(text);
    if (status != TN_ERROR_UNSUPPORTED)
        return status;
    tn_diagnostics_add(loaded->diags, TN_WARNING, TN_OK, (tn_location){path, 0, 0},
                       "--plain requests it",
                       "'set' of the joints of the model's own file cannot say this pose: every "
                       "value is written anew, without comments, formulas and parts");
    return tool_write_posed(arguments->operand, loaded, path);
}
