/* spec.c: the user's description of a mechanism: adding, copying and reading back.
 *
 * Room spec. In: definition structs. Out: the spec's own deep copies of them. Order of work when
 * adding: make room in the list, copy everything the definition points to into one block, and only
 * then count the entry; so running out of memory at any point adds nothing and leaks nothing.
 */
#include "base/base.h"
#include "spec/spec_internal.h"

#include <stdio.h>
#include <string.h>

#include "spec/joint/joint_data.h"
#include "spec/pack.h"

/* Room for the name of an item that the user did not name, "coupling2147483647". */
#define DEFAULT_NAME_SIZE 24

tn_spec *tn_spec_create(void)
{
    tn_spec *spec = TN_NEW(tn_spec);
    if (spec != NULL) {
        spec->world = tn_default_world_def();
        spec->simulation = tn_default_simulation_def();
        spec->record = tn_default_record_def();
    }
    return spec;
}

void tn_spec_destroy(tn_spec *spec)
{
    if (spec == NULL) {
        return;
    }
    for (int32_t i = 0; i < spec->body_count; i++) {
        tn_free(spec->bodies[i].block);
    }
    for (int32_t i = 0; i < spec->joint_count; i++) {
        tn_free(spec->joints[i].block);
    }
    for (int32_t i = 0; i < spec->marker_count; i++) {
        tn_free(spec->markers[i].block);
    }
    for (int32_t i = 0; i < spec->coupling_count; i++) {
        tn_free(spec->couplings[i].block);
    }
    for (int32_t i = 0; i < spec->load_count; i++) {
        tn_free(spec->loads[i].block);
    }
    for (int32_t i = 0; i < spec->measure_count; i++) {
        tn_free(spec->measures[i].block);
    }
    for (int32_t i = 0; i < spec->solid_count; i++) {
        tn_free(spec->solids[i].block);
    }
    for (int i = 0; i < TN_SECTION_COUNT; i++) {
        tn_free(spec->places[i].places);
    }
    tn_spec_free_parameters(spec);
    tn_names_free(&spec->files);
    tn_free(spec->bodies);
    tn_free(spec->joints);
    tn_free(spec->markers);
    tn_free(spec->couplings);
    tn_free(spec->loads);
    tn_free(spec->measures);
    tn_free(spec->solids);
    tn_free(spec->world_block);
    tn_free(spec->record_block);
    tn_free(spec);
}

tn_status tn_spec_intern_file(tn_spec *spec, const char *file, const char **out)
{
    if (file == NULL) {
        *out = NULL;
        return TN_OK;
    }
    size_t length = strlen(file);
    int32_t known = tn_names_find(&spec->files, file, length);
    if (known == TN_NO_NAME) {
        known = spec->files.count;
        tn_status status = tn_names_add(&spec->files, file, length, known);
        if (status != TN_OK) {
            return status;
        }
    }
    *out = spec->files.entries[known].text;
    return TN_OK;
}

/* The name, or in buffer the name of an item without one. */
static const char *name_or_default(const char *name, const char *what, int32_t index, char *buffer)
{
    if (name != NULL) {
        return name;
    }
    snprintf(buffer, DEFAULT_NAME_SIZE, "%s%d", what, (int)index);
    return buffer;
}

static void copy_shape(tn_pack *pack, tn_shape_def *shape)
{
    shape->points = tn_pack_items(pack, shape->points, shape->point_count, sizeof(*shape->points));
    shape->vertices =
        tn_pack_items(pack, shape->vertices, shape->vertex_count, sizeof(*shape->vertices));
    shape->triangles =
        tn_pack_items(pack, shape->triangles, shape->triangle_count, sizeof(*shape->triangles));
    shape->file = tn_pack_text(pack, shape->file);
}

/* The file names of shapes, taken in advance so that the copying below cannot fail. */
static tn_status intern_shape_files(tn_spec *spec, const tn_body_def *def)
{
    tn_status status = TN_OK;
    for (int32_t i = 0; status == TN_OK && i < def->shape_count; i++) {
        const char *file = NULL;
        status = tn_spec_intern_file(spec, def->shapes[i].at.file, &file);
    }
    return status;
}

static void copy_body(tn_spec *spec, tn_pack *pack, tn_body_def *def)
{
    def->name = tn_pack_text(pack, def->name);
    const tn_shape_def *originals = def->shapes;
    def->shapes = tn_pack_items(pack, originals, def->shape_count, sizeof(*originals));
    for (int32_t i = 0; i < def->shape_count; i++) {
        tn_shape_def shape = originals[i];
        copy_shape(pack, &shape);
        tn_spec_intern_file(spec, shape.at.file, &shape.at.file);
        if (pack->block != NULL) {
            ((tn_shape_def *)def->shapes)[i] = shape;
        }
    }
}

static void copy_function(tn_pack *pack, tn_function_def *def)
{
    def->numbers = tn_pack_items(pack, def->numbers, def->count, sizeof(*def->numbers));
    def->formula = tn_pack_text(pack, def->formula);
}

static void copy_coordinates(tn_pack *pack, tn_joint_data *data)
{
    const tn_coordinate_info *originals = data->coordinates;
    data->coordinates = tn_pack_items(pack, originals, data->coordinate_count, sizeof(*originals));
    for (int32_t i = 0; data->coordinates != NULL && i < data->coordinate_count; i++) {
        const char *name = tn_pack_text(pack, originals[i].name);
        if (pack->block != NULL) {
            ((tn_coordinate_info *)data->coordinates)[i].name = name;
        }
    }
}

static void copy_axes(tn_pack *pack, tn_joint_data *data)
{
    const tn_joint_axis *originals = data->axes;
    data->axes = tn_pack_items(pack, originals, data->axis_count, sizeof(*originals));
    for (int32_t i = 0; data->axes != NULL && i < data->axis_count; i++) {
        tn_function_def f = originals[i].function;
        copy_function(pack, &f);
        if (pack->block != NULL) {
            ((tn_joint_axis *)data->axes)[i].function = f;
        }
    }
}

static void copy_drive(tn_pack *pack, tn_drive_def *drive)
{
    copy_function(pack, &drive->position);
    copy_function(pack, &drive->motor.speed);
    copy_function(pack, &drive->motor.position);
    copy_function(pack, &drive->spring.rest);
    copy_function(pack, &drive->spring.force);
}

static void copy_drives(tn_pack *pack, tn_joint_def *def)
{
    const tn_drive_def *originals = def->drives;
    def->drives = tn_pack_items(pack, originals, def->drive_count, sizeof(*originals));
    for (int32_t i = 0; i < def->drive_count; i++) {
        tn_drive_def drive = originals[i];
        copy_drive(pack, &drive);
        if (pack->block != NULL) {
            ((tn_drive_def *)def->drives)[i] = drive;
        }
    }
}

static void copy_data(tn_pack *pack, tn_joint_def *def)
{
    if (def->data == NULL) {
        return;
    }
    tn_joint_data data = *def->data;
    def->data = tn_pack_items(pack, def->data, 1, sizeof(*def->data));
    data.points = tn_pack_items(pack, data.points, data.point_count, sizeof(*data.points));
    copy_coordinates(pack, &data);
    copy_axes(pack, &data);
    if (pack->block != NULL) {
        *(tn_joint_data *)def->data = data;
    }
}

static void copy_joint(tn_pack *pack, tn_joint_def *def)
{
    def->name = tn_pack_text(pack, def->name);
    def->type = tn_pack_text(pack, def->type);
    copy_drives(pack, def);
    copy_data(pack, def);
}

static int drives_are_usable(const tn_joint_def *def)
{
    int usable = def->drive_count == 0 || (def->drive_count > 0 && def->drives != NULL);
    for (int32_t i = 0; usable && i < def->drive_count; i++) {
        usable = def->drives[i].cookie == TN_COOKIE_DRIVE;
    }
    return usable;
}

static void copy_coupling(tn_pack *pack, tn_coupling_def *def)
{
    def->name = tn_pack_text(pack, def->name);
    copy_drive(pack, &def->drive);
    const tn_coupling_term *originals = def->terms;
    def->terms = tn_pack_items(pack, originals, def->term_count, sizeof(*originals));
    for (int32_t i = 0; i < def->term_count; i++) {
        tn_function_def f = originals[i].function;
        copy_function(pack, &f);
        if (pack->block != NULL) {
            ((tn_coupling_term *)def->terms)[i].function = f;
        }
    }
}

static void copy_record(tn_pack *pack, tn_record_def *def)
{
    def->bodies = tn_pack_items(pack, def->bodies, def->body_count, sizeof(*def->bodies));
    def->joints = tn_pack_items(pack, def->joints, def->joint_count, sizeof(*def->joints));
    def->markers = tn_pack_items(pack, def->markers, def->marker_count, sizeof(*def->markers));
    def->couplings =
        tn_pack_items(pack, def->couplings, def->coupling_count, sizeof(*def->couplings));
}

tn_status tn_spec_add_body(tn_spec *spec, const tn_body_def *def, tn_body *out)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (def->cookie != TN_COOKIE_BODY || def->shape_count < 0 ||
        (def->shape_count > 0 && def->shapes == NULL)) {
        return tn_spec_refuse(spec, __func__);
    }
    tn_body_entry *grown =
        tn_grow(spec->bodies, &spec->body_capacity, spec->body_count + 1, sizeof(*spec->bodies));
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    spec->bodies = grown;

    char name[DEFAULT_NAME_SIZE];
    tn_body_def copy = *def;
    copy.name = name_or_default(def->name, "body", spec->body_count, name);
    if (tn_spec_intern_file(spec, def->at.file, &copy.at.file) != TN_OK ||
        intern_shape_files(spec, def) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    tn_pack pack = {0};
    copy_body(spec, &pack, &copy);
    if (tn_pack_allocate(&pack) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    copy_body(spec, &pack, &copy);
    const tn_mark mark =
        tn_mark_of(TN_SECTION_BODY, copy.name, NULL, (const int32_t[2]){(int32_t)copy.kind});
    if (out != NULL) {
        *out = (tn_body){spec->body_count, mark.of};
    }
    spec->bodies[spec->body_count++] =
        (tn_body_entry){.def = copy, .block = pack.block, .mark = mark};
    return TN_OK;
}

tn_status tn_spec_add_joint(tn_spec *spec, const tn_joint_def *def, tn_joint *out)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (def->cookie != TN_COOKIE_JOINT || !drives_are_usable(def) ||
        (def->data != NULL && !tn_joint_data_is_readable(def->data))) {
        return tn_spec_refuse(spec, __func__);
    }
    tn_joint_entry *grown =
        tn_grow(spec->joints, &spec->joint_capacity, spec->joint_count + 1, sizeof(*spec->joints));
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    spec->joints = grown;

    char name[DEFAULT_NAME_SIZE];
    tn_joint_def copy = *def;
    copy.name = name_or_default(def->name, "joint", spec->joint_count, name);
    if (tn_spec_intern_file(spec, def->at.file, &copy.at.file) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    tn_pack pack = {0};
    copy_joint(&pack, &copy);
    if (tn_pack_allocate(&pack) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    copy_joint(&pack, &copy);
    const tn_mark mark =
        tn_mark_of(TN_SECTION_JOINT, copy.name, copy.type, (const int32_t[2]){copy.a.i, copy.b.i});
    if (out != NULL) {
        *out = (tn_joint){spec->joint_count, mark.of};
    }
    spec->joints[spec->joint_count++] =
        (tn_joint_entry){.def = copy, .block = pack.block, .mark = mark};
    return TN_OK;
}

tn_status tn_spec_add_marker(tn_spec *spec, const tn_marker_def *def, tn_marker *out)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (def->cookie != TN_COOKIE_MARKER) {
        return tn_spec_refuse(spec, __func__);
    }
    tn_marker_entry *grown = tn_grow(spec->markers, &spec->marker_capacity, spec->marker_count + 1,
                                     sizeof(*spec->markers));
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    spec->markers = grown;

    char name[DEFAULT_NAME_SIZE];
    tn_marker_def copy = *def;
    copy.name = name_or_default(def->name, "marker", spec->marker_count, name);
    if (tn_spec_intern_file(spec, def->at.file, &copy.at.file) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    char *block = tn_copy_text(copy.name, strlen(copy.name));
    if (block == NULL) {
        return TN_ERROR_MEMORY;
    }
    copy.name = block;
    const tn_mark mark =
        tn_mark_of(TN_SECTION_MARKER, copy.name, NULL, (const int32_t[2]){copy.body.i});
    if (out != NULL) {
        *out = (tn_marker){spec->marker_count, mark.of};
    }
    spec->markers[spec->marker_count++] =
        (tn_marker_entry){.def = copy, .block = block, .mark = mark};
    return TN_OK;
}

static int has_usable_terms(const tn_coupling_def *def)
{
    if (def->term_count < 0 || (def->term_count > 0 && def->terms == NULL)) {
        return 0;
    }
    for (int32_t i = 0; i < def->term_count; i++) {
        const tn_function_def *f = &def->terms[i].function;
        if (f->count < 0 || (f->count > 0 && f->numbers == NULL)) {
            return 0;
        }
    }
    return 1;
}

tn_status tn_spec_add_coupling(tn_spec *spec, const tn_coupling_def *def, tn_coupling *out)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (def->cookie != TN_COOKIE_COUPLING || def->drive.cookie != TN_COOKIE_DRIVE ||
        !has_usable_terms(def)) {
        return tn_spec_refuse(spec, __func__);
    }
    tn_coupling_entry *grown = tn_grow(spec->couplings, &spec->coupling_capacity,
                                       spec->coupling_count + 1, sizeof(*spec->couplings));
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    spec->couplings = grown;

    char name[DEFAULT_NAME_SIZE];
    tn_coupling_def copy = *def;
    copy.name = name_or_default(def->name, "coupling", spec->coupling_count, name);
    if (tn_spec_intern_file(spec, def->at.file, &copy.at.file) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    tn_pack pack = {0};
    copy_coupling(&pack, &copy);
    if (tn_pack_allocate(&pack) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    copy_coupling(&pack, &copy);
    const tn_mark mark =
        tn_mark_of(TN_SECTION_COUPLING, copy.name, NULL, (const int32_t[2]){copy.term_count});
    if (out != NULL) {
        *out = (tn_coupling){spec->coupling_count, mark.of};
    }
    spec->couplings[spec->coupling_count++] =
        (tn_coupling_entry){.def = copy, .block = pack.block, .mark = mark};
    return TN_OK;
}

tn_status tn_spec_set_world(tn_spec *spec, const tn_world_def *def)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (def->cookie != TN_COOKIE_WORLD) {
        return tn_spec_refuse(spec, __func__);
    }
    tn_world_def copy = *def;
    char *block = NULL;
    if (def->name != NULL) {
        block = tn_copy_text(def->name, strlen(def->name));
        copy.name = block;
    }
    if ((def->name != NULL && block == NULL) ||
        tn_spec_intern_file(spec, def->at.file, &copy.at.file) != TN_OK) {
        tn_free(block);
        return TN_ERROR_MEMORY;
    }
    tn_free(spec->world_block);
    spec->world = copy;
    spec->world_block = block;
    return TN_OK;
}

tn_status tn_spec_set_simulation(tn_spec *spec, const tn_simulation_def *def)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (def->cookie != TN_COOKIE_SIMULATION) {
        return tn_spec_refuse(spec, __func__);
    }
    tn_simulation_def copy = *def;
    tn_status status = tn_spec_intern_file(spec, def->at.file, &copy.at.file);
    if (status == TN_OK) {
        spec->simulation = copy;
    }
    return status;
}

/* A list of a record section: -1 stands for all, anything above 0 needs entries. */
static int list_is_usable(const void *items, int32_t count)
{
    return count == -1 || count == 0 || (count > 0 && items != NULL);
}

tn_status tn_spec_set_record(tn_spec *spec, const tn_record_def *def)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (def->cookie != TN_COOKIE_RECORD || !list_is_usable(def->bodies, def->body_count) ||
        !list_is_usable(def->joints, def->joint_count) ||
        !list_is_usable(def->markers, def->marker_count) ||
        !list_is_usable(def->couplings, def->coupling_count)) {
        return tn_spec_refuse(spec, __func__);
    }
    tn_record_def copy = *def;
    if (tn_spec_intern_file(spec, def->at.file, &copy.at.file) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    tn_pack pack = {0};
    copy_record(&pack, &copy);
    if (tn_pack_allocate(&pack) != TN_OK) {
        return TN_ERROR_MEMORY;
    }
    copy_record(&pack, &copy);
    tn_free(spec->record_block);
    spec->record = copy;
    spec->record_block = pack.block;
    return TN_OK;
}

const tn_world_def *tn_spec_world(const tn_spec *spec)
{
    TN_DEMAND(spec, NULL);
    return &spec->world;
}

const tn_simulation_def *tn_spec_simulation(const tn_spec *spec)
{
    TN_DEMAND(spec, NULL);
    return &spec->simulation;
}

const tn_record_def *tn_spec_record(const tn_spec *spec)
{
    TN_DEMAND(spec, NULL);
    return &spec->record;
}

int32_t tn_spec_body_count(const tn_spec *spec)
{
    TN_DEMAND(spec, 0);
    return spec->body_count;
}

int32_t tn_spec_joint_count(const tn_spec *spec)
{
    TN_DEMAND(spec, 0);
    return spec->joint_count;
}

int32_t tn_spec_marker_count(const tn_spec *spec)
{
    TN_DEMAND(spec, 0);
    return spec->marker_count;
}

int32_t tn_spec_coupling_count(const tn_spec *spec)
{
    TN_DEMAND(spec, 0);
    return spec->coupling_count;
}

const tn_coupling_def *tn_spec_coupling(const tn_spec *spec, tn_coupling coupling)
{
    TN_DEMAND(spec && tn_spec_had(spec, TN_SECTION_COUPLING, coupling.i, coupling.of), NULL);
    return &spec->couplings[coupling.i].def;
}

const tn_body_def *tn_spec_body(const tn_spec *spec, tn_body body)
{
    TN_DEMAND(spec && tn_spec_had(spec, TN_SECTION_BODY, body.i, body.of), NULL);
    return &spec->bodies[body.i].def;
}

const tn_joint_def *tn_spec_joint(const tn_spec *spec, tn_joint joint)
{
    TN_DEMAND(spec && tn_spec_had(spec, TN_SECTION_JOINT, joint.i, joint.of), NULL);
    return &spec->joints[joint.i].def;
}

const tn_marker_def *tn_spec_marker(const tn_spec *spec, tn_marker marker)
{
    TN_DEMAND(spec && tn_spec_had(spec, TN_SECTION_MARKER, marker.i, marker.of), NULL);
    return &spec->markers[marker.i].def;
}
