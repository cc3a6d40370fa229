/* gnuplot.h: pictures drawn by gnuplot, with commands through a pipe.
 *
 * gnuplot is a program beside the tool (Debian: gnuplot-nox), not a part of it: without it these calls
 * say what to install. Names of files and models go into its commands as quoted texts only.
 */
#ifndef TN_TOOL_GNUPLOT_H
#define TN_TOOL_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "output.h"

typedef struct tool_gnuplot {
    FILE *commands; /* write commands and data here */
    pid_t program;
    int drawn; /* its output, kept in memory because gnuplot does not report a full disk */
    tool_output picture;
} tool_gnuplot;

/* Whether there is such a program. */
bool tool_gnuplot_is_there(void);

/* Starts gnuplot for a picture of this size in points: PNG where the name of the file ends in .png,
 * else SVG. TOOL_OK, or TOOL_BAD_INPUT with a message. */
int tool_gnuplot_open(const char *path, int width, int height, tool_gnuplot *out);
/* Waits until it is drawn. */
int tool_gnuplot_close(tool_gnuplot *plot, int code);

/* A text in quotes. */
void tool_gnuplot_text(const tool_gnuplot *plot, const char *text);
/* A number as gnuplot reads it. */
void tool_gnuplot_number(const tool_gnuplot *plot, double value);

#endif
