/* load_tables.c: the section of loads (load_io.h).
 *
 * Room io/section. An item is read by the table of all keys; then the rows of `kinds` say which kind it is
 * and which of the keys that were given belong to it.
 */
#include <math.h>
#include <string.h>

#include "io/field/load_io.h"
#include "io/field/selection.h"
#include "io/reader/table_io.h"
#include "io/reader/frame.h"
#include "io/section/sections.h"
#include "tenon/solid.h"

static const char *axes_word(int32_t index)
{
    return tn_load_axes_name((tn_load_axes)index);
}

static const tn_words axes_words = {axes_word};

static const char *name_of_body(const tn_spec *spec, int32_t index)
{
    return tn_spec_body(spec, (tn_body){index})->name;
}

static const tn_selection body_selection = {"body", TN_SECTION_BODY,
                                            offsetof(tn_load_form, def.body_count), name_of_body};

static const tn_field drag_fields[] = {
    {TN_FIELD("linear", number, tn_load_form, def.linear), .doc = "Force per speed.",
     .unit = "N s/m"},
    {TN_FIELD("quadratic", number, tn_load_form, def.quadratic),
     .doc = "Force per square of the speed: half of density, area and drag coefficient.",
     .unit = "N s^2/m^2"},
    {TN_FIELD("rotary", number, tn_load_form, def.rotary), .doc = "Moment per angular speed.",
     .unit = "N m s/rad"},
    {TN_FIELD("rotary_quadratic", number, tn_load_form, def.rotary_quadratic),
     .doc = "Moment per square of the angular speed.", .unit = "N m s^2/rad^2"},
    {TN_FIELD("medium", components, tn_load_form, def.medium),
     .doc = "Velocity of the medium, numbers or functions of the time in s; default at rest.",
     .unit = "m/s"},
    {TN_FIELD("at", vector, tn_load_form, drag_at),
     .doc = "Where on a single body; default its centre of mass.", .unit = "m"},
};

static const tn_table drag_table = {
    .title = "a drag", .section = TN_NO_SECTION, TN_FIELDS(drag_fields)};

static const tn_field central_fields[] = {
    {TN_FIELD("marker", marker, tn_load_form, centre), .doc = "The centre, as a marker.",
     .group = "centre"},
    {TN_FIELD("point", vector, tn_load_form, centre_point),
     .doc = "The centre, as a point of the world.", .unit = "m", .group = "centre"},
    {TN_FIELD("strength", number, tn_load_form, def.strength),
     .doc = "Acceleration towards the centre at a distance of 1 m, in m/s^2.",
     .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("exponent", number, tn_load_form, def.exponent),
     .doc = "It falls with this power of the distance; default 2, gravitation."},
};

static const tn_table central_table = {
    .title = "a central field", .section = TN_NO_SECTION, TN_FIELDS(central_fields)};

static const tn_field load_fields[] = {
    TN_REPEAT_FIELD,
    {TN_FIELD("body", loaded_body, tn_load_form, body), .doc = "The body it acts on.",
     .group = "on"},
    {TN_FIELD("bodies", selection, tn_load_form, def.bodies),
     .doc = "The bodies a field acts on; default all that move.", .extra = &body_selection,
     .group = "on"},
    {TN_FIELD("marker", marker, tn_load_form, marker), .doc = "The marker it acts at.",
     .group = "on"},
    {TN_FIELD("between", between, tn_load_form, def.markers),
     .doc = "Two markers: what acts on the first one's body acts on the other's the other way.",
     .group = "on"},
    {TN_FIELD("coordinate", along, tn_load_form, along),
     .doc = "Of an effort, as joint.coordinate.", .group = "on"},
    {TN_FIELD("surface", text, tn_load_form, surface),
     .doc = "Of a pressure, a surface of a solid as SOLID.SURFACE.", .group = "on"},
    {TN_FIELD("at", vector, tn_load_form, at),
     .doc = "Point of the body where a force acts, in the body's frame; default its origin.",
     .unit = "m"},
    {TN_FIELD("axes", word, tn_load_form, def.axes),
     .doc = "Whose axes force and moment are given in: world (default, a dead load), body (a "
            "follower) or marker.",
     .extra = &axes_words},
    {TN_FIELD("force", components, tn_load_form, def.force),
     .doc = "Force, numbers or functions of the time in s.", .unit = "N"},
    {TN_FIELD("moment", moment, tn_load_form, def.moment),
     .doc = "Moment, numbers or functions of the time in s; one, about z, in a planar world.",
     .unit = "N m"},
    {TN_FIELD("thrust", function, tn_load_form, def.thrust),
     .doc = "Pushes two markers apart along their line, a number or a function of the time in s.",
     .unit = "N"},
    {TN_FIELD("effort", function, tn_load_form, def.effort),
     .doc = "Pushes a coordinate up, a number or a function of the time in s.", .unit = "N, N m"},
    {TN_FIELD("pressure", function, tn_load_form, def.pressure),
     .doc = "Pushes a surface inwards, against its normal as it deforms; a number or a function of "
            "the time in s.",
     .unit = "Pa"},
    {TN_FIELD("acceleration", components, tn_load_form, def.acceleration),
     .doc = "Of free fall in a uniform field, numbers or functions of the time in s.",
     .unit = "m/s^2"},
    {TN_FIELD("gravity_scale", number, tn_load_form, def.scale),
     .doc = "What gravity is multiplied by for the bodies; 0: no weight."},
    {TN_KEY("drag", table), .doc = "Resistance of a medium.", .extra = &drag_table},
    {TN_KEY("central", table), .doc = "Attraction by a point.", .extra = &central_table},
};

const tn_table tn_load_table = {
    .name = "load", .title = "a load", .section = TN_NO_SECTION, TN_FIELDS(load_fields)};

/* What each kind is called in messages, its own key, and the others it takes. */
typedef struct kind_row {
    tn_load_kind kind;
    const char *title, *key;
    const char *others[TN_MOST_OTHERS];
} kind_row;

static const kind_row kinds[] = {
    {TN_LOAD_PAIR, "what acts between markers", "between", {"axes", "force", "moment", "thrust"}},
    {TN_LOAD_WRENCH, "a force", "force", {"body", "marker", "at", "axes", "moment"}},
    {TN_LOAD_WRENCH, "a moment", "moment", {"body", "marker", "at", "axes", "force"}},
    {TN_LOAD_PAIR, "a thrust", "thrust", {"between", "axes", "force", "moment"}},
    {TN_LOAD_EFFORT, "an effort", "effort", {"coordinate"}},
    {TN_LOAD_PRESSURE, "a pressure", "pressure", {"surface"}},
    {TN_LOAD_UNIFORM, "a uniform field", "acceleration", {"body", "bodies"}},
    {TN_LOAD_GRAVITY, "a scale of gravity", "gravity_scale", {"body", "bodies"}},
    {TN_LOAD_DRAG, "a drag", "drag", {"body", "bodies"}},
    {TN_LOAD_CENTRAL, "a central field", "central", {"body", "bodies"}},
};

/* The kind whose own key was given, NULL after a complaint that there is none; complains about keys
 * that do not belong to it. */
static const kind_row *find_kind(tn_reader *reader, int32_t key, uint64_t seen)
{
    const kind_row *row = NULL;
    for (size_t i = 0; i < TN_COUNT_OF(kinds) && row == NULL; i++) {
        row = tn_key_seen(&tn_load_table, seen, kinds[i].key) ? &kinds[i] : NULL;
    }
    if (row == NULL) {
        tn_problem(
            reader, key,
            "force, moment, thrust, effort, pressure, acceleration, gravity_scale, drag or central",
            "the load says where, but not what it is");
        return NULL;
    }
    for (int32_t i = 0; i < tn_load_table.field_count; i++) {
        if ((seen >> i & 1) != 0 && !tn_key_belongs(load_fields[i].key, row->key, row->others)) {
            tn_problem(reader, key, "two loads are two entries",
                       "'%s' does not belong to %s ('%s')", load_fields[i].key, row->title,
                       row->key);
        }
    }
    return row;
}

static tn_load_form default_form(void)
{
    const tn_vec3 unset = {(double)NAN, (double)NAN, (double)NAN};
    tn_load_form form = {.def = tn_default_load_def(TN_LOAD_WRENCH),
                         .body = {-2},
                         .marker = {-1},
                         .at = unset,
                         .drag_at = unset,
                         .centre = {-1},
                         .centre_point = unset};
    form.along.joint.i = -1;
    form.def.body_count = -1;
    return form;
}

/* The definition a form stands for. */
static tn_load_def make_load(const tn_load_form *form, tn_load_kind kind)
{
    tn_load_def def = form->def;
    const bool pushes = kind == TN_LOAD_WRENCH || kind == TN_LOAD_PAIR || kind == TN_LOAD_EFFORT ||
                        kind == TN_LOAD_PRESSURE;
    def.kind = kind;
    def.joint = form->along.joint;
    def.coordinate = form->along.coordinate;
    if (form->body.i >= 0) {
        def.bodies = &form->body;
        def.body_count = 1;
    } else if (pushes) {
        def.body_count = 0;
    }
    if (kind == TN_LOAD_WRENCH) {
        def.markers[0] = form->marker;
        def.point = form->at;
    } else if (kind == TN_LOAD_CENTRAL) {
        def.markers[0] = form->centre;
        def.point = form->centre_point;
    } else if (kind == TN_LOAD_DRAG) {
        def.point = form->drag_at;
    }
    return def;
}

/* For one with problems: it does nothing, and those that follow keep their index. */
static tn_load_def stand_in(const tn_load_form *form)
{
    tn_load_def def = tn_default_load_def(TN_LOAD_GRAVITY);
    def.scale = 1.0;
    def.body_count = -1;
    def.name = form->def.name;
    def.at = form->def.at;
    return def;
}

static void find_surface(tn_reader *reader, int32_t key, int32_t value, tn_load_form *form)
{
    const int32_t named = tn_find_key(reader, value, "surface");
    if (form->surface == NULL) {
        tn_problem(reader, key, "surface: SOLID.SURFACE",
                   "a pressure acts on a surface of a solid");
    } else if (tn_spec_find_surface(reader->spec, form->surface, &form->def.solid,
                                    &form->def.surface) != TN_OK) {
        tn_problem(reader, named, "name it in the solid: surfaces: {NAME: {set: ..}}",
                   "there is no surface '%.200s'", form->surface);
    }
}

void tn_read_load(tn_reader *reader, const tn_item_class *item_class, int32_t key, int32_t value)
{
    tn_saved saved;
    tn_enter_item(reader, &saved, item_class, key, reader->spec->load_count);
    tn_load_form form = default_form();
    form.def.name = reader->name;
    form.def.at = tn_node_location(reader, key);
    reader->coordinate_unit = (double)NAN; /* what an effort is depends on its coordinate */
    reader->coordinate_kind = TN_COORDINATE_UNKNOWN;
    const int32_t before = reader->problems;
    const uint64_t seen = tn_read_table(reader, item_class->table, value, key, &form);
    reader->coordinate_kind = TN_COORDINATE_UNKNOWN;
    const bool mapping = tn_get(reader, value)->kind == TN_NODE_MAPPING;
    const kind_row *row = mapping ? find_kind(reader, key, seen) : NULL;
    if (row != NULL && row->kind == TN_LOAD_PRESSURE && reader->problems == before) {
        find_surface(reader, key, value, &form);
    }
    const bool good = row != NULL && reader->problems == before;
    const tn_load_def def = good ? make_load(&form, row->kind) : stand_in(&form);
    tn_leave_item(reader, &saved, tn_spec_add_load(reader->spec, &def, NULL));
}

int32_t tn_emitted_loads(const tn_emitter *emitter)
{
    return tn_spec_load_count(emitter->spec);
}

/* The form of a definition. */
static tn_load_form form_of(const tn_load_def *def)
{
    tn_load_form form = default_form();
    form.def = *def;
    if (def->kind == TN_LOAD_WRENCH) {
        form.marker = def->markers[0];
        form.at = def->point;
    } else if (def->kind == TN_LOAD_CENTRAL) {
        form.centre = def->markers[0];
        form.centre_point = def->point;
    } else if (def->kind == TN_LOAD_DRAG) {
        form.drag_at = def->point;
    } else if (def->kind == TN_LOAD_EFFORT) {
        form.along.joint = def->joint;
        form.along.coordinate = def->coordinate;
    }
    if (def->kind != TN_LOAD_PAIR) {
        form.def.markers[0].i = form.def.markers[1].i = -1;
    }
    if (def->body_count == 1) {
        form.body = def->bodies[0];
    }
    if (def->body_count <= 1) {
        form.def.body_count = -1;
    }
    return form;
}

void tn_write_load(tn_emitter *emitter, const tn_item_class *item_class, int32_t index)
{
    const tn_load_form form = form_of(tn_spec_load(emitter->spec, (tn_load){index}));
    const tn_load_form initial = default_form();
    const kind_row *row = kinds;
    for (size_t i = TN_COUNT_OF(kinds); i-- > 0;) {
        row = kinds[i].kind == form.def.kind ? &kinds[i] : row;
    }
    tn_emit_open(emitter, form.def.name);
    tn_write_own_keys(emitter, item_class->table, row->key, row->others, &form, &initial);
    tn_emit_close(emitter, 1);
}
