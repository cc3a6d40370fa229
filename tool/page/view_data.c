/* view_data.c: the data of a page, and the page around them (view.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/meshes.h"
#include "page/page.h"
#include "page/view.h"

const char *view_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* The model's name with another ending, in the folder one is in. */
char *view_with_ending(const char *model, const char *ending)
{
    const char *name = view_base_name(model);
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
    char *name = tn_spec_file_count(spec) == 0 ? view_with_ending(model, ".yaml") : NULL;
    tool_json_text(json, "name", name != NULL ? name : view_base_name(model));
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

char *view_collect(const tool_arguments *arguments, const tn_spec *spec, const view_extras *extras)
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
    if (extras->plays)
        tool_json_integer(&json, "play", 1);
    if (extras->watched > 0)
        tool_json_integer(&json, "watched", extras->watched);
    const bool good =
        write_files(&json, arguments->operand, spec) &&
        (extras->recording == NULL ||
         view_write_recording(&json, view_base_name(extras->recording_name), extras->recording));
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

/* Where a text begins in the page; its end: nowhere. */
static const char *find_in_page(const char *text)
{
    const char *page = tenon_page, *end = tenon_page_end;
    const size_t length = strlen(text);
    /* cppcheck-suppress comparePointers  ; both ends of one block */
    while ((size_t)(end - page) >= length && memcmp(page, text, length) != 0)
        page++;
    /* cppcheck-suppress comparePointers  ; likewise */
    return (size_t)(end - page) >= length ? page : end;
}

static void write_part(FILE *out, const char *from, const char *to)
{
    /* cppcheck-suppress comparePointers  ; both in one block */
    fwrite(from, 1, (size_t)(to - from), out);
}

void view_write_page(FILE *out, const char *data, bool connects)
{
    static const char mark[] = "{{MODEL}}", closed[] = "connect-src 'none'",
                      open[] = "connect-src 'self'";
    const char *at = tenon_page, *policy = find_in_page(closed), *model = find_in_page(mark);
    /* cppcheck-suppress comparePointers  ; the policy stands at the head */
    if (connects && policy < model) {
        write_part(out, at, policy);
        fputs(open, out);
        at = policy + sizeof closed - 1;
    }
    write_part(out, at, model);
    write_inert(out, data);
    write_part(out, model + sizeof mark - 1, tenon_page_end);
}
