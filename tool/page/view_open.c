/* view_open.c: `tenon view --open`: a browser shows a file.
 *
 * In: the path of a page. The program is that of the variable BROWSER, else what the desktop opens files with. It is started
 * and not waited for: browsers run as long as their windows are open.
 */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>

#include "page/view.h"
#include "tool.h"

extern char **environ;

/* Of freedesktop.org's desktops, and of macOS. */
static const char *const openers[] = {"xdg-open", "open"};

/* 0, or an error number: there is no such program. */
static int start(const char *program, const char *path)
{
    pid_t child;
    char *const arguments[] = {(char *)program, (char *)path, NULL};
    return posix_spawnp(&child, program, NULL, NULL, arguments, environ);
}

int view_open(const char *path)
{
    const char *chosen = getenv("BROWSER");
    if (chosen != NULL && *chosen != '\0') {
        const int error = start(chosen, path);
        if (error != 0)
            tool_error("%s, the program of BROWSER: %s", chosen, strerror(error));
        return error == 0 ? TOOL_OK : TOOL_BAD_INPUT;
    }
    for (size_t k = 0; k < sizeof openers / sizeof openers[0]; k++) {
        if (start(openers[k], path) == 0)
            return TOOL_OK;
    }
    tool_error("%s is written, and no program shows it: set BROWSER to one, or install xdg-utils",
               path);
    return TOOL_BAD_INPUT;
}
