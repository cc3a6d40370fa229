/* beam_models.h: test support: models with beams of n elements, run to a time, and their measures. */
#ifndef TENON_TESTS_BEAM_MODELS_H
#define TENON_TESTS_BEAM_MODELS_H

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "mechanism.h"
#include "tenon/io.h"

/* Of a text with the parameter n, by generalized_alpha. */
static inline mechanism beam_model(const char *text, int n)
{
    char value[16];
    mechanism m = {NULL, NULL, NULL};
    tn_diagnostics *diags = tn_diagnostics_create();
    snprintf(value, sizeof value, "%d", n);
    const tn_setting setting = {"n", value};
    const tn_status status =
        tn_spec_read_string_with(text, strlen(text), "beam", &setting, 1, diags, &m.spec);
    ck_assert_msg(status == TN_OK, "%s",
                  status == TN_OK ? "" : tn_diagnostics_get(diags, 0)->message);
    tn_diagnostics_destroy(diags);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

static inline void beam_measure(const mechanism *m, const char *name, double *out)
{
    tn_measure_id measure;
    ck_assert_int_eq(tn_model_find_measure(m->model, name, &measure), TN_OK);
    tn_sim_measure(m->sim, measure, out);
}

/* The measure at the end of a run. */
static inline void beam_settled(const char *text, int n, double step, int steps, const char *name,
                                double *out)
{
    mechanism m = beam_model(text, n);
    mechanism_run(&m, step, steps, NULL);
    beam_measure(&m, name, out);
    mechanism_free(&m);
}

/* Of what converges with the square of the elements' length, from n and 2 n elements. */
static inline double richardson(double coarse, double fine)
{
    return fine + (fine - coarse) / 3.0;
}

#endif
