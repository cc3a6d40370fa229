/* pulley.c: room spec: a rope over pulleys, as two distances and their coupling.
 *
 * In: where the rope ends and where it leaves the pulleys, in the world at the start. Out: joints
 * of type distance between both, l_a and l_b, and the coupling l_a + ratio l_b.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "spec/spec_internal.h"

#define SUFFIX_SIZE       3  /* "_a" */
#define DEFAULT_NAME_SIZE 32 /* "coupling" and a number */

/* A fixed body may be named first, but not the ground: lengths are the same both ways round. */
static tn_joint_def side_joint(const tn_pulley_def *def, tn_body body, tn_vec3 end, tn_vec3 pulley)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "distance";
    joint.a = body;
    joint.b = def->on;
    joint.placement = TN_PLACE_WORLD_FRAMES;
    joint.frame_c.p = end;
    joint.frame_d.p = pulley;
    joint.at = def->at;
    return joint;
}

static tn_status add_side(tn_spec *spec, const tn_joint_def *side, const char *name,
                          const char *suffix, tn_joint *out)
{
    tn_joint_def joint = *side;
    const size_t size = strlen(name) + SUFFIX_SIZE;
    char *own = tn_alloc(1, size);
    if (own == NULL) {
        return TN_ERROR_MEMORY;
    }
    snprintf(own, size, "%s%s", name, suffix);
    joint.name = own;
    const tn_status status = tn_spec_add_joint(spec, &joint, out);
    tn_free(own);
    return status;
}

tn_status tn_spec_add_pulley_sides(tn_spec *spec, const tn_pulley_def *def,
                                   tn_coupling_term terms[2])
{
    const tn_joint_def a = side_joint(def, def->a, def->end_a, def->pulley_a);
    const tn_joint_def b = side_joint(def, def->b, def->end_b, def->pulley_b);
    terms[0] = (tn_coupling_term){.ratio = 1.0};
    terms[1] = (tn_coupling_term){.ratio = isnan(def->ratio) ? 1.0 : def->ratio};
    const tn_status status = add_side(spec, &a, def->name, "_a", &terms[0].joint);
    return status == TN_OK ? add_side(spec, &b, def->name, "_b", &terms[1].joint) : status;
}

tn_status tn_spec_add_pulley(tn_spec *spec, const tn_pulley_def *def, tn_coupling *out)
{
    TN_DEMAND(spec && def, TN_ERROR_ARGUMENT);
    if (def->cookie != TN_COOKIE_PULLEY) {
        return tn_spec_refuse(spec, __func__);
    }
    char name[DEFAULT_NAME_SIZE];
    snprintf(name, sizeof(name), "coupling%d", (int)spec->coupling_count);
    tn_pulley_def named = *def;
    named.name = def->name != NULL ? def->name : name;
    tn_coupling_term terms[2];
    const tn_status status = tn_spec_add_pulley_sides(spec, &named, terms);
    if (status != TN_OK) {
        return status;
    }
    tn_coupling_def coupling = tn_default_coupling_def();
    coupling.name = named.name;
    coupling.terms = terms;
    coupling.term_count = 2;
    coupling.hold = def->slack ? TN_COUPLING_AT_MOST : TN_COUPLING_HELD;
    coupling.at = def->at;
    return tn_spec_add_coupling(spec, &coupling, out);
}
