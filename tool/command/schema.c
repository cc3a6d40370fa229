/* schema.c: `tenon schema`: the JSON Schema of model files. */
#include <stdio.h>

#include "load.h"
#include "tool.h"

static int run(const tool_arguments *arguments)
{
    (void)arguments;
    char *text = NULL;
    size_t length = 0;
    tn_status status = tn_schema_write(&text, &length);
    if (status != TN_OK) {
        tool_error("%s", tn_status_text(status));
        return tool_exit_code(status);
    }
    fwrite(text, 1, length, stdout); /* main checks stdout */
    tn_text_free(text);
    return TOOL_OK;
}

const tool_command tool_schema = {
    .name = "schema",
    .summary = "print the JSON Schema of model files",
    .run = run,
};
