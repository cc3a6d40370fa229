/* lint.c: room measure/lint: what is allowed in a model and probably not meant (tenon/lint.h).
 *
 * Every bound but that of masses in a wrong unit is a ratio within the model itself, so that a watch
 * and a bridge have the same bounds.
 * The bounds are wide: a finding is to be rare and right rather than complete.
 */
#include "real/real.h"
#include "base/base.h"
#include "tenon/lint.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "measure/lint/acts.h"
#include "measure/lint/solids.h"
#include "model/model.h"
#include "motion/simulation.h"
#include "spec/spec_internal.h"

/* Heaviest against lightest body, beyond what machines with their smallest parts span. */
#define MASS_SPAN 1e6
/* Largest against smallest radius of gyration. */
#define SIZE_SPAN 1e4
/* kg: one gram, when its lengths were meant in mm and count in m. No machine has nothing lighter. */
#define GRAM_IN_MM 1e6
/* A joint away from its bodies, in their radii of gyration: a clock's pendulum has some 50. */
#define FAR_JOINT 300.0
/* Places and directions that are the same, as a share of sizes. */
#define SAME 1e-9
/* A coordinate at an end of its range, rad or a share of the range. */
#define AT_LIMIT 1e-9

/* rad that the fastest vibration of a beam turns in a run: parts of steps that follow it are some ten times fewer. */
#define MOST_TURNED 1e4
/* Elements of a beam whose ends are held, from which on its deflections are right to a quarter. */
#define FEWEST_ELEMENTS 4

typedef struct lint {
    const tn_sim *sim;
    const tn_model *model;
    const tn_spec *spec;
    tn_diagnostics *diags;
} lint;

static tn_body body_at(int32_t i)
{
    return (tn_body){i};
}

static const tn_body_def *body_def(const lint *l, int32_t i)
{
    return tn_spec_body(l->spec, body_at(i));
}

static bool moves(const lint *l, int32_t i)
{
    return tn_model_body_kind(l->model, body_at(i)) != TN_BODY_FIXED;
}

/* The largest radius of gyration about the centre of mass, m; 0 for a point. */
static double gyration(const lint *l, int32_t i)
{
    const tn_mass_properties m = tn_model_body_mass(l->model, body_at(i));
    const double trace = m.inertia.m[0][0] + m.inertia.m[1][1] + m.inertia.m[2][2];
    return m.mass > 0.0 && trace > 0.0 ? sqrt(0.5 * trace / m.mass) : 0.0;
}

/* bodies -----------------------------------------------------------------------------------------
 */

typedef double (*body_figure)(const lint *l, int32_t i);

static double mass_of(const lint *l, int32_t i)
{
    return tn_model_body_mass(l->model, body_at(i)).mass;
}

/* The bodies with the least and the greatest figure above 0 lie further apart than span. */
static void check_span(const lint *l, body_figure figure, double span, const char *what,
                       const char *unit)
{
    int32_t least = -1, most = -1;
    for (int32_t i = 0; i < tn_spec_body_count(l->spec); i++) {
        const double value = moves(l, i) ? figure(l, i) : 0.0;
        if (value > 0.0 && (least < 0 || value < figure(l, least))) {
            least = i;
        }
        if (value > 0.0 && (most < 0 || value > figure(l, most))) {
            most = i;
        }
    }
    if (least >= 0 && figure(l, most) > span * figure(l, least)) {
        tn_diagnostics_add(l->diags, TN_WARNING, TN_OK, body_def(l, most)->at,
                           "a unit that was forgotten?",
                           "the bodies' %s are decades apart: %.3g %s of '%s', %.3g %s of '%s'",
                           what, figure(l, most), unit, body_def(l, most)->name, figure(l, least),
                           unit, body_def(l, least)->name);
    }
}

/* Is even the lightest body heavier than things are? */
static void check_unit(const lint *l)
{
    int32_t least = -1;
    for (int32_t i = 0; i < tn_spec_body_count(l->spec); i++) {
        if (moves(l, i) && (least < 0 || mass_of(l, i) < mass_of(l, least))) {
            least = i;
        }
    }
    if (least >= 0 && mass_of(l, least) >= GRAM_IN_MM) {
        tn_diagnostics_add(l->diags, TN_WARNING, TN_OK, body_def(l, least)->at,
                           "lengths count in m: write the unit, 150 mm",
                           "the lightest body, '%s', weighs %.3g kg: are its lengths meant in mm?",
                           body_def(l, least)->name, mass_of(l, least));
    }
}

static bool is_held(const lint *l, int32_t body)
{
    for (int32_t j = 0; j < tn_spec_joint_count(l->spec); j++) {
        const tn_joint_def *def = tn_spec_joint(l->spec, (tn_joint){j});
        if (def->a.i == body || def->b.i == body) {
            return true;
        }
    }
    return false;
}

static void check_held(const lint *l)
{
    for (int32_t i = 0; tn_spec_joint_count(l->spec) > 0 && i < tn_spec_body_count(l->spec); i++) {
        if (moves(l, i) && !tn_model_is_node(l->model, i) && !is_held(l, i)) {
            tn_diagnostics_add(l->diags, TN_WARNING, TN_OK, body_def(l, i)->at,
                               "kind: fixed holds it, a joint of type free says that it is meant",
                               "body '%s' is joined to nothing: it moves by itself",
                               body_def(l, i)->name);
        }
    }
}

/* joints -----------------------------------------------------------------------------------------
 */

/* Frames C and D of a joint in the world. */
typedef struct joint_ends {
    tn_pose c, d;
} joint_ends;

static joint_ends ends_of(const lint *l, int32_t j)
{
    tn_pose t_ca, t_db;
    tn_body a, b;
    tn_model_joint_bodies(l->model, (tn_joint){j}, &a, &b);
    tn_model_joint_frames(l->model, (tn_joint){j}, &t_ca, &t_db);
    return (joint_ends){tn_pose_multiply(tn_sim_body_pose(l->sim, a), t_ca),
                        b.i < 0 ? t_db : tn_pose_multiply(tn_sim_body_pose(l->sim, b), t_db)};
}

static double apart(tn_vec3 p, tn_vec3 q)
{
    return tn_hypot(tn_hypot(p.x - q.x, p.y - q.y), p.z - q.z);
}

/* How many of its radii of gyration a joint is from a body's centre of mass; 0: it has no size. */
static double reach(const lint *l, tn_vec3 place, int32_t body)
{
    const double size = body >= 0 && moves(l, body) ? gyration(l, body) : 0.0;
    if (!(size > 0.0)) {
        return 0.0;
    }
    const tn_vec3 com = tn_model_body_mass(l->model, body_at(body)).com;
    const tn_pose pose = tn_sim_body_pose(l->sim, body_at(body));
    return apart(place, tn_pose_transform_point(pose, com)) / size;
}

static void check_far(const lint *l, int32_t j)
{
    const tn_joint_def *def = tn_spec_joint(l->spec, (tn_joint){j});
    const tn_vec3 place = ends_of(l, j).c.p;
    const double a = reach(l, place, def->a.i), b = reach(l, place, def->b.i);
    const bool far = a > FAR_JOINT && (def->b.i < 0 || !moves(l, def->b.i) || b > FAR_JOINT);
    if (far && def->data == NULL) {
        tn_diagnostics_add(l->diags, TN_WARNING, TN_OK, def->at, "are its places in metres?",
                           "joint '%s' is %.3g times the size of body '%s' away from it", def->name,
                           a, body_def(l, def->a.i)->name);
    }
}

static bool is_near(tn_pose one, tn_pose two, double gap)
{
    const double dot =
        one.q.w * two.q.w + one.q.x * two.q.x + one.q.y * two.q.y + one.q.z * two.q.z;
    return apart(one.p, two.p) <= gap && fabs(dot) >= 1.0 - SAME;
}

/* Two joints of one type at one place, at both ends, between the same bodies do the same twice. What data of their own say,
 * surfaces say, may differ. */
static bool is_same(const lint *l, int32_t i, int32_t j)
{
    const tn_joint_def *p = tn_spec_joint(l->spec, (tn_joint){i});
    const tn_joint_def *q = tn_spec_joint(l->spec, (tn_joint){j});
    if (p->a.i != q->a.i || p->b.i != q->b.i || strcmp(p->type, q->type) != 0 || p->disabled ||
        q->disabled || p->data || q->data) {
        return false;
    }
    const double size = fmax(gyration(l, p->a.i), p->b.i >= 0 ? gyration(l, p->b.i) : 0.0);
    const joint_ends one = ends_of(l, i), two = ends_of(l, j);
    return is_near(one.c, two.c, SAME * size) && is_near(one.d, two.d, SAME * size);
}

static void check_twice(const lint *l, int32_t j)
{
    for (int32_t i = 0; i < j; i++) {
        if (is_same(l, i, j)) {
            tn_diagnostics_add(l->diags, TN_WARNING, TN_OK,
                               tn_spec_joint(l->spec, (tn_joint){j})->at, NULL,
                               "joint '%s' does the same as joint '%s', at the same place",
                               tn_spec_joint(l->spec, (tn_joint){j})->name,
                               tn_spec_joint(l->spec, (tn_joint){i})->name);
            return;
        }
    }
}

/* A coordinate that starts at an end of its range; of robots it is at 0, which is where many grippers are closed. */
static void check_limits(const lint *l, int32_t j)
{
    const tn_joint_type_info *info = tn_model_joint_info(l->model, (tn_joint){j});
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(l->sim, (tn_joint){j}, q);
    for (int32_t k = 0; k < info->coordinate_count && !l->spec->foreign; k++) {
        double lower, upper;
        if (tn_sim_get_range(l->sim, (tn_joint){j}, k, &lower, &upper) != TN_OK) {
            continue;
        }
        const double scale = isfinite(upper - lower) ? fmax(upper - lower, 0.0) : 1.0;
        const bool low = fabs(q[k] - lower) <= AT_LIMIT * scale;
        if (upper > lower && (low || fabs(q[k] - upper) <= AT_LIMIT * scale)) {
            tn_diagnostics_add(
                l->diags, TN_WARNING, TN_OK, tn_spec_joint(l->spec, (tn_joint){j})->at, NULL,
                "joint '%s': '%s' starts at the %s end of its range, %.6g",
                tn_model_joint_name(l->model, (tn_joint){j}), info->coordinates[k].name,
                low ? "lower" : "upper", low ? lower : upper);
        }
    }
}

/* Between planar bodies: does any coordinate lie in the plane? */
static void check_plane(const lint *l, int32_t j)
{
    const tn_joint_type_info *info = tn_model_joint_info(l->model, (tn_joint){j});
    const tn_model_joint *joint = &l->model->joints[j];
    bool moves_along = joint->kept_count == 0 || info->coordinate_count == 0;
    for (int32_t k = 0; k < info->coordinate_count; k++) {
        moves_along |= tn_model_has_motion(joint, k);
    }
    if (!moves_along) {
        tn_diagnostics_add(l->diags, TN_WARNING, TN_OK, tn_spec_joint(l->spec, (tn_joint){j})->at,
                           "z of its frame D points out of the plane: axis: [1, 0] lays it down",
                           "joint '%s' (%s) moves along nothing in the plane",
                           tn_model_joint_name(l->model, (tn_joint){j}), info->name);
    }
}

/* beams ------------------------------------------------------------------------------------------
 */

/* rad/s: the fastest vibration of a row that yields without damping; 0: there is none. */
static double undamped_rate(const tn_model_joint *joint)
{
    double fastest = 0.0;
    for (int32_t n = 0; n < joint->kept_bilateral; n++) {
        const int32_t k = joint->kept[n];
        if (joint->compliance[k] > 0.0 && joint->damping[k] <= 0.0)
            fastest = fmax(fastest, sqrt(joint->row_scale[k] / joint->compliance[k]));
    }
    return fastest;
}

/* The elements of one beam were written at one place. */
static bool is_of_the_last_beam(const lint *l, int32_t j)
{
    const tn_location *at = &tn_spec_joint(l->spec, (tn_joint){j})->at;
    const tn_location *last = j > 0 ? &tn_spec_joint(l->spec, (tn_joint){j - 1})->at : NULL;
    return last != NULL && at->line > 0 && at->line == last->line && at->column == last->column;
}

/* Characters of a beam's name: those before the index of its element. */
static int name_length(const char *element)
{
    const char *bracket = strrchr(element, '[');
    return (int)(bracket ? (size_t)(bracket - element) : strlen(element));
}

/* Methods with an accuracy follow vibrations that nothing damps, however small. */
static void check_damping(const lint *l, int32_t j)
{
    const tn_joint_def *def = tn_spec_joint(l->spec, (tn_joint){j});
    const double rate = undamped_rate(&l->model->joints[j]);
    const double turned = rate * tn_spec_simulation(l->spec)->duration;
    if (l->sim->traits.divides_steps && turned > MOST_TURNED) {
        tn_diagnostics_add(l->diags, TN_WARNING, TN_OK, def->at,
                           "damping: 1 ms, or integrator: generalized_alpha with a step",
                           "nothing damps the beam '%.*s', which vibrates with up to %.2g Hz: "
                           "a run with an accuracy takes long",
                           name_length(def->name), def->name, rate / (2.0 * TN_PI));
    }
}

/* Has it a hard or soft row against a rotation? */
static bool holds_rotation(const tn_model_joint *joint)
{
    bool holds = false;
    for (int32_t n = 0; n < joint->kept_bilateral && !joint->disabled; n++) {
        holds |= joint->geometry.cls->info.rows[joint->kept[n]].flags & TN_ROW_ROTARY;
    }
    return holds;
}

/* Is the body at rest, or held by a joint other than this one? */
static bool is_held_beside(const lint *l, int32_t body, int32_t j)
{
    bool held = body < 0 || !moves(l, body);
    for (int32_t k = 0; k < tn_spec_joint_count(l->spec) && !held; k++) {
        held = k != j && (l->model->joints[k].a == body || l->model->joints[k].b == body);
    }
    return held;
}

/* Do joints other than elements first .. behind - 1 hold rotations of a node, by a body that does not just hang on it? */
static bool is_clamped(const lint *l, int32_t node, int32_t first, int32_t behind)
{
    bool clamped = false;
    for (int32_t k = 0; k < tn_spec_joint_count(l->spec) && !clamped; k++) {
        const tn_model_joint *joint = &l->model->joints[k];
        const bool at_node = joint->a == node || joint->b == node;
        clamped = at_node && (k < first || k >= behind) && holds_rotation(joint) &&
                  is_held_beside(l, joint->a == node ? joint->b : joint->a, k);
    }
    return clamped;
}

/* An element bends evenly: between ends that may not turn it needs others. */
static void check_elements(const lint *l, int32_t j)
{
    const tn_joint_def *def = tn_spec_joint(l->spec, (tn_joint){j});
    int32_t behind = j + 1;
    while (behind < tn_spec_joint_count(l->spec) && is_of_the_last_beam(l, behind)) {
        behind++;
    }
    const int32_t count = behind - j;
    if (count < FEWEST_ELEMENTS && is_clamped(l, l->model->joints[j].b, j, behind) &&
        is_clamped(l, l->model->joints[behind - 1].a, j, behind)) {
        tn_diagnostics_add(l->diags, TN_WARNING, TN_OK, def->at,
                           "elements: 8, or more: the error falls with their square",
                           "the beam '%.*s' has %d element%s between held ends: its deflections "
                           "may be up to %.0f %% too small",
                           name_length(def->name), def->name, (int)count, count == 1 ? "" : "s",
                           fmin(100.0, 400.0 / (count * count)));
    }
}

static void check_beam(const lint *l, int32_t j)
{
    if (l->model->joints[j].geometry.cls->errors && !is_of_the_last_beam(l, j)) {
        check_damping(l, j);
        check_elements(l, j);
    }
}

/* markers ----------------------------------------------------------------------------------------
 */

static bool is_recorded(const lint *l, int32_t marker)
{
    const tn_record_def *def = tn_spec_record(l->spec);
    bool listed = def->marker_count < 0;
    for (int32_t i = 0; i < def->marker_count; i++) {
        listed |= def->markers[i].i == marker;
    }
    return listed && (def->what & TN_RECORD_MARKERS) != 0;
}

static bool is_used(const lint *l, int32_t marker)
{
    bool used = is_recorded(l, marker);
    for (int32_t k = 0; k < tn_spec_load_count(l->spec) && !used; k++) {
        const tn_load_def *def = tn_spec_load(l->spec, (tn_load){k});
        used = def->markers[0].i == marker || def->markers[1].i == marker;
    }
    for (int32_t k = 0; k < tn_spec_measure_count(l->spec) && !used; k++) {
        const tn_measure_def *def = tn_spec_measure(l->spec, (tn_measure_id){k});
        used = def->markers[0].i == marker || def->markers[1].i == marker || def->about.i == marker;
    }
    return used;
}

/* Was it made together with its body, as the ends of beams are? */
static bool came_with_its_body(const lint *l, const tn_marker_def *def)
{
    const tn_body_def *body = def->body.i >= 0 ? tn_spec_body(l->spec, def->body) : NULL;
    return body != NULL && def->at.line > 0 && def->at.line == body->at.line &&
           def->at.column == body->at.column;
}

/* Nothing acts at it or is measured of it, and it is not recorded either. */
static void check_marker(const lint *l, int32_t marker)
{
    const tn_marker_def *def = tn_spec_marker(l->spec, (tn_marker){marker});
    if (!is_used(l, marker) && !came_with_its_body(l, def) &&
        !tn_spec_is_removed(l->spec, TN_SECTION_MARKER, marker)) {
        tn_diagnostics_add(l->diags, TN_WARNING, TN_OK, def->at,
                           "record: {markers: [...]}, or 'markers' in 'what'",
                           "nothing uses or records the marker '%s'", def->name);
    }
}

/* reading ----------------------------------------------------------------------------------------
 */

static void pass_remarks(const lint *l)
{
    for (int32_t i = 0; i < tn_spec_parameter_count(l->spec); i++) {
        const tn_parameter *p = tn_spec_parameter(l->spec, i);
        if (!p->used) {
            tn_diagnostics_add(l->diags, TN_WARNING, TN_OK, p->at, NULL,
                               "nothing uses the parameter '%s'", p->name);
        }
    }
    for (int32_t i = 0; i < tn_diagnostics_count(l->spec->remarks); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(l->spec->remarks, i);
        tn_diagnostics_add(l->diags, TN_WARNING, TN_OK, d->at, d->hint, "%s", d->message);
    }
}

/* Has the model what is described? A description that went on, or another one, has other items. */
static bool is_described(const tn_model *model, const tn_spec *spec)
{
    const tn_model_size size = tn_model_get_size(model);
    bool same = size.bodies == tn_spec_body_count(spec) &&
                size.joints == tn_spec_joint_count(spec) &&
                size.markers == tn_spec_marker_count(spec) &&
                size.couplings == tn_spec_coupling_count(spec) &&
                tn_model_load_count(model) == tn_spec_load_count(spec) &&
                tn_model_measure_count(model) == tn_spec_measure_count(spec);
    for (int32_t i = 0; i < size.bodies && same; i++) {
        same =
            tn_model_has_body(model, (tn_body){i}) != tn_spec_is_removed(spec, TN_SECTION_BODY, i);
    }
    for (int32_t j = 0; j < size.joints && same; j++) {
        same = tn_model_has_joint(model, (tn_joint){j}) !=
               tn_spec_is_removed(spec, TN_SECTION_JOINT, j);
    }
    for (int32_t c = 0; c < size.couplings && same; c++) {
        same = tn_model_has_coupling(model, (tn_coupling){c}) !=
               tn_spec_is_removed(spec, TN_SECTION_COUPLING, c);
    }
    return same;
}

tn_status tn_sim_lint(const tn_sim *sim, const tn_spec *spec, tn_diagnostics *diags)
{
    TN_DEMAND(sim && spec, TN_ERROR_ARGUMENT);
    if (!is_described(tn_sim_model(sim), spec)) {
        return TN_ERROR_ARGUMENT;
    }
    const lint l = {sim, tn_sim_model(sim), spec, diags};
    pass_remarks(&l);
    check_span(&l, mass_of, MASS_SPAN, "masses", "kg");
    check_span(&l, gyration, SIZE_SPAN, "radii of gyration", "m");
    check_unit(&l);
    check_held(&l);
    for (int32_t j = 0; j < tn_spec_joint_count(spec); j++) {
        if (tn_spec_is_removed(spec, TN_SECTION_JOINT, j)) {
            continue;
        }
        check_far(&l, j);
        check_plane(&l, j);
        check_twice(&l, j);
        check_limits(&l, j);
        check_beam(&l, j);
    }
    for (int32_t m = 0; m < tn_spec_marker_count(spec); m++) {
        check_marker(&l, m);
    }
    tn_lint_solids(spec, diags);
    tn_lint_acts(sim, spec, diags);
    return TN_OK;
}
