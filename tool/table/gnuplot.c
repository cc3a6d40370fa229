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
#include <sys/mman.h>
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

/* A file without a name; -1: errno. */
static int anonymous(void)
{
#ifdef MFD_CLOEXEC
    return memfd_create("picture", MFD_CLOEXEC);
#else
    FILE *file = tmpfile();
    const int own = file != NULL ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
    if (file != NULL)
        fclose(file);
    return own;
#endif
}

static bool is_png(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".png") == 0;
}

/* Is it drawn to its end? */
static bool is_whole(int drawn, const char *path)
{
    static const char svg[] = "</svg>", png[] = "IEND\xae\x42\x60\x82";
    const char *end = is_png(path) ? png : svg;
    const off_t size = lseek(drawn, 0, SEEK_END);
    char tail[32] = {0};
    const size_t some = size < (off_t)sizeof tail ? (size_t)(size > 0 ? size : 0) : sizeof tail;
    if (size <= 0 || pread(drawn, tail, some, size - (off_t)some) != (ssize_t)some)
        return false;
    for (size_t k = 0; k + strlen(end) <= some; k++) {
        if (memcmp(tail + k, end, strlen(end)) == 0)
            return true;
    }
    return false;
}

/* What is drawn, into the file. */
static void copy(int drawn, FILE *to)
{
    char block[65536];
    ssize_t count = 0;
    off_t at = 0;
    while ((count = pread(drawn, block, sizeof block, at)) > 0) {
        fwrite(block, 1, (size_t)count, to);
        at += count;
    }
}

/* What every picture has: lines that differ in print too, no text is a formula. */
static void begin(tool_gnuplot *plot, int width, int height)
{
    const bool png = is_png(plot->picture.path);
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
    *out = (tool_gnuplot){.drawn = -1};
    int code = tool_output_open(path, &out->picture);
    if (code != TOOL_OK)
        return code;
    int ends[2];
    out->drawn = anonymous();
    int problem = out->drawn >= 0 && pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
    if (problem == 0) {
        problem = start(ends[0], out->drawn, &out->program);
        close(ends[0]);
        if (problem != 0)
            close(ends[1]);
    }
    if (problem == 0 && (out->commands = fdopen(ends[1], "w")) == NULL)
        problem = errno;
    if (problem != 0) {
        tell(problem);
        if (out->drawn >= 0)
            close(out->drawn);
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
    good = good && is_whole(plot->drawn, plot->picture.path);
    if (good)
        copy(plot->drawn, plot->picture.stream);
    close(plot->drawn);
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
