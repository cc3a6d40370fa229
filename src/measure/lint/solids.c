/* solids.c: room measure/lint: solids whose elements lock (solids.h).
 *
 * In: a spec. Out: warnings. Near a Poisson's ratio of 1/2 an element can hardly change its volume at any of its points of
 * integration. That leaves it few ways to deform: it is too stiff ("volumetric locking"; Hughes, The Finite Element Method,
 * 1987, ch. 4), the more so the larger K/G = 2 (1 + nu) / (3 (1 - 2 nu)) is.
 */
#include "measure/lint/solids.h"

#include <stdbool.h>

#include "element/element.h"
#include "spec/spec_internal.h"

/* Poisson's ratio up to which an element bears: with corners alone K/G is 10 there, with middles of edges 50. A cantilever of
 * 8 x 2 x 2 elements bends by 0.53 and 0.40 of what it should by hex8 at these, by 0.95 and 0.91 by hex20. */
#define MOST_OF_CORNERS 0.45
#define MOST_OF_MIDDLES 0.49

static bool has_corners_alone(tn_element_kind kind)
{
    const tn_element_type *type = tn_element_type_of(kind);
    return type->nodes == type->corners;
}

/* The element that bears least. */
static tn_element_kind least_of(const tn_solid_entry *solid)
{
    tn_element_kind least = solid->elements[0].kind;
    for (int32_t e = 0; e < solid->size.elements && !has_corners_alone(least); e++) {
        least = solid->elements[e].kind;
    }
    return least;
}

void tn_lint_solids(const tn_spec *spec, tn_diagnostics *diags)
{
    for (int32_t s = 0; s < spec->solid_count; s++) {
        const tn_solid_entry *solid = &spec->solids[s];
        const tn_element_kind kind = least_of(solid);
        const bool corners = has_corners_alone(kind);
        const double most = corners ? MOST_OF_CORNERS : MOST_OF_MIDDLES;
        if (solid->material.poisson > most) {
            tn_diagnostics_add(
                diags, TN_WARNING, TN_OK, solid->at,
                corners ? "element: hex20, tet10 or wedge15, or poisson: 0.45" : "poisson: 0.49",
                "the solid '%s' has a Poisson's ratio of %.6g: above %.2f its "
                "elements (%s) are too stiff",
                solid->name, solid->material.poisson, most, tn_element_kind_name(kind));
        }
    }
}
