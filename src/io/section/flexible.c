/* flexible.c: flexible bodies: from an entry of their section to bodies, joints and markers of the spec.
 *
 * Room io/section. What cannot be a beam is reported at the key that says so; nothing is added then.
 */
#include <math.h>
#include <string.h>

#include "io/field/flexible_io.h"
#include "io/reader/frame.h"
#include "io/section/sections.h"

static const tn_vec3 unset = {(double)NAN, (double)NAN, (double)NAN};

static tn_flexible_form empty_form(void)
{
    const double none = (double)NAN, rigid = (double)INFINITY;
    tn_flexible_form form = {.damping = none};
    form.beam = (tn_beam_form){.from = unset, .to = unset, .up = unset};
    form.beam.arc = (tn_arc_form){.center = {0.0, 0.0, 0.0}, .axis = unset, .radius = none};
    form.section = (tn_section_form){{none, none}, none, {none, none}, {0}};
    form.section.given = (tn_beam_section){rigid, {rigid, rigid}, rigid,     {none, none},
                                           none,  {none, none},   {0.0, 0.0}};
    form.solid.scale = none;
    form.solid.pose = tn_pose_identity();
    form.material = (tn_material){none, none, none, none, 0, none};
    return form;
}

/* The value of a key in a mapping that was read; the mapping itself where it is not there. */
static int32_t value_of(const tn_reader *reader, int32_t mapping, const char *name)
{
    const int32_t key = tn_find_key(reader, mapping, name);
    return key != TN_NO_NODE ? tn_get(reader, key)->next : mapping;
}

/* lines --------------------------------------------------------------------------------------- */

/* In a planar world: does the point under a key lie in the plane? */
static bool is_in_plane(tn_reader *reader, int32_t node, const char *name, tn_vec3 point)
{
    if (!reader->planar || point.z == 0.0) {
        return true;
    }
    tn_problem(reader, value_of(reader, node, name), "leave the third number out",
               "'%s' must lie in the plane: its z must be 0, is %g", name, point.z);
    return false;
}

static void settle_arc(tn_reader *reader, int32_t node, const tn_arc_form *arc, tn_beam_def *def)
{
    const tn_vec3 z = {0.0, 0.0, 1.0}, axis = isnan(arc->axis.x) ? z : arc->axis;
    const bool directed = axis.x != 0.0 || axis.y != 0.0 || axis.z != 0.0;
    const tn_pose plane = {arc->center, tn_quat_from_z_axis(directed ? axis : z)};
    const tn_pose turned = {{0.0, 0.0, 0.0}, tn_quat_from_axis_angle(z, arc->from)};
    const tn_vec3 out = tn_pose_rotate_vector(turned, (tn_vec3){arc->radius, 0.0, 0.0});
    const tn_vec3 start = tn_pose_transform_point(plane, out);
    if (!is_in_plane(reader, node, "center", arc->center)) {
        return;
    }
    if (reader->planar && !isnan(arc->axis.x)) {
        tn_problem(reader, value_of(reader, node, "axis"), "exchange from and to",
                   "arcs of a planar world are about z: leave 'axis' out");
    } else if (!tn_beam_on_arc(def, arc->center, axis, start, arc->to - arc->from)) {
        tn_problem(reader, node, NULL, "%s",
                   arc->to == arc->from ? "the arc has no length" : "the axis has no direction");
    }
}

static void settle_straight(tn_reader *reader, int32_t node, const tn_beam_form *form,
                            tn_beam_def *def)
{
    const bool chosen = !isnan(form->up.x);
    const tn_vec3 up = chosen ? form->up : (tn_vec3){0.0, 0.0, 1.0};
    const tn_vec3 from = form->from, to = form->to;
    if (!is_in_plane(reader, node, "from", from) || !is_in_plane(reader, node, "to", to)) {
        return;
    }
    if (from.x == to.x && from.y == to.y && from.z == to.z) {
        tn_problem(reader, node, NULL, "the beam has no length: 'from' is 'to'");
    } else if (!tn_beam_between(def, from, to, up) &&
               (chosen || !tn_beam_between(def, from, to, (tn_vec3){0.0, 1.0, 0.0}))) {
        tn_problem(reader, value_of(reader, node, "up"), NULL,
                   "'up' must have a direction across the beam");
    }
}

static void settle_line(tn_reader *reader, int32_t node, const tn_beam_form *form, tn_beam_def *def)
{
    const bool arc = !isnan(form->arc.radius), from = !isnan(form->from.x);
    def->elements = form->elements;
    if (reader->planar && !isnan(form->up.x)) {
        tn_problem(reader, value_of(reader, node, "up"), NULL,
                   "z of the sections is across the plane: leave 'up' out");
    } else if (arc && (!isnan(form->to.x) || !isnan(form->up.x))) {
        tn_problem(reader, value_of(reader, node, isnan(form->to.x) ? "up" : "to"), NULL,
                   "an arc has its own from, to and axis");
    } else if (arc) {
        settle_arc(reader, value_of(reader, node, "arc"), &form->arc, def);
    } else if (from && !isnan(form->to.x)) {
        settle_straight(reader, node, form, def);
    } else {
        tn_problem(reader, node, "beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 8}",
                   "a beam needs 'from' and 'to', or an 'arc'");
    }
}

/* sections ------------------------------------------------------------------------------------ */

/* The keys of numbers that only mean something beside EI. */
static const char *const with_numbers[] = {"EA", "GA", "GJ", "mass", "inertia"};

static void refuse_numbers(tn_reader *reader, int32_t node)
{
    for (size_t i = 0; i < TN_COUNT_OF(with_numbers); i++) {
        if (tn_find_key(reader, node, with_numbers[i]) != TN_NO_NODE) {
            tn_problem(reader, value_of(reader, node, with_numbers[i]), NULL,
                       "'%s' is for a section by numbers, with EI: this one has its sides",
                       with_numbers[i]);
        }
    }
}

static void settle_numbers(tn_reader *reader, int32_t value, const tn_flexible_form *form,
                           tn_beam_def *def)
{
    const int32_t node = value_of(reader, value, "section");
    tn_beam_section *s = &def->section;
    *s = form->section.given;
    for (int i = 0; i < 2 && isnan(s->inertia[i]) && isfinite(s->EA); i++) {
        s->inertia[i] = s->mass * s->EI[i] / s->EA;
    }
    if (!isnan(form->material.density)) {
        tn_problem(reader, value_of(reader, value, "material"), NULL,
                   "a section by numbers has no material: leave it out");
    } else if (isnan(s->mass)) {
        tn_problem(reader, node, "mass per length, in kg/m", "the section has no 'mass'");
    } else if (isnan(s->inertia[0])) {
        tn_problem(reader, node, "moments of inertia per length, in kg m",
                   "the section has no 'inertia', and no EA that it would follow from");
    }
}

static void settle_section(tn_reader *reader, int32_t value, const tn_flexible_form *form,
                           tn_beam_def *def)
{
    const tn_section_form *s = &form->section;
    const tn_beam_material m = {form->material.density, form->material.young,
                                form->material.poisson};
    const int32_t node = value_of(reader, value, "section");
    const bool rectangle = !isnan(s->rectangle[0]), circle = !isnan(s->circle);
    if (!isnan(s->given.EI[0])) {
        settle_numbers(reader, value, form, def);
        return;
    }
    if (!rectangle && !circle && isnan(s->tube[0])) {
        tn_problem(reader, node, "section: {rectangle: [20 mm, 10 mm]}",
                   "a section needs 'rectangle', 'circle', 'tube' or 'EI'");
        return;
    }
    refuse_numbers(reader, node);
    if (isnan(m.density)) {
        tn_problem(reader, value, "material: steel", "the section needs a 'material'");
    } else if (!rectangle && !circle && !(s->tube[1] < s->tube[0])) {
        tn_problem(reader, value_of(reader, node, "tube"), "tube: [outer, inner]",
                   "the inner diameter must be less than the outer");
    }
    def->section = rectangle ? tn_rectangle_section(m, s->rectangle[0], s->rectangle[1])
                   : circle  ? tn_tube_section(m, s->circle, 0.0)
                             : tn_tube_section(m, s->tube[0], s->tube[1]);
}

static void settle_rest(tn_reader *reader, const tn_flexible_form *form, tn_beam_def *def)
{
    const double own = form->damping, of_material = form->material.damping;
    const double infinite = (double)INFINITY;
    def->damping = !isnan(own) ? own : isnan(of_material) ? 0.0 : of_material;
    def->kind = reader->planar ? TN_BODY_PLANAR : TN_BODY_RIGID;
    def->section.EA = form->rigid & TN_RIGID_STRETCH ? infinite : def->section.EA;
    def->section.GJ = form->rigid & TN_RIGID_TWIST ? infinite : def->section.GJ;
    for (int i = 0; i < 2 && (form->rigid & TN_RIGID_SHEAR); i++) {
        def->section.GA[i] = infinite;
    }
}

/* names --------------------------------------------------------------------------------------- */

/* What the beam has made is found by its names; they must be new. */
void tn_enter_made_name(tn_reader *reader, int32_t key, tn_section section, const char *what,
                        const char *name, int32_t index)
{
    tn_names *names = &reader->names[section];
    if (tn_names_find(names, name, strlen(name)) != TN_NO_NAME) {
        tn_problem(reader, key, "rename that, or this", "there is a %s '%.100s' already", what,
                   name);
    } else if (tn_names_add(names, name, strlen(name), index) != TN_OK) {
        reader->status = TN_ERROR_MEMORY;
    }
}

static void enter_names(tn_reader *reader, int32_t key, const tn_beam *beam)
{
    const tn_spec *spec = reader->spec;
    for (int32_t i = 0; i <= beam->element_count && reader->status == TN_OK; i++) {
        const tn_body node = {.i = beam->node.i + i};
        tn_enter_made_name(reader, key, TN_SECTION_BODY, "body", tn_spec_body(spec, node)->name,
                           node.i);
    }
    for (int32_t i = 0; i < beam->element_count && reader->status == TN_OK; i++) {
        const tn_joint joint = {.i = beam->element.i + i};
        tn_enter_made_name(reader, key, TN_SECTION_JOINT, "joint", tn_spec_joint(spec, joint)->name,
                           joint.i);
    }
    for (int32_t i = 0; i < 2 && reader->status == TN_OK; i++) {
        const tn_marker marker = {.i = beam->end.i - 1 + i};
        const tn_marker_def *def = tn_spec_marker(spec, marker);
        tn_enter_made_name(reader, key, TN_SECTION_MARKER, "marker", def->name, marker.i);
        tn_enter_made_name(reader, key, TN_SECTION_BODY, "body", def->name, def->body.i);
    }
}

bool tn_has_room_for(tn_reader *reader, int32_t key, int32_t elements)
{
    if (reader->repetition + (int64_t)elements <= TN_MAX_ITEMS) {
        reader->repetition += elements;
        return true;
    }
    tn_problem(reader, key, NULL, "the elements of this model are more than %d", TN_MAX_ITEMS);
    return false;
}

static void take(tn_reader *reader, int32_t key, tn_status status, const tn_beam *made)
{
    reader->status = status != TN_OK ? status : reader->status;
    if (status == TN_OK) {
        enter_names(reader, key, made);
    }
}

/* cables -------------------------------------------------------------------------------------- */

/* What only beams have; false: a section of a cable has it. */
static bool refuse_bending(tn_reader *reader, int32_t node)
{
    static const char *const of_beams[] = {"EI", "GA", "GJ", "inertia"};
    bool without = true;
    for (size_t i = 0; i < TN_COUNT_OF(of_beams) && without; i++) {
        without = tn_find_key(reader, node, of_beams[i]) == TN_NO_NODE;
        if (!without) {
            tn_problem(reader, value_of(reader, node, of_beams[i]), NULL,
                       "a cable has no stiffness but along itself: leave '%s' out", of_beams[i]);
        }
    }
    return without;
}

/* Sections of cables by numbers have a mass, and EA where they stretch. */
static void settle_cable_section(tn_reader *reader, int32_t value, const tn_flexible_form *form,
                                 tn_cable_def *def)
{
    const tn_section_form *s = &form->section;
    const int32_t node = value_of(reader, value, "section");
    const bool by_sides = !isnan(s->rectangle[0]) || !isnan(s->circle) || !isnan(s->tube[0]);
    tn_beam_def beam = tn_default_beam_def();
    beam.section = s->given;
    if (!refuse_bending(reader, node)) {
        return;
    }
    if (by_sides) {
        settle_section(reader, value, form, &beam);
    } else if (isnan(s->given.mass)) {
        tn_problem(reader, node, "section: {circle: 5 mm}, or {EA: 1e5, mass: 0.2}",
                   "a section of a cable needs 'rectangle', 'circle', 'tube' or 'mass'");
    }
    def->EA = form->rigid & TN_RIGID_STRETCH ? (double)INFINITY : beam.section.EA;
    def->mass = beam.section.mass;
    def->diameter = beam.section.size[0];
}

/* In the axes of the instance of a part that it stands in. */
static const tn_vec3 *placed_points(tn_reader *reader, const tn_cable_form *form)
{
    tn_vec3 *points = tn_reader_alloc(reader, form->count, sizeof(*points));
    for (int32_t i = 0; i < form->count && points != NULL; i++) {
        points[i] = tn_frame_point(reader, form->points[i]);
    }
    return points;
}

static void settle_cable(tn_reader *reader, int32_t value, const tn_flexible_form *form,
                         tn_cable_def *def)
{
    const double own = form->damping, of_material = form->material.damping;
    def->elements = form->cable.elements;
    def->points = placed_points(reader, &form->cable);
    def->point_count = def->points != NULL ? form->cable.count : 0;
    def->damping = !isnan(own) ? own : isnan(of_material) ? 0.0 : of_material;
    if (reader->planar) {
        tn_problem(reader, value_of(reader, value, "cable"), "a beam with a small EI",
                   "a planar world has no cables");
    } else if (form->rigid & ~TN_RIGID_STRETCH) {
        tn_problem(reader, value_of(reader, value, "rigid"), NULL,
                   "a cable has no stiffness but along itself: rigid: [stretch]");
    } else {
        settle_cable_section(reader, value, form, def);
    }
}

/* beams --------------------------------------------------------------------------------------- */

static void settle_beam(tn_reader *reader, int32_t value, const tn_flexible_form *form,
                        tn_beam_def *def)
{
    settle_line(reader, value_of(reader, value, "beam"), &form->beam, def);
    settle_section(reader, value, form, def);
    settle_rest(reader, form, def);
    def->start = tn_frame_pose(reader, def->start);
}

/* In place of what has problems: a beam of as many nodes, so that its names are known. */
static void put_any_beam(const tn_flexible_form *form, tn_beam_def *def)
{
    const int32_t elements = form->cable.elements > 0 ? form->cable.elements : form->beam.elements;
    def->elements = elements >= 1 ? elements : 1;
    def->start = tn_pose_identity();
    def->length = 1.0;
    def->turn = (tn_vec3){0.0, 0.0, 0.0};
    def->section = tn_rectangle_section((tn_beam_material){1.0, 1.0, 0.0}, 1.0, 1.0);
    def->damping = 0.0;
}

/* What is wrong with the whole of it. */
static void report_fault(tn_reader *reader, int32_t key, const char *fault)
{
    if (fault != NULL) {
        tn_problem(reader, key, NULL, "%s", fault);
    }
}

void tn_read_flexible(tn_reader *reader, const tn_item_class *item_class, int32_t key,
                      int32_t value)
{
    tn_saved saved;
    tn_enter(reader, &saved, TN_SECTION_WORLD, 0, item_class->what, reader->item_name);
    tn_flexible_form form = empty_form();
    const int32_t before = reader->problems;
    tn_read_table(reader, item_class->table, value, key, &form);
    if (form.solid.given) {
        tn_read_solid(reader, key, value, &form, reader->problems == before);
        tn_leave(reader, &saved);
        return;
    }
    tn_beam_def def = tn_default_beam_def();
    tn_cable_def cable = tn_default_cable_def();
    tn_beam made;
    const bool is_cable = form.cable.elements > 0;
    def.name = cable.name = reader->name;
    def.at = cable.at = tn_node_location(reader, key);
    if (reader->problems == before && is_cable) {
        settle_cable(reader, value, &form, &cable);
    } else if (reader->problems == before) {
        settle_beam(reader, value, &form, &def);
    }
    if (reader->problems == before && reader->status == TN_OK) {
        report_fault(reader, key, is_cable ? tn_cable_fault(&cable) : tn_beam_fault(&def));
    }
    if (reader->problems != before) {
        put_any_beam(&form, &def);
    }
    if (reader->status == TN_OK &&
        tn_has_room_for(reader, key, is_cable ? cable.elements : def.elements)) {
        take(reader, key,
             is_cable && reader->problems == before ? tn_spec_add_cable(reader->spec, &cable, &made)
                                                    : tn_spec_add_beam(reader->spec, &def, &made),
             &made);
    }
    tn_leave(reader, &saved);
}
