/* remove.c: taking bodies, joints and loads out of a spec again.
 *
 * Room spec. In: a spec and what is to go. Out: the same spec in which what went, and all that hung
 * on it, does nothing any more. Ids are places in lists, and those of everything else are to stay:
 * a removed item keeps its place, taken by one of its kind that is valid and has no effect (a fixed
 * body, a joint that holds nothing, a load on no body). Its name is free for others. Names are made
 * before anything changes, so that running out of memory changes nothing.
 */
#include <stdio.h>

#include "spec/spec_internal.h"

/* "(removed coupling 2147483647)" */
#define NAME_SIZE 40

int32_t tn_spec_count(const tn_spec *spec, tn_section section)
{
    const int32_t counts[TN_SECTION_COUNT] = {
        [TN_SECTION_BODY] = spec->body_count,     [TN_SECTION_JOINT] = spec->joint_count,
        [TN_SECTION_MARKER] = spec->marker_count, [TN_SECTION_COUPLING] = spec->coupling_count,
        [TN_SECTION_LOAD] = spec->load_count,     [TN_SECTION_MEASURE] = spec->measure_count,
    };
    return counts[section];
}

/* What is to go, list by list; then it goes. */
typedef struct removal {
    tn_spec *spec;
    bool *marks[TN_SECTION_COUNT]; /* NULL: sections without lists */
} removal;

static void forget(removal *r)
{
    for (int s = 0; s < TN_SECTION_COUNT; s++) {
        tn_free(r->marks[s]);
    }
}

static tn_status plan(tn_spec *spec, removal *r)
{
    *r = (removal){.spec = spec};
    for (int s = TN_SECTION_BODY; s <= TN_SECTION_MEASURE; s++) {
        r->marks[s] = TN_NEW_ARRAY(bool, tn_spec_count(spec, (tn_section)s) + 1);
        if (r->marks[s] == NULL) {
            forget(r);
            return TN_ERROR_MEMORY;
        }
    }
    return TN_OK;
}

static bool goes(const removal *r, tn_section section, int32_t index, int32_t count)
{
    return TN_IN(index, count) && r->marks[section][index];
}

static void mark_joints_and_markers(removal *r)
{
    const tn_spec *spec = r->spec;
    for (int32_t j = 0; j < spec->joint_count; j++) {
        const tn_joint_def *def = &spec->joints[j].def;
        r->marks[TN_SECTION_JOINT][j] |= goes(r, TN_SECTION_BODY, def->a.i, spec->body_count) ||
                                         goes(r, TN_SECTION_BODY, def->b.i, spec->body_count);
    }
    for (int32_t m = 0; m < spec->marker_count; m++) {
        r->marks[TN_SECTION_MARKER][m] |=
            goes(r, TN_SECTION_BODY, spec->markers[m].def.body.i, spec->body_count);
    }
}

static void mark_couplings(removal *r)
{
    const tn_spec *spec = r->spec;
    for (int32_t k = 0; k < spec->coupling_count; k++) {
        const tn_coupling_def *def = &spec->couplings[k].def;
        for (int32_t t = 0; t < def->term_count; t++) {
            r->marks[TN_SECTION_COUPLING][k] |=
                goes(r, TN_SECTION_JOINT, def->terms[t].joint.i, spec->joint_count);
        }
    }
}

/* A load on several bodies stays with those that are left. */
static bool load_goes(const removal *r, const tn_load_def *def)
{
    const tn_spec *spec = r->spec;
    bool any_left = def->body_count <= 0;
    for (int32_t i = 0; i < def->body_count; i++) {
        any_left |= !goes(r, TN_SECTION_BODY, def->bodies[i].i, spec->body_count);
    }
    const bool at_marker = goes(r, TN_SECTION_MARKER, def->markers[0].i, spec->marker_count) ||
                           goes(r, TN_SECTION_MARKER, def->markers[1].i, spec->marker_count);
    const bool along =
        def->kind == TN_LOAD_EFFORT && goes(r, TN_SECTION_JOINT, def->joint.i, spec->joint_count);
    return !any_left || at_marker || along;
}

/* Couplings are measured as joints. */
static bool measure_goes(const removal *r, const tn_measure_def *def)
{
    const tn_spec *spec = r->spec;
    const tn_measure_kind kind = tn_quantity_kind(def->quantity);
    const bool of_joint = kind == TN_MEASURE_COORDINATE || kind == TN_MEASURE_REACTION ||
                          kind == TN_MEASURE_JOINT || kind == TN_MEASURE_SECTION;
    const int32_t coupling = def->joint.i - TN_COUPLING_JOINTS;
    return (of_joint && (goes(r, TN_SECTION_JOINT, def->joint.i, spec->joint_count) ||
                         goes(r, TN_SECTION_COUPLING, coupling, spec->coupling_count))) ||
           (kind == TN_MEASURE_LOAD && goes(r, TN_SECTION_LOAD, def->load.i, spec->load_count)) ||
           goes(r, TN_SECTION_MARKER, def->markers[0].i, spec->marker_count) ||
           goes(r, TN_SECTION_MARKER, def->markers[1].i, spec->marker_count) ||
           goes(r, TN_SECTION_MARKER, def->about.i, spec->marker_count);
}

/* Of a list, those that stay. */
static void shorten_list(const removal *r, tn_load_def *def)
{
    tn_body *list = (tn_body *)def->bodies; /* the entry's own */
    int32_t count = 0;
    for (int32_t i = 0; i < def->body_count; i++) {
        if (!goes(r, TN_SECTION_BODY, list[i].i, r->spec->body_count)) {
            list[count++] = list[i];
        }
    }
    if (def->body_count > 0) {
        def->body_count = count;
    }
}

/* Everything that hangs on what is marked, in the order in which things hang on each other. */
static void mark_all(removal *r)
{
    mark_joints_and_markers(r);
    mark_couplings(r);
    for (int32_t k = 0; k < r->spec->load_count; k++) {
        r->marks[TN_SECTION_LOAD][k] |= load_goes(r, &r->spec->loads[k].def);
    }
    for (int32_t k = 0; k < r->spec->measure_count; k++) {
        r->marks[TN_SECTION_MEASURE][k] |= measure_goes(r, &r->spec->measures[k].def);
    }
}

/* The name of an item that was removed, kept with the spec's other texts. */
static tn_status name_of(tn_spec *spec, tn_section section, int32_t index, const char **name)
{
    static const char *const words[TN_SECTION_COUNT] = {
        [TN_SECTION_BODY] = "body",     [TN_SECTION_JOINT] = "joint",
        [TN_SECTION_MARKER] = "marker", [TN_SECTION_COUPLING] = "coupling",
        [TN_SECTION_LOAD] = "load",     [TN_SECTION_MEASURE] = "measure"};
    char text[NAME_SIZE];
    snprintf(text, sizeof(text), "(removed %s %d)", words[section], (int)index);
    return tn_spec_intern_file(spec, text, name);
}

static int32_t index_or_first(int32_t index, int32_t count)
{
    return TN_IN(index, count) ? index : 0;
}

static void empty_body(tn_spec *spec, int32_t i, const char *name)
{
    tn_body_entry *entry = &spec->bodies[i];
    const tn_body_def old = entry->def;
    tn_free(entry->block);
    *entry = (tn_body_entry){.def = tn_default_body_def(), .mark = {entry->mark.of, true}};
    entry->def.name = name;
    entry->def.kind = TN_BODY_FIXED;
    entry->def.at = old.at;
}

static void empty_joint(tn_spec *spec, int32_t j, const char *name)
{
    tn_joint_entry *entry = &spec->joints[j];
    const tn_joint_def old = entry->def;
    tn_free(entry->block);
    *entry = (tn_joint_entry){.def = tn_default_joint_def(), .mark = {entry->mark.of, true}};
    entry->def.name = name;
    entry->def.type = "free";
    entry->def.a.i = index_or_first(old.a.i, spec->body_count);
    entry->def.b.i = TN_GROUND_INDEX;
    entry->def.disabled = 1;
    entry->def.at = old.at;
}

static void empty_marker(tn_spec *spec, int32_t m, const char *name)
{
    tn_marker_entry *entry = &spec->markers[m];
    const tn_location at = entry->def.at;
    tn_free(entry->block);
    *entry = (tn_marker_entry){.def = tn_default_marker_def(), .mark = {entry->mark.of, true}};
    entry->def.name = name;
    entry->def.body.i = TN_GROUND_INDEX;
    entry->def.at = at;
}

static void empty_coupling(tn_spec *spec, int32_t k, const char *name)
{
    tn_coupling_entry *entry = &spec->couplings[k];
    const tn_location at = entry->def.at;
    tn_free(entry->block);
    *entry = (tn_coupling_entry){.def = tn_default_coupling_def(), .mark = {entry->mark.of, true}};
    entry->def.name = name;
    entry->def.hold = TN_COUPLING_IN_RANGE;
    entry->def.disabled = 1;
    entry->def.at = at;
}

static void empty_load(tn_spec *spec, int32_t k, const char *name)
{
    tn_load_entry *entry = &spec->loads[k];
    const tn_location at = entry->def.at;
    tn_free(entry->block);
    *entry = (tn_load_entry){.def = tn_default_load_def(TN_LOAD_GRAVITY),
                             .mark = {entry->mark.of, true}};
    entry->def.scale = 1.0;
    entry->def.name = name;
    entry->def.at = at;
}

static void empty_measure(tn_spec *spec, int32_t k, const char *name)
{
    tn_measure_entry *entry = &spec->measures[k];
    const tn_location at = entry->def.at;
    tn_free(entry->block);
    *entry = (tn_measure_entry){.def = tn_default_measure_def(TN_QUANTITY_FORMULA),
                                .mark = {entry->mark.of, true}};
    entry->def.name = name;
    entry->def.formula = "0";
    entry->def.at = at;
}

/* One line per list: how many it has, and what takes a place. */
static const struct {
    tn_section section;
    void (*empty)(tn_spec *spec, int32_t index, const char *name);
} emptied[] = {
    {TN_SECTION_BODY, empty_body},     {TN_SECTION_JOINT, empty_joint},
    {TN_SECTION_MARKER, empty_marker}, {TN_SECTION_COUPLING, empty_coupling},
    {TN_SECTION_LOAD, empty_load},     {TN_SECTION_MEASURE, empty_measure},
};

/* Names first: they are what there may be no memory for. */
static tn_status empty_all(removal *r)
{
    tn_status status = TN_OK;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t e = 0; e < TN_COUNT_OF(emptied); e++) {
            const tn_section section = emptied[e].section;
            for (int32_t i = 0; i < tn_spec_count(r->spec, section) && status == TN_OK; i++) {
                const char *name = NULL;
                if (!r->marks[section][i] || tn_spec_is_removed(r->spec, section, i)) {
                    continue;
                }
                status = name_of(r->spec, section, i, &name);
                if (pass == 1) {
                    emptied[e].empty(r->spec, i, name);
                }
            }
        }
    }
    return status;
}

/* Would it take nodes from a solid, or what holds them? */
static bool breaks_solid(const removal *r)
{
    const tn_spec *spec = r->spec;
    bool breaks = false;
    for (int32_t s = 0; s < spec->solid_count; s++) {
        const tn_solid_entry *solid = &spec->solids[s];
        for (int32_t i = 0; i < solid->place_count && !breaks; i++) {
            breaks = goes(r, TN_SECTION_BODY, solid->places[i].body, spec->body_count);
        }
        for (int32_t k = 0; k < solid->mean_count && !breaks; k++) {
            breaks = goes(r, TN_SECTION_JOINT, solid->means[k].joint, spec->joint_count);
        }
    }
    return breaks;
}

static tn_status remove_one(tn_spec *spec, tn_section section, int32_t index, uint32_t of)
{
    TN_DEMAND(spec && tn_spec_had(spec, section, index, of), TN_ERROR_ARGUMENT);
    if (tn_spec_is_removed(spec, section, index)) {
        return TN_ERROR_NOT_FOUND;
    }
    removal r;
    tn_status status = plan(spec, &r);
    if (status == TN_OK) {
        r.marks[section][index] = true;
        mark_all(&r);
        status = breaks_solid(&r) ? TN_ERROR_CONFLICT : TN_OK;
        status = status == TN_OK ? empty_all(&r) : status;
        for (int32_t k = 0; k < spec->load_count && status == TN_OK; k++) {
            shorten_list(&r, &spec->loads[k].def);
        }
        forget(&r);
    }
    return status;
}

tn_status tn_spec_remove_body(tn_spec *spec, tn_body body)
{
    return remove_one(spec, TN_SECTION_BODY, body.i, body.of);
}

tn_status tn_spec_remove_joint(tn_spec *spec, tn_joint joint)
{
    return remove_one(spec, TN_SECTION_JOINT, joint.i, joint.of);
}

tn_status tn_spec_remove_coupling(tn_spec *spec, tn_coupling coupling)
{
    return remove_one(spec, TN_SECTION_COUPLING, coupling.i, coupling.of);
}

tn_status tn_spec_remove_load(tn_spec *spec, tn_load load)
{
    return remove_one(spec, TN_SECTION_LOAD, load.i, load.of);
}

tn_status tn_spec_remove_measure(tn_spec *spec, tn_measure_id measure)
{
    return remove_one(spec, TN_SECTION_MEASURE, measure.i, measure.of);
}
