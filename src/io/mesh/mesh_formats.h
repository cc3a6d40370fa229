/* mesh_formats.h (room: io/mesh): one function per mesh file format, adding what it reads to a builder.
 * Each reports at least one error when it does not return TN_OK (memory apart). */
#ifndef TN_IO_MESH_MESH_FORMATS_H
#define TN_IO_MESH_MESH_FORMATS_H

#include "io/mesh/mesh_build.h"

tn_status tn_mesh_read_stl(const char *name, const void *bytes, size_t size,
                           tn_mesh_builder *builder, tn_diagnostics *diags);
tn_status tn_mesh_read_obj(const char *name, const void *bytes, size_t size,
                           tn_mesh_builder *builder, tn_diagnostics *diags);
tn_status tn_mesh_read_msh(const char *name, const void *bytes, size_t size,
                           tn_mesh_builder *builder, tn_diagnostics *diags);

#endif
