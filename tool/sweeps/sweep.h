/* sweep.h: the parts of `tenon sweep-coordinate`: samples and their table, and what happens between
 * them.
 *
 * Room tool/sweeps, in: a coordinate and where it is to go. Out: the mechanism at each of its
 * values, and what happens between them.
 */
#ifndef TN_TOOL_SWEEP_H
#define TN_TOOL_SWEEP_H

#include <stdio.h>

#include "tenon/coords.h"

#define SWEEP_EVENT_SIZE 512

/* One value of the driven coordinate. Derivatives are NAN where there are none: at a dead point. */
typedef struct sweep_sample {
    double value;              /* rad, m */
    double *q, *rate, *second; /* [joints][TN_MAX_COORDINATES] */
    double *couplings;         /* [couplings][2] value, and its speed per unit speed */
    double *poses;             /* [bodies][7] */
    double *speeds;            /* [bodies][6] per unit speed of the coordinate */
    double *accelerations;     /* [bodies][6] per unit speed squared */
    double *markers;           /* [markers][3] m, world */
    double *measures;          /* [measure_count] of the measures that follow from a pose */
    tn_transmission transmission;
    char event[SWEEP_EVENT_SIZE]; /* what happens here, "; " between several */
    double *memory;               /* all arrays */
} sweep_sample;

typedef struct sweep {
    const tn_model *model;
    tn_sim *sim;
    FILE *out;
    tn_coordinate_request driven;
    double from, to;
    long long steps;
    double turn;    /* what rad is multiplied by in the table: degrees as the model's file counts */
    int has_output; /* the transmission to output is wanted */
    tn_joint output, through;
    int output_coordinate;
    sweep_sample before, now, between;
    int measure_count; /* values of measures that follow from a pose */
    double *sign;      /* [joints][TN_MAX_COORDINATES] last sign of each rate, 0: not known */
} sweep;

int sweep_coordinates_of(const sweep *s, int j);
/* The array's place of coordinate i of joint j. */
static inline int sweep_at(int j, int i)
{
    return j * TN_MAX_COORDINATES + i;
}

/* sweep_table.c */
int sweep_sample_create(const sweep *s, sweep_sample *sample);
void sweep_sample_destroy(sweep_sample *sample);
/* Counts them. */
void sweep_find_measures(sweep *s);
/* Everything at the present pose. */
void sweep_take(sweep *s, double value, sweep_sample *sample);
void sweep_add_event(sweep_sample *sample, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A value of the driven coordinate as messages have it, with its unit: as the table does. */
typedef struct sweep_text {
    char text[40];
} sweep_text;
sweep_text sweep_say(const sweep *s, double value);
/* Of coordinate i of joint j. */
sweep_text sweep_say_of(const sweep *s, int j, int i, double value);
void sweep_write_head(const sweep *s);
void sweep_write(const sweep *s, const sweep_sample *sample);

/* sweep_events.c */
/* From `before` to `now`, where the simulation is and stays: turning points of other coordinates and
 * ranges met, as events of these samples or in rows of their own; `before` is written. An exit
 * code: a way back that does not lead to where it came from is a numerical failure. */
int sweep_between(sweep *s);
/* The sweep was stopped on its way to a value: writes `before` and a last row where and why, and
 * reports it. */
void sweep_stopped(sweep *s, const tn_coordinate_answer *answer, double wanted);

#endif
