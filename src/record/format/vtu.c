/* vtu.c: room record/format: an elastic solid as a file of ParaView (VTK XML, unstructured grid, ASCII; VTK user's guide 19.3).
 */
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>

#include "base/base.h"
#include "element/element.h"
#include "file/output.h"
#include "model/model.h"
#include "tenon/record.h"
#include "tenon/stress.h"

/* What is written of a solid. */
typedef struct vtu {
    FILE *file;
    const tn_model_solid *solid;
    tn_vec3 *places;   /* [nodes] */
    tn_stress *stress; /* [nodes] */
} vtu;

static void put_vector(const vtu *v, tn_vec3 a)
{
    fprintf(v->file, "%.17g %.17g %.17g\n", a.x, a.y, a.z);
}

static void begin_array(const vtu *v, const char *type, const char *name, int parts)
{
    fprintf(v->file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
            "format=\"ascii\">\n",
            type, name, parts);
}

static void end_array(const vtu *v)
{
    fputs("</DataArray>\n", v->file);
}

static void put_points(const vtu *v)
{
    fputs("<Points>\n", v->file);
    begin_array(v, "Float64", "Points", 3);
    for (int32_t i = 0; i < v->solid->node_count; i++)
        put_vector(v, v->places[i]);
    end_array(v);
    fputs("</Points>\n", v->file);
}

static void put_cells(const vtu *v)
{
    int64_t offset = 0;
    fputs("<Cells>\n", v->file);
    begin_array(v, "Int64", "connectivity", 1);
    for (int32_t e = 0; e < v->solid->element_count; e++) {
        for (int32_t i = 0; i < v->solid->elements[e].data.nodes; i++)
            fprintf(v->file, "%" PRId32 " ", v->solid->elements[e].nodes[i]);
        fputs("\n", v->file);
    }
    end_array(v);
    begin_array(v, "Int64", "offsets", 1);
    for (int32_t e = 0; e < v->solid->element_count; e++) {
        offset += v->solid->elements[e].data.nodes;
        fprintf(v->file, "%" PRId64 "\n", offset);
    }
    end_array(v);
    begin_array(v, "UInt8", "types", 1);
    for (int32_t e = 0; e < v->solid->element_count; e++)
        fprintf(v->file, "%d\n", tn_element_type_of(v->solid->source[e].kind)->vtk);
    end_array(v);
    fputs("</Cells>\n", v->file);
}

static void put_values(const vtu *v)
{
    fputs("<PointData>\n", v->file);
    begin_array(v, "Float64", "displacement", 3);
    for (int32_t i = 0; i < v->solid->node_count; i++)
        put_vector(v, v3_sub(v->places[i], v->solid->rest[i]));
    end_array(v);
    begin_array(v, "Float64", "stress", 6);
    for (int32_t i = 0; i < v->solid->node_count; i++) {
        const tn_stress s = v->stress[i];
        fprintf(v->file, "%.17g %.17g %.17g %.17g %.17g %.17g\n", s.xx, s.yy, s.zz, s.xy, s.yz,
                s.zx);
    }
    end_array(v);
    begin_array(v, "Float64", "von_mises", 1);
    for (int32_t i = 0; i < v->solid->node_count; i++)
        fprintf(v->file, "%.17g\n", tn_stress_von_mises(v->stress[i]));
    end_array(v);
    fputs("</PointData>\n", v->file);
}

static void put_all(const vtu *v)
{
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
          "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n",
          v->file);
    fprintf(v->file, "<Piece NumberOfPoints=\"%" PRId32 "\" NumberOfCells=\"%" PRId32 "\">\n",
            v->solid->node_count, v->solid->element_count);
    put_points(v);
    put_cells(v);
    put_values(v);
    fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", v->file);
}

/* With a point in numbers, whatever the program's locale. */
static tn_status write_all(vtu *v, const char *path)
{
    tn_output *output = tn_output_open(path);
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    v->file = output && plain ? tn_output_stream(output) : NULL;
    if (!v->file) {
        tn_output_drop(output);
        if (plain)
            freelocale(plain);
        return TN_ERROR_IO;
    }
    const locale_t before = uselocale(plain);
    put_all(v);
    uselocale(before);
    freelocale(plain);
    const bool good = !ferror(v->file);
    if (fclose(v->file) != 0 || !good) {
        tn_output_drop(output);
        return TN_ERROR_IO;
    }
    return tn_output_settle(output) == 0 ? TN_OK : TN_ERROR_IO;
}

tn_status tn_sim_write_vtu(const tn_sim *sim, tn_solid solid, const char *path)
{
    TN_DEMAND(sim && path, TN_ERROR_ARGUMENT);
    const tn_model *model = tn_sim_model(sim);
    if (!TN_IN(solid.i, model->solid_count))
        return TN_ERROR_ARGUMENT;
    vtu v = {.solid = &model->solids[solid.i]};
    v.places = TN_NEW_ARRAY(tn_vec3, v.solid->node_count);
    v.stress = TN_NEW_ARRAY(tn_stress, v.solid->node_count);
    tn_status status = v.places && v.stress ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = tn_sim_solid_places(sim, solid, v.places);
    if (status == TN_OK)
        status = tn_sim_solid_stress(sim, solid, v.stress);
    if (status == TN_OK)
        status = write_all(&v, path);
    tn_free(v.places);
    tn_free(v.stress);
    return status;
}
