/* tables.c: the model format: the top level of a file and its smallest sections.
 *
 * Room io/section. Here and in body_tables.c, joint_tables.c, coupling_tables.c, drive_tables.c and
 * run_tables.c is the one place where the format is written down: the reader, the writer, the
 * unknown-key check and the JSON Schema follow these tables. A new key is one line there. Fields
 * are read in this order: what others need comes first.
 */
#include "io/field/coupling_tables.h"
#include "io/section/sections.h"

#include "io/field/drive_io.h"
#include "io/field/flexible_io.h"
#include "io/field/load_io.h"
#include "io/field/measure_io.h"

/* material ------------------------------------------------------------------------------------ */

static const tn_bounds poisson_bounds = {-1.0, 0.5, false, "between -1 and 0.5"};

static const tn_bounds share_bounds = {0.0, 1.0, true, "between 0 and 1"};

static const char *elastic_law(int32_t index)
{
    return tn_elastic_law_name((tn_elastic_law)index);
}

static const tn_words elastic_laws = {elastic_law};

static const tn_field material_fields[] = {
    TN_REPEAT_FIELD,
    {TN_FIELD("density", number, tn_material, density), .doc = "Mass by volume.", .unit = "kg/m^3",
     .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("young", bounded, tn_material, young), .doc = "Young's modulus, of beams and solids.",
     .unit = "Pa", .extra = &tn_positive},
    {TN_FIELD("poisson", bounded, tn_material, poisson),
     .doc = "Poisson's ratio, of beams and solids.", .extra = &poisson_bounds},
    {TN_FIELD("law", word, tn_material, law),
     .doc = "Elastic law of solids: linear (small strain, any rotation; default), st_venant, "
            "neo_hookean, mooney_rivlin.",
     .extra = &elastic_laws},
    {TN_FIELD("share", bounded, tn_material, share),
     .doc = "Of mooney_rivlin: c2 / (c1 + c2), 0 to 1; default 0.", .extra = &share_bounds},
    {TN_FIELD("damping", bounded, tn_material, damping),
     .doc = "Time constant of beams and solids: the stress of a rate of strain is that of the "
            "strain times "
            "this; default 0.",
     .unit = "s", .extra = &tn_not_negative},
};

const tn_table tn_material_table = {.name = "material",
                                    .title = "a material",
                                    .section = TN_NO_SECTION,
                                    TN_FIELDS(material_fields)};

/* the whole file ---------------------------------------------------------------------------------
 */

static const char *angle_word(int32_t index)
{
    static const char *const words[] = {"rad", "deg"};
    return index < (int32_t)TN_COUNT_OF(words) ? words[index] : NULL;
}

static const tn_words angle_words = {angle_word};

static const char *world_kind_word(int32_t index)
{
    return tn_world_kind_name((tn_world_kind)index);
}

static const tn_words world_kind_words = {world_kind_word};

static const tn_field world_damping_fields[] = {
    {TN_FIELD("frame", number, tn_world_def, frame_damping),
     .doc = "Force against the velocity of a body's origin; default 0.", .unit = "N s/m"},
    {TN_FIELD("rotary", number, tn_world_def, rotary_damping),
     .doc = "Moment against the angular velocity; default 0.", .unit = "N m s/rad"},
};

static const tn_table world_damping_table = {
    .title = "a damping", .section = TN_NO_SECTION, TN_FIELDS(world_damping_fields)};

static const char *up_word(int32_t index)
{
    return tn_up_name((tn_up)index);
}

static const tn_words up_words = {up_word};

static const tn_field world_look_fields[] = {
    {TN_FIELD("up", word, tn_world_def, up),
     .doc = "The axis that points up; default from_gravity: against it, z without, y in a planar "
            "world.",
     .extra = &up_words},
    {TN_KEY("locked", names),
     .doc = "What no drag in the page moves: points and bodies by name, bars as bar.length and "
            "bar.angle. The motion does not depend on it.",
     .flags = TN_FIELD_READ_ONLY},
};

static const tn_table world_look_table = {
    .title = "a drawing", .section = TN_NO_SECTION, TN_FIELDS(world_look_fields)};

static const tn_item_class materials = {"material",       TN_SECTION_WORLD,     &tn_material_table,
                                        tn_read_material, tn_emitted_materials, tn_write_no_item};
static const tn_item_class bodies = {"body",       TN_SECTION_BODY,   &tn_body_table,
                                     tn_read_body, tn_emitted_bodies, tn_write_body};
static const tn_item_class flexible = {"flexible body",  TN_SECTION_WORLD,     &tn_flexible_table,
                                       tn_read_flexible, tn_emitted_materials, tn_write_no_item};
static const tn_item_class joints = {"joint",       TN_SECTION_JOINT,  &tn_joint_table,
                                     tn_read_joint, tn_emitted_joints, tn_write_joint};
static const tn_item_class couplings = {"coupling",       TN_SECTION_COUPLING,  &tn_coupling_table,
                                        tn_read_coupling, tn_emitted_couplings, tn_write_coupling};
static const tn_item_class markers = {"marker",       TN_SECTION_MARKER,  &tn_marker_table,
                                      tn_read_marker, tn_emitted_markers, tn_write_marker};

static const tn_item_class measures = {"measure",       TN_SECTION_MEASURE,  &tn_measure_table,
                                       tn_read_measure, tn_emitted_measures, tn_write_measure};
static const tn_item_class loads = {"load",       TN_SECTION_LOAD,  &tn_load_table,
                                    tn_read_load, tn_emitted_loads, tn_write_load};

static const tn_field model_fields[] = {
    {TN_KEY("tenon", version), .doc = "Version of the format: 1.", .flags = TN_FIELD_REQUIRED},
    {TN_KEY("world", world),
     .doc = "Kind of world: spatial (default) or planar, where bodies move in the x-y plane and "
            "vectors have two numbers.",
     .extra = &world_kind_words},
    {TN_KEY("name", text), .doc = "Title of the model.",
     .offset = offsetof(tn_file_head, world) + offsetof(tn_world_def, name)},
    {TN_KEY("angle", angle_unit), .doc = "Unit of every angle in this file; default rad.",
     .extra = &angle_words},
    {TN_KEY("include", include),
     .doc = "Other files whose sections are added: a name or a list, relative to this file. What "
            "they say of gravity, damping, simulation, record and name counts only when they are "
            "run themselves."},
    {TN_KEY("parameters", parameters),
     .doc = "Named numbers and vectors for formulas: {length: 350 mm, crank: =0.3*length}."},
    {TN_KEY("parts", parts),
     .doc = "Mechanisms that instances make, by name: sections like those of a model, with "
            "parameters of their own."},
    {TN_KEY("instances", instances),
     .doc = "Parts made and placed, by name; what is in them is called instance.name."},
    {TN_KEY("gravity", vector),
     .doc = "Acceleration of free fall; default [0, 0, -9.81], [0, -9.81] in a planar world.",
     .offset = offsetof(tn_file_head, world) + offsetof(tn_world_def, gravity), .unit = "m/s^2"},
    {TN_FIELD("damping", table, tn_file_head, world),
     .doc = "Damping of all bodies that have none of their own.", .extra = &world_damping_table},
    {TN_FIELD("draw", table, tn_file_head, world), .doc = "How pictures show it.",
     .extra = &world_look_table},
    {TN_KEY("materials", items), .doc = "Densities, and elasticity of beams and solids, by name.",
     .extra = &materials},
    {TN_KEY("bodies", items), .doc = "The bodies by name.", .extra = &bodies,
     .flags = TN_FIELD_REQUIRED, .or_key = "flexible"},
    {TN_KEY("flexible", items),
     .doc = "Beams, cables and solids by name. A beam or a cable makes bodies, NAME[0] to NAME[n] "
            "for n elements, the joints between them and the markers NAME.start and NAME.end; a "
            "solid the bodies NAME[i], of its free nodes, and NAME.HOLD, of its holds.",
     .extra = &flexible},
    {TN_KEY("joints", items), .doc = "The joints by name.", .extra = &joints},
    {TN_KEY("couplings", items),
     .doc = "Gears, racks, pulleys: relations between coordinates of joints, by name.",
     .extra = &couplings},
    {TN_KEY("markers", items), .doc = "Named points to record.", .extra = &markers},
    {TN_KEY("loads", items),
     .doc = "Forces, moments, efforts and fields that act from outside the joints, by name.",
     .extra = &loads},
    {TN_KEY("measures", items), .doc = "What is to be plotted: named outputs, by name.",
     .extra = &measures},
    {TN_FIELD("simulation", table, tn_file_head, simulation), .doc = "How to run the model.",
     .extra = &tn_simulation_table},
    {TN_FIELD("record", table, tn_file_head, record), .doc = "What to record.",
     .extra = &tn_record_table},
};

/* Bodies may come from parts or from other files too. */
static void schema_bodies(tn_json *json)
{
    static const char *const sources[] = {"bodies", "flexible", "instances", "include"};
    tn_json_open(json, "anyOf", '[');
    for (size_t i = 0; i < TN_COUNT_OF(sources); i++) {
        tn_json_open(json, NULL, '{');
        tn_json_open(json, "required", '[');
        tn_json_text(json, NULL, sources[i]);
        tn_json_close(json);
        tn_json_close(json);
    }
    tn_json_close(json);
}

const tn_table tn_model_table = {.title = "a model",
                                 .section = TN_NO_SECTION,
                                 TN_FIELDS(model_fields),
                                 .schema_other = schema_bodies};

const tn_table *const tn_named_tables[] = {
    &tn_pose_table,    &tn_shape_table,    &tn_body_table,     &tn_flexible_table,
    &tn_beam_table,    &tn_cable_table,    &tn_arc_table,      &tn_section_table,
    &tn_solid_table,   &tn_grid_table,     &tn_hold_table,     &tn_surface_table,
    &tn_modal_table,   &tn_part_table,     &tn_joint_table,    &tn_coupling_table,
    &tn_axis_table,    &tn_driver_table,   &tn_motor_table,    &tn_friction_table,
    &tn_spring_table,  &tn_pull_table,     &tn_marker_table,   &tn_load_table,
    &tn_measure_table, &tn_material_table, &tn_instance_table, NULL};
