/* watch.c: see watch.h.
 *
 * The page requests readings of the model that are newer than its own. At each request the sizes and times of the files are
 * compared with those of the last reading. A model that cannot be read leaves the last good one, with what is wrong.
 */
#include "page/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/hash.h"
#include "load.h"
#include "page/serve.h"
#include "page/view.h"
#include "problems.h"
#include "tenon/parameter.h"

/* s between readings of a model that cannot be read: a file that it lacks may have come, which no stamp covers. */
#define AGAIN 1

typedef struct watched {
    const tool_arguments *arguments;
    bool plays;
    char **paths; /* of the last good reading: what it was read from */
    int32_t count;
    uint64_t stamp; /* of these files, before the last reading */
    int64_t number; /* of readings that differ, from 1 */
    bool good;      /* the last one */
    time_t read;
    char *data;     /* of the last good one, for the page; NULL: there was none */
    char *problems; /* of the last one, as JSON */
} watched;

/* ---- files ---- */

static uint64_t stamp_file(uint64_t stamp, const char *path)
{
    struct stat what;
    int64_t numbers[4] = {-1, 0, 0, 0};
    if (stat(path, &what) == 0) {
        numbers[0] = (int64_t)what.st_size;
        numbers[1] = (int64_t)what.st_mtim.tv_sec;
        numbers[2] = (int64_t)what.st_mtim.tv_nsec;
        numbers[3] = (int64_t)what.st_ino;
    }
    return tn_hash_bytes(stamp, numbers, sizeof numbers);
}

static uint64_t stamp_files(const watched *w)
{
    uint64_t stamp = stamp_file(TN_HASH_START, w->arguments->operand);
    for (int32_t i = 0; i < w->count; i++) {
        stamp = stamp_file(stamp, w->paths[i]);
    }
    return stamp;
}

static void forget_paths(watched *w)
{
    for (int32_t i = 0; i < w->count; i++) {
        free(w->paths[i]);
    }
    free(w->paths);
    w->paths = NULL;
    w->count = 0;
}

static bool keep_paths(watched *w, const tn_spec *spec)
{
    int32_t count = 0;
    forget_paths(w);
    while (tn_spec_source(spec, count) != NULL)
        count++;
    w->paths = calloc((size_t)count + 1, sizeof *w->paths);
    for (int32_t i = 0; w->paths != NULL && i < count; i++) {
        w->paths[i] = strdup(tn_spec_source(spec, i));
        if (w->paths[i] == NULL)
            return false;
        w->count = i + 1;
    }
    return w->paths != NULL;
}

/* ---- readings ---- */

static char *list_problems(const tn_diagnostics *diags)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return NULL;
    tool_json json = tool_json_begin(stream);
    tool_write_problems(&json, NULL, diags);
    return fclose(stream) == 0 ? text : NULL;
}

/* Reads the model anew. It has another number if something differs from the reading before. */
static int read_anew(watched *w)
{
    tool_loaded loaded;
    const uint64_t stamp = stamp_files(w);
    w->read = time(NULL);
    int code = tool_load(w->arguments, NULL, &loaded);
    char *problems = list_problems(loaded.diags);
    const bool still =
        stamp_files(w) == stamp; /* written while it was read: it is read once more */
    const bool same = !w->good && code != TOOL_OK && w->number > 0 && stamp == w->stamp &&
                      problems != NULL && strcmp(problems, w->problems) == 0;
    if (!same) {
        const view_extras extras = {.plays = w->plays, .watched = w->number + 1};
        char *data = code == TOOL_OK ? view_collect(w->arguments, loaded.spec, &extras) : NULL;
        tool_show_diagnostics(&loaded);
        code = code == TOOL_OK && (data == NULL || !keep_paths(w, loaded.spec)) ? TOOL_BAD_INPUT
                                                                                : code;
        if (data != NULL) {
            free(w->data);
            w->data = data;
        }
        w->number++;
        w->good = code == TOOL_OK;
        free(w->problems);
        w->problems = problems;
        problems = NULL;
        w->stamp = stamp_files(w) ^ (still ? 0u : 1u);
    }
    free(problems);
    tool_unload(&loaded);
    return code;
}

static void keep_up(watched *w)
{
    const bool changed = stamp_files(w) != w->stamp;
    if (changed || (!w->good && time(NULL) - w->read >= AGAIN))
        (void)read_anew(w);
}

/* ---- answers ---- */

static view_answer answer_page(const watched *w)
{
    view_answer answer = {200, "text/html; charset=utf-8", NULL, 0};
    FILE *stream = open_memstream(&answer.body, &answer.length);
    if (stream != NULL) {
        view_write_page(stream, w->data, true);
        fclose(stream);
    }
    answer.code = answer.body != NULL ? 200 : 500;
    return answer;
}

/* known: the number of the reading that the page has. */
static view_answer answer_model(const watched *w, int64_t known)
{
    view_answer answer = {204, "application/json", NULL, 0};
    FILE *stream = known == w->number ? NULL : open_memstream(&answer.body, &answer.length);
    if (stream != NULL) {
        fprintf(stream, "{\"number\": %" PRId64 ", \"file\": ", w->number);
        tool_json json = tool_json_begin(stream);
        tool_json_text(&json, NULL, view_base_name(w->arguments->operand));
        fprintf(stream, ", \"model\": %s, \"problems\": %s}", w->good ? w->data : "null",
                w->problems != NULL ? w->problems : "[]");
        fclose(stream);
        answer.code = answer.body != NULL ? 200 : 500;
    }
    return answer;
}

static view_answer respond(void *context, const char *path)
{
    static const char model[] = "model?";
    watched *w = context;
    keep_up(w);
    if (strcmp(path, "") == 0)
        return answer_page(w);
    if (strncmp(path, model, sizeof model - 1) == 0)
        return answer_model(w, strtoll(path + sizeof model - 1, NULL, 10));
    return (view_answer){404, "text/plain", NULL, 0};
}

int view_watch(const tool_arguments *arguments, bool plays, bool opens)
{
    watched w = {.arguments = arguments, .plays = plays};
    view_site site = {.respond = respond, .context = &w};
    int code = read_anew(&w);
    if (code == TOOL_OK)
        code = view_site_open(&site);
    if (code == TOOL_OK) {
        printf("%s: open it in a browser of this machine; Ctrl-C ends it\n", site.url);
        fflush(stdout);
        code = opens ? view_open(site.url) : TOOL_OK;
    }
    if (code == TOOL_OK)
        code = view_site_serve(&site);
    forget_paths(&w);
    free(w.data);
    free(w.problems);
    return code;
}
