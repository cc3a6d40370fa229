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

/* The first element that locks: of a type without functions of the change of volume, with too large a ratio; -1: none. */
static int32_t locking_of(const tn_solid_entry *solid)
{
    for (int32_t e = 0; e < solid->size.elements; e++) {
        const tn_element_type *type = tn_element_type_of(solid->elements[e].kind);
        if (type->modes == 0 && solid->materials[solid->material_of[e]].poisson > type->poisson)
            return e;
    }
    return -1;
}

void tn_lint_solids(const tn_spec *spec, tn_diagnostics *diags)
{
    for (int32_t s = 0; s < spec->solid_count; s++) {
        const tn_solid_entry *solid = &spec->solids[s];
        const int32_t e = locking_of(solid);
        if (e >= 0) {
            const tn_element_type *type = tn_element_type_of(solid->elements[e].kind);
            tn_diagnostics_add(diags, TN_WARNING, TN_OK, solid->at,
                               "element: hex20, hex27, tet10 or wedge15, or poisson: 0.45",
                               "the solid '%s' has a Poisson's ratio of %.6g: above %.2f its "
                               "elements (%s) are too stiff",
                               solid->name, solid->materials[solid->material_of[e]].poisson,
                               type->poisson, type->name);
        }
    }
}
