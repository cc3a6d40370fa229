/* import.c: room web: a model of others as one of Tenon, as `tenon import` writes it. What is loaded stays. */
#include <stdlib.h>

#include "mesh/mesh_names.h"
#include "page.h"
#include "problems.h"

/* The files of meshes by the names that the new text has for them: where they were found. */
static void write_meshes(tool_json *json, const tn_spec *spec, const char *model)
{
    int32_t body = 0, shape = 0;
    const char *name = NULL;
    tool_json_open(json, "meshes", '{');
    while (spec != NULL && tool_next_mesh(spec, &body, &shape, &name)) {
        char *path = tool_mesh_path(model, spec, name);
        tool_json_text(json, name, path);
        free(path);
    }
    tool_json_close(json, '}');
}

/* JSON: text (null: it cannot be read, or written), meshes, problems. NULL: no memory, or too many settings. */
const char *PAGE_EXPORT(page_import)(const char *text, size_t length, const char *name,
                                     const char *settings, int32_t setting_count)
{
    tn_setting set[PAGE_MOST_SETTINGS];
    if (!page_list_settings(settings, setting_count, set))
        return NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    char *written = NULL;
    if (tn_spec_read_string_with(text, length, name, set, setting_count, diags, &spec) == TN_OK)
        (void)tn_spec_write_string(spec, diags, &written, NULL);
    FILE *stream = page_text_begin();
    if (stream != NULL) {
        tool_json json = tool_json_begin(stream);
        tool_json_open(&json, NULL, '{');
        tool_json_text(&json, "text", written);
        write_meshes(&json, spec, name);
        tool_write_problems(&json, "problems", diags);
        tool_json_close(&json, '}');
    }
    tn_text_free(written);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
    return stream != NULL ? page_text_end(stream) : NULL;
}
