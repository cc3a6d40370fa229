/* peer_mujoco: MuJoCo in the comparison of bench/peers, of 2.2 or 3.2 and later. A tree of hinges; each hinge
 * that closes a loop is a pair of `connect` equalities on its axis, MuJoCo's way of closing loops. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "engine.h"

#define XML_ROOM  (1 << 21) /* bytes: more than the largest scene needs */
#define XML_DEPTH 200       /* bodies in a row, which its reader of XML still takes */

typedef struct running {
    mjModel *model;
    mjData *data;
} running;

static const engine_setting settings[] = {
    {"default", "Euler, Newton solver, solref 0.02 1: the defaults"},
    {"stiff", "Euler, solref 2h 1, solimp 0.9999 0.9999, tolerance 1e-12, 200 iterations"},
    {"stiff_point",
     "stiff, with one point a loop where all hinges are parallel: the tree holds the plane"},
    {"stiff_rk4", "RK4, solref h 1 (refsafe off), the rest as stiff"},
    {NULL, NULL},
};

typedef struct writer {
    char *text;
    size_t used;
} writer;

#define WRITE(w, ...)                                                                              \
    ((w)->used += (size_t)snprintf((w)->text + (w)->used, XML_ROOM - (w)->used, __VA_ARGS__))

/* The body of a tree hinge and, inside it, the bodies that hang on it. */
static void write_branch(writer *w, const scene *s, const scene_hinge *hinge)
{
    const scene_body *b = &s->body[hinge->a];
    double base[3] = {0.0, 0.0, 0.0};
    if (hinge->b != SCENE_GROUND)
        memcpy(base, s->body[hinge->b].p, sizeof base);
    WRITE(w, "<body name='b%d' pos='%.17g %.17g %.17g'>", hinge->a, b->p[0] - base[0],
          b->p[1] - base[1], b->p[2] - base[2]);
    WRITE(w, "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>", b->mass,
          b->inertia[0], b->inertia[1], b->inertia[2]);
    WRITE(w, "<joint type='hinge' name='h%d' pos='%.17g %.17g %.17g' axis='%.17g %.17g %.17g'/>\n",
          hinge->a, hinge->p[0] - b->p[0], hinge->p[1] - b->p[1], hinge->p[2] - b->p[2],
          hinge->axis[0], hinge->axis[1], hinge->axis[2]);
    for (int k = 0; k < s->hinge_count; k++)
        if (!s->hinge[k].closes && s->hinge[k].b == hinge->a)
            write_branch(w, s, &s->hinge[k]);
    WRITE(w, "</body>\n");
}

static bool hinges_parallel(const scene *s)
{
    for (int k = 1; k < s->hinge_count; k++) {
        const double *u = s->hinge[0].axis, *v = s->hinge[k].axis;
        if (fabs(fabs(u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) - 1.0) > 1e-12)
            return false;
    }
    return true;
}

/* points: 2 on the axis, or its middle alone */
static void write_closure(writer *w, const scene *s, const scene_hinge *hinge, int points,
                          const char *how)
{
    for (int side = 0; side < points; side++) {
        double p[3];
        engine_axis_point(hinge, side, p);
        for (int i = 0; i < 3; i++)
            p[i] = (points == 1 ? hinge->p[i] : p[i]) - s->body[hinge->a].p[i];
        WRITE(w, "<connect body1='b%d' anchor='%.17g %.17g %.17g' %s", hinge->a, p[0], p[1], p[2],
              how);
        if (hinge->b != SCENE_GROUND)
            WRITE(w, " body2='b%d'", hinge->b);
        WRITE(w, "/>\n");
    }
}

/* Rows there is room for: a hinge that closes a loop is two points. What finds no room is left out with a
 * warning, as the last loops of a row of 400 were. */
static int row_room(const scene *s)
{
    int closures = 0;
    for (int k = 0; k < s->hinge_count; k++)
        closures += s->hinge[k].closes;
    return 100 + 6 * closures;
}

static void write_model(writer *w, const scene *s, const char *setting, double h)
{
    char how[128] = "";
    const bool stiff = strncmp(setting, "stiff", 5) == 0;
    const bool rk4 = strcmp(setting, "stiff_rk4") == 0;
    const int points = strcmp(setting, "stiff_point") == 0 && hinges_parallel(s) ? 1 : 2;
    if (stiff)
        snprintf(how, sizeof how, "solref='%.17g 1' solimp='0.9999 0.9999 0.001'",
                 rk4 ? h : 2.0 * h);
    WRITE(w, "<mujoco><compiler angle='radian' inertiafromgeom='false' autolimits='false'/>");
#if mjVERSION_HEADER < 300
    WRITE(w, "<size nconmax='10' njmax='%d'/>", row_room(s));
#else
    WRITE(w, "<size memory='%ldM'/>", 64 + (long)row_room(s) / 4);
#endif
    WRITE(w, "<option timestep='%.17g' gravity='%.17g %.17g %.17g' integrator='%s' %s>", h,
          s->gravity[0], s->gravity[1], s->gravity[2], rk4 ? "RK4" : "Euler",
          stiff ? "tolerance='1e-12' iterations='200'" : "");
    WRITE(w, "<flag refsafe='%s'/></option>\n", rk4 ? "disable" : "enable");
    WRITE(w, "<worldbody>\n");
    for (int k = 0; k < s->hinge_count; k++)
        if (!s->hinge[k].closes && s->hinge[k].b == SCENE_GROUND)
            write_branch(w, s, &s->hinge[k]);
    WRITE(w, "</worldbody><equality>\n");
    for (int k = 0; k < s->hinge_count; k++)
        if (s->hinge[k].closes)
            write_closure(w, s, &s->hinge[k], points, how);
    WRITE(w, "</equality></mujoco>\n");
}

static mjModel *compile(const char *text, size_t size)
{
    char problem[500] = "";
    mjVFS *files = malloc(sizeof *files);
    mj_defaultVFS(files);
#if mjVERSION_HEADER < 300
    mj_makeEmptyFileVFS(files, "scene.xml", (int)size);
    memcpy(files->filedata[0], text, size);
#else
    mj_addBufferVFS(files, "scene.xml", text, (int)size);
#endif
    mjModel *model = mj_loadXML("scene.xml", files, problem, sizeof problem);
    if (model == NULL)
        fprintf(stderr, "MuJoCo: %s\n", problem);
    mj_deleteVFS(files);
    free(files);
    return model;
}

#if mjVERSION_HEADER >= 320
static void name_element(mjsElement *element, char letter, int k)
{
    char name[32];
    snprintf(name, sizeof name, "%c%d", letter, k);
    mjs_setName(element, name);
}

/* A tree without loops by way of the C interface: the reader of XML refuses deep ones. Hinges come
 * outward, so the body that one hangs on is there. */
static mjModel *deep_tree(const scene *s, double h)
{
    mjSpec *spec = mj_makeSpec();
    mjsBody **at = calloc((size_t)s->body_count, sizeof *at);
    spec->compiler.degree = 0;
    spec->option.timestep = h;
    memcpy(spec->option.gravity, s->gravity, sizeof s->gravity);
    for (int k = 0; k < s->hinge_count; k++) {
        const scene_hinge *hinge = &s->hinge[k];
        const scene_body *b = &s->body[hinge->a];
        const bool ground = hinge->b == SCENE_GROUND;
        mjsBody *body = mjs_addBody(ground ? mjs_findBody(spec, "world") : at[hinge->b], NULL);
        mjsJoint *joint = mjs_addJoint(body, NULL);
        at[hinge->a] = body;
        name_element(body->element, 'b', hinge->a);
        name_element(joint->element, 'h', hinge->a);
        joint->type = mjJNT_HINGE;
        body->mass = b->mass;
        body->explicitinertial = 1;
        for (int i = 0; i < 3; i++) {
            body->pos[i] = b->p[i] - (ground ? 0.0 : s->body[hinge->b].p[i]);
            body->ipos[i] = 0.0;
            body->inertia[i] = b->inertia[i];
            joint->pos[i] = hinge->p[i] - b->p[i];
            joint->axis[i] = hinge->axis[i];
        }
    }
    mjModel *model = mj_compile(spec, NULL);
    if (model == NULL)
        fprintf(stderr, "MuJoCo: %s\n", mjs_getError(spec));
    mj_deleteSpec(spec);
    free(at);
    return model;
}
#else
static mjModel *deep_tree(const scene *s, double h)
{
    (void)s, (void)h;
    return NULL;
}
#endif

static mjModel *model_of(const scene *s, const char *setting, double h)
{
    const bool loops = s->hinge_count > 0 && s->hinge[s->hinge_count - 1].closes;
    if (!loops && s->body_count > XML_DEPTH && strcmp(setting, "stiff_rk4") != 0)
        return deep_tree(s, h);
    writer w = {.text = calloc(1, XML_ROOM)};
    write_model(&w, s, setting, h);
    mjModel *model = compile(w.text, w.used);
    free(w.text);
    return model;
}

static void *create(const scene *s, const char *setting, double h)
{
    running *run = calloc(1, sizeof *run);
    run->model = model_of(s, setting, h);
    if (run->model == NULL)
        return NULL;
    run->data = mj_makeData(run->model);
    for (int k = 0; k < s->hinge_count; k++) {
        char name[32];
        snprintf(name, sizeof name, "h%d", s->hinge[k].a);
        if (!s->hinge[k].closes)
            run->data->qvel[run->model->jnt_dofadr[mj_name2id(run->model, mjOBJ_JOINT, name)]] =
                s->hinge[k].rate;
    }
    mj_forward(run->model, run->data);
    return run;
}

/* MuJoCo resets a state that has become unstable, and leaves out rows that find no room, with a warning. */
static const char *step(void *peer, double h)
{
    (void)h;
    running *run = peer;
    mj_step(run->model, run->data);
    const int bad = run->data->warning[mjWARN_BADQPOS].number +
                    run->data->warning[mjWARN_BADQVEL].number +
                    run->data->warning[mjWARN_BADQACC].number;
    if (run->data->warning[mjWARN_CNSTRFULL].number > 0)
        return "leaves out rows";
    return bad == 0 ? NULL : "resets itself (unstable)";
}

/* After a step the poses are still those of its beginning. */
static void refresh(void *peer)
{
    running *run = peer;
    mj_fwdPosition(run->model, run->data);
    mj_fwdVelocity(run->model, run->data);
}

static void body(void *peer, int k, engine_motion *out)
{
    const running *run = peer;
    char name[32];
    snprintf(name, sizeof name, "b%d", k);
    const int id = mj_name2id(run->model, mjOBJ_BODY, name);
    const mjtNum *q = run->data->xquat + 4 * id;
    mjtNum velocity[6];
    mj_objectVelocity(run->model, run->data, mjOBJ_BODY, id, velocity, 0);
    engine_rotation(out->r, q[0], q[1], q[2], q[3]);
    memcpy(out->p, run->data->xpos + 3 * id, sizeof out->p);
    memcpy(out->w, velocity, sizeof out->w);
    memcpy(out->v, velocity + 3, sizeof out->v);
}

static void destroy(void *peer)
{
    running *run = peer;
    mj_deleteData(run->data);
    mj_deleteModel(run->model);
    free(run);
}

int main(int argc, char **argv)
{
    const engine e = {"MuJoCo", mj_versionString(), settings, create, step, refresh, body, destroy};
    return engine_main(argc, argv, &e);
}
