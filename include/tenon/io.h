/* io.h: reads and writes model files, imports URDF and MJCF, writes the schema, prints problems (library tenon_io).
 *
 * A model file is YAML 1.2 (JSON is a subset) as docs/tenon-model.schema.json describes it. Reading
 * returns a spec, or NULL and all problems found, with line and column. Compiling may find further ones.
 */
#ifndef TENON_IO_H
#define TENON_IO_H

#include <stdio.h>

#include "tenon/parameter.h"
#include "tenon/solid.h"
#include "tenon/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a model file. *out is NULL unless TN_OK. TN_ERROR_IO: the file cannot be read. TN_ERROR_INPUT: the
 * diagnostics list what is wrong, in the order of the file. TN_ERROR_MEMORY. Paths of meshes are relative to
 * the folder of the model file.
 *
 * A file that begins with < is XML. This call and those below read URDF and MJCF; with TN_OK, notes and
 * warnings in the diagnostics list what of the file is not in the spec (docs/reference/import.md).
 * TN_ERROR_UNSUPPORTED: this library was built without expat. Settings of such files are "root" ("ground",
 * "free") and "massless" (kg). */
TN_API tn_status tn_spec_read_file(const char *path, tn_diagnostics *diags, tn_spec **out);

/* The same from memory; the text need not end in a zero. name stands for the file in locations, and paths of
 * meshes are relative to its folder; NULL: "model". */
TN_API tn_status tn_spec_read_string(const char *text, size_t length, const char *name,
                                     tn_diagnostics *diags, tn_spec **out);

/* Another value for a parameter of the model: "350 mm", "0.2", "=2*crank". The texts are copied. */
typedef struct tn_setting {
    const char *name, *value;
} tn_setting;

/* Adds a folder from which files may be read, for the whole process; call it before threads read. Without it, files
 * named in a model or study are read only below the folder of that model or study, with all links resolved; in URDF
 * and MJCF below the package: the nearest folder above that has a package.xml, or NAME of package://NAME/. NULL
 * removes all added folders. TN_ERROR_IO: there is no such folder; TN_ERROR_WORK: more than TN_MOST_ALLOWED. */
TN_API tn_status tn_allow_path(const char *folder);

/* The same with settings, which replace values in the file. A setting for a parameter that the model does
 * not have is an error. */
TN_API tn_status tn_spec_read_file_with(const char *path, const tn_setting *settings,
                                        int32_t setting_count, tn_diagnostics *diags,
                                        tn_spec **out);
/* The same from memory, as tn_spec_read_string. */
TN_API tn_status tn_spec_read_string_with(const char *text, size_t length, const char *name,
                                          const tn_setting *settings, int32_t setting_count,
                                          tn_diagnostics *diags, tn_spec **out);

/* Writes a spec as YAML that reads back to the same spec bit for bit (17 digits, radians). TN_ERROR_INPUT: the
 * reader would refuse this spec; nothing is written, and diagnostics say why. TN_ERROR_ARGUMENT: an axis or a
 * joint uses a callback, which a file cannot contain. TN_ERROR_UNSUPPORTED: the spec has elastic solids. */
TN_API tn_status tn_spec_write_file(const tn_spec *spec, const char *path, tn_diagnostics *diags);

/* The same as text ending in a zero; length (may be NULL) does not count it. Free with
 * tn_text_free. */
TN_API tn_status tn_spec_write_string(const tn_spec *spec, tn_diagnostics *diags, char **text,
                                      size_t *length);

/* The JSON Schema (draft 2020-12) of model files, made from the tables the reader uses. Free with
 * tn_text_free. */
TN_API tn_status tn_schema_write(char **text, size_t *length);

/* Frees a text that a call of this header returned; NULL is accepted. */
TN_API void tn_text_free(char *text);

/* Reads the mesh of a solid: Gmsh (.msh 2.2 and 4.1, ASCII; sets are physical groups), Abaqus and CalculiX (.inp;
 * NSET and ELSET), VTK (.vtk, legacy ASCII, .vtu, ASCII; no sets). scale: m per unit of the file. Nodes that no element has are
 * left out. TN_ERROR_IO; TN_ERROR_INPUT: the diagnostics say what is wrong, with its line. Free with
 * tn_solid_mesh_free. */
TN_API tn_status tn_solid_mesh_read(const char *path, double scale, tn_diagnostics *diags,
                                    tn_solid_mesh *out);
/* The same from memory; the end of the name says which format it is. */
TN_API tn_status tn_solid_mesh_parse(const char *name, const void *bytes, size_t size, double scale,
                                     tn_diagnostics *diags, tn_solid_mesh *out);

/* Shows each problem as
 *     four_bar.yaml:12:8: error: unknown body 'lnk1'
 *         b: lnk1
 *            ^
 *     hint: did you mean 'link1'?
 * source is the text the problems were found in (source_length bytes); NULL: the files named in the
 * problems are opened again, and lines that cannot be read are left out. */
TN_API void tn_diagnostics_print(const tn_diagnostics *diags, FILE *stream, const char *source,
                                 size_t source_length);

#ifdef __cplusplus
}
#endif
#endif
