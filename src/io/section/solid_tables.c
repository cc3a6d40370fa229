/* solid_tables.c: the keys of elastic solids.
 *
 * Room io/section. See tables.c, the top of the format.
 */
#include "io/field/flexible_io.h"
#include "io/reader/number.h"

static const char *element_kind(int32_t index)
{
    return tn_element_kind_name((tn_element_kind)index);
}

static const tn_words element_kinds = {element_kind};

static const char *patch_kind(int32_t index)
{
    static const char *const words[TN_PATCH_KIND_COUNT] = {
        [TN_PATCH_RIGID] = "rigid", [TN_PATCH_FIXED] = "fixed", [TN_PATCH_MEAN] = "mean"};
    return TN_IN(index, TN_PATCH_KIND_COUNT) ? words[index] : NULL;
}

static const tn_words patch_kinds = {patch_kind};

static const tn_field grid_fields[] = {
    {TN_FIELD("size", vector, tn_grid_form, size), .doc = "Sides of the box, from the origin.",
     .unit = "m", .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("cells", cells, tn_grid_form, cells), .doc = "Number of cells along each side.",
     .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("element", word, tn_grid_form, element),
     .doc = "Type of element: hex20 (default), hex8, hex27; wedge6, wedge15, two to a cell; "
            "pyramid5, pyramid13, tet4, "
            "tet10, six to a cell.",
     .extra = &element_kinds},
};

const tn_table tn_grid_table = {
    .name = "grid", .title = "a grid", .section = TN_NO_SECTION, TN_FIELDS(grid_fields)};

#define TN_SET_FIELDS                                                                              \
    {TN_FIELD("set", node_sets, tn_hold_form, sets),                                               \
     .doc =                                                                                        \
         "Name of a set of nodes of the mesh, or a list of them; of a grid x_min, x_max, y_min, "  \
         "y_max, z_min, z_max. Default all nodes."},                                               \
    {                                                                                              \
        TN_FIELD("within", region, tn_hold_form, within),                                          \
            .doc = "Two corners of a box, in the axes of the mesh: of the nodes those in it.",     \
            .unit = "m"                                                                            \
    }

static const tn_field surface_fields[] = {TN_SET_FIELDS};

const tn_table tn_surface_table = {
    .name = "surface", .title = "a surface", .section = TN_NO_SECTION, TN_FIELDS(surface_fields)};

static const tn_field part_fields[] = {
    {TN_FIELD("set", node_sets, tn_hold_form, sets),
     .doc = "Name of a set of elements of the mesh, or a list of them. Default all elements."},
    {TN_FIELD("within", region, tn_hold_form, within),
     .doc = "Two corners of a box, in the axes of the mesh: of the elements those with all nodes "
            "in it.",
     .unit = "m"},
    {TN_FIELD("material", elastic, tn_hold_form, material), .doc = "What they are made of.",
     .flags = TN_FIELD_REQUIRED},
};

const tn_table tn_part_table = {
    .name = "region", .title = "a region", .section = TN_NO_SECTION, TN_FIELDS(part_fields)};

static const tn_field hold_fields[] = {
    TN_SET_FIELDS,
    {TN_FIELD("as", word, tn_hold_form, as),
     .doc = "What the nodes become: rigid, points of one body NAME.HOLD (default); fixed, they "
            "stay where they are; mean, a frame NAME.HOLD follows their mean motion.",
     .extra = &patch_kinds},
};

const tn_table tn_hold_table = {
    .name = "hold", .title = "a hold", .section = TN_NO_SECTION, TN_FIELDS(hold_fields)};

static const char *mass_kind(int32_t index)
{
    static const char *const words[TN_MASS_KIND_COUNT] = {"consistent", "lumped"};
    return TN_IN(index, TN_MASS_KIND_COUNT) ? words[index] : NULL;
}

static const tn_words mass_kinds = {mass_kind};

static const int32_t most_modes = TN_MOST_MODES;
static const tn_bounds ratio_bounds = {0.0, 1.0, true, "0 to 1"};

static const tn_field modal_fields[] = {
    {TN_FIELD("modes", count, tn_solid_modal, modes),
     .doc = "Number of modes of the lowest frequencies while no hold moves; those of moving holds "
            "come with them.",
     .extra = &most_modes, .flags = TN_FIELD_REQUIRED},
    {TN_FIELD("damping_ratio", bounded, tn_solid_modal, damping_ratio),
     .doc = "Damping of every mode, of critical damping; beside that of the material; default 0.",
     .extra = &ratio_bounds},
    {TN_FIELD("mass", word, tn_solid_modal, mass),
     .doc = "Mass as its displacements have it: consistent (default); or lumped at the nodes, as "
            "that of solids whose nodes all move.",
     .extra = &mass_kinds},
};

const tn_table tn_modal_table = {
    .name = "modal", .title = "a modal body", .section = TN_NO_SECTION, TN_FIELDS(modal_fields)};

static const tn_field solid_fields[] = {
    {TN_FIELD("mesh", text, tn_solid_form, mesh),
     .doc = "File of the mesh, beside this one: .msh of Gmsh (2.2, 4.1, ASCII), .inp of Abaqus and "
            "CalculiX, .vtk (legacy, ASCII), .vtu (ASCII).",
     .group = "mesh", .flags = TN_FIELD_REQUIRED, .or_key = "grid"},
    {TN_FIELD("grid", table, tn_solid_form, grid), .doc = "A box of equal cells instead.",
     .extra = &tn_grid_table, .group = "mesh"},
    {TN_FIELD("scale", bounded, tn_solid_form, scale),
     .doc = "Length of one unit of the mesh file; default 1 m.", .unit = "m",
     .extra = &tn_positive},
    {TN_FIELD("pose", table, tn_solid_form, pose),
     .doc = "Where the axes of the mesh are in the world.", .extra = &tn_pose_table},
    {TN_FIELD("modal", table, tn_solid_form, modal),
     .doc = "Reduces the solid to few modes, for small strain; its holds follow the mean motion of "
            "their nodes.",
     .extra = &tn_modal_table},
    {TN_KEY("holds", holds),
     .doc = "Sets of nodes that joints or the ground hold, by name; each node in one at most.",
     .extra = &tn_hold_table},
    {TN_KEY("regions", regions),
     .doc = "Elements of another material, by name; each in one region at most.",
     .extra = &tn_part_table},
    {TN_KEY("surfaces", surfaces),
     .doc =
         "Parts of the outside for pressures, by name: the faces whose corners are all in a set.",
     .extra = &tn_surface_table},
};

const tn_table tn_solid_table = {
    .name = "solid", .title = "a solid", .section = TN_NO_SECTION, TN_FIELDS(solid_fields)};
