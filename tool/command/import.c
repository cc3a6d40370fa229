/* import.c: `tenon import MODEL`: the model of Tenon that is equal to one of another program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "load.h"
#include "output.h"
#include "mesh/meshes.h"
#include "tool.h"

enum { OUT, WERROR };

static const tool_option options[] = {
    [OUT] = {"--out", "FILE", TOOL_TEXT,
             "the model (default: on standard output), with its meshes beside it"},
    [WERROR] = {"--werror", NULL, TOOL_FLAG, "exit with 1 when the motion may differ"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

static int write_model(const tool_arguments *arguments, tool_loaded *loaded)
{
    const char *path = arguments->value[OUT].given ? arguments->value[OUT].text : "-";
    char *text = NULL;
    tool_output out;
    int code = tool_refuse_outputs(arguments->operand, loaded->spec, &path, 1);
    if (code == TOOL_OK && tn_spec_write_string(loaded->spec, loaded->diags, &text, NULL) != TN_OK)
        code = TOOL_BAD_INPUT;
    if (code == TOOL_OK && strcmp(path, "-") != 0)
        code = tool_copy_meshes(arguments->operand, loaded->spec, path);
    if (code == TOOL_OK)
        code = tool_output_open(path, &out);
    if (code == TOOL_OK) {
        fputs(text, out.stream);
        code = tool_output_close(&out, true, TOOL_OK);
    }
    tn_text_free(text);
    return code;
}

static int run(const tool_arguments *arguments)
{
    tool_loaded loaded;
    int code = tool_load_description(arguments, &loaded);
    const int32_t warnings = tool_count_warnings(loaded.diags);
    if (code == TOOL_OK)
        code = write_model(arguments, &loaded);
    tool_show_diagnostics(&loaded);
    if (code == TOOL_OK && warnings > 0 && arguments->value[WERROR].given)
        code = TOOL_BAD_INPUT;
    tool_unload(&loaded);
    return code;
}

const tool_command tool_import = {
    .name = "import",
    .operand = "MODEL",
    .summary = "write the model of Tenon that is equal to a URDF or MJCF file",
    .details =
        "What of the file is not in the model is reported, with its line: as a warning where the\n"
        "motion may differ, else as a note. All commands that read models read these files as\n"
        "they are, too. --set root=free: links that nothing carries are not held by the ground;\n"
        "--set massless=1e-3: links that move and have no mass are given so many kg.\n"
        "Meshes that do not lie in the folder of the model written, or below, are copied there.\n",
    .options = options,
    .run = run,
    .reads_model = true,
};
