/* field_pulley.c: a rope over pulleys, given by points: two joints and the terms of a coupling.
 *
 * Room io/field. The writer writes the joints and the coupling that come of it.
 */
#include <string.h>

#include "io/field/coupling_tables.h"
#include "io/value/placing.h"
#include "io/field/kinds.h"
#include "spec/spec_internal.h"

/* Enters the name of a joint that the rope has made; it must be new. */
static void enter_name(tn_reader *reader, int32_t node, tn_joint joint)
{
    tn_names *names = &reader->names[TN_SECTION_JOINT];
    const char *name = tn_spec_joint(reader->spec, joint)->name;
    if (tn_names_find(names, name, strlen(name)) != TN_NO_NAME) {
        tn_problem(reader, node, "rename that joint, or the rope",
                   "the rope's own joint '%.100s' has the name of another joint", name);
    } else if (tn_names_add(names, name, strlen(name), joint.i) != TN_OK) {
        reader->status = TN_ERROR_MEMORY;
    }
}

static void read_pulley(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    (void)field;
    tn_coupling_def *coupling = target;
    tn_pulley_def def = tn_default_pulley_def();
    tn_coupling_term *terms = tn_reader_alloc(reader, 2, sizeof(*terms));
    const int32_t before = reader->problems;
    def.name = reader->name;
    def.at = tn_node_location(reader, node);
    tn_read_table(reader, &tn_pulley_table, node, node, &def);
    tn_begin_coordinate(reader, 0); /* the value is a length */
    coupling->hold = def.slack ? TN_COUPLING_AT_MOST : TN_COUPLING_HELD;
    if (terms == NULL || reader->problems != before || def.name == NULL) {
        tn_note_bad(reader, "terms", node);
        return;
    }
    tn_place_pulley(reader, &def);
    const tn_status status = tn_spec_add_pulley_sides(reader->spec, &def, terms);
    if (status != TN_OK) {
        reader->status = status;
        return;
    }
    for (int i = 0; i < 2; i++) {
        enter_name(reader, node, terms[i].joint);
    }
    coupling->terms = terms;
    coupling->term_count = 2;
}

static void schema_pulley(tn_json *json, const tn_field *field)
{
    (void)field;
    tn_schema_of_table(json, &tn_pulley_table);
}

const tn_field_kind tn_field_pulley = {read_pulley, tn_write_nothing, schema_pulley};
