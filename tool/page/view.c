/* view.c: `tenon view MODEL`: one page that shows the mechanism in motion, in any browser.
 *
 * The page is a template (web/, compiled into the tool) with the model's text and the files it
 * names put in as data. The engine that runs in it is this library, as WebAssembly.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "load.h"
#include "output.h"
#include "meshes.h"
#include "page/page.h"
#include "tool.h"
#include "page/view.h"

enum { OUT, PLAY, OPEN, RECORDING };

static const tool_option options[] = {
    [OUT] = {"--out", "FILE", TOOL_TEXT, "the page (default: the model's name with .html)"},
    [PLAY] = {"--play", NULL, TOOL_FLAG, "it moves as soon as it is opened"},
    [OPEN] = {"--open", NULL, TOOL_FLAG,
              "a browser shows it: that of the variable BROWSER, else the desktop's"},
    [RECORDING] = {"--recording", "FILE", TOOL_TEXT,
                   "shows the motion in this file, of `tenon run --hdf5` or `--csv`,\n"
                   "instead of simulating it"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* The model's name with another ending, in the folder one is in. */
static char *with_ending(const char *model, const char *ending)
{
    const char *name = base_name(model);
    const char *dot = strrchr(name, '.');
    const size_t length = dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
    char *out = malloc(length + strlen(ending) + 1);
    if (out != NULL)
        sprintf(out, "%.*s%s", (int)length, name, ending);
    return out;
}

/* What the text is called in the page, which goes by endings too: that of a robot is a model of Tenon. */
static void write_name(tool_json *json, const char *model, const tn_spec *spec)
{
    char *name = tn_spec_file_count(spec) == 0 ? with_ending(model, ".yaml") : NULL;
    tool_json_text(json, "name", name != NULL ? name : base_name(model));
    free(name);
}

/* A mesh of the model, by the name its text has for it. */
static bool write_file(tool_json *json, const char *model, const tn_spec *spec, const char *name)
{
    size_t length = 0;
    char *path = tool_mesh_path(model, spec, name);
    if (path == NULL)
        return false;
    char *bytes = tool_read_bytes(path, &length);
    char *text = bytes == NULL ? NULL : view_base64((const unsigned char *)bytes, length);
    if (text != NULL) {
        tool_json_text(json, name, text);
    } else {
        tool_error("%s: %s", path, strerror(errno));
    }
    free(text);
    free(bytes);
    free(path);
    return text != NULL;
}

static bool write_files(tool_json *json, const char *model, const tn_spec *spec)
{
    int32_t body = 0, shape = 0;
    const char *name = NULL;
    bool good = true;
    tool_json_open(json, "files", '{');
    while (good && tool_next_mesh(spec, &body, &shape, &name)) {
        good = write_file(json, model, spec, name);
    }
    tool_json_close(json, '}');
    return good;
}

/* The text of the model: the file's own, or, of a model of several files, in XML, or with
 * parameters set otherwise, that of the model which comes of them. Freed with free. */
static char *model_text(const tool_arguments *arguments, const tn_spec *spec)
{
    size_t length = 0;
    char *written = NULL;
    if (arguments->setting_count == 0 && tn_spec_file_count(spec) == 1)
        return tool_read_bytes(arguments->operand, &length);
    if (tn_spec_write_string(spec, NULL, &written, NULL) != TN_OK)
        return NULL;
    char *text = strdup(written);
    tn_text_free(written);
    return text;
}

/* The data of the page as JSON; NULL, with a message, on failure. */
static char *collect(const tool_arguments *arguments, const tn_spec *spec,
                     const tool_table *recording)
{
    char *data = NULL;
    size_t size = 0;
    char *text = model_text(arguments, spec);
    FILE *stream = text == NULL ? NULL : open_memstream(&data, &size);
    if (stream == NULL) {
        tool_error("%s: %s", arguments->operand, strerror(errno));
        free(text);
        return NULL;
    }
    tool_json json = tool_json_begin(stream);
    tool_json_open(&json, NULL, '{');
    write_name(&json, arguments->operand, spec);
    tool_json_text(&json, "text", text);
    if (arguments->value[PLAY].given)
        tool_json_integer(&json, "play", 1);
    const bool good =
        write_files(&json, arguments->operand, spec) &&
        (recording == NULL ||
         view_write_recording(&json, base_name(arguments->value[RECORDING].text), recording));
    tool_json_close(&json, '}');
    free(text);
    if (fclose(stream) == 0 && good)
        return data;
    free(data);
    return NULL;
}

/* JSON within HTML: what could end the element it stands in, or begin another, is written as its
 * number. In JSON such letters only stand in strings. */
static void write_inert(FILE *out, const char *json)
{
    for (; *json != '\0'; json++) {
        if (*json == '<' || *json == '>' || *json == '&') {
            fprintf(out, "\\u%04x", (unsigned)*json);
        } else {
            fputc(*json, out);
        }
    }
}

static void write_page(FILE *out, const char *data)
{
    static const char mark[] = "{{MODEL}}";
    const char *page = tenon_page, *end = tenon_page_end;
    const size_t length = sizeof mark - 1;
    /* cppcheck-suppress comparePointers  ; both ends of one block */
    while ((size_t)(end - page) >= length && memcmp(page, mark, length) != 0)
        page++;
    fwrite(tenon_page, 1, (size_t)(page - tenon_page), out);
    write_inert(out, data);
    /* cppcheck-suppress comparePointers  ; likewise */
    fwrite(page + length, 1, (size_t)(end - page) - length, out);
}

static int save(const char *path, const char *data)
{
    tool_output out;
    int code = tool_output_open(path, &out);
    if (code != TOOL_OK)
        return code;
    write_page(out.stream, data);
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

static int run(const tool_arguments *arguments)
{
    tool_loaded loaded;
    int code = tool_load(arguments, NULL, &loaded);
    tool_show_diagnostics(&loaded);
    const char *recorded =
        arguments->value[RECORDING].given ? arguments->value[RECORDING].text : NULL;
    tool_table recording = {0};
    if (code == TOOL_OK && recorded != NULL)
        code = view_read_recording(recorded, loaded.model, &recording);
    char *name = with_ending(arguments->operand, ".html");
    const char *path = arguments->value[OUT].given ? arguments->value[OUT].text : name;
    if (code == TOOL_OK && arguments->value[OPEN].given && path != NULL && strcmp(path, "-") == 0) {
        tool_error("--open needs a file: give --out another one than -");
        code = TOOL_USAGE;
    }
    if (code == TOOL_OK && path != NULL)
        code = refuse(arguments, loaded.spec, path);
    char *data = code == TOOL_OK
                     ? collect(arguments, loaded.spec, recorded != NULL ? &recording : NULL)
                     : NULL;
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
