/* access.c: room model: reading a compiled model through the public interface. */
#include <math.h>
#include <string.h>

#include "math/none.h"
#include "base/base.h"
#include "model/model.h"

tn_model_size tn_model_get_size(const tn_model *model)
{
    TN_DEMAND(model, (tn_model_size){0});
    return model->size;
}

const char *tn_model_name(const tn_model *model)
{
    TN_DEMAND(model, "");
    return model->title;
}

const tn_simulation_def *tn_model_simulation(const tn_model *model)
{
    TN_DEMAND(model, NULL);
    return &model->simulation;
}

const tn_record_def *tn_model_record(const tn_model *model)
{
    TN_DEMAND(model, NULL);
    return &model->record;
}

static tn_status find_name(const tn_names *names, const char *name, int32_t *out)
{
    if (!name)
        return TN_ERROR_ARGUMENT;
    const int32_t i = tn_names_find_text(names, name);
    if (i == TN_NO_NAME)
        return TN_ERROR_NOT_FOUND;
    *out = i;
    return TN_OK;
}

/* What was removed has a name that says so, and is not found by it. */
static tn_status find(const tn_model *model, tn_section section, const tn_names *names,
                      const char *name, int32_t *out, uint32_t *of)
{
    int32_t i = -1;
    const tn_status status = find_name(names, name, &i);
    if (status != TN_OK || tn_model_is_removed(model, section, i))
        return status == TN_OK ? TN_ERROR_NOT_FOUND : status;
    *out = i;
    *of = model->of[section][i];
    return TN_OK;
}

tn_status tn_model_find_body(const tn_model *model, const char *name, tn_body *out)
{
    TN_DEMAND(model && out, TN_ERROR_ARGUMENT);
    return find(model, TN_SECTION_BODY, &model->body_names, name, &out->i, &out->of);
}

/* Couplings are among the joints' names, behind them. */
static int32_t find_element(const tn_model *model, const char *name, tn_status *status)
{
    int32_t element = -1;
    *status = find_name(&model->joint_names, name, &element);
    if (*status == TN_OK && tn_element_of(model, tn_joint_of(model, element)) < 0)
        *status = TN_ERROR_NOT_FOUND;
    return element;
}

tn_status tn_model_find_joint(const tn_model *model, const char *name, tn_joint *out)
{
    TN_DEMAND(model && out, TN_ERROR_ARGUMENT);
    tn_status status;
    const int32_t element = find_element(model, name, &status);
    if (status != TN_OK || element >= model->joint_count)
        return status == TN_OK ? TN_ERROR_NOT_FOUND : status;
    *out = (tn_joint){element, model->of[TN_SECTION_JOINT][element]};
    return TN_OK;
}

tn_status tn_model_find_coupling(const tn_model *model, const char *name, tn_coupling *out)
{
    TN_DEMAND(model && out, TN_ERROR_ARGUMENT);
    tn_status status;
    const int32_t element = find_element(model, name, &status);
    if (status != TN_OK || element < model->joint_count)
        return status == TN_OK ? TN_ERROR_NOT_FOUND : status;
    const int32_t k = tn_model_as_coupling(model, element);
    *out = (tn_coupling){k, model->of[TN_SECTION_COUPLING][k]};
    return TN_OK;
}

tn_joint tn_model_coupling_joint(const tn_model *model, tn_coupling coupling)
{
    TN_DEMAND(model && tn_has_coupling(model, coupling), (tn_joint){-1});
    coupling.of = model->of[TN_SECTION_COUPLING][coupling.i];
    return tn_coupling_as_joint(coupling);
}

tn_status tn_model_find_marker(const tn_model *model, const char *name, tn_marker *out)
{
    TN_DEMAND(model && out, TN_ERROR_ARGUMENT);
    return find(model, TN_SECTION_MARKER, &model->marker_names, name, &out->i, &out->of);
}

int tn_model_has_body(const tn_model *model, tn_body body)
{
    TN_DEMAND(model, 0);
    return tn_has_body(model, body);
}

int tn_model_has_joint(const tn_model *model, tn_joint joint)
{
    TN_DEMAND(model, 0);
    return tn_has_joint(model, joint);
}

int tn_model_has_coupling(const tn_model *model, tn_coupling coupling)
{
    TN_DEMAND(model, 0);
    return tn_has_coupling(model, coupling);
}

int tn_model_has_marker(const tn_model *model, tn_marker marker)
{
    TN_DEMAND(model, 0);
    return tn_has_marker(model, marker);
}

int tn_model_has_load(const tn_model *model, tn_load load)
{
    TN_DEMAND(model, 0);
    return tn_has_load(model, load);
}

int tn_model_has_measure(const tn_model *model, tn_measure_id measure)
{
    TN_DEMAND(model, 0);
    return tn_has_measure(model, measure);
}

tn_status tn_model_find_coordinate(const tn_model *model, tn_joint joint, const char *name,
                                   int32_t *coordinate)
{
    const int32_t element = model ? tn_element_of(model, joint) : -1;
    if (element < 0 || !name || !coordinate)
        return TN_ERROR_ARGUMENT;
    const tn_joint_type_info *info = &model->joints[element].geometry.cls->info;
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        if (strcmp(info->coordinates[i].name, name) == 0) {
            *coordinate = i;
            return TN_OK;
        }
    }
    return TN_ERROR_NOT_FOUND;
}

/* Names were added in order of the ids. */
static const char *name_of(const tn_names *names, int32_t i)
{
    return i >= 0 && i < names->count ? names->entries[i].text : "ground";
}

/* Of what is there, or was; nothing of another model. */
static const char *name_in(const tn_model *model, tn_section section, const tn_names *names,
                           int32_t i, uint32_t of)
{
    const bool ours = i < 0 || tn_model_had(model, section, i, of, names->count);
    return ours ? name_of(names, i) : "";
}

const char *tn_model_body_name(const tn_model *model, tn_body body)
{
    TN_DEMAND(model, "");
    return name_in(model, TN_SECTION_BODY, &model->body_names, body.i, body.of);
}

const char *tn_model_joint_name(const tn_model *model, tn_joint joint)
{
    TN_DEMAND(model, "");
    const int32_t element = tn_any_element_of(model, joint);
    return joint.i >= 0 && element < 0 ? "" : name_of(&model->joint_names, element);
}

const char *tn_model_coupling_name(const tn_model *model, tn_coupling coupling)
{
    TN_DEMAND(model, "");
    return tn_model_joint_name(model, tn_coupling_as_joint(coupling));
}

tn_body tn_model_marker_body(const tn_model *model, tn_marker marker)
{
    TN_DEMAND(model && tn_has_marker(model, marker), (tn_body){-1});
    return (tn_body){model->markers[marker.i].body};
}

const char *tn_model_marker_name(const tn_model *model, tn_marker marker)
{
    TN_DEMAND(model, "");
    return name_in(model, TN_SECTION_MARKER, &model->marker_names, marker.i, marker.of);
}

int32_t tn_model_load_count(const tn_model *model)
{
    TN_DEMAND(model, 0);
    return model->load_count;
}

tn_status tn_model_find_load(const tn_model *model, const char *name, tn_load *out)
{
    TN_DEMAND(model && out, TN_ERROR_ARGUMENT);
    return find(model, TN_SECTION_LOAD, &model->load_names, name, &out->i, &out->of);
}

const char *tn_model_load_name(const tn_model *model, tn_load load)
{
    TN_DEMAND(model, "");
    return name_in(model, TN_SECTION_LOAD, &model->load_names, load.i, load.of);
}

int32_t tn_model_measure_count(const tn_model *model)
{
    TN_DEMAND(model, 0);
    return model->measure_count;
}

tn_status tn_model_find_measure(const tn_model *model, const char *name, tn_measure_id *out)
{
    TN_DEMAND(model && out, TN_ERROR_ARGUMENT);
    return find(model, TN_SECTION_MEASURE, &model->measure_names, name, &out->i, &out->of);
}

const char *tn_model_measure_name(const tn_model *model, tn_measure_id measure)
{
    TN_DEMAND(model, "");
    return name_in(model, TN_SECTION_MEASURE, &model->measure_names, measure.i, measure.of);
}

const tn_measure_def *tn_model_measure(const tn_model *model, tn_measure_id measure)
{
    TN_DEMAND(model && tn_has_measure(model, measure), NULL);
    return &model->measures[measure.i];
}

tn_world_kind tn_model_world_kind(const tn_model *model)
{
    TN_DEMAND(model, TN_WORLD_SPATIAL);
    return model->planar ? TN_WORLD_PLANAR : TN_WORLD_SPATIAL;
}

tn_up tn_model_up(const tn_model *model)
{
    TN_DEMAND(model, TN_UP_Z);
    const double x = fabs(model->gravity.x), y = fabs(model->gravity.y), z = fabs(model->gravity.z);
    if (model->up != TN_UP_FROM_GRAVITY)
        return model->up;
    if (model->planar || (y > z && y >= x))
        return TN_UP_Y;
    return x > z ? TN_UP_X : TN_UP_Z;
}

tn_body_kind tn_model_body_kind(const tn_model *model, tn_body body)
{
    TN_DEMAND(model && tn_model_had(model, TN_SECTION_BODY, body.i, body.of, model->body_count),
              TN_BODY_FIXED);
    return model->bodies[body.i].kind;
}

tn_mass_properties tn_model_body_mass(const tn_model *model, tn_body body)
{
    TN_DEMAND(model && tn_has_body(model, body), tn_no_mass());
    const tn_model_body *b = &model->bodies[body.i];
    return (tn_mass_properties){b->mass, b->com, b->J};
}

static const tn_model_joint *joint_of(const tn_model *model, tn_joint joint)
{
    return &model->joints[joint.i];
}

tn_joint_type tn_model_joint_type(const tn_model *model, tn_joint joint)
{
    TN_DEMAND(model && tn_model_had(model, TN_SECTION_JOINT, joint.i, joint.of, model->joint_count),
              (tn_joint_type){-1});
    return joint_of(model, joint)->type;
}

/* Couplings have a table of rows and coordinates as well. */
const tn_joint_type_info *tn_model_joint_info(const tn_model *model, tn_joint joint)
{
    const int32_t element = model ? tn_any_element_of(model, joint) : -1;
    TN_DEMAND(element >= 0, NULL);
    return &model->joints[element].geometry.cls->info;
}

void tn_model_joint_bodies(const tn_model *model, tn_joint joint, tn_body *a, tn_body *b)
{
    TN_DEMAND_OR_RETURN(model && a && b && tn_has_joint(model, joint));
    *a = (tn_body){joint_of(model, joint)->a};
    *b = (tn_body){joint_of(model, joint)->b};
}

static tn_pose body_frame_pose(const tn_model *model, int32_t body, const tn_xform *T)
{
    tn_pose pose = {T->p, tn_quat_from_matrix(&T->R)};
    if (body >= 0)
        pose.p = v3_add(pose.p, model->bodies[body].com);
    return pose;
}

void tn_model_joint_frames(const tn_model *model, tn_joint joint, tn_pose *t_ca, tn_pose *t_db)
{
    TN_DEMAND_OR_RETURN(model && t_ca && t_db && tn_has_joint(model, joint));
    const tn_model_joint *j = joint_of(model, joint);
    *t_ca = body_frame_pose(model, j->a, &j->geometry.T_CA);
    *t_db = body_frame_pose(model, j->b, &j->geometry.T_DB);
}

void tn_model_joint_compliance(const tn_model *model, tn_joint joint, double *compliance,
                               double *damping)
{
    TN_DEMAND_OR_RETURN(model && compliance && damping && tn_has_joint(model, joint));
    const tn_model_joint *j = joint_of(model, joint);
    const size_t size = sizeof(double) * (size_t)j->geometry.cls->info.row_count;
    memcpy(compliance, j->compliance, size);
    memcpy(damping, j->damping, size);
}
