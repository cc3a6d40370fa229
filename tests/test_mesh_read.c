/* STL and OBJ files: right ones give the solid they describe, wrong ones a located message, and no
 * sequence of bytes does harm. */
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh/mesh_read.h"
#include "support/allocator.h"
#include "support/run_main.h"
#include "support/solids.h"

/* A growing file in memory. */
typedef struct bytes {
    unsigned char data[8192];
    size_t size;
} bytes;

static void put_text(bytes *file, const char *text)
{
    ck_assert_uint_lt(file->size + strlen(text), sizeof file->data);
    memcpy(file->data + file->size, text, strlen(text));
    file->size += strlen(text);
}

static void put_32(bytes *file, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        file->data[file->size++] = (unsigned char)(value >> 8 * i);
    }
}

static void put_float(bytes *file, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_32(file, bits);
}

/* The unit cube of solids.h as a binary file with this header text. */
static bytes binary_cube(const char *header)
{
    bytes file = {.size = 80};
    memcpy(file.data, header, strlen(header));
    put_32(&file, 12);
    for (int t = 0; t < 12; t++) {
        for (int k = 0; k < 3; k++) {
            put_float(&file, (float)NAN); /* normals do not matter */
        }
        for (int k = 0; k < 3; k++) {
            tn_vec3 p = SAMPLE_CUBE[SAMPLE_CUBE_FACES[t].v[k]];
            put_float(&file, (float)p.x);
            put_float(&file, p.y == 0 && k == 1 ? -0.0f : (float)p.y); /* one place, two zeros */
            put_float(&file, (float)p.z);
        }
        file.data[file.size++] = 0xff;
        file.data[file.size++] = 0x7f;
    }
    return file;
}

static bytes ascii_cube(void)
{
    bytes file = {.size = 0};
    put_text(&file, "solid a cube of facet 1 m\r\n");
    for (int t = 0; t < 12; t++) {
        char line[200];
        put_text(&file, t % 2 ? "facet normal 0 0 0\n outer loop\n"
                              : "  FACET NORMAL nan nan nan\r\tOUTER LOOP\r\n");
        for (int k = 0; k < 3; k++) {
            tn_vec3 p = SAMPLE_CUBE[SAMPLE_CUBE_FACES[t].v[k]];
            snprintf(line, sizeof line, "vertex %g %.3e %+f\n", p.x, p.y, p.z);
            put_text(&file, line);
        }
        put_text(&file, "endloop endfacet\n");
    }
    put_text(&file, "endsolid a cube\n");
    return file;
}

/* MuJoCo's format, with normals and texture coordinates that do not matter; without faces it is the hull. */
static bytes msh_cube(bool faces)
{
    bytes file = {.size = 0};
    put_32(&file, 9);
    put_32(&file, 1);
    put_32(&file, 2);
    put_32(&file, faces ? 12 : 0);
    for (int i = 0; i < 8; i++) {
        put_float(&file, (float)SAMPLE_CUBE[i].x);
        put_float(&file, (float)SAMPLE_CUBE[i].y);
        put_float(&file, (float)SAMPLE_CUBE[i].z);
    }
    for (int i = 0; i < 3 + 3 + 4; i++) { /* a vertex inside, a normal, two texture coordinates */
        put_float(&file, 0.25f);
    }
    for (int i = 0; i < 36 && faces; i++) {
        put_32(&file, (uint32_t)SAMPLE_CUBE_FACES[i / 3].v[i % 3]);
    }
    return file;
}

/* Quadrilaterals, each form of corner, a joined line, a vertex given twice, ignored statements. */
static const char *const OBJ_CUBE = "# cube\n"
                                    "mtllib none.mtl\no cube\n"
                                    "v 0 0 0\nv 1 0 0 1.0\nv 0 1 0 0.5 0.5 0.5\nv 1 1 0\n"
                                    "v 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\nv 1 1 1 # again\n"
                                    "vn 0 0 1\nvt 0 0\ns off\nusemtl red\n"
                                    "f 1 3 4 2\n"
                                    "f 5//1 6//1 9//1 7//1\n"
                                    "f 1/1 2/1 6/1 5/1\n"
                                    "f 3/1/1 7/1/1 \\\n8/1/1 4/1/1\n"
                                    "f -9 -5 -3 -7 # left\n"
                                    "  f 2 4 8 6";

static void expect_cube(tn_mesh *mesh)
{
    ck_assert_int_eq(mesh->vertex_count, 8);
    ck_assert_int_eq(mesh->triangle_count, 12);
    tn_shape_def def = sample_shape(TN_SHAPE_MESH), cube = def;
    def.vertices = mesh->vertices;
    def.vertex_count = mesh->vertex_count;
    def.triangles = mesh->triangles;
    def.triangle_count = mesh->triangle_count;
    tn_mass_properties got = mass_of(&def), expected = mass_of(&cube);
    expect_same(&got, &expected, 1, 1e-15);
    tn_mesh_free(mesh);
    ck_assert_ptr_null(mesh->vertices);
}

static void expect_cube_from(const char *name, const void *data, size_t size)
{
    tn_mesh mesh;
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_status status = tn_mesh_parse(name, data, size, &mesh, diags);
    expect_ok(status, diags, name);
    ck_assert_int_eq(tn_diagnostics_count(diags), 0);
    tn_diagnostics_destroy(diags);
    expect_cube(&mesh);
}

START_TEST(test_cube_in_every_format)
{
    bytes plain = binary_cube("made by hand"), trap = binary_cube("solid cube");
    bytes ascii = ascii_cube();
    expect_cube_from("cube.stl", plain.data, plain.size);
    expect_cube_from("cube.STL", trap.data, trap.size);
    expect_cube_from("a.b/cube.Stl", ascii.data, ascii.size);
    bytes msh = msh_cube(true), points = msh_cube(false);
    expect_cube_from("cube.obj", OBJ_CUBE, strlen(OBJ_CUBE));
    expect_cube_from("cube.msh", msh.data, msh.size);
    expect_cube_from("cube.msh", points.data, points.size);
}
END_TEST

START_TEST(test_cube_from_file)
{
    bytes cube = binary_cube("");
    const char *path = TN_TEST_OUTPUT "/mesh_read_cube.stl";
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(cube.data, 1, cube.size, file), cube.size);
    fclose(file);
    tn_mesh mesh;
    ck_assert_int_eq(tn_mesh_read(path, &mesh, NULL), TN_OK);
    expect_cube(&mesh);
    remove(path);
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_mesh_read(path, &mesh, diags), TN_ERROR_IO);
    ck_assert_ptr_null(mesh.vertices);
    ck_assert_str_eq(tn_diagnostics_get(diags, 0)->at.file, path);
    ck_assert_int_eq(tn_mesh_read(TN_TEST_OUTPUT, &mesh, diags), TN_ERROR_UNSUPPORTED);
    ck_assert(says(diags, "known mesh format", ""));
    tn_diagnostics_destroy(diags);
}
END_TEST

START_TEST(test_several_solids_in_one_file)
{
    bytes one = ascii_cube(), two = one;
    two.data[two.size] = 0;
    put_text(&one, (const char *)two.data);
    tn_mesh mesh; /* the same cube twice: read, but no solid (test_shape_input) */
    ck_assert_int_eq(tn_mesh_parse("two.stl", one.data, one.size, &mesh, NULL), TN_OK);
    ck_assert_int_eq(mesh.vertex_count, 8);
    ck_assert_int_eq(mesh.triangle_count, 24);
    tn_mesh_free(&mesh);
}
END_TEST

START_TEST(test_degenerate_triangles_are_left_out)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv -0 0 0\n"
                               "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nf 1 5 2\n";
    tn_mesh mesh;
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_mesh_parse("t.obj", text, sizeof text - 1, &mesh, diags), TN_OK);
    ck_assert_int_eq(mesh.triangle_count, 4);
    ck_assert_int_eq(mesh.vertex_count, 4);
    ck_assert_int_eq(tn_diagnostics_get(diags, 0)->severity, TN_NOTE);
    ck_assert(says(diags, "1 triangles", "left out"));
    tn_shape_def def = sample_shape(TN_SHAPE_MESH);
    def.vertices = mesh.vertices;
    def.vertex_count = mesh.vertex_count;
    def.triangles = mesh.triangles;
    def.triangle_count = mesh.triangle_count;
    ck_assert_double_eq_tol(mass_of(&def).mass, 3.0 / 6, 1e-15);
    tn_mesh_free(&mesh);
    tn_diagnostics_destroy(diags);
}
END_TEST

typedef struct bad_file {
    const char *name, *text;
    int32_t line, column;
    const char *message;
} bad_file;

static const bad_file BAD[] = {
    {"a.ply", "", 0, 0, "known mesh format"},
    {"a", "", 0, 0, "known mesh format"},
    {".st", "", 0, 0, "known mesh format"},
    {"a.stl", "", 0, 0, "not an STL file: 0 bytes"},
    {"a.stl", "ply\n", 0, 0, "not an STL file"},
    {"a.stl", "solid\nendsolid\n", 0, 0, "no triangles"},
    {"a.stl", "solid x", 1, 8, "expected facet or endsolid, but the file ends"},
    {"a.stl", "solid\nfacet normal 0 0 1\nouter lop", 3, 7, "expected loop, found 'lop'"},
    {"a.stl", "solid\r\n\r\n facets", 3, 2, "expected facet or endsolid, found 'facets'"},
    {"a.stl", "solid\rfacet normal 0 0 1 outer loop\rvertex 1 nan 2", 3, 10, "found 'nan'"},
    {"a.stl", "solid\nfacet normal 0 0 1 outer loop\nvertex 1 2 1e999", 3, 12, "a number"},
    {"a.stl", "solid\nfacet normal 0 0", 2, 17, "expected a number, but the file ends"},
    {"a.stl", "solid\nendsolid\nmore", 3, 1, "expected solid, found 'more'"},
    {"a.obj", "", 0, 0, "no triangles"},
    {"a.obj", "v 1 2 3\n# nothing\n", 0, 0, "no triangles"},
    {"a.obj", "v 1 2\n", 1, 1, "three numbers"},
    {"a.obj", "\n\n  v 1 2 0x10\n", 3, 9, "expected a number: '0x10'"},
    {"a.obj", "v 1 2 inf\n", 1, 7, "expected a number: 'inf'"},
    {"a.obj", "v 1 2 1e\n", 1, 7, "expected a number: '1e'"},
    {"a.obj", "v 1 2 1,5\n", 1, 7, "expected a number"},
    {"a.obj", "v 0 0 0\nf 1 2 3\n", 2, 5, "no such vertex so far: '2'"},
    {"a.obj", "v 0 0 0\nf 0 1 1\n", 2, 3, "no such vertex so far: '0'"},
    {"a.obj", "v 0 0 0\nf -2 1 1\n", 2, 3, "no such vertex"},
    {"a.obj", "v 0 0 0\nf 99999999999999999999 1 1\n", 2, 3, "number of a vertex"},
    {"a.obj", "v 0 0 0\nf 1x 1 1\n", 2, 3, "number of a vertex"},
    {"a.obj", "v 0 0 0\nf / 1 1\n", 2, 3, "number of a vertex"},
    {"a.obj", "v 0 0 0\nf - 1 1\n", 2, 3, "number of a vertex"},
    {"a.obj", "v 0 0 0\nf 1 1 # 1\n", 2, 1, "at least three corners"},
    {"a.obj", "f\n", 1, 1, "at least three corners"},
    {"a.obj", "cstype bezier\n", 1, 1, "curved surfaces"},
    {"a.obj", "vertex 1 2 3\n", 1, 1, "unknown statement: 'vertex'"},
    {"a.obj", "\x01\x02\xff\n", 1, 1, "unknown statement: '?\?\?'"},
};

START_TEST(test_bad_files)
{
    for (size_t k = 0; k < sizeof BAD / sizeof BAD[0]; k++) {
        const bad_file *bad = &BAD[k];
        tn_mesh mesh = {.vertex_count = 7};
        tn_diagnostics *diags = tn_diagnostics_create();
        ck_assert_int_ne(tn_mesh_parse(bad->name, bad->text, strlen(bad->text), &mesh, diags),
                         TN_OK);
        ck_assert_int_ge(tn_diagnostics_error_count(diags), 1);
        const tn_diagnostic *problem = tn_diagnostics_get(diags, 0);
        ck_assert_msg(strstr(problem->message, bad->message) != NULL, "'%s' without '%s'",
                      problem->message, bad->message);
        ck_assert_str_eq(problem->at.file, bad->name);
        ck_assert_msg(problem->at.line == bad->line && problem->at.column == bad->column,
                      "'%s' at %d:%d", bad->message, problem->at.line, problem->at.column);
        ck_assert(mesh.vertices == NULL && mesh.vertex_count == 0);
        tn_diagnostics_destroy(diags);
    }
}
END_TEST

START_TEST(test_obj_reports_all_problems_up_to_a_limit)
{
    bytes file = {.size = 0};
    put_text(&file, "v 0 0 x\nf 1 1 1\nq\n");
    tn_mesh mesh;
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_mesh_parse("a.obj", file.data, file.size, &mesh, diags), TN_ERROR_INPUT);
    ck_assert_int_eq(tn_diagnostics_count(diags), 3);
    for (int i = 0; i < 100; i++) {
        put_text(&file, "q\n");
    }
    tn_diagnostics_clear(diags);
    ck_assert_int_eq(tn_mesh_parse("a.obj", file.data, file.size, &mesh, diags), TN_ERROR_INPUT);
    ck_assert_int_eq(tn_diagnostics_count(diags), 21);
    ck_assert(says(diags, "rest of the file", ""));
    tn_diagnostics_destroy(diags);
}
END_TEST

START_TEST(test_bad_binary)
{
    bytes cube = binary_cube("");
    tn_mesh mesh;
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_mesh_parse("a.stl", cube.data, cube.size - 1, &mesh, diags),
                     TN_ERROR_INPUT);
    ck_assert(says(diags, "12 triangles has 684 bytes", "has 683"));
    ck_assert_int_eq(tn_mesh_parse("a.stl", cube.data, cube.size + 1, &mesh, diags),
                     TN_ERROR_INPUT);
    ck_assert(says(diags, "12 triangles has 684 bytes", "has 685"));
    float inf = (float)INFINITY;
    memcpy(cube.data + 84 + 50 * 3 + 12 + 12, &inf, sizeof inf);
    ck_assert_int_eq(tn_mesh_parse("a.stl", cube.data, cube.size, &mesh, diags), TN_ERROR_INPUT);
    ck_assert(says(diags, "corner 1 of triangle 3", "not finite"));
    memset(cube.data + 80, 0xff, 4); /* 2^32 - 1 triangles promised */
    ck_assert_int_eq(tn_mesh_parse("a.stl", cube.data, cube.size, &mesh, diags), TN_ERROR_INPUT);
    ck_assert(says(diags, "4294967295 triangles", ""));
    memset(cube.data + 80, 0, 4);
    ck_assert_int_eq(tn_mesh_parse("a.stl", cube.data, 84, &mesh, diags), TN_ERROR_INPUT);
    ck_assert(says(diags, "no triangles", ""));
    tn_diagnostics_destroy(diags);
}
END_TEST

/* One polygon with more corners than a mesh may have triangles: stopped by the limit, not memory.
 */
START_TEST(test_too_many_triangles)
{
    static const char start[] = "v 0 0 0\nf";
    size_t corners = TN_MESH_MAX_TRIANGLES + 3, size = sizeof start - 1 + 2 * corners;
    char *text = malloc(size);
    memcpy(text, start, sizeof start - 1);
    for (size_t i = 0; i < corners; i++) {
        memcpy(text + sizeof start - 1 + 2 * i, " 1", 2);
    }
    tn_mesh mesh;
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_mesh_parse("a.obj", text, size, &mesh, diags), TN_ERROR_UNSUPPORTED);
    ck_assert(says(diags, "more than", "triangles"));
    tn_diagnostics_destroy(diags);
    free(text);
}
END_TEST

/* Whatever the bytes: a mesh with valid indices, or errors and no mesh. The bytes are copied to a
 * block of exactly their size, so that the sanitizers see one step too far. */
static void expect_harmless(const char *name, const unsigned char *data, size_t size)
{
    unsigned char *exact = malloc(size + (size == 0));
    memcpy(exact, data, size);
    tn_mesh mesh;
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_status status = tn_mesh_parse(name, exact, size, &mesh, diags);
    if (status == TN_OK) {
        ck_assert_int_gt(mesh.triangle_count, 0);
        for (int32_t t = 0; t < mesh.triangle_count; t++) {
            for (int k = 0; k < 3; k++) {
                int32_t v = mesh.triangles[t].v[k];
                ck_assert(v >= 0 && v < mesh.vertex_count);
                ck_assert(isfinite(mesh.vertices[v].x));
            }
        }
        tn_mesh_free(&mesh);
    } else {
        ck_assert_int_gt(tn_diagnostics_error_count(diags), 0);
        ck_assert(mesh.vertices == NULL && mesh.triangles == NULL);
    }
    tn_diagnostics_destroy(diags);
    free(exact);
}

static uint32_t random_below(uint64_t *seed, uint32_t limit)
{
    return (uint32_t)((random_number(seed) + 1) * 0.5 * limit) % limit;
}

/* Overwrites, cuts out or doubles a piece of the file. */
static void damage(bytes *file, uint64_t *seed)
{
    static const char *const pieces[] = {"v ",  "f ",     "-1 ",    "\\\n", "\n",
                                         "/",   "1e308 ", "solid",  "\r",   "#",
                                         "nan", "99 ",    "facet ", "\0",   "\xff"};
    size_t at = random_below(seed, (uint32_t)file->size);
    switch (random_below(seed, 4)) {
    case 0:
        file->data[at] = (unsigned char)random_below(seed, 256);
        break;
    case 1: {
        const char *piece = pieces[random_below(seed, sizeof pieces / sizeof pieces[0])];
        size_t length = strlen(piece) + (piece[0] == 0);
        if (at + length <= file->size) {
            memcpy(file->data + at, piece, length);
        }
        break;
    }
    case 2:
        file->size = at + 1;
        break;
    default: {
        size_t from = random_below(seed, (uint32_t)file->size), length = file->size - from;
        if (at + length < sizeof file->data) {
            memmove(file->data + at, file->data + from, length);
            file->size = at + length > file->size ? at + length : file->size;
        }
    }
    }
}

START_TEST(test_damaged_files_do_no_harm)
{
    static const char *const names[] = {"a.stl", "a.stl", "a.obj", "a.msh", "a.msh"};
    bytes seeds[5] = {binary_cube("x"), ascii_cube(), {.size = 0}, msh_cube(true), msh_cube(false)};
    put_text(&seeds[2], OBJ_CUBE);
    uint64_t seed = 77;
    for (int k = 0; k < 5; k++) {
        for (size_t size = 0; size <= seeds[k].size; size++) {
            expect_harmless(names[k], seeds[k].data, size);
        }
        for (int trial = 0; trial < 3000; trial++) {
            bytes file = seeds[k];
            for (uint32_t hits = 1 + random_below(&seed, 8); hits > 0; hits--) {
                damage(&file, &seed);
            }
            expect_harmless(names[k], file.data, file.size);
            expect_harmless(names[(k + 1) % 5], file.data, file.size);
        }
    }
    for (int trial = 0; trial < 3000; trial++) {
        bytes junk = {.size = 1 + random_below(&seed, 300)};
        for (size_t i = 0; i < junk.size; i++) {
            junk.data[i] = (unsigned char)random_below(&seed, 256);
        }
        expect_harmless("a.obj", junk.data, junk.size);
        expect_harmless("a.stl", junk.data, junk.size);
    }
}
END_TEST

START_TEST(test_out_of_memory)
{
    bytes cube = binary_cube("");
    for (int k = 0; k < 2; k++) {
        tn_status status = TN_ERROR_MEMORY;
        int allowed = 0;
        for (; status != TN_OK; allowed++) {
            tn_mesh mesh;
            test_allocator memory = {.left = allowed};
            tn_set_allocator(test_realloc, &memory);
            status = k == 0 ? tn_mesh_parse("a.stl", cube.data, cube.size, &mesh, NULL)
                            : tn_mesh_parse("a.obj", OBJ_CUBE, strlen(OBJ_CUBE), &mesh, NULL);
            bool failed_well = status == TN_ERROR_MEMORY && memory.alive == 0;
            bool good = status == TN_OK && mesh.triangle_count == 12;
            tn_mesh_free(&mesh);
            tn_set_allocator(NULL, NULL);
            ck_assert(failed_well || good);
            ck_assert_int_eq(memory.alive, 0);
            ck_assert_int_lt(allowed, 100);
        }
        ck_assert_int_ge(allowed, 4);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("mesh_read");
    TCase *tests = tcase_create("mesh_read");
    tcase_add_test(tests, test_cube_in_every_format);
    tcase_add_test(tests, test_cube_from_file);
    tcase_add_test(tests, test_several_solids_in_one_file);
    tcase_add_test(tests, test_degenerate_triangles_are_left_out);
    tcase_add_test(tests, test_bad_files);
    tcase_add_test(tests, test_obj_reports_all_problems_up_to_a_limit);
    tcase_add_test(tests, test_bad_binary);
    tcase_add_test(tests, test_too_many_triangles);
    tcase_add_test(tests, test_damaged_files_do_no_harm);
    tcase_add_test(tests, test_out_of_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
