/* parameters.c: the parameters a model was made with (tenon/parameter.h).
 *
 * Room spec. For callers that read them; the definitions have their values already.
 */
#include "base/base.h"
#include "spec/spec_internal.h"

#include <string.h>

/* A copy in the spec's memory; NULL stays NULL, *status is set when memory ran out. */
static const char *keep_text(tn_spec *spec, const char *text, tn_status *status)
{
    const char *copy =
        text != NULL ? tn_arena_text(&spec->parameter_texts, text, strlen(text)) : NULL;
    if (text != NULL && copy == NULL) {
        *status = TN_ERROR_MEMORY;
    }
    return copy;
}

tn_status tn_spec_note_parameter(tn_spec *spec, const tn_parameter *parameter)
{
    tn_parameter *grown = tn_grow(spec->parameters, &spec->parameter_capacity,
                                  spec->parameter_count + 1, sizeof(*grown));
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    spec->parameters = grown;
    tn_parameter copy = *parameter;
    tn_status status = tn_spec_intern_file(spec, parameter->at.file, &copy.at.file);
    copy.name = keep_text(spec, parameter->name, &status);
    copy.unit = keep_text(spec, parameter->unit, &status);
    copy.text = keep_text(spec, parameter->text, &status);
    if (status == TN_OK) {
        spec->parameters[spec->parameter_count++] = copy;
    }
    return status;
}

void tn_spec_free_parameters(tn_spec *spec)
{
    tn_free(spec->parameters);
    tn_arena_free(&spec->parameter_texts);
    tn_diagnostics_destroy(spec->remarks);
}

tn_diagnostics *tn_spec_remarks(tn_spec *spec)
{
    if (spec->remarks == NULL) {
        spec->remarks = tn_diagnostics_create();
    }
    return spec->remarks;
}

int32_t tn_spec_file_count(const tn_spec *spec)
{
    TN_DEMAND(spec, 0);
    return spec->file_count;
}

const char *tn_spec_source(const tn_spec *spec, int32_t index)
{
    TN_DEMAND(spec, NULL);
    return TN_IN(index, spec->files.count) ? spec->files.entries[index].text : NULL;
}

int32_t tn_spec_parameter_count(const tn_spec *spec)
{
    TN_DEMAND(spec, 0);
    return spec->parameter_count;
}

const tn_parameter *tn_spec_parameter(const tn_spec *spec, int32_t index)
{
    TN_DEMAND(spec && TN_IN(index, spec->parameter_count), NULL);
    return &spec->parameters[index];
}
