/* beam.h: beams and cables: their nodes are bodies, their elements joints of type beam (cables: rod).
 *
 * A beam of n elements has the nodes NAME[0] .. NAME[n], the elements NAME[0] .. NAME[n-1], and the markers
 * NAME.start and NAME.end. Element i has node i as body b and node i+1 as body a. Joints, loads and markers
 * accept its nodes like any body. Node frames have x along the tangent, y and z along the axes of the
 * section.
 *
 *     tn_beam_def def = tn_default_beam_def();
 *     def.name = "link";
 *     def.elements = 8;
 *     def.section = tn_rectangle_section((tn_beam_material){7850.0, 210e9, 0.3}, 0.02, 0.01);
 *     tn_beam_between(&def, (tn_vec3){0, 0, 0}, (tn_vec3){1, 0, 0}, (tn_vec3){0, 0, 1});
 *     tn_beam beam;
 *     tn_status status = tn_spec_add_beam(spec, &def, &beam);
 */
#ifndef TENON_BEAM_H
#define TENON_BEAM_H

#include "tenon/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A linear elastic, isotropic material. */
typedef struct tn_beam_material {
    double density; /* kg/m^3 */
    double young;   /* Pa */
    double poisson; /* ratio */
} tn_beam_material;

/* Stiffness and mass of a section, about its own axes y and z. An infinite stiffness makes the beam rigid in that
 * direction: its rows are hard. */
typedef struct tn_beam_section {
    double EA;         /* N: against stretch */
    double GA[2];      /* N: against shear along y and z, with the shear correction factor */
    double GJ;         /* N m^2: against twist */
    double EI[2];      /* N m^2: against bending about y and z */
    double mass;       /* kg/m */
    double inertia[2]; /* kg m: moments of inertia per length about y and z */
    /* How it is drawn: a bar of this size along y and z, m; size[1] 0: round, of diameter size[0];
     * both 0: as a round bar of its EA and EI. */
    double size[2];
} tn_beam_section;

/* y along the first side, z along the second, m. Shear factor 5/6; torsion by Saint-Venant's series. */
TN_API tn_beam_section tn_rectangle_section(tn_beam_material material, double y, double z);
/* A tube, of inner diameter 0 a full circle, m. Shear factor of Cowper 1966. */
TN_API tn_beam_section tn_tube_section(tn_beam_material material, double outer, double inner);

/* The definition of a beam. Fill it from tn_default_beam_def. */
typedef struct tn_beam_def {
    uint32_t cookie;
    const char *name; /* required */
    /* Without stress the beam is a helix. start: the frame of node 0 in the world. turn: rotation vector (rad), in
     * that frame, of the frame of the last node relative to it. */
    tn_pose start;
    double length;    /* m */
    tn_vec3 turn;     /* 0: straight; (0, 0, pi/2): a quarter of a circle towards y */
    int32_t elements; /* each turns by less than TN_MAX_BEAM_TURN about each axis */
    tn_beam_section section;
    double
        damping; /* s: forces by strain rates = this times the forces by equal strains; 0: none */
    tn_body_kind kind; /* of its nodes: TN_BODY_RIGID or TN_BODY_PLANAR */
    tn_location at;
} tn_beam_def;

/* Spatial, straight along x, without section. */
TN_API tn_beam_def tn_default_beam_def(void);

/* Sets start, length and turn: of a straight beam, with z as near to `up` as possible; or of an arc about
 * `axis` (z of the nodes) from a point. Returns 0 and leaves def unchanged if there is no such beam: no
 * length, no axis, `up` along the beam, a start on the axis, no angle. */
TN_API int tn_beam_between(tn_beam_def *def, tn_vec3 from, tn_vec3 to, tn_vec3 up);
/* For an arc; angle in rad. See tn_beam_between. */
TN_API int tn_beam_on_arc(tn_beam_def *def, tn_vec3 center, tn_vec3 axis, tn_vec3 from,
                          double angle);

/* The items that a beam was made of. */
typedef struct tn_beam {
    tn_body node;     /* the first of element_count + 1 in a row */
    tn_joint element; /* the first of element_count in a row */
    tn_marker end;    /* NAME.end; NAME.start has the index before it */
    int32_t element_count;
} tn_beam;

/* Most elements of a beam or a cable. */
#define TN_MAX_BEAM_ELEMENTS 10000
/* rad: an element turns by less than this about each axis; three such turns at right angles make less than pi. */
#define TN_MAX_BEAM_TURN 1.8

/* Adds a beam. TN_ERROR_ARGUMENT: no valid definition (tn_beam_fault); TN_ERROR_MEMORY. */
TN_API tn_status tn_spec_add_beam(tn_spec *spec, const tn_beam_def *def, tn_beam *out);
/* What is wrong with a definition, as a sentence without a full stop; NULL: nothing. */
TN_API const char *tn_beam_fault(const tn_beam_def *def);

/* A cable: stiff along itself only. Particles with rods between them, with names like those of a beam. */
typedef struct tn_cable_def {
    uint32_t cookie;
    const char *name; /* required */
    /* [point_count] m, world: corners of the line on which it lies without stress, two or more. Each is a
     * node. Elements between two corners have equal lengths, nearly those of the other elements. */
    const tn_vec3 *points;
    int32_t point_count;
    int32_t elements;
    double EA;       /* N: against stretch; infinite: it keeps its length */
    double mass;     /* kg/m */
    double damping;  /* s: as for beams; only if it stretches */
    double diameter; /* m: for drawing; 0: not drawn */
    tn_location at;
} tn_cable_def;

/* A cable that keeps its length. */
TN_API tn_cable_def tn_default_cable_def(void);
/* As for beams. */
TN_API tn_status tn_spec_add_cable(tn_spec *spec, const tn_cable_def *def, tn_beam *out);
/* What is wrong with a definition, as tn_beam_fault. */
TN_API const char *tn_cable_fault(const tn_cable_def *def);

#ifdef __cplusplus
}
#endif
#endif
