/* output.c: see output.h. */
#include "output.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "file/output.h"
#include "tool.h"

/* ---- what must not be written ---- */

/* Where the name begins: after the last slash. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool same_folder(const char *a, const char *b)
{
    struct stat of_a, of_b;
    char folder[2][PATH_MAX];
    const char *const path[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const int length = snprintf(folder[i], sizeof folder[i], "%.*s.",
                                    (int)(name_of(path[i]) - path[i]), path[i]);
        if (length < 0 || (size_t)length >= sizeof folder[i])
            return false;
    }
    return stat(folder[0], &of_a) == 0 && stat(folder[1], &of_b) == 0 &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* The same file, under whatever name, or one that would be. Devices and pipes take any number. */
static bool same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    const bool is_a = stat(a, &of_a) == 0, is_b = stat(b, &of_b) == 0;
    if (is_a && is_b)
        return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
    return !is_a && !is_b && strcmp(name_of(a), name_of(b)) == 0 && same_folder(a, b);
}

/* Is it one of the files that the spec was read from? */
static bool is_source(const tn_spec *spec, const char *output)
{
    const char *source = NULL;
    for (int32_t i = 0; spec != NULL && (source = tn_spec_source(spec, i)) != NULL; i++) {
        if (same_file(source, output))
            return true;
    }
    return false;
}

int tool_refuse_outputs(const char *model, const tn_spec *spec, const char *const *outputs,
                        int count)
{
    for (int i = 0; i < count; i++) {
        if (outputs[i] == NULL || strcmp(outputs[i], "-") == 0)
            continue;
        if (is_source(spec, outputs[i]) || same_file(model, outputs[i])) {
            tool_error("%s: is what the model is read from, nothing is written over it",
                       outputs[i]);
            return TOOL_USAGE;
        }
        for (int k = 0; k < i; k++) {
            if (outputs[k] != NULL && strcmp(outputs[k], "-") != 0 &&
                same_file(outputs[k], outputs[i])) {
                tool_error("%s: is requested twice", outputs[i]);
                return TOOL_USAGE;
            }
        }
    }
    return TOOL_OK;
}

/* ---- what is written ---- */

int tool_refuse_ending(const char *option, const char *path, const char *one, const char *other)
{
    const char *dot = strrchr(name_of(path), '.');
    if (dot == NULL || dot == name_of(path) || strcasecmp(dot, one) == 0 ||
        (other != NULL && strcasecmp(dot, other) == 0))
        return TOOL_OK;
    tool_error("%s %s: the picture would be no '%s' file; name it %s%s%s", option, path, dot, one,
               other != NULL ? " or " : "", other != NULL ? other : "");
    return TOOL_USAGE;
}

int tool_output_open(const char *path, tool_output *out)
{
    *out = (tool_output){.path = path};
    if (strcmp(path, "-") == 0) {
        out->stream = stdout;
        return TOOL_OK;
    }
    out->output = tn_output_open(path);
    out->stream = out->output != NULL ? tn_output_stream(out->output) : NULL;
    if (out->stream != NULL)
        return TOOL_OK;
    tool_error("%s: cannot open for writing: %s", path, tn_output_problem(errno));
    tn_output_drop(out->output);
    out->output = NULL;
    return TOOL_BAD_INPUT;
}

int tool_output_close(tool_output *out, bool keep, int code)
{
    if (out->stream == NULL || out->stream == stdout)
        return code; /* main looks after standard output */
    bool good = ferror(out->stream) == 0;
    good = fclose(out->stream) == 0 && good;
    if (good && keep) {
        good = tn_output_settle(out->output) == 0;
    } else {
        tn_output_drop(out->output);
    }
    if (!good)
        tool_error("%s: cannot be written: %s", out->path, tn_output_problem(errno));
    *out = (tool_output){0};
    return good || code != TOOL_OK ? code : TOOL_BAD_INPUT;
}
