/* import.c: from the text of an XML model to a spec (import.h).
 *
 * Room import. Stages: text -> tree (xml) -> links and joints (a reader of the format) -> spec
 * (robot) -> validation. The root element says which format it is.
 */
#include "import/import.h"

#include <stdlib.h>
#include <string.h>

#include "import/mjcf/mjcf.h"
#include "import/robot/robot.h"
#include "import/urdf/urdf.h"
#include "io/section/sections.h"
#include "io/text/locale_scope.h"
#include "spec/spec_internal.h"
#include "spec/validate/validate.h"
#include "tenon/limits.h"

#define NAMELESS "model"

typedef struct xml_format {
    const char *root;
    void (*read)(tn_robot *robot, tn_xml_element *root);
    const char *instead; /* where it is not read */
} xml_format;

static const xml_format FORMATS[] = {
    {"robot", tn_urdf_read, NULL},
    {"mujoco", tn_mjcf_read, NULL},
    {"mujocoinclude", NULL, "open the model that includes it"},
    {"sdf", NULL, "SDF is not read; many programs write URDF or MJCF as well"},
    {"OpenSimDocument", NULL,
     "OpenSim models are not read; docs/start/coming_from.md has the words"},
    {"COLLADA", NULL, "this is a picture without joints"},
    {"xacro:macro", NULL, "run xacro first: xacro robot.urdf.xacro > robot.urdf"},
};

/* ---- settings ---- */

static void refuse_setting(tn_import *import, const char *hint, const char *name, const char *value)
{
    tn_diagnostics_add(import->found, TN_ERROR, TN_ERROR_INPUT, (tn_location){import->model, 0, 0},
                       hint, "a model in XML has no setting '%.60s' with the value '%.60s'", name,
                       value);
    import->problems++;
}

static void set_root(tn_robot *robot, const tn_setting *setting)
{
    robot->free_root = strcmp(setting->value, "free") == 0;
    if (!robot->free_root && strcmp(setting->value, "ground") != 0)
        refuse_setting(robot->import, "root is ground or free", setting->name, setting->value);
}

static void set_massless(tn_robot *robot, const tn_setting *setting)
{
    char *end = NULL;
    robot->stand_in = strtod(setting->value, &end);
    if (end == setting->value || *end != '\0' ||
        !(robot->stand_in > 0.0 && robot->stand_in < TN_LARGEST_NUMBER))
        refuse_setting(robot->import, "massless is a mass in kg", setting->name, setting->value);
}

static void take_setting(tn_robot *robot, const tn_setting *setting)
{
    if (strcmp(setting->name, "root") == 0) {
        set_root(robot, setting);
    } else if (strcmp(setting->name, "massless") == 0) {
        set_massless(robot, setting);
    } else if (strcmp(setting->name, "keyframe") == 0) {
        robot->keyframe = setting->value;
    } else {
        refuse_setting(robot->import,
                       "there are: root (ground, free) and massless (kg), keyframe (MJCF); "
                       "parameters are for Tenon's own models",
                       setting->name, setting->value);
    }
}

/* ---- reading ---- */

static void read_root(tn_robot *robot, tn_xml_element *root)
{
    tn_import *import = robot->import;
    if (robot->keyframe != NULL && !tn_xml_is(root, "mujoco"))
        tn_xml_error(import, root, NULL, NULL, "only MJCF has keyframes");
    for (size_t i = 0; i < TN_COUNT_OF(FORMATS); i++) {
        if (!tn_xml_is(root, FORMATS[i].root))
            continue;
        root->read = true;
        if (FORMATS[i].read != NULL) {
            FORMATS[i].read(robot, root);
        } else {
            tn_xml_error(import, root, NULL, FORMATS[i].instead, "'%s' is not read here",
                         root->name);
        }
        return;
    }
    tn_xml_error(import, root, NULL, "URDF begins with <robot>, MJCF with <mujoco>",
                 "there is no format of models that begins with <%.60s>", root->name);
}

/* As the reader of model files leaves what no section says. */
static tn_status settle_simulation(tn_spec *spec)
{
    tn_simulation_def def = tn_simulation_unsaid();
    tn_simulation_settle(&def, tn_spec_record(spec));
    def.at.file = tn_spec_world(spec)->at.file;
    return tn_spec_set_simulation(spec, &def);
}

static tn_status fill_spec(tn_robot *robot, const char *text, size_t length, const char *name,
                           const tn_setting *settings, int32_t setting_count)
{
    tn_import *import = robot->import;
    tn_status status = tn_spec_intern_file(import->spec, name, &import->model);
    if (status == TN_OK)
        status = settle_simulation(import->spec);
    if (status == TN_OK)
        status = tn_roots_begin(&import->roots, import->model);
    if (status == TN_OK)
        status = tn_roots_add_package(&import->roots, import->model, NULL);
    for (int32_t i = 0; status == TN_OK && i < setting_count; i++) {
        take_setting(robot, &settings[i]);
    }
    if (status != TN_OK || import->problems > 0)
        return status != TN_OK ? status : TN_ERROR_INPUT;
    tn_xml_element *root = tn_xml_parse(import, text, length, import->model);
    if (root != NULL)
        read_root(robot, root);
    if (import->status == TN_OK && import->problems == 0)
        tn_robot_build(robot);
    status = import->status;
    if (status == TN_OK && import->problems == 0)
        status = tn_spec_judge(import->spec, import->found);
    return status == TN_OK && import->problems > 0 ? TN_ERROR_INPUT : status;
}

/* ---- problems in the order of the files ---- */

typedef struct found_problem {
    const tn_diagnostic *problem;
    bool own; /* of the model's file, not of one that it includes */
    int32_t order;
} found_problem;

static int by_place(const void *left, const void *right)
{
    const found_problem *a = left, *b = right;
    const tn_location *at = &a->problem->at, *other = &b->problem->at;
    if (a->own != b->own)
        return a->own ? -1 : 1;
    const int files = a->own ? 0 : strcmp(at->file, other->file);
    if (files != 0)
        return files;
    if (at->line != other->line)
        return at->line < other->line ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static bool is_own(const tn_import *import, const tn_diagnostic *d)
{
    return d->at.file == NULL || strcmp(d->at.file, import->model) == 0;
}

static tn_status hand_on(const tn_import *import, tn_diagnostics *diags)
{
    const int32_t count = import->model != NULL ? tn_diagnostics_count(import->found) : 0;
    found_problem *list = TN_NEW_ARRAY(found_problem, count);
    if (list == NULL)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < count; i++) {
        const tn_diagnostic *d = tn_diagnostics_get(import->found, i);
        list[i] = (found_problem){d, is_own(import, d), i};
    }
    qsort(list, (size_t)count, sizeof *list, by_place);
    for (int32_t i = 0; i < count; i++) {
        const tn_diagnostic *d = list[i].problem;
        tn_diagnostics_add(diags, d->severity, d->code, d->at, d->hint, "%s", d->message);
    }
    tn_free(list);
    return TN_OK;
}

static tn_status read_in_plain_locale(const char *text, size_t length, const char *name,
                                      const tn_setting *settings, int32_t setting_count,
                                      tn_diagnostics *diags, tn_spec **out)
{
    tn_import import = {.spec = tn_spec_create(), .found = tn_diagnostics_create()};
    tn_robot robot = {.import = &import};
    tn_status status = TN_ERROR_MEMORY;
    if (import.spec != NULL && import.found != NULL) {
        status = fill_spec(&robot, text, length, name, settings, setting_count);
        const tn_status told = hand_on(&import, diags);
        status = told != TN_OK ? told : status;
    }
    tn_robot_free(&robot);
    tn_roots_free(&import.roots);
    tn_arena_free(&import.arena);
    tn_diagnostics_destroy(import.found);
    if (status != TN_OK) {
        tn_spec_destroy(import.spec);
        import.spec = NULL;
    }
    *out = import.spec;
    return status;
}

tn_status tn_import_read(const char *text, size_t length, const char *name,
                         const tn_setting *settings, int32_t setting_count, tn_diagnostics *diags,
                         tn_spec **out)
{
    tn_locale_scope locale;
    *out = NULL;
    if (!tn_locale_enter(&locale))
        return TN_ERROR_MEMORY;
    const tn_status status = read_in_plain_locale(text, length, name != NULL ? name : NAMELESS,
                                                  settings, setting_count, diags, out);
    tn_locale_leave(&locale);
    return status;
}
