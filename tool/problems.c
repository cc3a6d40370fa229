/* problems.c: see problems.h. */
#include "problems.h"

void tool_write_problems(tool_json *json, const char *key, const tn_diagnostics *diags)
{
    static const char *const words[] = {
        [TN_NOTE] = "note", [TN_WARNING] = "warning", [TN_ERROR] = "error"};
    tool_json_open(json, key, '[');
    for (int32_t i = 0; i < tn_diagnostics_count(diags); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(diags, i);
        tool_json_open(json, NULL, '{');
        tool_json_text(json, "severity", words[d->severity]);
        tool_json_text(json, "file", d->at.file);
        tool_json_integer(json, "line", d->at.line);
        tool_json_integer(json, "column", d->at.column);
        tool_json_text(json, "message", d->message);
        tool_json_text(json, "hint", d->hint);
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
}
