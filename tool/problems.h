/* problems.h: problems of a model for programs. */
#ifndef TN_TOOL_PROBLEMS_H
#define TN_TOOL_PROBLEMS_H

#include "json.h"
#include "tenon/status.h"

/* An array of objects: severity, file (null: unknown), line and column (0: unknown), message, hint (null: none). */
void tool_write_problems(tool_json *json, const char *key, const tn_diagnostics *diags);

#endif
