/* formula.c: room measure: which measures follow from a pose alone (formula.h). */
#include "measure/formula.h"

#include "model/model.h"

/* A formula over nothing else; formulas do not name each other in circles. */
static bool is_formula_of_pose(const tn_model *model, tn_measure_id measure)
{
    const tn_measure_formula *formula = &model->formulas[measure.i];
    bool of_pose = true;
    for (int32_t k = 0; k < formula->term_count; k++) {
        const tn_formula_term *term = &formula->terms[k];
        of_pose &= term->what == TN_TERM_COORDINATE ||
                   (term->what == TN_TERM_MEASURE && tn_measure_is_of_pose(model, term->measure));
    }
    return of_pose;
}

/* What a mechanism has at a pose, without moving. */
bool tn_measure_is_of_pose(const tn_model *model, tn_measure_id measure)
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
    return quantity == TN_QUANTITY_FORMULA && is_formula_of_pose(model, measure);
}
