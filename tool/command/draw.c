/* draw.c: `tenon draw MODEL`: a picture of a mechanism, for people without a viewer. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "picture/picture.h"
#include "tenon/record.h"
#include "runs/run.h"
#include "output.h"
#include "tool.h"

enum { SVG, VIEW, TIME, JOINT, VALUES, PLAIN, VTU };

static const tool_option options[] = {
    [SVG] = {"--svg", "FILE", TOOL_TEXT, "write the picture as SVG; - for standard output"},
    [VIEW] = {"--view", "FROM", TOOL_TEXT,
              "x, y, z: along that axis; iso: from the right, front and above\n"
              "(default: z if all that moves is planar, else iso)"},
    [TIME] = {"--time", "SECONDS", TOOL_NOT_NEGATIVE, "simulate that long first"},
    [JOINT] = {"--joint", "NAME", TOOL_TEXT, "only this joint and its two bodies"},
    [VALUES] = {"--values", NULL, TOOL_FLAG,
                "letters at the frames, and the values of all coordinates, not only\n"
                "of those that have a range"},
    [PLAIN] = {"--plain", NULL, TOOL_FLAG,
               "no frames, ranges and names: only what it is made of, in a small\n"
               "file"},
    [VTU] = {"--vtu", "PREFIX", TOOL_TEXT,
             "write each elastic solid, with displacement and stress, as\n"
             "PREFIX.NAME.vtu, for ParaView"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

/* sqrt(1/2), sqrt(1/6), sqrt(1/3): the isometric view looks along (-1, 1, -1). */
#define H 0.70710678118654752440
#define S 0.40824829046386301637
#define T 0.57735026918962576451

static const picture_view views[] = {
    {"iso", {H, H, 0.0}, {-S, S, 2.0 * S}, {T, -T, T}},
    {"x", {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}},
    {"y", {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, -1.0, 0.0}},
    {"z", {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
};

enum { VIEW_COUNT = sizeof views / sizeof views[0], VIEW_ISO = 0, VIEW_Z = 3 };

/* The same with x or y up, chosen where a model has that: axes of the views change places. */
static const picture_view lying[] = {
    [TN_UP_X] = {"iso", {0.0, H, H}, {2.0 * S, -S, S}, {T, T, -T}},
    [TN_UP_Y] = {"iso", {H, 0.0, -H}, {-S, 2.0 * S, -S}, {T, T, T}},
};

static const char *view_at(const void *context, int index)
{
    (void)context;
    return index < VIEW_COUNT ? views[index].name : NULL;
}

static uint32_t choose_parts(const tool_arguments *arguments)
{
    if (arguments->value[PLAIN].given)
        return TN_DRAW_BODIES | TN_DRAW_SHAPES;
    return arguments->value[VALUES].given ? TN_DRAW_ALL : TN_DRAW_ALL & ~(uint32_t)TN_DRAW_VALUES;
}

static const picture_view *iso_view(const tn_model *model)
{
    const tn_up up = tn_model_up(model);
    return up == TN_UP_Z ? &views[VIEW_ISO] : &lying[up];
}

/* A mechanism in the plane is seen from above. */
static const picture_view *default_view(const tn_model *model)
{
    int planar = 0;
    for (int32_t i = 0; i < tn_model_get_size(model).bodies; i++) {
        const tn_body_kind kind = tn_model_body_kind(model, (tn_body){i});
        const bool flat = kind == TN_BODY_PLANAR || kind == TN_BODY_PLANAR_PARTICLE;
        if (!flat && kind != TN_BODY_FIXED)
            return iso_view(model);
        planar += flat;
    }
    return planar > 0 ? &views[VIEW_Z] : iso_view(model);
}

static int choose_view(const char *name, const tn_model *model, picture_view *out)
{
    if (name == NULL) {
        *out = *default_view(model);
        return TOOL_OK;
    }
    for (int i = 0; i < VIEW_COUNT; i++) {
        if (strcmp(views[i].name, name) == 0) {
            *out = i == VIEW_ISO ? *iso_view(model) : views[i];
            return TOOL_OK;
        }
    }
    tool_unknown("view", name, view_at, NULL);
    return TOOL_USAGE;
}

static tn_status collect(const tool_loaded *loaded, tn_joint joint, uint32_t what, picture *pic)
{
    tn_draw_options drawing = tn_default_draw_options();
    drawing.what = what;
    if (joint.i < 0)
        return tn_sim_draw(loaded->sim, &drawing, picture_add, pic);
    tn_body bodies[2];
    tn_model_joint_bodies(loaded->model, joint, &bodies[0], &bodies[1]);
    tn_status status = TN_OK;
    for (int i = 0; i < 2 && status == TN_OK; i++) {
        if (bodies[i].i != TN_GROUND_INDEX)
            status = tn_sim_draw_body(loaded->sim, bodies[i], &drawing, picture_add, pic);
    }
    return status == TN_OK ? tn_sim_draw_joint(loaded->sim, joint, &drawing, picture_add, pic)
                           : status;
}

static int write_picture(const picture *pic, const char *path, const char *title, const char *note)
{
    tool_output out;
    const int code = tool_output_open(path, &out);
    if (code != TOOL_OK)
        return code;
    picture_write_svg(pic, title, note, out.stream);
    return tool_output_close(&out, true, TOOL_OK);
}

/* Every solid into a file of its own. */
static int write_solids(const tool_loaded *loaded, const char *prefix)
{
    const int32_t count = tn_spec_solid_count(loaded->spec);
    if (count == 0) {
        tool_error("--vtu: the model has no elastic solid");
        return TOOL_USAGE;
    }
    for (int32_t s = 0; s < count; s++) {
        char path[1024];
        const char *name = tn_spec_solid_name(loaded->spec, (tn_solid){s});
        const int length = snprintf(path, sizeof path, "%s.%s.vtu", prefix, name);
        const tn_status status = length < (int)sizeof path
                                     ? tn_sim_write_vtu(loaded->sim, (tn_solid){s}, path)
                                     : TN_ERROR_ARGUMENT;
        if (status != TN_OK) {
            tool_error("%s: %s", path, tn_status_text(status));
            return tool_exit_code(status);
        }
    }
    return TOOL_OK;
}

static int draw(const tool_arguments *arguments, tool_loaded *loaded, picture *pic)
{
    tn_joint joint = {-1};
    int code = choose_view(arguments->value[VIEW].text, loaded->model, &pic->view);
    if (code == TOOL_OK)
        code = tool_find_joint(loaded, arguments->value[JOINT].text, &joint);
    if (code == TOOL_OK && arguments->value[TIME].given)
        code = run_advance(loaded, arguments->value[TIME].number);
    if (code == TOOL_OK && arguments->value[VTU].given)
        code = write_solids(loaded, arguments->value[VTU].text);
    if (code != TOOL_OK || !arguments->value[SVG].given)
        return code;
    pic->coarse = arguments->value[PLAIN].given;
    const tn_status status = collect(loaded, joint, choose_parts(arguments), pic);
    if (status == TN_OK)
        picture_sort(pic);
    if (status != TN_OK || pic->status != TN_OK) {
        tool_error("%s: %s", arguments->operand,
                   tn_status_text(status != TN_OK ? status : pic->status));
        return tool_exit_code(status != TN_OK ? status : pic->status);
    }
    char note[64] = "";
    if (arguments->value[TIME].given)
        snprintf(note, sizeof note, "t = %.6g s", tn_sim_time(loaded->sim));
    return write_picture(pic, arguments->value[SVG].text, tool_title(loaded, arguments->operand),
                         note);
}

static int run(const tool_arguments *arguments)
{
    const bool svg = arguments->value[SVG].given;
    if (!svg && !arguments->value[VTU].given) {
        tool_error("draw needs --svg FILE; - for standard output");
        return TOOL_USAGE;
    }
    tool_loaded loaded;
    picture pic = {0};
    int code = tool_load(arguments, NULL, &loaded);
    tool_show_diagnostics(&loaded);
    if (code == TOOL_OK && svg)
        code = tool_refuse_outputs(arguments->operand, loaded.spec, &arguments->value[SVG].text, 1);
    if (code == TOOL_OK && svg)
        code = tool_refuse_ending(options[SVG].name, arguments->value[SVG].text, ".svg", NULL);
    if (code == TOOL_OK)
        code = draw(arguments, &loaded, &pic);
    picture_free(&pic);
    tool_unload(&loaded);
    return code;
}

const tool_command tool_draw = {
    .name = "draw",
    .operand = "MODEL",
    .summary = "draw a mechanism as SVG",
    .details =
        "A parallel projection of the bodies' shapes and of the joints: frames C (arrows) and\n"
        "D (lines), shafts, ranges and values of the coordinates. What bodies hide of the\n"
        "joints shows through. Sizes and colours are properties of the joints in the model.\n",
    .options = options,
    .run = run,
    .reads_model = true,
};
