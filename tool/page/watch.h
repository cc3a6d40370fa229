/* watch.h: `tenon view --watch`: a page that follows the files of its model. */
#ifndef TN_TOOL_WATCH_H
#define TN_TOOL_WATCH_H

#include <stdbool.h>

#include "tool.h"

/* Serves the page of a model until a signal ends the program; with `opens` a browser shows it. Returns only on failure: an
 * exit code, with a message. */
int view_watch(const tool_arguments *arguments, bool plays, bool opens);

#endif
