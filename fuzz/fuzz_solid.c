/* fuzz_solid.c: any bytes as the mesh of a solid, and what was read as a solid. The first byte chooses the format: $ is Gmsh's, *
 * that of Abaqus, < that of VTU, others VTK's. Small meshes are reduced to modes, too. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tenon/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t none = 0;
    tn_solid_mesh mesh;
    tn_diagnostics *diags = tn_diagnostics_create();
    const char *name = size > 0 && data[0] == '$'   ? "fuzz.msh"
                       : size > 0 && data[0] == '*' ? "fuzz.inp"
                       : size > 0 && data[0] == '<' ? "fuzz.vtu"
                                                    : "fuzz.vtk";
    tn_status status = tn_solid_mesh_parse(name, size > 0 ? data : &none, size, 1.0, diags, &mesh);
    if (status == TN_OK && mesh.node_count <= TN_MAX_SOLID_NODES) {
        tn_spec *spec = tn_spec_create();
        tn_solid_def def = tn_default_solid_def();
        def.name = "solid";
        def.mesh = &mesh;
        def.material.young = 1e6;
        const tn_node_set *set = mesh.set_count > 0 ? &mesh.sets[0] : NULL;
        const tn_solid_part part = {set ? set->elements : NULL, set ? set->element_count : 0,
                                    def.material};
        const tn_solid_surface surface = {"side", set ? set->nodes : NULL, set ? set->count : 0};
        def.parts = &part;
        def.surfaces = &surface;
        def.part_count = set != NULL && set->element_count > 0;
        def.surface_count = set != NULL && set->count > 0;
        status = tn_spec_add_solid(spec, &def, diags, NULL);
        if (status == TN_OK && mesh.node_count <= 40) {
            const tn_solid_modal modal = {1, 0.1};
            def.name = "modal";
            def.modal = &modal;
            status = tn_spec_add_solid(spec, &def, diags, NULL);
        }
        tn_spec_destroy(spec);
    }
    if (status != TN_OK && tn_diagnostics_error_count(diags) == 0) {
        abort(); /* a failure that explains nothing */
    }
    tn_solid_mesh_free(&mesh);
    tn_diagnostics_destroy(diags);
    return 0;
}
