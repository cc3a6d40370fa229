/* moved.h: how far bodies are from their poses in the file. */
#ifndef TN_TOOL_MOVED_H
#define TN_TOOL_MOVED_H

#include <stdbool.h>

#include "load.h"

/* To close the joints, and because of `set` coordinates and of where drives begin: at most, of all
 * bodies. */
typedef struct tool_moved {
    double distance; /* m */
    double angle;    /* rad */
} tool_moved;

tool_moved tool_find_moved(const tool_loaded *loaded);
/* More than a drawing's last digits: TOOL_SEEN_MOVE of the span of the bodies, or rad. */
bool tool_is_seen(const tool_loaded *loaded, tool_moved moved);

#define TOOL_SEEN_MOVE 0.01

#endif
