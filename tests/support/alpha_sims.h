/* alpha_sims.h: test support: models of descriptions, and their simulations by generalized_alpha. */
#ifndef TENON_TESTS_ALPHA_SIMS_H
#define TENON_TESTS_ALPHA_SIMS_H

#include <check.h>

#include "tenon/tenon.h"

/* The description is done with. */
static inline tn_model *compiled(tn_spec *spec)
{
    tn_model *model = NULL;
    ck_assert_int_eq(tn_model_compile(spec, NULL, &model), TN_OK);
    tn_spec_destroy(spec);
    return model;
}

/* Poses to a tolerance, m. */
static inline tn_sim *alpha_sim_to(const tn_model *model, double tolerance)
{
    tn_sim *sim = NULL;
    tn_sim_options options = tn_default_sim_options(model);
    options.integrator = TN_GENERALIZED_ALPHA;
    options.position_tolerance = tolerance;
    ck_assert_int_eq(tn_sim_create(model, &options, NULL, &sim), TN_OK);
    return sim;
}

static inline tn_sim *alpha_sim(const tn_model *model)
{
    return alpha_sim_to(model, tn_default_sim_options(model).position_tolerance);
}

static inline void destroy_with_model(tn_sim *sim)
{
    tn_model *model = (tn_model *)tn_sim_model(sim);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}

#endif
