/* validate_plane.c: does what must lie in the plane lie in it?
 *
 * Room spec/validate. Of a planar body, in either kind of world, rotation and velocity; in a planar world
 * also gravity, where its origin and centre of mass are and where joints and markers of planar
 * bodies stand. What is not planar may be anywhere.
 */
#include <math.h>

#include "spec/validate/check.h"

static bool is_planar_world(const tn_check *check)
{
    return check->spec->world.kind == TN_WORLD_PLANAR;
}

/* A vector of an item in the plane; the key must be that of model files. */
static void check_flat(tn_check *check, const char *key, tn_vec3 value, const char *label)
{
    if (value.z != 0.0 && isfinite(value.z) && !tn_check_is_bad(check, key)) {
        tn_complain(check, key, TN_WHOLE_FIELD,
                    "leave the third number out, or take bodies of another kind",
                    "%s must lie in the plane: its z must be 0, is %g", label, value.z);
    }
}

/* Ground and fixed bodies are part of the plane too. */
static bool is_flat(const tn_check *check, tn_body body)
{
    if (body.i < 0 || body.i >= check->spec->body_count) {
        return body.i == TN_GROUND_INDEX;
    }
    const tn_body_kind kind = check->spec->bodies[body.i].def.kind;
    return tn_kind_is_flat(tn_built_kind(&check->spec->world, kind)) || kind == TN_BODY_FIXED;
}

void tn_check_plane_of_world(tn_check *check, const tn_world_def *def)
{
    if (def->kind == TN_WORLD_PLANAR) {
        check_flat(check, "gravity", def->gravity, "gravity");
    }
}

/* Its orientation is no matter. */
static void check_plane_of_particle(tn_check *check, const tn_body_def *def)
{
    check_flat(check, "velocity", def->velocity.v, "the velocity of a particle in the plane");
    if (is_planar_world(check)) {
        check_flat(check, "position", def->pose.p, "position");
        check_flat(check, "center_of_mass", def->com, "the centre of mass");
    }
}

void tn_check_plane_of_body(tn_check *check, const tn_body_def *def)
{
    if (tn_built_kind(&check->spec->world, def->kind) == TN_BODY_PLANAR_PARTICLE) {
        check_plane_of_particle(check, def);
    }
    if (def->kind != TN_BODY_PLANAR) {
        return;
    }
    if ((def->pose.q.x != 0.0 || def->pose.q.y != 0.0) && !tn_check_is_bad(check, "rotation")) {
        tn_complain(check, "rotation", TN_WHOLE_FIELD, "give an 'angle', or make it 'kind: rigid'",
                    "a planar body turns about z only, its rotation must be about z");
    }
    if (def->velocity.v.z != 0.0 || def->velocity.w.x != 0.0 || def->velocity.w.y != 0.0) {
        tn_complain(check, "velocity", TN_WHOLE_FIELD, "make it 'kind: rigid'",
                    "a planar body moves in x and y and turns about z, its velocity must do so");
    }
    if (is_planar_world(check)) {
        check_flat(check, "position", def->pose.p, "position");
        check_flat(check, "center_of_mass", def->com, "the centre of mass");
    }
}

void tn_check_plane_of_joint(tn_check *check, const tn_joint_def *def)
{
    if (!is_planar_world(check) || !is_flat(check, def->a) || !is_flat(check, def->b)) {
        return;
    }
    const int by_frames =
        def->placement == TN_PLACE_BODY_FRAMES || def->placement == TN_PLACE_WORLD_FRAMES;
    const int in_bodies = def->placement == TN_PLACE_BODY_FRAMES;
    if (def->placement == TN_PLACE_AXIS || def->placement == TN_PLACE_ORIGIN) {
        check_flat(check, "origin", def->origin, "origin");
    } else if (def->placement == TN_PLACE_WORLD_FRAME) {
        check_flat(check, "frame", def->frame_d.p, "the position of frame");
    } else if (by_frames) {
        check_flat(check, in_bodies ? "frame_a" : "frame_c", def->frame_c.p,
                   in_bodies ? "the position of frame_a" : "the position of frame_c");
        check_flat(check, in_bodies ? "frame_b" : "frame_d", def->frame_d.p,
                   in_bodies ? "the position of frame_b" : "the position of frame_d");
    }
}

void tn_check_plane_of_marker(tn_check *check, const tn_marker_def *def)
{
    if (is_planar_world(check) && is_flat(check, def->body)) {
        check_flat(check, "position", def->position, "position");
    }
}
