/* study_alone.c: what tenon does under mpirun: it becomes tenon-mpi, which stands beside it where
 * Tenon was built with Open MPI. Alone it would run the whole study once for each process.
 */
#define _GNU_SOURCE /* program_invocation_name */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "studies/study.h"
#include "tool.h"

#define BESIDE "/tenon-mpi"

bool study_is_spread(void)
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    return size != NULL && strtol(size, NULL, 10) > 1;
}

/* The words of our own command line; NULL: they cannot be had. */
static char **own_words(void)
{
    static char text[1 << 16];
    static char *words[1 << 10];
    FILE *stream = fopen("/proc/self/cmdline", "r");
    const size_t length = stream != NULL ? fread(text, 1, sizeof text - 1, stream) : 0;
    size_t count = 0;
    if (stream != NULL)
        fclose(stream);
    for (size_t at = 0; at < length && count + 1 < sizeof words / sizeof *words;
         at += strlen(text + at) + 1)
        words[count++] = text + at;
    return length > 0 ? words : NULL;
}

int study_spread_begin(bool *first)
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof BESIDE);
    char *slash = NULL;
    *first = true;
    if (length > 0) {
        path[length] = '\0';
        slash = strrchr(path, '/');
    }
    if (slash != NULL) {
        memcpy(slash, BESIDE, sizeof BESIDE);
        char **words = own_words();
        if (words != NULL)
            execv(path, words);
    }
    tool_error("this tenon was built without Open MPI: there is no tenon-mpi beside it. Build it "
               "with libopenmpi-dev there, or run the study without mpirun: it takes all cores");
    return TOOL_BAD_INPUT;
}

/* Never called: begin does not come back with TOOL_OK. */
void study_spread_serve(const tn_study *study)
{
    (void)study;
}

void study_spread_open(const tn_study *study)
{
    (void)study;
}

void study_spread_run(study_job *job)
{
    (void)job;
}

void study_spread_end(bool whole)
{
    (void)whole;
}
