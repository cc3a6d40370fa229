/* solid.h: room spec/flexible: what is found out about a solid before it is added. */
#ifndef TN_SPEC_FLEXIBLE_SOLID_H
#define TN_SPEC_FLEXIBLE_SOLID_H

#include "reduce/reduce.h"
#include "spec/spec_internal.h"

/* What a solid is made with. */
typedef struct tn_solid_making {
    tn_spec *spec;
    const tn_solid_def *def;
    tn_diagnostics *diags;
    tn_solid_entry entry;
    double *mass;                 /* [nodes] kg */
    int32_t *hold;                /* [nodes] */
    int32_t *material_of;         /* [elements] */
    tn_solid_material *materials; /* [1 + parts] */
    tn_solid_place *places;       /* [nodes] */
    tn_mean_set *means;           /* [holds] */
    tn_surface_entry *surfaces;   /* [surfaces] */
    tn_solid_face *faces;
    int32_t *list; /* [most] of mean sets */
    double *weights;
    tn_vec3 *arms;
    int32_t listed;
    tn_reduction reduction;
    tn_modal_entry modal;
    char *name; /* room for the longest */
    size_t room;
} tn_solid_making;

/* Of the mass of the nodes of a mean hold what its frame has. */
#define TN_MEAN_SHARE 0.5

/* A particle of this mass that place k is, "NAME[k]". */
tn_status tn_solid_add_particle(tn_solid_making *m, int32_t k, tn_vec3 at, double mass);
/* The body "NAME.HOLD" with a share of the mass of its nodes and their moments of inertia. */
tn_status tn_solid_add_hold_body(tn_solid_making *m, const tn_solid_hold *hold, double share,
                                 tn_body *out);
/* Holds it at the frame of the set that was listed last, whose first place stands for all (compile_solids.c). */
tn_status tn_solid_add_mean_joint(tn_solid_making *m, const tn_solid_hold *hold, tn_body body);
/* Holds it at the ground, by the joint "NAME.HOLD.ground". */
tn_status tn_solid_fix_hold_body(tn_solid_making *m, const tn_solid_hold *hold, tn_body body);

/* In place of bodies for the nodes: what a modal solid is reduced to, with its holds. Reports what is wrong. */
tn_status tn_solid_add_modal(tn_solid_making *m);

/* Reports all that is wrong; TN_ERROR_INPUT: something is. hold, and material_of [elements], are filled in: 0 is the material of
 * the definition, k that of part k - 1. */
tn_status tn_solid_check(const tn_solid_def *def, int32_t *hold, int32_t *material_of,
                         tn_diagnostics *diags);

/* Material 0 or that of a part. */
const tn_solid_material *tn_solid_material_at(const tn_solid_def *def, int32_t number);

/* The faces of each surface of a solid without faults; tn_free(*faces). */
tn_status tn_solid_find_surfaces(const tn_solid_def *def, tn_surface_entry *surfaces,
                                 tn_solid_face **faces);

/* Masses of nodes, and size: volume, mass, quality of elements. Of a solid without faults. */
void tn_solid_weigh(const tn_solid_def *def, const int32_t *material_of, double *mass,
                    tn_solid_size *size);

#endif
