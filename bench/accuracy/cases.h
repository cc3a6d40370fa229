/* cases.h: bench/accuracy: mechanisms with a known motion, and what is seen of each. */
#ifndef BENCH_ACCURACY_CASES_H
#define BENCH_ACCURACY_CASES_H

#include "trajectories.h"

/* So many times somebody looks; mechanisms. */
enum { CASE_LOOKS = 10, CASES = 5 };

typedef struct accuracy_case {
    const char *title; /* for people */
    const char *name;  /* of the reference: A01, ... */
    trajectory t;
} accuracy_case;

accuracy_case accuracy_case_of(int k);

#endif
