/* validate_body.c: can such a body exist?
 *
 * Room spec/validate. A rigid body needs a mass and a physical inertia, a planar one a mass and a moment of
 * inertia about z, a particle a mass, a fixed one nothing; what is given must make sense for all.
 */
#include <math.h>

#include "spec/body_mass.h"
#include "spec/validate/check.h"

/* Diagnostics of shapes and of mass properties point at the body's field rather than the item. */
static tn_location field_location(const tn_check *check, const char *key)
{
    tn_location at = check->at;
    const tn_place *place =
        tn_spec_find_place(check->spec, check->section, check->item, key, TN_WHOLE_FIELD);
    if (place != NULL) {
        at.line = place->line;
        at.column = place->column;
    }
    return at;
}

static void check_inertia(tn_check *check, const tn_body_def *def, const tn_mass_properties *props,
                          tn_diagnostics *found)
{
    int given = !isnan(def->inertia.m[0][0]);
    const char *key = given ? "inertia" : "shapes";
    if (!given && def->shape_count == 0) {
        tn_complain(check, "inertia", TN_WHOLE_FIELD,
                    def->kind == TN_BODY_PLANAR
                        ? "give 'inertia: Jzz' or shapes with a density"
                        : "give 'inertia: [Jxx, Jyy, Jzz]' or shapes with a density; a mass that "
                          "never turns is a 'particle'",
                    "a %s body needs an inertia", tn_body_kind_name(def->kind));
    } else if (tn_check_is_bad(check, key)) {
        return;
    } else if (def->kind == TN_BODY_PLANAR) {
        tn_check_not_negative(check, key, TN_WHOLE_FIELD, props->inertia.m[2][2],
                              "moment of inertia about z");
    } else {
        tn_mass_properties_check(props, TN_MASS_POSITIVE, field_location(check, key), found);
    }
}

/* What follows from all of mass, com, inertia, density and shapes together. */
static void check_sum(tn_check *check, const tn_body_def *def, tn_diagnostics *found)
{
    tn_mass_properties props;
    tn_status status = tn_body_known_mass(def, &props, found);
    if (status == TN_ERROR_MEMORY) {
        check->status = status;
    }
    if (status != TN_OK || def->kind == TN_BODY_FIXED) {
        return;
    }
    if (isnan(props.mass)) {
        tn_complain(check, "mass", TN_WHOLE_FIELD,
                    "give a mass, or shapes with a density, or make it 'kind: fixed'",
                    "a %s body needs a mass", tn_body_kind_name(def->kind));
    } else if (!tn_kind_is_point(def->kind)) {
        check_inertia(check, def, &props, found);
    }
}

/* Collects what shapes and mass properties report, to pass it on with the body's name. */
static void check_matter(tn_check *check, const tn_body_def *def)
{
    tn_diagnostics *found = tn_diagnostics_create();
    if (found == NULL) {
        check->status = TN_ERROR_MEMORY;
        return;
    }
    check_sum(check, def, found);
    tn_check_forward(check, found);
    tn_diagnostics_destroy(found);
}

/* The numbers that are given, each on its own. */
static int check_given(tn_check *check, const tn_body_def *def)
{
    int ok = 1;
    if (!isnan(def->mass)) {
        ok &= tn_check_positive(check, "mass", TN_WHOLE_FIELD, def->mass, "mass");
    }
    if (!isnan(def->density)) {
        ok &= tn_check_positive(check, "density", TN_WHOLE_FIELD, def->density, "density");
    }
    if (!isnan(def->com.x)) {
        ok &= tn_check_vector(check, "center_of_mass", def->com, "centre of mass");
    }
    if (!isnan(def->frame_damping)) {
        tn_check_not_negative(check, "damping", 0, def->frame_damping, "frame damping");
    }
    if (!isnan(def->rotary_damping)) {
        tn_check_not_negative(check, "damping", 1, def->rotary_damping, "rotary damping");
    }
    if (!isnan(def->inertia.m[0][0])) {
        for (int i = 0; ok && i < 9; i++) {
            ok &= tn_check_finite(check, "inertia", TN_WHOLE_FIELD, (&def->inertia.m[0][0])[i],
                                  "inertia");
        }
        if (tn_kind_is_point(def->kind)) {
            tn_complain(check, "inertia", TN_WHOLE_FIELD, "leave it out, or make it 'kind: rigid'",
                        "a particle does not turn and has no inertia");
        }
    }
    return ok;
}

void tn_check_body(tn_check *check, const tn_body_def *def)
{
    if ((unsigned)def->kind >= TN_BODY_KIND_COUNT) {
        tn_complain(check, "kind", TN_WHOLE_FIELD, NULL, "there is no body kind number %d",
                    (int)def->kind);
        return;
    }
    tn_check_pose(check, "position", "rotation", &def->pose, "pose");
    tn_check_vector(check, "velocity", def->velocity.v, "linear velocity");
    tn_check_vector(check, "velocity", def->velocity.w, "angular velocity");
    int ok = check_given(check, def);
    /* one mistake should not be reported again through what follows from it */
    if (ok && !tn_check_is_bad(check, "shapes") && !tn_check_is_bad(check, "density") &&
        !tn_check_is_bad(check, "kind")) {
        check_matter(check, def);
    }
}
