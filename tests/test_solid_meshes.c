/* test_solid_meshes.c: meshes of solids: boxes, files of Gmsh, Abaqus and VTK, and what bad ones are told. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "support/model_text.h"
#include "support/run_main.h"

/* ---- boxes ---- */

START_TEST(boxes_have_their_volume_and_faces)
{
    const tn_solid_grid grid = {{2.0, 1.0, 0.5}, {3, 2, 1}, (tn_element_kind)_i};
    tn_solid_mesh mesh;
    ck_assert_int_eq(tn_solid_mesh_grid(&grid, &mesh), TN_OK);
    tn_spec *spec = tn_spec_create();
    tn_solid_def def = tn_default_solid_def();
    tn_solid solid;
    def.name = "box";
    def.mesh = &mesh;
    def.material.young = 1e6;
    ck_assert_int_eq(tn_spec_add_solid(spec, &def, NULL, &solid), TN_OK);
    const tn_solid_size size = tn_spec_solid_size(spec, solid);
    ck_assert_double_le(fabs(size.volume - 1.0), 1e-13);
    ck_assert_double_le(fabs(size.mass - 1000.0), 1e-10);
    ck_assert_int_eq(size.free_nodes, mesh.node_count);
    double mass = 0.0;
    for (int32_t i = 0; i < tn_spec_body_count(spec); i++)
        mass += tn_spec_body(spec, (tn_body){.i = i})->mass;
    ck_assert_double_le(fabs(mass - 1000.0), 1e-10);
    const tn_node_set *top = tn_solid_mesh_set(&mesh, "z_max");
    ck_assert_ptr_nonnull(top);
    for (int32_t i = 0; i < top->count; i++)
        ck_assert_double_le(fabs(mesh.nodes[top->nodes[i]].z - 0.5), 1e-15);
    ck_assert_ptr_null(tn_solid_mesh_set(&mesh, "top"));
    tn_spec_destroy(spec);
    tn_solid_mesh_free(&mesh);
}
END_TEST

/* ---- files ---- */

static const char *const files[] = {"two.msh", "two4.msh", "two.inp", "two.vtk", "two.vtu"};

static void read_mesh(const char *name, double scale, tn_solid_mesh *mesh)
{
    char path[256];
    tn_diagnostics *diags = tn_diagnostics_create();
    snprintf(path, sizeof path, TN_TEST_DATA "/models/meshes/%s", name);
    expect_ok(tn_solid_mesh_read(path, scale, diags, mesh), diags, name);
    tn_diagnostics_destroy(diags);
}

/* A cube and a wedge beside it; a node of neither is left out. */
START_TEST(files_say_the_same)
{
    tn_solid_mesh mesh;
    read_mesh(files[_i], 0.1, &mesh);
    ck_assert_int_eq(mesh.node_count, 10);
    ck_assert_int_eq(mesh.element_count, 2);
    ck_assert_int_eq(mesh.elements[0].kind, TN_HEX8);
    ck_assert_int_eq(mesh.elements[1].kind, TN_WEDGE6);
    const int32_t wedge[6] = {1, 8, 2, 5, 9, 6};
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(mesh.elements[1].nodes[i], wedge[i]);
    ck_assert_double_eq(mesh.nodes[9].x, 0.2);
    ck_assert_double_eq(mesh.nodes[9].z, 0.1);
    ck_assert_int_gt(mesh.elements[0].line, 0);
    tn_solid_mesh_free(&mesh);
}
END_TEST

/* A pyramid of 13 nodes, each middle between the corners it belongs to. */
START_TEST(middles_of_a_pyramid_are_in_order)
{
    static const int ends[8][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}};
    tn_solid_mesh mesh;
    read_mesh("pyramid.msh", 1.0, &mesh);
    ck_assert_int_eq(mesh.element_count, 1);
    ck_assert_int_eq(mesh.elements[0].kind, TN_PYRAMID13);
    const int32_t *n = mesh.elements[0].nodes;
    for (int k = 0; k < 8; k++) {
        const tn_vec3 a = mesh.nodes[n[ends[k][0]]], b = mesh.nodes[n[ends[k][1]]],
                      m = mesh.nodes[n[5 + k]];
        ck_assert(2.0 * m.x == a.x + b.x && 2.0 * m.y == a.y + b.y && 2.0 * m.z == a.z + b.z);
    }
    tn_solid_mesh_free(&mesh);
}
END_TEST

START_TEST(groups_are_sets)
{
    static const char *const names[3][3] = {{"bottom side", "tip", "body"},
                                            {"bottom side", "tip", "body"},
                                            {"BOTTOMSIDE", "TIP", "BODY"}};
    tn_solid_mesh mesh;
    read_mesh(files[_i], 1.0, &mesh);
    const tn_node_set *bottom = tn_solid_mesh_set(&mesh, names[_i][0]),
                      *tip = tn_solid_mesh_set(&mesh, names[_i][1]),
                      *body = tn_solid_mesh_set(&mesh, names[_i][2]);
    ck_assert(bottom && tip && body);
    ck_assert_int_eq(bottom->count, 4);
    ck_assert_int_eq(bottom->nodes[3], 3);
    ck_assert_int_eq(tip->count, 1);
    ck_assert_int_eq(tip->nodes[0], 9);
    ck_assert_int_eq(body->count, 10);
    ck_assert_int_eq(body->element_count, 2);
    ck_assert_int_eq(body->elements[1], 1);
    ck_assert_int_eq(tip->element_count, 0);
    tn_solid_mesh_free(&mesh);
}
END_TEST

/* CalculiX's cantilever: 961 tetrahedra of 10 nodes in a bar of 0.01 m^3. */
START_TEST(a_large_mesh_has_its_volume)
{
    tn_solid_mesh mesh;
    read_mesh("cantilever_c3d10.inp", 1.0, &mesh);
    ck_assert_int_eq(mesh.node_count, 2043);
    ck_assert_int_eq(mesh.element_count, 961);
    tn_spec *spec = tn_spec_create();
    tn_solid_def def = tn_default_solid_def();
    def.name = "bar";
    def.mesh = &mesh;
    def.material.young = 1e6;
    tn_solid solid;
    ck_assert_int_eq(tn_spec_add_solid(spec, &def, NULL, &solid), TN_OK);
    ck_assert_double_le(fabs(tn_spec_solid_size(spec, solid).volume - 0.01), 1e-13);
    tn_spec_destroy(spec);
    tn_solid_mesh_free(&mesh);
}
END_TEST

/* ---- bad files ---- */

#define VTU        "<VTKFile type=\"UnstructuredGrid\">\n<Piece>\n"
#define NAME_OF_21 "abcdefghijklmnopqrstu"
#define NAME_OF_84 NAME_OF_21 NAME_OF_21 NAME_OF_21 NAME_OF_21

static const struct bad {
    const char *name, *text, *message;
    int32_t line; /* 0: any */
} bad[] = {
    {"a.msh", "", "no $MeshFormat", 0},
    {"a.msh", "$Nodes\n0\n$EndNodes\n", "does not begin with $MeshFormat", 1},
    {"a.msh", "$MeshFormat\n4.1 1 8\n", "binary", 0},
    {"a.msh", "$MeshFormat\n3.0 0 8\n", "version 2.2 and 4.1", 0},
    {"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 x 0\n", "no number", 6},
    {"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 14 2 0 0 1 2 3 4 5\n",
     "not supported", 6},
    {"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n",
     "no solid elements", 0},
    {"a.msh",
     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 2 0 0 "
     "1 2 "
     "3 4\n",
     "not in the file", 10},
    {"a.inp", "*NODE\n1, 0, 0\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3\n*NSET, NSET=A\n", "too few nodes",
     5},
    {"a.inp", "*ELEMENT, TYPE=S4\n1, 1, 2, 3, 4\n", "not supported", 1},
    {"a.inp", "*NODE\n1, 0, a\n", "no node", 2},
    {"a.inp", "*NSET, NSET=A\nOTHER\n", "no set", 2},
    {"a.inp", "*NODE, NSET=\n1, 0, 0, 0\n", "a set has no name", 1},
    {"a.inp", "*NSET, NSET=" NAME_OF_84 "\n1\n", "more than 83 letters", 1},
    {"a.inp", "*NSET, NSET=A\n1\n*NSET, NSET=B\n" NAME_OF_84 "\n", "no set", 4},
    {"a.vtk", "# vtk DataFile Version 5.1\n", "version 4.2", 0},
    {"a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nPOINTS 0", "type of the POINTS", 4},
    {"a.vtk", "hello\n", "no legacy VTK", 0},
    {"a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nCELLS 1 9999\n", "not so many", 4},
    {"a.vtu", "hello\n", "no VTU file", 0},
    {"a.vtu", VTU "<DataArray Name=\"types\" format=\"binary\">AAAA</DataArray>", "binary", 3},
    {"a.vtu", VTU "<AppendedData>", "appended", 3},
    {"a.vtu", VTU "<DataArray Name=\"types\" format=\"ascii\">10 x</DataArray>", "no number", 3},
    {"a.vtu", VTU "<DataArray Name=\"types\" format=\"ascii\">10</DataArray>",
     "not as many as types", 0},
    {"a.vtu",
     VTU "<DataArray Name=\"types\" format=\"ascii\">10</DataArray>\n"
         "<DataArray Name=\"offsets\" format=\"ascii\">4</DataArray>",
     "offsets must be", 0},
    {"a.vtu",
     VTU "<DataArray Name=\"types\" format=\"ascii\">10</DataArray>\n"
         "<DataArray Name=\"types\" format=\"ascii\">10</DataArray>",
     "there twice", 4},
    {"a.stl", "solid", ".msh, .inp, .vtk and .vtu", 0},
};

START_TEST(bad_files_are_told)
{
    const struct bad *b = &bad[_i];
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_solid_mesh mesh;
    ck_assert_int_eq(tn_solid_mesh_parse(b->name, b->text, strlen(b->text), 1.0, diags, &mesh),
                     TN_ERROR_INPUT);
    ck_assert_int_ge(tn_diagnostics_count(diags), 1);
    const tn_diagnostic *d = tn_diagnostics_get(diags, 0);
    ck_assert_msg(strstr(d->message, b->message) != NULL, "%s", d->message);
    if (b->line > 0)
        ck_assert_int_eq(d->at.line, b->line);
    ck_assert_ptr_null(mesh.nodes);
    tn_diagnostics_destroy(diags);
}
END_TEST

/* Not as names that are cut, nor as memory that has run out. */
START_TEST(zero_bytes_in_names_are_told)
{
    static const char gmsh[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n"
                               "2 1 \"a\0b\"\n$EndPhysicalNames\n",
                      abaqus[] = "*NSET, NSET=A\0B\n1\n";
    static const struct {
        const char *name, *text;
        size_t length;
    } files_with[] = {{"a.msh", gmsh, sizeof gmsh - 1}, {"a.inp", abaqus, sizeof abaqus - 1}};
    for (int i = 0; i < 2; i++) {
        tn_diagnostics *diags = tn_diagnostics_create();
        tn_solid_mesh mesh;
        ck_assert_int_eq(tn_solid_mesh_parse(files_with[i].name, files_with[i].text,
                                             files_with[i].length, 1.0, diags, &mesh),
                         TN_ERROR_INPUT);
        ck_assert_ptr_nonnull(strstr(tn_diagnostics_get(diags, 0)->message, "zero byte"));
        tn_diagnostics_destroy(diags);
    }
}
END_TEST

/* ---- bad solids of a model ---- */

#define HEAD            "tenon: 1\nmaterials: {rubber: {density: 1000, young: 1e6, poisson: 0.4}}\n"
#define SOLID(in, rest) "flexible: {pad: {solid: {" in "}, " rest "}}\n"
#define GRID            "grid: {size: [1, 1, 1], cells: [1, 1, 1]}"
#define RUBBER          "material: rubber"

static const mistake mistakes[] = {
    {SOLID("holds: {}", RUBBER), "'mesh' is missing", NULL},
    {SOLID(GRID ", mesh: a.msh", RUBBER), "only one of", NULL},
    {SOLID("mesh: none.msh", RUBBER), "cannot be used", NULL},
    {SOLID("grid: {size: [1, 0, 1], cells: [1, 1, 1]}", RUBBER), "sides must be positive", NULL},
    {SOLID("grid: {size: [1, 1, 1], cells: [99, 99, 99]}", RUBBER), "at most 50000", NULL},
    {SOLID("grid: {size: [1, 1, 1], cells: [1, 1.5, 1]}", RUBBER), "whole numbers", NULL},
    {SOLID("grid: {size: [1, 1, 1], cells: [1, 1, 1], element: hex}", RUBBER), "unknown element",
     "hex8"},
    {SOLID(GRID ", scale: 1 mm", RUBBER), "a grid has its size", NULL},
    {SOLID(GRID, "section: {circle: 1}, " RUBBER), "for beams and cables", NULL},
    {SOLID(GRID, "damping: 0"), "needs a 'material'", NULL},
    {SOLID(GRID ", holds: {a: {set: top}}", RUBBER), "no set 'top'", "z_max"},
    {SOLID(GRID ", holds: {a: {within: [[5, 5, 5], [6, 6, 6]]}}", RUBBER), "no node is there",
     NULL},
    {SOLID(GRID ", holds: {a: {set: x_min}, b: {set: z_min}}", RUBBER), "another hold has", NULL},
    {SOLID(GRID ", holds: {a: {within: [[0, 0, 0], [0, 0, 1]]}}", RUBBER), "in a line only", NULL},
    {SOLID(GRID ", holds: {a: {set: x_min, as: glued}}", RUBBER), "unknown as", "rigid"},
    {SOLID(GRID ", surfaces: {a: {set: top}}", RUBBER), "no set 'top'", "z_max"},
    {SOLID(GRID ", surfaces: {a: {within: [[5, 5, 5], [6, 6, 6]]}}", RUBBER), "no node is there",
     NULL},
    {SOLID(GRID ", surfaces: {a: {set: x_min}}",
           RUBBER) "loads: {p: {surface: pad.b, pressure: 1}}",
     "no surface 'pad.b'", "surfaces: "},
    {SOLID(GRID ", surfaces: {a: {set: x_min}}", RUBBER) "loads: {p: {pressure: 1 kPa}}",
     "a pressure acts on a surface", "SOLID.SURFACE"},
    {SOLID(GRID ", surfaces: {a: {set: x_min}}", RUBBER) "loads: {p: {surface: pad.a}}",
     "says where, but not what it is", "pressure"},
    {SOLID(GRID ", surfaces: {a: {set: x_min}}",
           RUBBER) "loads: {p: {surface: pad.a, pressure: 1, axes: body}}",
     "'axes' does not belong to a pressure", NULL},
    {SOLID(GRID ", surfaces: {a: {within: [[0, 0, 0], [0, 0, 1]]}}",
           RUBBER) "loads: {p: {surface: pad.a, pressure: 1}}",
     "no whole face", NULL},
    {SOLID(GRID ", surfaces: {a: {set: x_min}, a: {set: x_max}}", RUBBER), "'a' is given twice",
     NULL},
    {SOLID(GRID ", regions: {a: {within: [[0, 0, 0], [1, 1, 1]]}}", RUBBER),
     "'material' is missing", NULL},
    {SOLID(GRID ", regions: {a: {set: x_min, material: rubber}}", RUBBER),
     "has nodes, but no elements", "within"},
    {SOLID(GRID ", regions: {a: {within: [[0, 0, 0], [0.5, 1, 1]], material: rubber}}", RUBBER),
     "no element is there", NULL},
    {SOLID(GRID ", regions: {a: {material: rubber}, b: {material: rubber}}", RUBBER),
     "is in two parts", "leave it out"},
    {SOLID(GRID ", regions: {a: {material: steel}}", RUBBER), "steel", NULL},
};

START_TEST(bad_solids_are_told)
{
    expect_mistake(HEAD, &mistakes[_i], 1, 4);
}
END_TEST

/* The joint to a hold of a bad solid is not told too. */
START_TEST(holds_of_bad_solids_have_names)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    const tn_status status = read_pieces(
        HEAD,
        "flexible: {pad: {solid: {" GRID
        ", holds: {a: {set: x_min}, b: {set: no}}}, material: rubber}}\njoints: {j: {type: "
        "solid, a: pad.a, origin: [0, 0, 0]}}\n",
        diags, &spec);
    ck_assert_int_eq(status, TN_ERROR_INPUT);
    ck_assert_int_eq(tn_diagnostics_count(diags), 1);
    tn_diagnostics_destroy(diags);
}
END_TEST

/* All that is wrong with a mesh, at the lines of its file. */
START_TEST(elements_inside_out_are_told_by_line)
{
    tn_solid_mesh mesh;
    tn_diagnostics *diags = tn_diagnostics_create();
    read_mesh("two.msh", 1.0, &mesh);
    for (int e = 0; e < 2; e++) {
        const int32_t other = mesh.elements[e].nodes[0];
        mesh.elements[e].nodes[0] = mesh.elements[e].nodes[1];
        mesh.elements[e].nodes[1] = other;
    }
    tn_spec *spec = tn_spec_create();
    tn_solid_def def = tn_default_solid_def();
    def.name = "bar";
    def.mesh = &mesh;
    def.material.young = 1e6;
    ck_assert_int_eq(tn_spec_add_solid(spec, &def, diags, NULL), TN_ERROR_INPUT);
    ck_assert_int_eq(tn_diagnostics_count(diags), 2);
    for (int i = 0; i < 2; i++) {
        const tn_diagnostic *d = tn_diagnostics_get(diags, i);
        ck_assert_ptr_nonnull(strstr(d->message, "turned inside out"));
        ck_assert_int_eq(d->at.line, mesh.elements[i].line);
        ck_assert_ptr_nonnull(strstr(d->at.file, "two.msh"));
    }
    ck_assert_int_eq(tn_spec_body_count(spec), 0);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
    tn_solid_mesh_free(&mesh);
}
END_TEST

START_TEST(solids_are_not_written_nor_taken_apart)
{
    char *text = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = read_text(HEAD SOLID(GRID ", holds: {a: {set: x_min, as: mean}}", RUBBER));
    ck_assert_int_eq(tn_spec_write_string(spec, diags, &text, NULL), TN_ERROR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(tn_diagnostics_get(diags, 0)->message, "'pad'"));
    ck_assert_int_eq(tn_spec_remove_body(spec, (tn_body){.i = 0}), TN_ERROR_CONFLICT);
    ck_assert_int_eq(tn_spec_remove_joint(spec, (tn_joint){.i = 0}), TN_ERROR_CONFLICT);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("meshes of solids");
    TCase *tc = tcase_create("meshes");
    tcase_add_loop_test(tc, boxes_have_their_volume_and_faces, 0, TN_ELEMENT_KIND_COUNT);
    tcase_add_loop_test(tc, files_say_the_same, 0, (int)TN_COUNT_OF(files));
    tcase_add_test(tc, middles_of_a_pyramid_are_in_order);
    tcase_add_loop_test(tc, groups_are_sets, 0, 3);
    tcase_add_test(tc, a_large_mesh_has_its_volume);
    tcase_add_loop_test(tc, bad_files_are_told, 0, (int)TN_COUNT_OF(bad));
    tcase_add_test(tc, zero_bytes_in_names_are_told);
    tcase_add_loop_test(tc, bad_solids_are_told, 0, (int)TN_COUNT_OF(mistakes));
    tcase_add_test(tc, holds_of_bad_solids_have_names);
    tcase_add_test(tc, elements_inside_out_are_told_by_line);
    tcase_add_test(tc, solids_are_not_written_nor_taken_apart);
    suite_add_tcase(suite, tc);
    return suite;
}
