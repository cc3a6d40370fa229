/* measure_formula.h: what the names in the formula of a measure stand for.
 *
 * Room spec/measure. In: a formula over names as they are in the spec. Out: its terms by their places in
 * the text, and the unit of the result.
 */
#ifndef TN_SPEC_MEASURE_MEASURE_FORMULA_H
#define TN_SPEC_MEASURE_MEASURE_FORMULA_H

#include "quantity/expression.h"
#include "tenon/limits.h"
#include "tenon/measure.h"

typedef enum tn_term_kind {
    TN_TERM_TIME,
    TN_TERM_COORDINATE,
    TN_TERM_SPEED,
    TN_TERM_EFFORT,
    TN_TERM_MEASURE
} tn_term_kind;

typedef struct tn_formula_term {
    size_t at, length; /* bytes of the text */
    tn_term_kind what;
    tn_joint joint; /* of a coordinate; or a coupling as a joint */
    int32_t coordinate;
    tn_measure_id measure;
    int32_t field; /* which of its values */
    tn_dimension dimension;
} tn_formula_term;

typedef struct tn_measure_formula {
    char *text; /* NULL: the measure is no formula */
    tn_formula_term *terms;
    int32_t term_count;
    int32_t depth; /* 1: of no other formula */
    char unit[TN_DIMENSION_TEXT];
    tn_dimension dimension;
} tn_measure_formula;

/* Where the names of formulas of measures come from. */
static inline tn_name_source tn_formula_names(tn_name_answer (*find)(void *context,
                                                                     const char *name,
                                                                     size_t length, tn_value *out),
                                              void *context)
{
    return (tn_name_source){
        .find = find, .context = context, .plain_is_rad = true, .changing = true};
}

/* What a path stands for in a formula; false: nothing. Not the dimension of other formulas. */
TN_SIBLING bool tn_formula_term_find(const tn_spec *spec, const char *path, size_t length,
                                     tn_formula_term *out);

/* Of a measure's first value; of a formula's, which is found when it is bound, none. */
tn_dimension tn_measure_dimension(const tn_spec *spec, int32_t measure);

/* Offers the coordinates of all joints, joint.coordinate, and the values of couplings. */
TN_SIBLING void tn_formula_offer(const tn_spec *spec, tn_suggestion *suggestion);

/* Gives the formulas of measures that are named in another; NULL: one without a meaning. */
typedef struct tn_formula_source {
    const tn_measure_formula *(*get)(void *context, int32_t measure);
    void *context;
} tn_formula_source;

/* The formula of a measure of the spec, with terms[TN_MOST_TERMS] to fill. False: *problem says
 * why; without a message if the reason is another formula. */
bool tn_formula_bind(const tn_spec *spec, int32_t measure, const tn_formula_source *others,
                     tn_formula_term *terms, tn_measure_formula *out,
                     tn_expression_problem *problem);

#endif
