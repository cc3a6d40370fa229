/* measure_tables.c: the section of measures (measure_io.h).
 *
 * Room io/section. An item is read by the table of all keys; then the row of the kind says which of the
 * keys belong to it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/field/load_io.h"
#include "io/field/measure_io.h"
#include "io/reader/table_io.h"
#include "io/section/sections.h"

static const char *axes_word(int32_t index)
{
    return tn_reaction_axes_name((tn_reaction_axes)index);
}

static const tn_words axes_words = {axes_word};

static const char *part_word(int32_t index)
{
    return tn_wrench_part_name((tn_wrench_part)index);
}

static const tn_words part_words = {part_word};

static const char *component_word(int32_t index)
{
    return tn_vector_component_name((tn_vector_component)index);
}

static const tn_words component_words = {component_word};

static const char *side_word(int32_t index)
{
    static const char *const words[] = {"a", "b"};
    return index < (int32_t)TN_COUNT_OF(words) ? words[index] : NULL;
}

static const tn_words side_words = {side_word};

static const tn_measure_kind of_energy = TN_MEASURE_ENERGY, of_momentum = TN_MEASURE_MOMENTUM;

static const tn_field measure_fields[] = {
    TN_REPEAT_FIELD,
    {TN_FIELD("coordinate", measured_coordinate, tn_measure_form, coordinate),
     .doc = "A coordinate, as joint.coordinate or coupling.value.", .group = "of"},
    {TN_FIELD("reaction", measured_joint, tn_measure_form, reaction),
     .doc = "What this joint does to its body a.", .group = "of"},
    {TN_FIELD("joint", measured_joint, tn_measure_form, moving),
     .doc = "How this joint's frame C is in its frame D, in axes of D: that of a ball joint, which "
            "no coordinates count.",
     .group = "of"},
    {TN_FIELD("section", measured_joint, tn_measure_form, section),
     .doc = "What a beam element, or a weld, carries through its section, in its axes: axial force "
            "(tension is positive), shear forces, torque, bending moments.",
     .group = "of"},
    {TN_FIELD("marker", marker, tn_measure_form, marker), .doc = "Motion of this marker.",
     .group = "of"},
    {TN_FIELD("distance", between, tn_measure_form, distance), .doc = "Between two markers.",
     .group = "of"},
    {TN_FIELD("angle", between, tn_measure_form, angle),
     .doc = "By which the first marker's axes are turned against the second's.", .group = "of"},
    {TN_FIELD("energy", quantity_of, tn_measure_form, energy), .doc = "Of the whole model, J.",
     .extra = &of_energy, .group = "of"},
    {TN_FIELD("momentum", quantity_of, tn_measure_form, momentum),
     .doc = "Of the whole model, world axes, about the world's origin.", .extra = &of_momentum,
     .group = "of"},
    {TN_FIELD("load", measured_load, tn_measure_form, def.load), .doc = "What a load does.",
     .group = "of"},
    {TN_FIELD("formula", measured_formula, tn_measure_form, def.formula),
     .doc = "A formula over coordinates (arm.theta, arm.theta.speed, arm.theta.effort), couplings "
            "(gear.value), other measures (pin.fx), the time t and parameters. Alone it may stand "
            "for the whole measure: lean: =a.theta - b.theta.",
     .group = "of"},
    {TN_FIELD("quantity", quantity_word, tn_measure_form, quantity),
     .doc = "Of a coordinate: value (default), speed, acceleration, effort, power; of a reaction "
            "or section: wrench (default), force, moment; of a joint: rotation (default; along its "
            "axis, as "
            "long as its angle), angular_velocity, position, velocity; of a marker: position "
            "(default), velocity, acceleration, rotation, angular_velocity; of a distance: value "
            "(default), speed; of a load: power (default), "
            "work."},
    {TN_FIELD("part", word, tn_measure_form, def.part),
     .doc = "Of an effort, power or reaction, what of it; default all.", .extra = &part_words},
    {TN_FIELD("axes", word, tn_measure_form, def.axes),
     .doc = "Axes of a reaction: frame c (default) or d, body a or b, world.",
     .extra = &axes_words},
    {TN_FIELD("about", marker, tn_measure_form, def.about),
     .doc = "Marker about which a reaction's moment is taken; default the joint's own point."},
    {TN_FIELD("on", word, tn_measure_form, on_b),
     .doc = "The body that feels the reaction, a (default) or b.", .extra = &side_words},
    {TN_FIELD("relative_to", marker, tn_measure_form, relative_to),
     .doc = "Marker from which, and in whose axes, a marker's motion is seen; default the world."},
    {TN_FIELD("component", word, tn_measure_form, def.component),
     .doc = "x, y, z or magnitude; default all.", .extra = &component_words},
    {TN_FIELD("above", measured_bound, tn_measure_form, def.above),
     .doc = "The report has the time when the first value exceeds this; without a unit in SI "
            "units, an "
            "angle in rad or, where the file counts in degrees, with its unit."},
};

const tn_table tn_measure_table = {.name = "measure",
                                   .instead = "^=",
                                   .title = "a measure",
                                   .section = TN_NO_SECTION,
                                   TN_FIELDS(measure_fields)};

/* What a kind takes beside its own key. */
typedef struct kind_row {
    tn_measure_kind kind;
    const char *others[TN_MOST_OTHERS];
} kind_row;

static const kind_row kinds[] = {
    /* in the order of tn_measure_kind */
    {TN_MEASURE_COORDINATE, {"quantity", "part", "above"}},
    {TN_MEASURE_REACTION, {"quantity", "part", "axes", "about", "on", "component", "above"}},
    {TN_MEASURE_JOINT, {"quantity", "component", "above"}},
    {TN_MEASURE_MARKER, {"quantity", "relative_to", "component", "above"}},
    {TN_MEASURE_DISTANCE, {"quantity", "above"}},
    {TN_MEASURE_ANGLE, {"above"}},
    {TN_MEASURE_ENERGY, {"above"}},
    {TN_MEASURE_MOMENTUM, {"component", "above"}},
    {TN_MEASURE_LOAD, {"quantity", "above"}},
    {TN_MEASURE_FORMULA, {"above"}},
    {TN_MEASURE_SECTION, {"quantity", "component", "above"}},
};

/* NULL after a complaint. */
static const kind_row *find_kind(tn_reader *reader, int32_t key, uint64_t seen)
{
    const kind_row *row = NULL;
    for (size_t i = 0; i < TN_COUNT_OF(kinds) && row == NULL; i++) {
        row = tn_key_seen(&tn_measure_table, seen, tn_measure_kind_name(kinds[i].kind)) ? &kinds[i]
                                                                                        : NULL;
    }
    if (row == NULL) {
        tn_problem(
            reader, key,
            "coordinate, reaction, joint, section, marker, distance, angle, energy, momentum, "
            "load or formula",
            "the measure does not say what it is of");
        return NULL;
    }
    for (int32_t i = 0; i < tn_measure_table.field_count; i++) {
        if ((seen >> i & 1) != 0 &&
            !tn_key_belongs(measure_fields[i].key, tn_measure_kind_name(row->kind), row->others)) {
            tn_problem(reader, key, NULL, "'%s' does not belong to a measure of '%s'",
                       measure_fields[i].key, tn_measure_kind_name(row->kind));
        }
    }
    return row;
}

/* The kind's quantity of that name, its first without one; complains. */
static tn_quantity find_quantity(tn_reader *reader, int32_t key, tn_measure_kind kind,
                                 const char *word)
{
    tn_suggestion suggestion = tn_suggestion_for(word != NULL ? word : "");
    for (int i = 0; i < TN_QUANTITY_COUNT; i++) {
        const char *name = tn_quantity_name((tn_quantity)i);
        if (tn_quantity_kind((tn_quantity)i) != kind) {
            continue;
        }
        if (word == NULL || strcmp(name, word) == 0) {
            return (tn_quantity)i;
        }
        tn_suggestion_offer(&suggestion, name);
    }
    char hint[TN_HINT_SIZE];
    tn_problem(reader, key, tn_suggestion_hint(&suggestion, NULL, hint),
               "a measure of '%s' has no quantity '%.100s'", tn_measure_kind_name(kind), word);
    return TN_QUANTITY_COUNT;
}

static tn_measure_form default_form(void)
{
    tn_measure_form form = {.def = tn_default_measure_def(TN_QUANTITY_COUNT),
                            .marker = {-1},
                            .relative_to = {-1},
                            .distance = {{-1}, {-1}},
                            .angle = {{-1}, {-1}},
                            .reaction = {-1},
                            .moving = {-1},
                            .section = {-1},
                            .energy = TN_QUANTITY_COUNT,
                            .momentum = TN_QUANTITY_COUNT};
    form.coordinate.joint.i = -1;
    return form;
}

static tn_measure_def make_measure(tn_reader *reader, int32_t key, const tn_measure_form *form,
                                   tn_measure_kind kind)
{
    tn_measure_def def = form->def;
    const tn_marker *pair = kind == TN_MEASURE_DISTANCE ? form->distance : form->angle;
    def.quantity = kind == TN_MEASURE_ENERGY     ? form->energy
                   : kind == TN_MEASURE_MOMENTUM ? form->momentum
                                                 : find_quantity(reader, key, kind, form->quantity);
    def.joint = kind == TN_MEASURE_REACTION  ? form->reaction
                : kind == TN_MEASURE_JOINT   ? form->moving
                : kind == TN_MEASURE_SECTION ? form->section
                                             : form->coordinate.joint;
    def.coordinate = form->coordinate.coordinate;
    def.on_b = form->on_b;
    def.markers[0] = kind == TN_MEASURE_MARKER ? form->marker : pair[0];
    def.markers[1] = kind == TN_MEASURE_MARKER ? form->relative_to : pair[1];
    return def;
}

/* lean: =a.theta - b.theta */
static bool is_formula(const tn_reader *reader, int32_t value)
{
    return tn_get(reader, value)->kind == TN_NODE_SCALAR &&
           tn_node_text(reader->tree, value)[0] == '=';
}

void tn_read_measure(tn_reader *reader, const tn_item_class *item_class, int32_t key, int32_t value)
{
    tn_saved saved;
    tn_enter_item(reader, &saved, item_class, key, reader->spec->measure_count);
    tn_measure_form form = default_form();
    form.def.name = reader->name;
    form.def.at = tn_node_location(reader, key);
    reader->coordinate_unit = 1.0;
    const int32_t before = reader->problems;
    const bool mapping = tn_get(reader, value)->kind == TN_NODE_MAPPING;
    const kind_row *row = NULL;
    if (is_formula(reader, value)) {
        const tn_field whole = {.key = form.def.name,
                                .offset = offsetof(tn_measure_form, def.formula)};
        tn_field_measured_formula.read(reader, &whole, value, &form);
        row = &kinds[TN_MEASURE_FORMULA];
    } else {
        const uint64_t seen = tn_read_table(reader, item_class->table, value, key, &form);
        row = mapping ? find_kind(reader, key, seen) : NULL;
    }
    tn_measure_def def = form.def;
    if (row != NULL && reader->problems == before) {
        def = make_measure(reader, key, &form, row->kind);
    }
    if (reader->problems != before) { /* harmless, and those that follow keep their index */
        def = tn_default_measure_def(TN_QUANTITY_TOTAL);
        def.name = form.def.name;
        def.at = form.def.at;
    }
    tn_leave_item(reader, &saved, tn_spec_add_measure(reader->spec, &def, NULL));
}

int32_t tn_emitted_measures(const tn_emitter *emitter)
{
    return tn_spec_measure_count(emitter->spec);
}

static tn_measure_form form_of(const tn_measure_def *def)
{
    const tn_measure_kind kind = tn_quantity_kind(def->quantity);
    tn_measure_form form = default_form();
    form.def = *def;
    form.on_b = def->on_b != 0;
    form.quantity = tn_quantity_name(def->quantity);
    if (kind == TN_MEASURE_COORDINATE) {
        form.coordinate.joint = def->joint;
        form.coordinate.coordinate = def->coordinate;
    } else if (kind == TN_MEASURE_REACTION) {
        form.reaction = def->joint;
    } else if (kind == TN_MEASURE_JOINT) {
        form.moving = def->joint;
    } else if (kind == TN_MEASURE_SECTION) {
        form.section = def->joint;
    } else if (kind == TN_MEASURE_MARKER) {
        form.marker = def->markers[0];
        form.relative_to = def->markers[1];
    } else if (kind == TN_MEASURE_DISTANCE) {
        memcpy(form.distance, def->markers, sizeof(form.distance));
    } else if (kind == TN_MEASURE_ANGLE) {
        memcpy(form.angle, def->markers, sizeof(form.angle));
        form.quantity = NULL;
    } else if (kind == TN_MEASURE_ENERGY) {
        form.energy = def->quantity;
        form.quantity = NULL;
    } else if (kind == TN_MEASURE_MOMENTUM) {
        form.momentum = def->quantity;
        form.quantity = NULL;
    } else if (kind == TN_MEASURE_FORMULA) {
        form.quantity = NULL;
    }
    return form;
}

void tn_write_measure(tn_emitter *emitter, const tn_item_class *item_class, int32_t index)
{
    const tn_measure_form form = form_of(tn_spec_measure(emitter->spec, (tn_measure_id){index}));
    const tn_measure_form initial = default_form();
    const tn_measure_kind kind = tn_quantity_kind(form.def.quantity);
    tn_emit_open(emitter, form.def.name);
    tn_write_own_keys(emitter, item_class->table, tn_measure_kind_name(kind), kinds[kind].others,
                      &form, &initial);
    tn_emit_close(emitter, 1);
}
