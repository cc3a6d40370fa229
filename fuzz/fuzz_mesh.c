/* fuzz_mesh.c: any bytes as STL or OBJ, and what was read as the surface of a solid. The first byte
 * chooses the format by its lowest bit. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "io/mesh/mesh_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tn_mesh mesh;
    tn_diagnostics *diags = tn_diagnostics_create();
    const char *name = size > 0 && (data[0] & 1) ? "fuzz.stl" : "fuzz.obj";
    size_t skipped = size > 0 ? 1 : 0;
    tn_status status = tn_mesh_parse(name, data + skipped, size - skipped, &mesh, diags);
    if (status == TN_OK) {
        tn_shape_def def = tn_default_shape_def(TN_SHAPE_MESH);
        def.vertices = mesh.vertices;
        def.vertex_count = mesh.vertex_count;
        def.triangles = mesh.triangles;
        def.triangle_count = mesh.triangle_count;
        tn_mass_properties props;
        status = tn_shape_mass_properties(&def, 1.0, &props, diags);
    }
    if (status != TN_OK && tn_diagnostics_error_count(diags) == 0) {
        abort(); /* a failure that explains nothing */
    }
    tn_mesh_free(&mesh);
    tn_diagnostics_destroy(diags);
    return 0;
}
