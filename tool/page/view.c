/* view.c: `tenon view MODEL`: one page that shows the mechanism in motion, in any browser.
 *
 * The page is a template (web/, compiled into the tool) with the model's text and the files it
 * names put in as data. The engine that runs in it is this library, as WebAssembly.
 */
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "output.h"
#include "page/view.h"
#include "page/watch.h"
#include "tool.h"

enum { OUT, PLAY, OPEN, RECORDING, WATCH };

static const tool_option options[] = {
    [OUT] = {"--out", "FILE", TOOL_TEXT, "the page (default: the model's name with .html)"},
    [PLAY] = {"--play", NULL, TOOL_FLAG, "it moves as soon as it is opened"},
    [OPEN] = {"--open", NULL, TOOL_FLAG,
              "a browser shows it: that of the variable BROWSER, else the desktop's"},
    [RECORDING] = {"--recording", "FILE", TOOL_TEXT,
                   "shows the motion in this file, of `tenon run --hdf5` or `--csv`,\n"
                   "instead of simulating it"},
    [WATCH] = {"--watch", NULL, TOOL_FLAG,
               "no file is written: the page is served to browsers of this machine alone,\n"
               "and follows the model's files while they are edited. Ctrl-C ends it"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

static int save(const char *path, const char *data)
{
    tool_output out;
    int code = tool_output_open(path, &out);
    if (code != TOOL_OK)
        return code;
    view_write_page(out.stream, data, false);
    code = tool_output_close(&out, true, TOOL_OK);
    if (code == TOOL_OK && strcmp(path, "-") != 0)
        printf("%s: open it in a browser\n", path);
    return code;
}

/* Nothing that is read is written over: the model with its files, the recording. */
static int refuse(const tool_arguments *arguments, const tn_spec *spec, const char *path)
{
    const int code = tool_refuse_outputs(arguments->operand, spec, &path, 1);
    return code == TOOL_OK && arguments->value[RECORDING].given
               ? tool_refuse_outputs(arguments->value[RECORDING].text, NULL, &path, 1)
               : code;
}

static int write_file(const tool_arguments *arguments)
{
    tool_loaded loaded;
    int code = tool_load(arguments, NULL, &loaded);
    tool_show_diagnostics(&loaded);
    const char *recorded =
        arguments->value[RECORDING].given ? arguments->value[RECORDING].text : NULL;
    tool_table recording = {0};
    if (code == TOOL_OK && recorded != NULL)
        code = view_read_recording(recorded, loaded.model, &recording);
    char *name = view_with_ending(arguments->operand, ".html");
    const char *path = arguments->value[OUT].given ? arguments->value[OUT].text : name;
    if (code == TOOL_OK && arguments->value[OPEN].given && path != NULL && strcmp(path, "-") == 0) {
        tool_error("--open needs a file: give --out another one than -");
        code = TOOL_USAGE;
    }
    if (code == TOOL_OK && path != NULL)
        code = refuse(arguments, loaded.spec, path);
    const view_extras extras = {.plays = arguments->value[PLAY].given,
                                .recording = recorded != NULL ? &recording : NULL,
                                .recording_name = recorded};
    char *data = code == TOOL_OK ? view_collect(arguments, loaded.spec, &extras) : NULL;
    if (code == TOOL_OK && (data == NULL || path == NULL))
        code = TOOL_BAD_INPUT;
    if (code == TOOL_OK)
        code = save(path, data);
    if (code == TOOL_OK && arguments->value[OPEN].given)
        code = view_open(path);
    free(data);
    free(name);
    tool_table_free(&recording);
    tool_unload(&loaded);
    return code;
}

static int run(const tool_arguments *arguments)
{
    if (!arguments->value[WATCH].given)
        return write_file(arguments);
    if (arguments->value[OUT].given || arguments->value[RECORDING].given) {
        tool_error("--watch writes no file and shows no recording: leave %s out",
                   arguments->value[OUT].given ? "--out" : "--recording");
        return TOOL_USAGE;
    }
    return view_watch(arguments, arguments->value[PLAY].given, arguments->value[OPEN].given);
}

const tool_command tool_view = {
    .name = "view",
    .operand = "MODEL",
    .summary = "write a page that shows a mechanism in motion",
    .details =
        "One HTML file for any browser, that needs no network and no server: the mechanism in\n"
        "three dimensions, simulated where it is seen, with sliders for its joints, its report,\n"
        "curves and its text to change.\n",
    .options = options,
    .run = run,
    .reads_model = true,
};
