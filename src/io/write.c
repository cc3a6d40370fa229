/* write.c: from a spec to the text of a model file (io.h).
 *
 * Room io. The tables decide what is written; here are the whole and its checks. Only a spec that
 * would be accepted when read back is written.
 */
#include "base/base.h"
#include "tenon/io.h"

#include <string.h>

#include "io/text/emitter.h"
#include "io/text/file.h"
#include "io/text/locale_scope.h"
#include "io/reader/table_io.h"
#include "io/section/sections.h"
#include "io/tree/tree.h"
#include "spec/validate/validate.h"

void tn_text_free(char *text)
{
    tn_free(text);
}

/* What a reader takes of a simulation that says all but accuracy, integrator and step. */
static tn_simulation_def without_steps(const tn_file_head *head)
{
    const tn_simulation_def unsaid = tn_simulation_unsaid();
    tn_simulation_def def = head->simulation;
    def.accuracy = unsaid.accuracy;
    def.integrator = unsaid.integrator;
    def.step = unsaid.step;
    tn_simulation_settle(&def, &head->record);
    return def;
}

/* What a reader takes where nothing is said: all keys that differ are written. Accuracy and
 * integrator go unsaid together only, since each says something of the other. */
static void settle_as_read(const tn_file_head *head, tn_simulation_def *initial)
{
    const tn_simulation_def *said = &head->simulation, taken = without_steps(head);
    const double duration = initial->duration;
    initial->accuracy = said->accuracy;
    initial->duration = said->duration;
    tn_simulation_settle(initial, &head->record);
    initial->duration = duration;
    if (taken.accuracy == said->accuracy && taken.integrator == said->integrator &&
        taken.step == said->step)
        return;
    initial->accuracy = 0.0;
    if (said->accuracy == 0.0)
        initial->integrator = TN_INTEGRATOR_COUNT;
}

static tn_status write_spec(tn_emitter *emitter)
{
    const tn_spec *spec = emitter->spec;
    const tn_file_head head = {*tn_spec_world(spec), *tn_spec_simulation(spec),
                               *tn_spec_record(spec)};
    tn_file_head initial = {tn_default_world_of(tn_spec_world(spec)->kind), tn_simulation_unsaid(),
                            tn_default_record_def()};
    settle_as_read(&head, &initial.simulation);
    tn_write_table(emitter, &tn_model_table, &head, &initial);
    return emitter->out.status;
}

static tn_status write_in_plain_locale(const tn_spec *spec, tn_diagnostics *diags, tn_buffer *out)
{
    tn_emitter emitter = {.spec = spec};
    tn_status status = tn_spec_validate(spec, diags);
    if (status == TN_OK && tn_spec_solid_count(spec) > 0) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_UNSUPPORTED, (tn_location){NULL, 0, 0},
                           "keep the file that the model was read from",
                           "elastic solids, '%s', have no form that is written",
                           tn_spec_solid_name(spec, (tn_solid){0}));
        status = TN_ERROR_UNSUPPORTED;
    }
    if (status == TN_OK) {
        status = write_spec(&emitter);
    }
    if (status == TN_OK) {
        /* names and titles from the C API may hold any bytes */
        status = tn_text_check(emitter.out.text, (size_t)emitter.out.length, NULL, diags);
    }
    *out = emitter.out;
    return status;
}

tn_status tn_spec_write_string(const tn_spec *spec, tn_diagnostics *diags, char **text,
                               size_t *length)
{
    TN_DEMAND(spec && text, TN_ERROR_ARGUMENT);
    *text = NULL;
    tn_locale_scope locale;
    if (!tn_locale_enter(&locale)) {
        return TN_ERROR_MEMORY;
    }
    tn_buffer out;
    tn_status status = write_in_plain_locale(spec, diags, &out);
    tn_locale_leave(&locale);
    if (status != TN_OK) {
        tn_free(out.text);
        return status;
    }
    *text = out.text;
    if (length != NULL) {
        *length = (size_t)out.length;
    }
    return TN_OK;
}

tn_status tn_spec_write_file(const tn_spec *spec, const char *path, tn_diagnostics *diags)
{
    TN_DEMAND(spec && path, TN_ERROR_ARGUMENT);
    char *text = NULL;
    size_t length = 0;
    tn_status status = tn_spec_write_string(spec, diags, &text, &length);
    if (status != TN_OK) {
        return status;
    }
    status = tn_file_write(path, text, length, diags);
    tn_text_free(text);
    return status;
}
