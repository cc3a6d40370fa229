/* beams.h: the beams and cables of a model: rows of elements, with their nodes and their mass. */
#ifndef TN_TOOL_BEAMS_H
#define TN_TOOL_BEAMS_H

#include "json.h"
#include "load.h"

/* A line for each on stdout, or an array "beams"; without beams nothing, or an empty array. */
void tool_print_beams(const tool_loaded *loaded);
void tool_write_beams(tool_json *json, const tool_loaded *loaded);

#endif
