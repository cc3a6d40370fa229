/* formula.c: room measure: which measures follow from a pose alone (formula.h). */
#include "measure/formula.h"

#include "model/model.h"

/* What is known of a measure: formulas name the same ones again and again, though not in circles. */
enum { UNKNOWN, OF_POSE, OF_MORE };

static bool is_of_pose(const tn_model *model, tn_measure_id measure, uint8_t *known);

/* A formula over nothing else. */
static bool is_formula_of_pose(const tn_model *model, tn_measure_id measure, uint8_t *known)
{
    const tn_measure_formula *formula = &model->formulas[measure.i];
    bool of_pose = true;
    for (int32_t k = 0; k < formula->term_count && of_pose; k++) {
        const tn_formula_term *term = &formula->terms[k];
        of_pose = term->what == TN_TERM_COORDINATE ||
                  (term->what == TN_TERM_MEASURE && is_of_pose(model, term->measure, known));
    }
    return of_pose;
}

static bool is_of_pose(const tn_model *model, tn_measure_id measure, uint8_t *known)
{
    const tn_quantity quantity = tn_model_measure(model, measure)->quantity;
    static const tn_quantity all[] = {TN_QUANTITY_VALUE,          TN_QUANTITY_POSITION,
                                      TN_QUANTITY_DISTANCE,       TN_QUANTITY_ANGLE,
                                      TN_QUANTITY_POTENTIAL,      TN_QUANTITY_ROTATION,
                                      TN_QUANTITY_JOINT_ROTATION, TN_QUANTITY_JOINT_POSITION};
    for (size_t i = 0; i < TN_COUNT_OF(all); i++) {
        if (all[i] == quantity)
            return true;
    }
    if (quantity != TN_QUANTITY_FORMULA)
        return false;
    if (known[measure.i] == UNKNOWN)
        known[measure.i] = is_formula_of_pose(model, measure, known) ? OF_POSE : OF_MORE;
    return known[measure.i] == OF_POSE;
}

/* What a mechanism has at a pose, without moving. */
bool tn_measure_is_of_pose(const tn_model *model, tn_measure_id measure)
{
    uint8_t *known = TN_NEW_ARRAY(uint8_t, model->measure_count);
    const bool of_pose = known != NULL && is_of_pose(model, measure, known);
    tn_free(known);
    return of_pose;
}
