/* solids.c: room measure/lint: solids whose elements lock (solids.h).
 *
 * In: a spec. Out: warnings. Near a Poisson's ratio of 1/2 an element can hardly change its volume at any of its points of
 * integration. That leaves it few ways to deform: it is too stiff ("volumetric locking"; Hughes, The Finite Element Method,
 * 1987, ch. 4), the more so the larger K/G = 2 (1 + nu) / (3 (1 - 2 nu)) is. Elements whose change of volume is projected
 * (element/dilatation.h) do not; a cantilever of 8 x 2 x 2 cells of wedge6 bends by 0.24 of what it should at 0.45, by 0.02 at 0.4999.
 */
#include "measure/lint/solids.h"

#include "element/element.h"
#include "spec/spec_internal.h"

/* The element that bears least: one without functions of the change of volume, if there is one. */
static const tn_element_type *least_of(const tn_solid_entry *solid)
{
    const tn_element_type *least = tn_element_type_of(solid->elements[0].kind);
    for (int32_t e = 0; e < solid->size.elements && least->modes > 0; e++)
        least = tn_element_type_of(solid->elements[e].kind);
    return least;
}

void tn_lint_solids(const tn_spec *spec, tn_diagnostics *diags)
{
    for (int32_t s = 0; s < spec->solid_count; s++) {
        const tn_solid_entry *solid = &spec->solids[s];
        const tn_element_type *type = least_of(solid);
        if (type->modes == 0 && solid->material.poisson > type->poisson) {
            tn_diagnostics_add(diags, TN_WARNING, TN_OK, solid->at,
                               "element: hex20, hex27, tet10 or wedge15, or poisson: 0.45",
                               "the solid '%s' has a Poisson's ratio of %.6g: above %.2f its "
                               "elements (%s) are too stiff",
                               solid->name, solid->material.poisson, type->poisson, type->name);
        }
    }
}
