/* mjcf_equality.c: loops: what of the section of equalities is a joint or a coupling (mjcf.h).
 *
 * Room import/mjcf. MuJoCo's equalities are soft, and hold what is so at the start; here they are hard.
 */
#include "import/mjcf/mjcf.h"

#include <string.h>

#include "math/m3.h"

typedef struct loop_end {
    int32_t link; /* TN_NO_LINK: the world */
    tn_pose pose; /* of the joint's frame in it */
} loop_end;

/* Where a link is at the start. */
static tn_pose pose_of(const tn_robot *robot, int32_t link)
{
    return link >= 0 ? robot->links[link].pose : tn_pose_identity();
}

static bool find_body(tn_mjcf *m, tn_xml_element *e, const char *attribute, int32_t *out)
{
    *out = TN_NO_LINK;
    const char *name = tn_xml_peek(e, attribute);
    if (name == NULL || strcmp(name, "world") == 0) {
        tn_xml_text(e, attribute);
        return true;
    }
    *out = tn_robot_find_link(m->robot, e, attribute);
    return *out >= 0;
}

static bool find_site(tn_mjcf *m, tn_xml_element *e, const char *attribute, loop_end *out)
{
    const char *name = tn_xml_needed(m->import, e, attribute);
    const int32_t index = name != NULL ? tn_names_find_text(&m->site_names, name) : TN_NO_NAME;
    if (name != NULL && index == TN_NO_NAME)
        tn_xml_error(m->import, e, attribute, NULL, "there is no site '%.100s'", name);
    if (index == TN_NO_NAME)
        return false;
    out->link = m->robot->markers[index].link;
    out->pose = m->robot->markers[index].pose;
    return true;
}

/* Two bodies and a pose in one of them: that in the other is where it is at the start. */
static bool find_bodies(tn_mjcf *m, tn_xml_element *e, int anchored, tn_pose anchor,
                        loop_end ends[2])
{
    if (!find_body(m, e, "body1", &ends[0].link) || !find_body(m, e, "body2", &ends[1].link))
        return false;
    const tn_pose world = tn_pose_multiply(pose_of(m->robot, ends[anchored].link), anchor);
    const tn_pose other = pose_of(m->robot, ends[1 - anchored].link);
    ends[anchored].pose = anchor;
    ends[1 - anchored].pose = tn_pose_multiply(tn_pose_inverse(other), world);
    return true;
}

static void add_loop(tn_mjcf *m, tn_xml_element *e, tn_robot_motion motion, const loop_end ends[2])
{
    const char *name = tn_xml_text(e, "name");
    if (name == NULL)
        name = tn_import_print(m->import, "%s%d", e->name, (int)++m->unnamed);
    tn_robot_joint *joint = tn_robot_add_joint(m->robot, name, e);
    if (joint == NULL)
        return;
    const int child = ends[0].link >= 0 ? 0 : 1;
    joint->motion = motion;
    joint->loop = true;
    joint->child = ends[child].link;
    joint->in_child = ends[child].pose;
    joint->parent = ends[1 - child].link;
    joint->in_parent = ends[1 - child].pose;
    if (joint->child < 0)
        tn_xml_error(m->import, e, NULL, NULL, "the world is joined to itself");
}

static void read_connect(tn_mjcf *m, tn_xml_element *e)
{
    loop_end ends[2];
    const bool sites = tn_xml_peek(e, "site1") != NULL;
    tn_pose anchor = tn_pose_identity();
    anchor.p = tn_xml_vector(m->import, e, "anchor", anchor.p);
    if (sites ? find_site(m, e, "site1", &ends[0]) && find_site(m, e, "site2", &ends[1])
              : find_bodies(m, e, 0, anchor, ends))
        add_loop(m, e, TN_ROBOT_BALL, ends);
}

/* relpose is that of body 2 in body 1; zeros where nothing is said: as they are. */
static void read_weld(tn_mjcf *m, tn_xml_element *e)
{
    loop_end ends[2];
    double v[7] = {0.0};
    tn_pose anchor = tn_pose_identity();
    if (tn_xml_peek(e, "site1") != NULL) {
        if (find_site(m, e, "site1", &ends[0]) && find_site(m, e, "site2", &ends[1]))
            add_loop(m, e, TN_ROBOT_FIXED, ends);
        return;
    }
    const bool given = tn_xml_numbers(m->import, e, "relpose", v, 7, 7) == 7 &&
                       (v[3] != 0.0 || v[4] != 0.0 || v[5] != 0.0 || v[6] != 0.0);
    anchor.p = tn_xml_vector(m->import, e, "anchor", anchor.p);
    if (!find_bodies(m, e, 1, anchor, ends))
        return;
    if (given) {
        tn_pose relative = {.p = {v[0], v[1], v[2]}};
        q_unit((tn_quat){v[3], v[4], v[5], v[6]}, &relative.q);
        ends[0].pose = tn_pose_multiply(relative, anchor);
    }
    add_loop(m, e, TN_ROBOT_FIXED, ends);
}

/* q1 - ref1 = a0 + a1 (q2 - ref2) */
static void read_joints(tn_mjcf *m, tn_xml_element *e)
{
    double a[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    const int32_t one = tn_robot_find_joint(m->robot, e, "joint1");
    const bool two = tn_xml_peek(e, "joint2") != NULL;
    const int32_t other = two ? tn_robot_find_joint(m->robot, e, "joint2") : -1;
    tn_xml_numbers(m->import, e, "polycoef", a, 1, 5);
    if (one < 0 || (two && other < 0))
        return;
    if (two && (a[2] != 0.0 || a[3] != 0.0 || a[4] != 0.0)) {
        tn_xml_warning(m->import, e, "polycoef", "write it as 'terms' with a polynomial",
                       "the coupling is left out: it is not linear");
        return;
    }
    const char *name = tn_xml_text(e, "name");
    if (name == NULL)
        name = tn_import_print(m->import, "coupling%d", (int)++m->unnamed);
    tn_robot_coupling *c = tn_robot_add_coupling(m->robot, name, e);
    if (c == NULL)
        return;
    const tn_robot_joint *joints = m->robot->joints;
    c->a = one;
    c->b = other;
    c->factor = a[1];
    c->offset = a[0] + joints[one].start - (two ? a[1] * joints[other].start : 0.0);
}

typedef struct equality_kind {
    const char *name;
    void (*read)(tn_mjcf *m, tn_xml_element *e);
} equality_kind;

static const equality_kind KINDS[] = {
    {"connect", read_connect}, {"weld", read_weld}, {"joint", read_joints}};

static void read_equality(tn_mjcf *m, tn_xml_element *e)
{
    const char *active = tn_xml_peek(e, "active");
    for (size_t k = 0; k < TN_COUNT_OF(KINDS); k++) {
        if (!tn_xml_is(e, KINDS[k].name))
            continue;
        e->read = true;
        tn_xml_text(e, "active");
        tn_xml_text(e, "class");
        if (active != NULL && strcmp(active, "false") == 0) {
            tn_xml_take(e);
            tn_xml_note(m->import, e, "active", NULL, "'%s' is off at the start and left out",
                        e->name);
        } else {
            KINDS[k].read(m, e);
        }
    }
}

void tn_mjcf_read_equalities(tn_mjcf *m)
{
    for (tn_xml_element *s = tn_xml_child(m->root, "equality"); s != NULL; s = tn_xml_same(s)) {
        for (tn_xml_element *e = s->first; e != NULL; e = e->next) {
            read_equality(m, e);
        }
    }
}
