/* robot.h: links and joints as robot formats have them, on their way to a description.
 *
 * Room import/robot. In: links with mass, shapes and names, joints between them with the frames of both, as the
 * reader of a format finds them. Out: the spec: bodies, joints, markers and couplings, placed at the
 * initial values of the joints; or all problems.
 *
 * Which links become bodies: those with mass, and the link that is the ground. Links without mass
 * that are fixed to others become markers of their bodies. Chains of massless links that move between others
 * become one custom joint with all the coordinates. Fixed joints become joints of type solid, so that their
 * reactions are reported.
 */
#ifndef TN_IMPORT_ROBOT_ROBOT_H
#define TN_IMPORT_ROBOT_ROBOT_H

#include "base/names.h"
#include "import/xml/xml.h"

#define TN_NO_LINK (-1) /* the world */

/* One line per motion: enum, joint type, coordinates. */
#define TN_ROBOT_MOTION_LIST(X)                                                                    \
    X(TN_ROBOT_FIXED, "solid", 0)                                                                  \
    X(TN_ROBOT_TURN, "hinge", 1)                                                                   \
    X(TN_ROBOT_SLIDE, "slider", 1)                                                                 \
    X(TN_ROBOT_BALL, "spherical", 0)                                                               \
    X(TN_ROBOT_PLANE, "planar", 3)                                                                 \
    X(TN_ROBOT_FREE, "free", 6)

typedef enum tn_robot_motion {
#define TN_ROBOT_MOTION_ENUM(motion, type, coordinates) motion,
    TN_ROBOT_MOTION_LIST(TN_ROBOT_MOTION_ENUM)
#undef TN_ROBOT_MOTION_ENUM
} tn_robot_motion;

typedef struct tn_robot_link {
    const char *name; /* NULL: made here, between joints of one body */
    const tn_xml_element *element;
    tn_mass_properties mass; /* mass 0: none */
    tn_shape_def *shapes;    /* [shape_count] in the link's frame */
    int32_t shape_count;
    double stand_in; /* kg: mass it is given rather than refused where it moves without any; 0 */
    double weight;   /* share of its mass that gravity pulls; 1 */
    /* found by tn_robot_build */
    int32_t joint;      /* of the tree, that carries it; -1: none */
    int32_t carrier;    /* the link whose body it is part of; TN_NO_LINK: the ground */
    tn_pose in_carrier; /* in that link's frame */
    tn_pose pose;       /* in the world */
    bool placed, grounded, swallowed; /* swallowed: between the turns of a custom joint */
    int32_t next_joint;               /* the one that goes on from it; negative: none, several */
    tn_body body;
} tn_robot_link;

/* A spring along a coordinate, -stiffness (q - rest - rate t) - damping (q' - rate), and its cap. */
typedef struct tn_robot_spring {
    double stiffness, damping;
    double rest, rate; /* rad, m; per second */
    double max_force;  /* N m, N, of the whole; infinite: no cap */
} tn_robot_spring;

typedef struct tn_robot_joint {
    const char *name;
    const tn_xml_element *element;
    tn_robot_motion motion;
    int32_t parent, child;       /* parent TN_NO_LINK: the world */
    tn_pose in_parent, in_child; /* frames D and C in the links, along or about z */
    double start, speed;         /* rad, m: of turns and slides; per second */
    tn_quat start_turn;          /* of balls */
    double lower, upper;         /* infinite: none; likewise */
    double friction, viscous;    /* along each coordinate */
    tn_robot_spring spring;      /* of the joint's own coordinate; stiffness and damping 0: none */
    double armature;             /* kg m^2, kg: inertia along the coordinate */
    double act_lower, act_upper; /* N m, N: bounds of what all actuators give together; infinite */
    int32_t actuators;           /* that act on it */
    bool loop;                   /* closes a loop: the child has another joint that carries it */
    /* found by tn_robot_build */
    bool done;
    tn_joint joint;
    int32_t coordinate;
} tn_robot_joint;

/* q_a = factor q_b + offset; b < 0: q_a = offset. */
typedef struct tn_robot_coupling {
    const char *name;
    const tn_xml_element *element;
    int32_t a, b;
    double factor, offset;
} tn_robot_coupling;

/* A named frame of a link. */
typedef struct tn_robot_marker {
    const char *name;
    const tn_xml_element *element;
    int32_t link;
    tn_pose pose;
} tn_robot_marker;

/* What acts along a coordinate beside the joint's own spring: a constant force, or one more spring. */
typedef struct tn_robot_effort {
    const char *name;
    const tn_xml_element *element;
    int32_t joint;
    double effort; /* N, N m; of a spring 0 */
    tn_robot_spring spring;
} tn_robot_effort;

/* Kinds of names that must differ among themselves. */
enum { TN_ROBOT_BODIES, TN_ROBOT_JOINTS, TN_ROBOT_MARKERS, TN_ROBOT_LOADS, TN_ROBOT_NAME_KINDS };

typedef struct tn_robot_mesh {
    const char *path; /* as opened */
    const char *name; /* as written in models; NULL: could not be read */
    tn_vec3 *vertices;
    int32_t vertex_count;
    tn_triangle *triangles;
    int32_t triangle_count;
} tn_robot_mesh;

/* Meshes that are not drawn, by the reason. */
typedef struct tn_robot_lost {
    const char *why, *hint, *first; /* first: the name of one */
    tn_severity severity;
    const tn_xml_element *element;
    int32_t count;
} tn_robot_lost;

typedef struct tn_robot {
    tn_import *import;
    bool free_root;       /* links that nothing carries are not held */
    const char *keyframe; /* where it starts; NULL: as it is drawn */
    double stand_in;      /* kg, for links that move without mass; 0: they are refused */
    tn_robot_link *links;
    tn_robot_joint *joints;
    tn_robot_coupling *couplings;
    tn_robot_marker *markers;
    tn_robot_effort *efforts;
    tn_robot_mesh *meshes;
    tn_robot_lost *lost;
    int32_t lost_count;
    int32_t *order; /* [link_count] links, each behind the one that carries it */
    int32_t ordered;
    int32_t link_count, joint_count, coupling_count, marker_count, effort_count, mesh_count;
    tn_names link_names, joint_names; /* as in the file */
    tn_names given[TN_ROBOT_NAME_KINDS];
} tn_robot;

void tn_robot_free(tn_robot *robot);

/* Items with their defaults; NULL: out of memory. They move when more are added. A name that is
 * there already is an error at the element. */
tn_robot_link *tn_robot_add_link(tn_robot *robot, const char *name, const tn_xml_element *element);
tn_robot_joint *tn_robot_add_joint(tn_robot *robot, const char *name,
                                   const tn_xml_element *element);
tn_robot_coupling *tn_robot_add_coupling(tn_robot *robot, const char *name,
                                         const tn_xml_element *element);
tn_robot_marker *tn_robot_add_marker(tn_robot *robot, const char *name,
                                     const tn_xml_element *element);
tn_robot_effort *tn_robot_add_effort(tn_robot *robot, const char *name,
                                     const tn_xml_element *element);
/* A shape of a kind at a pose in the link's frame, to be filled in. */
tn_shape_def *tn_robot_add_shape(tn_robot *robot, tn_robot_link *link, tn_shape_kind kind,
                                 tn_pose pose, const tn_xml_element *element);

/* The index of a link or joint by the name in an attribute; -1 with an error: there is none. */
int32_t tn_robot_find_link(tn_robot *robot, tn_xml_element *element, const char *attribute);
int32_t tn_robot_find_joint(tn_robot *robot, tn_xml_element *element, const char *attribute);

/* Replaces inertias that no body can have, by rounding or by mistake, by the nearest possible ones, and reports it at
 * the element. */
void tn_robot_mend_inertia(tn_robot *robot, tn_robot_link *link, const tn_xml_element *element);

/* A name that is valid in models and unique for this kind of item; a change is reported. */
const char *tn_robot_name(tn_robot *robot, int kind, const char *name,
                          const tn_xml_element *element);

/* Opens a mesh by the name in an attribute (robot_mesh.c), each once; NULL: it is missing, which is reported, or out
 * of memory. folder: the meshes' folder beside the file that names it, may be "". */
const tn_robot_mesh *tn_robot_open_mesh(tn_robot *robot, tn_xml_element *element,
                                        const char *attribute, const char *folder);
/* A mesh that is in no file, by a key that no path is; NULL: out of memory, or not made yet. */
const tn_robot_mesh *tn_robot_make_mesh(tn_robot *robot, const char *key, const tn_vec3 *vertices,
                                        int32_t vertex_count, const tn_triangle *triangles,
                                        int32_t triangle_count);
const tn_robot_mesh *tn_robot_made_mesh(const tn_robot *robot, const char *key);
/* Mass, centre and inertia in the link of a mesh that is not closed, with a density or a mass (robot_solid.c);
 * false: it encloses nothing. */
bool tn_robot_weigh_open(const tn_shape_def *shape, tn_mass_properties *out);
/* A mesh as a shape, its vertices times the scale. */
void tn_robot_add_mesh(tn_robot *robot, tn_robot_link *link, const tn_robot_mesh *mesh,
                       tn_vec3 scale, tn_pose pose, const tn_xml_element *element);

/* Reports the meshes that are not drawn. */
void tn_robot_tell_lost(tn_robot *robot);

/* The pose of C in D of a joint at a coordinate. */
tn_pose tn_robot_motion_pose(tn_robot_motion motion, double q);
/* The frame at a place whose z axis points along axis; an axis without length is an error. */
tn_pose tn_robot_axis_frame(tn_robot *robot, const tn_xml_element *element, const char *attribute,
                            tn_vec3 origin, tn_vec3 axis);

/* The parts of tn_robot_build, in order. */
void tn_robot_plant(tn_robot *robot); /* which joint carries what; where all are at the start */
void tn_robot_group(tn_robot *robot); /* what is part of whose body */
/* Joints in a row between which nothing has mass, as one, if they can be. */
void tn_robot_join_chains(tn_robot *robot);
void tn_robot_add_chain(tn_robot *robot,
                        int32_t joint); /* the row that begins with it, if one does */
void tn_robot_add_bodies(tn_robot *robot);
void tn_robot_add_joints(tn_robot *robot);
bool tn_robot_has_spring(const tn_robot_spring *spring);
/* numbers: [2] room for the rest, kept as long as the definition is in use. */
tn_spring_def tn_robot_spring_def(const tn_robot_spring *spring, double *numbers);
/* The drive of one coordinate; false: nothing acts there. numbers: as above. */
bool tn_robot_drive(const tn_robot_joint *joint, int32_t coordinate, double *numbers,
                    tn_drive_def *out);
/* All of it, into import->spec. */
void tn_robot_build(tn_robot *robot);

#endif
