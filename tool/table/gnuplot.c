/* gnuplot.c: see gnuplot.h. */
#define _GNU_SOURCE /* pipe2 */
#include "table/gnuplot.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"

extern char **environ;

/* Starts it with these as standard input and output; an errno. -d: without settings of its own. */
static int start(int input, int output, pid_t *program)
{
    char name[] = "gnuplot", plain[] = "-d";
    char *const words[] = {name, plain, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int problem = posix_spawnp(program, name, &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return problem;
}

static void tell(int problem)
{
    if (problem == ENOENT) {
        tool_error("pictures are drawn by gnuplot, which is not there; on Debian: apt-get install "
                   "gnuplot-nox");
    } else {
        tool_error("gnuplot cannot be started: %s", strerror(problem));
    }
}

bool tool_gnuplot_is_there(void)
{
    char name[] = "gnuplot", version[] = "--version";
    char *const words[] = {name, version, NULL};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t program;
    int status = 1;
    const int problem = posix_spawnp(&program, name, &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    return problem == 0 && waitpid(program, &status, 0) == program && status == 0;
}

/* What every picture has: lines that differ in print too, no text is a formula. */
static void begin(tool_gnuplot *plot, int width, int height)
{
    const char *path = plot->picture.path;
    const size_t length = strlen(path);
    const bool png = length > 4 && strcasecmp(path + length - 4, ".png") == 0;
    fprintf(plot->commands,
            "set terminal %s noenhanced size %d,%d background 'white' font 'sans,12'%s\n"
            "set encoding utf8\n"
            "set linetype 1 lc rgb '#1f5fa8' lw 1.6\nset linetype 2 lc rgb '#c8501e' lw 1.6\n"
            "set linetype 3 lc rgb '#2f8a4c' lw 1.6\nset linetype 4 lc rgb '#7d4aa0' lw 1.6\n"
            "set linetype 5 lc rgb '#8a6d1f' lw 1.6\nset linetype 6 lc rgb '#3a9aa8' lw 1.6\n"
            "set border 3 lc rgb '#444444'\nset tics nomirror out\n"
            "set grid lc rgb '#dddddd' lw 0.8\nset key at graph 1.02, graph 1 left top vertical "
            "Left reverse maxrows 14\n"
            "set style fill solid 0.5 border\n",
            png ? "pngcairo" : "svg", width, height, png ? "" : " dynamic");
}

int tool_gnuplot_open(const char *path, int width, int height, tool_gnuplot *out)
{
    *out = (tool_gnuplot){0};
    int code = tool_output_open(path, &out->picture);
    if (code != TOOL_OK)
        return code;
    fflush(out->picture.stream);
    int ends[2];
    int problem = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
    if (problem == 0) {
        problem = start(ends[0], fileno(out->picture.stream), &out->program);
        close(ends[0]);
        if (problem != 0)
            close(ends[1]);
    }
    if (problem == 0 && (out->commands = fdopen(ends[1], "w")) == NULL)
        problem = errno;
    if (problem != 0) {
        tell(problem);
        return tool_output_close(&out->picture, false, TOOL_BAD_INPUT);
    }
    signal(SIGPIPE, SIG_IGN); /* a program that ends early is met when it is waited for */
    begin(out, width, height);
    return TOOL_OK;
}

int tool_gnuplot_close(tool_gnuplot *plot, int code)
{
    if (plot->commands == NULL)
        return code;
    int status = 1;
    const bool told = ferror(plot->commands) == 0;
    bool good = fclose(plot->commands) == 0 && told;
    good = waitpid(plot->program, &status, 0) == plot->program && status == 0 && good;
    plot->commands = NULL;
    if (!good && code == TOOL_OK) {
        tool_error("%s: gnuplot could not draw it", plot->picture.path);
        code = TOOL_BAD_INPUT;
    }
    return tool_output_close(&plot->picture, code == TOOL_OK, code);
}

/* Whatever might mean something to gnuplot goes as its octal code. */
void tool_gnuplot_text(const tool_gnuplot *plot, const char *text)
{
    fputc('"', plot->commands);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (isalnum(*c) || *c >= 0x80 || strchr(" ._-", *c) != NULL) {
            fputc(*c, plot->commands);
        } else {
            fprintf(plot->commands, "\\%03o", *c < 0x20 ? ' ' : *c);
        }
    }
    fputc('"', plot->commands);
}

void tool_gnuplot_number(const tool_gnuplot *plot, double value)
{
    if (isfinite(value)) {
        fprintf(plot->commands, "%.9g", value);
    } else {
        fputs("NaN", plot->commands);
    }
}
