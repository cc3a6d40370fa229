/* version.c: `tenon version`. */
#include <stdio.h>

#include "tenon/version.h"
#include "tool.h"

static int run(const tool_arguments *arguments)
{
    (void)arguments;
    printf("tenon %s\n", tn_version_text());
    return TOOL_OK;
}

const tool_command tool_version = {
    .name = "version",
    .summary = "print the version",
    .run = run,
};
