/* field_solid.c: what solids are made of: a mesh, its cells, sets of nodes and the holds of these.
 *
 * Room io/field. The writer refuses models with solids (io/write.c).
 */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "io/field/flexible_io.h"
#include "io/field/kinds.h"
#include "io/reader/number.h"

/* solid: its table, and that it is there ------------------------------------------------------------ */

static void read_solid(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_solid_form *form = tn_field_target(field, target);
    form->given = true;
    form->grid.element = TN_HEX20;
    form->modal = (tn_solid_modal){-1, 0.0, TN_MASS_CONSISTENT};
    tn_read_table(reader, field->extra, node, node, form);
}

static void schema_table(tn_json *json, const tn_field *field)
{
    tn_field_table.schema(json, field);
}

const tn_field_kind tn_field_solid = {read_solid, tn_write_nothing, schema_table};

/* cells: three whole numbers ------------------------------------------------------------------------ */

static void read_cells(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double v[3];
    int32_t *cells = tn_field_target(field, target);
    if (!tn_read_numbers(reader, node, field->key, 3, v)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (!(v[i] >= 1.0 && v[i] <= TN_MAX_SOLID_NODES) || v[i] != floor(v[i])) {
            tn_problem(reader, node, "cells: [8, 2, 2]",
                       "'%s' must be three whole numbers, 1 or more", field->key);
            return;
        }
        cells[i] = (int32_t)v[i];
    }
}

static void schema_three(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_numbers(json, 3, 3);
}

const tn_field_kind tn_field_cells = {read_cells, tn_write_nothing, schema_three};

/* node_sets: a name, or a list of names ------------------------------------------------------------- */

static void read_sets(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_hold_form *form = target;
    const bool list = tn_get(reader, node)->kind == TN_NODE_SEQUENCE;
    const int32_t count = list ? tn_get(reader, node)->count : 1;
    const char **sets = tn_reader_alloc(reader, count, sizeof *sets);
    form->sets_node = node;
    if (sets == NULL) {
        return;
    }
    if (!list) {
        form->set_count = tn_read_text(reader, node, field->key, &sets[0]);
    }
    for (int32_t i = list ? tn_get(reader, node)->first : TN_NO_NODE; i != TN_NO_NODE;
         i = tn_get(reader, i)->next) {
        form->set_count += tn_read_text(reader, i, field->key, &sets[form->set_count]);
    }
    form->sets = sets;
}

static void schema_sets(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_text_or_list(json);
}

const tn_field_kind tn_field_node_sets = {read_sets, tn_write_nothing, schema_sets};

/* region: two corners of a box ---------------------------------------------------------------------- */

static void read_region(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_vec3 *within = tn_field_target(field, target);
    int32_t read = 0;
    if (!tn_want_sequence(reader, node, field->key)) {
        return;
    }
    TN_EACH(reader, node, entry)
    {
        double v[3];
        if (read < 2 &&
            tn_read_quantities(reader, entry, field->key, tn_field_measure(reader, field), 3, v)) {
            within[read] = (tn_vec3){v[0], v[1], v[2]};
        }
        read++;
    }
    if (read != 2) {
        tn_problem(reader, node, "within: [[0, 0, 0], [0.1, 0.1, 0.001]]",
                   "'%s' must be two corners of a box", field->key);
    }
}

static void schema_region(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_places(json, 2, 2);
}

const tn_field_kind tn_field_region = {read_region, tn_write_nothing, schema_region};

/* holds: forms by name ------------------------------------------------------------------------------ */

/* Loads name surfaces, and joints holds: each name is there once. */
static void enter_name(tn_reader *reader, tn_names *names, int32_t key, const char *name)
{
    const tn_status status = tn_names_add(names, name, strlen(name), 0);
    if (status == TN_ERROR_CONFLICT) {
        tn_problem(reader, key, NULL, "'%.100s' is given twice", name);
    } else if (status == TN_ERROR_MEMORY) {
        reader->status = status;
    }
}

/* Returns how many. */
static int32_t read_sets_of_nodes(tn_reader *reader, const tn_field *field, int32_t node,
                                  const tn_hold_form **out)
{
    int32_t count = 0;
    if (!tn_want_mapping(reader, node, field->key)) {
        return 0;
    }
    tn_hold_form *holds = tn_reader_alloc(reader, tn_get(reader, node)->count + 1, sizeof *holds);
    if (holds == NULL) {
        return 0;
    }
    *out = holds;
    tn_names names = {0};
    TN_EACH_KEY(reader, node, key)
    {
        tn_hold_form *hold = &holds[count++];
        const double none = (double)NAN;
        *hold = (tn_hold_form){.name = tn_node_text(reader->tree, key),
                               .node = key,
                               .sets_node = key,
                               .within = {{none, none, none}, {none, none, none}},
                               .material = {none, none, none, none, 0, none}};
        enter_name(reader, &names, key, hold->name);
        tn_read_table(reader, field->extra, tn_get(reader, key)->next, key, hold);
    }
    tn_names_free(&names);
    return count;
}

static void read_holds(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_solid_form *form = target;
    form->hold_count = read_sets_of_nodes(reader, field, node, &form->holds);
}

static void read_regions(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_solid_form *form = target;
    form->part_count = read_sets_of_nodes(reader, field, node, &form->parts);
}

static void read_surfaces(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    tn_solid_form *form = target;
    form->surface_count = read_sets_of_nodes(reader, field, node, &form->surfaces);
}

static void schema_holds(tn_json *json, const tn_field *field)
{
    tn_json_text(json, "type", "object");
    tn_json_open(json, "additionalProperties", '{');
    tn_field_table.schema(json, field);
    tn_json_close(json);
}

const tn_field_kind tn_field_holds = {read_holds, tn_write_nothing, schema_holds};

const tn_field_kind tn_field_regions = {read_regions, tn_write_nothing, schema_holds};
const tn_field_kind tn_field_surfaces = {read_surfaces, tn_write_nothing, schema_holds};
