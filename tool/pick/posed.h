/* posed.h: a model file of the mechanism as it stands. */
#ifndef TN_TOOL_POSED_H
#define TN_TOOL_POSED_H

#include "load.h"
#include "tenon/coords.h"

/* The model written anew, bodies where they are now; problems go to loaded->diags. */
tn_status tool_write_posed(const char *model, tool_loaded *loaded, const char *path);

/* The text of the model's file with settings and `set` of what was requested, or of all that moved:
 * whichever first gives this pose when it is read. Where neither does, written anew, with a
 * warning. */
tn_status tool_keep_posed(const tool_arguments *arguments, tool_loaded *loaded,
                          const tn_coordinate_request *requests, int32_t count, const char *path);

#endif
