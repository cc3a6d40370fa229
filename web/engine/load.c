/* load.c: room web: from a model's text to a simulation at its start, with every problem told. */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "problems.h"

page the_page;

FILE *page_text_begin(void)
{
    free(the_page.text);
    the_page.text = NULL;
    return open_memstream(&the_page.text, &the_page.text_size);
}

const char *page_text_end(FILE *stream)
{
    return stream != NULL && fclose(stream) == 0 ? the_page.text : NULL;
}

void *PAGE_EXPORT(page_alloc)(size_t size)
{
    return malloc(size);
}

void PAGE_EXPORT(page_free)(void *block)
{
    free(block);
}

static void unload(void)
{
    tn_recorder_destroy(the_page.recorder);
    tn_sim_destroy(the_page.sim);
    tn_model_destroy(the_page.model);
    tn_spec_destroy(the_page.spec);
    tn_diagnostics_destroy(the_page.diags);
    free(the_page.drives);
    free(the_page.held);
    free(the_page.text);
    memset(&the_page, 0, sizeof the_page);
    page_pull(-1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
}

/* What acts along each coordinate, as the model has it. */
static tn_status keep_drives(void)
{
    const size_t count = (size_t)page_joint_count() * TN_MAX_COORDINATES;
    the_page.drives = calloc(count + 1, sizeof *the_page.drives);
    the_page.held = calloc((size_t)the_page.size.couplings + 1, sizeof *the_page.held);
    if (the_page.drives == NULL || the_page.held == NULL)
        return TN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++)
        the_page.drives[i] = tn_default_drive_def();
    for (int32_t j = 0; j < the_page.size.joints; j++) {
        const tn_joint_def *def = tn_spec_joint(the_page.spec, page_joint(j));
        for (int32_t k = 0; k < def->drive_count; k++)
            the_page.drives[j * TN_MAX_COORDINATES + def->drives[k].coordinate] = def->drives[k];
    }
    for (int32_t c = 0; c < the_page.size.couplings; c++) {
        tn_coupling coupling = {c};
        the_page.drives[(the_page.size.joints + c) * TN_MAX_COORDINATES] =
            tn_spec_coupling(the_page.spec, coupling)->drive;
        the_page.held[c] = tn_sim_coupling_value(the_page.sim, coupling);
    }
    return TN_OK;
}

static tn_status start(void)
{
    const tn_sim_options options = tn_default_sim_options(the_page.model);
    tn_status status = tn_sim_create(the_page.model, &options, the_page.diags, &the_page.sim);
    tn_record_def record = tn_default_record_def();
    record.what = TN_RECORD_ALL;
    if (status == TN_OK)
        status = tn_recorder_create(the_page.sim, &record, &the_page.recorder);
    if (status == TN_OK)
        status = keep_drives();
    return status;
}

bool page_list_settings(const char *texts, int32_t count, tn_setting *out)
{
    if (count > PAGE_MOST_SETTINGS)
        return false;
    for (int32_t i = 0; i < count; i++) {
        out[i].name = texts;
        out[i].value = texts + strlen(texts) + 1;
        texts = out[i].value + strlen(out[i].value) + 1;
    }
    return true;
}

/* Reads a model; the one before is gone, whatever becomes of this one. A tn_status. */
int PAGE_EXPORT(page_load)(const char *text, size_t length, const char *name, const char *settings,
                           int32_t setting_count)
{
    tn_setting set[PAGE_MOST_SETTINGS];
    if (!page_list_settings(settings, setting_count, set))
        return TN_ERROR_ARGUMENT;
    unload();
    the_page.diags = tn_diagnostics_create();
    if (the_page.diags == NULL)
        return TN_ERROR_MEMORY;
    tn_status status = tn_spec_read_string_with(text, length, name, set, setting_count,
                                                the_page.diags, &the_page.spec);
    if (status == TN_OK)
        status = tn_model_compile(the_page.spec, the_page.diags, &the_page.model);
    if (status == TN_OK) {
        the_page.size = tn_model_get_size(the_page.model);
        status = start();
    }
    return status;
}

static const char *write_problems(const tn_diagnostics *diags)
{
    FILE *stream = page_text_begin();
    if (stream == NULL)
        return NULL;
    tool_json json = tool_json_begin(stream);
    tool_write_problems(&json, NULL, diags);
    return page_text_end(stream);
}

/* What was found when the model was loaded. */
const char *PAGE_EXPORT(page_problems)(void)
{
    return write_problems(the_page.diags);
}

/* The problems of a text that is not (yet) the page's model: what is loaded stays. */
const char *PAGE_EXPORT(page_check)(const char *text, size_t length, const char *name)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    if (tn_spec_read_string(text, length, name, diags, &spec) == TN_OK &&
        tn_model_compile(spec, diags, &model) == TN_OK) {
        const tn_sim_options options = tn_default_sim_options(model);
        (void)tn_sim_create(model, &options, diags, &sim);
    }
    const char *problems = write_problems(diags);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
    return problems;
}

const char *PAGE_EXPORT(page_status_text)(int status)
{
    return tn_status_text((tn_status)status);
}

const char *PAGE_EXPORT(page_schema)(void)
{
    char *schema = NULL;
    size_t length = 0;
    FILE *stream = page_text_begin();
    if (stream == NULL || tn_schema_write(&schema, &length) != TN_OK)
        return NULL;
    fwrite(schema, 1, length, stream);
    tn_text_free(schema);
    return page_text_end(stream);
}
