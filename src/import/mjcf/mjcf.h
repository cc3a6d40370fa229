/* mjcf.h: models in MJCF, the format of MuJoCo.
 *
 * Room import/mjcf. In: the tree of a <mujoco>, with the files that it includes. Out: its links and joints,
 * equalities, actuators and meshes, and a report of what is not taken over. What an attribute means is as in
 * MuJoCo's XML reference, 3.x.
 *
 * A body with several joints becomes a row of links, all but the last without mass, which room
 * import/robot makes one joint of. Controls are 0: actuators do what they do without a program.
 */
#ifndef TN_IMPORT_MJCF_MJCF_H
#define TN_IMPORT_MJCF_MJCF_H

#include "import/robot/robot.h"

/* A class of defaults; the first is that of all. */
typedef struct tn_mjcf_class {
    const char *name;
    const tn_xml_element *element;
    int32_t parent; /* -1: none */
} tn_mjcf_class;

typedef struct tn_mjcf {
    tn_robot *robot;
    tn_import *import;
    tn_xml_element *root;
    double angle;         /* rad in the file's unit of angles */
    const char *eulerseq; /* "xyz": turned axes, "XYZ": fixed ones */
    const char *meshdir;
    bool autolimits, strippath, gravity;
    int inertia_from_geom; /* 0: never, 1: always, 2: where a body has no inertial */
    double least_mass, least_inertia, total_mass; /* kg, kg m^2, kg; 0: not given */
    double groups[2];                             /* of geoms that have mass */
    tn_mjcf_class *classes;
    int32_t class_count;
    tn_names class_names, mesh_names, site_names;
    tn_xml_element **meshes; /* by mesh_names */
    int32_t mesh_count, unnamed;
    const tn_xml_element *first_open; /* geom whose mesh is not closed and weighs */
    int32_t open_meshes;
    const double *controls; /* [control_count] of a keyframe, for each actuator; NULL: 0 */
    int32_t control_count, actuators;
} tn_mjcf;

/* Something in the world body, and what counts there. */
typedef struct tn_mjcf_place {
    int32_t link;  /* TN_NO_LINK: the world */
    tn_pose frame; /* of frames around it, in the link */
    int32_t class; /* of what has none of its own */
    bool weighs;   /* geoms are the body's mass */
    bool seen;     /* the body has geoms of the groups that one sees first: others are not drawn */
} tn_mjcf_place;

void tn_mjcf_read(tn_robot *robot, tn_xml_element *root);

/* Puts the content of included files in the place of <include> (mjcf_include.c). */
void tn_mjcf_include(tn_mjcf *m, tn_xml_element *element, int depth);

/* mjcf_default.c */
void tn_mjcf_read_classes(tn_mjcf *m);
/* The class by the name in an attribute; `otherwise` where there is none. */
int32_t tn_mjcf_find_class(tn_mjcf *m, tn_xml_element *element, const char *attribute,
                           int32_t otherwise);
/* The element that gives an attribute: itself, or the defaults of its class for its name; NULL: none. */
tn_xml_element *tn_mjcf_holder(const tn_mjcf *m, tn_xml_element *element, int32_t class,
                               const char *attribute);
double tn_mjcf_number(const tn_mjcf *m, tn_xml_element *element, int32_t class,
                      const char *attribute, double otherwise);
int32_t tn_mjcf_numbers(const tn_mjcf *m, tn_xml_element *element, int32_t class,
                        const char *attribute, double *out, int32_t least, int32_t most);
const char *tn_mjcf_text(const tn_mjcf *m, tn_xml_element *element, int32_t class,
                         const char *attribute);
/* Does a range count: by its flag, else ("auto") where it is given, unlike [0, 0], if the compiler says so.
 * range NULL: not given. */
bool tn_mjcf_is_limited(const tn_mjcf *m, tn_xml_element *element, int32_t class, const char *flag,
                        const double range[2]);
/* Marks all attributes that the readers know, in elements and defaults of this name, as read. */
void tn_mjcf_know(tn_mjcf *m);

/* mjcf_pose.c: pos with quat, axisangle, euler, xyaxes or zaxis; class -1: no defaults. */
tn_pose tn_mjcf_pose(const tn_mjcf *m, tn_xml_element *element, int32_t class);

/* mjcf_body.c: the world body and all that hangs on it. */
void tn_mjcf_read_world(tn_mjcf *m);
void tn_mjcf_scale_masses(tn_mjcf *m);
/* mjcf_joint.c: the joints of a body, which lead from a link to a new one, its own. Answers that link. */
int32_t tn_mjcf_read_joints(tn_mjcf *m, tn_xml_element *body, const char *name, tn_mjcf_place place,
                            int32_t class);
/* mjcf_geom.c: has a body geoms of the groups that one sees first? */
bool tn_mjcf_has_seen(const tn_mjcf *m, const tn_xml_element *body, int32_t class);
/* A geom of a link, with its mass. */
void tn_mjcf_read_geom(tn_mjcf *m, tn_xml_element *element, tn_mjcf_place place,
                       tn_mass_properties *sum);
void tn_mjcf_read_inertial(tn_mjcf *m, tn_xml_element *element, tn_mjcf_place place,
                           tn_mass_properties *out);
/* mjcf_mesh.c */
void tn_mjcf_list_meshes(tn_mjcf *m);
/* A mesh by its name as a shape of the link; NULL: no such mesh, which is reported. */
tn_shape_def *tn_mjcf_add_mesh(tn_mjcf *m, tn_xml_element *geom, const char *name,
                               tn_robot_link *link, tn_pose pose);

/* mjcf_keyframe.c: starts at the requested keyframe, or proposes one. */
void tn_mjcf_read_keyframe(tn_mjcf *m);
void tn_mjcf_read_equalities(tn_mjcf *m);
void tn_mjcf_read_actuators(tn_mjcf *m);

/* What MJCF has and Tenon does not take over (mjcf_losses.c). */
extern const tn_xml_loss tn_mjcf_losses[];

#endif
