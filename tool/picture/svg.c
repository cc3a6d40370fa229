/* svg.c: writes a picture as SVG 1.1: white background, faces, what bodies hide of the joints
 * faintly, lines, texts, a scale bar and the directions of the world.
 *
 * Lengths in the file are pixels with two digits, so that equal pictures are equal files.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "picture/labels.h"
#include "math/m3.h"
#include "picture/picture.h"

#define CONTENT_WIDTH  720.0 /* pixels, largest size of what is drawn */
#define CONTENT_HEIGHT 500.0
#define LEAST_WIDTH    380.0 /* of the whole picture */
#define MARGIN         46.0
#define HEADER         34.0
#define FOOTER         40.0
#define FONT           13.0
#define TRIAD          26.0 /* length of the world's axes */
#define BAR_SHARE      0.22 /* longest scale bar, as a share of the width */
#define LEAST_EXTENT   1e-9 /* m: a picture of one point is not magnified beyond this */

/* From metres in the view to pixels. */
typedef struct frame {
    double scale;         /* pixels by m */
    double left, top;     /* m, of the content */
    double x0, y0;        /* pixels, where that is */
    double width, height; /* pixels, of the picture */
} frame;

static double px(const frame *f, tn_vec3 p)
{
    return f->x0 + (p.x - f->left) * f->scale;
}

static double py(const frame *f, tn_vec3 p)
{
    return f->y0 + (f->top - p.y) * f->scale;
}

/* framing -------------------------------------------------------------------------------------- */

typedef struct bounds {
    double x0, x1, y0, y1;
} bounds;

static void include(bounds *b, tn_vec3 p)
{
    b->x0 = fmin(b->x0, p.x);
    b->x1 = fmax(b->x1, p.x);
    b->y0 = fmin(b->y0, p.y);
    b->y1 = fmax(b->y1, p.y);
}

static frame make_frame(const picture *pic)
{
    bounds b = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int32_t i = 0; i < pic->corner_count; i++)
        include(&b, pic->corners[i].p);
    for (int32_t i = 0; i < pic->point_count; i++)
        include(&b, pic->points[i]);
    for (int32_t i = 0; i < pic->text_count; i++)
        include(&b, pic->texts[i].p);
    if (b.x0 > b.x1)
        b = (bounds){-0.5, 0.5, -0.5, 0.5};
    const double w = fmax(b.x1 - b.x0, LEAST_EXTENT), h = fmax(b.y1 - b.y0, LEAST_EXTENT);
    frame f = {.scale = fmin(CONTENT_WIDTH / w, CONTENT_HEIGHT / h), .left = b.x0, .top = b.y1};
    f.width = fmax(LEAST_WIDTH, f.scale * w + 2.0 * MARGIN);
    f.height = f.scale * h + 2.0 * MARGIN + HEADER + FOOTER;
    f.x0 = 0.5 * (f.width - f.scale * w);
    f.y0 = HEADER + MARGIN;
    return f;
}

/* parts ---------------------------------------------------------------------------------------- */

static void write_color(FILE *out, const char *attribute, tn_vec3 color)
{
    const double parts[3] = {color.x, color.y, color.z};
    fprintf(out, " %s=\"#", attribute);
    for (int i = 0; i < 3; i++)
        fprintf(out, "%02x", (unsigned)lround(255.0 * fmin(fmax(parts[i], 0.0), 1.0)));
    fputc('"', out);
}

static void write_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        const char *entity = c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : NULL;
        if (entity) {
            fputs(entity, out);
        } else {
            fputc(c < 0x20 || c == 0x7f ? ' ' : c, out); /* no control characters in XML */
        }
    }
}

static void write_point(FILE *out, char command, double x, double y)
{
    fprintf(out, "%c%.2f %.2f", command, x, y);
}

static void write_face(FILE *out, const frame *f, const picture *pic, const picture_face *face)
{
    const picture_corner *c = pic->corners + face->first;
    if (face->count > 2) {
        fputs("<path", out);
        write_color(out, "fill", face->color);
        if (face->opacity < 1.0) {
            fprintf(out, " fill-opacity=\"%.2f\" shape-rendering=\"crispEdges\"", face->opacity);
        } else {
            write_color(out, "stroke", face->color);
        } /* closes the gaps between neighbours, which
                                                         crisp edges do for transparent ones */
        fputs(" d=\"", out);
        for (int32_t i = 0; i < face->count; i++)
            write_point(out, i == 0 ? 'M' : 'L', px(f, c[i].p), py(f, c[i].p));
        fputs("Z\"/>\n", out);
    }
    int any = 0;
    for (int32_t i = 0; i < face->count; i++) {
        if (!c[i].edge)
            continue;
        if (!any++) {
            fputs("<path class=\"e\"", out);
            write_color(out, "stroke", v3_scale(0.52, face->color));
            fputs(" d=\"", out);
        }
        const picture_corner *next = &c[(i + 1) % face->count];
        write_point(out, 'M', px(f, c[i].p), py(f, c[i].p));
        write_point(out, 'L', px(f, next->p), py(f, next->p));
    }
    if (any)
        fputs("\"/>\n", out);
}

/* What belongs to joints once more over everything, faintly: where a body hides it, it shows
 * through. */
static void write_faces(FILE *out, const frame *f, const picture *pic)
{
    fputs("<g class=\"faces\">\n", out);
    for (int32_t i = 0; i < pic->order_count; i++)
        write_face(out, f, pic, &pic->faces[pic->order[i]]);
    fputs("</g>\n<g class=\"faces\" opacity=\"0.35\">\n", out);
    for (int32_t i = 0; i < pic->order_count; i++) {
        if (pic->faces[pic->order[i]].of_joint)
            write_face(out, f, pic, &pic->faces[pic->order[i]]);
    }
    fputs("</g>\n", out);
}

#define HEAD_LENGTH 9.0 /* pixels, of an arrow */
#define HEAD_WIDTH  3.2

static void write_head(FILE *out, double x0, double y0, double x1, double y1, tn_vec3 color)
{
    const double length = hypot(x1 - x0, y1 - y0);
    if (length < 0.5 * HEAD_LENGTH) { /* towards the viewer or away */
        fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\"", x1, y1);
    } else {
        const double ux = (x1 - x0) / length, uy = (y1 - y0) / length;
        fputs("<path d=\"", out);
        write_point(out, 'M', x1 + 2.0 * ux, y1 + 2.0 * uy);
        write_point(out, 'L', x1 - HEAD_LENGTH * ux - HEAD_WIDTH * uy,
                    y1 - HEAD_LENGTH * uy + HEAD_WIDTH * ux);
        write_point(out, 'L', x1 - HEAD_LENGTH * ux + HEAD_WIDTH * uy,
                    y1 - HEAD_LENGTH * uy - HEAD_WIDTH * ux);
        fputs("Z\"", out);
    }
    write_color(out, "fill", color);
    fputs("/>\n", out);
}

/* Width in pixels by what a line means. */
static double stroke_width(tn_draw_role role)
{
    static const double widths[TN_ROLE_COUNT] = {
        [TN_ROLE_BODY] = 5.0,   [TN_ROLE_FIXED] = 5.0,  [TN_ROLE_AXIS_X] = 1.6,
        [TN_ROLE_AXIS_Y] = 1.6, [TN_ROLE_AXIS_Z] = 1.6, [TN_ROLE_LIMIT] = 1.6,
        [TN_ROLE_VALUE] = 2.2,
    };
    return widths[role] > 0.0 ? widths[role] : 1.2;
}

static void write_path(FILE *out, const frame *f, const tn_vec3 *p, int32_t count, int closed)
{
    fputs(" d=\"", out);
    for (int32_t i = 0; i < count; i++)
        write_point(out, i == 0 ? 'M' : 'L', px(f, p[i]), py(f, p[i]));
    fputs(closed ? "Z\"/>\n" : "\"/>\n", out);
}

static void write_stroke(FILE *out, const frame *f, const picture *pic, const picture_stroke *s)
{
    const tn_vec3 *p = pic->points + s->first;
    int32_t count = s->count;
    if (s->sector) {
        fputs("<path fill-opacity=\"0.14\"", out);
        write_color(out, "fill", s->color);
        write_path(out, f, p, count, 1);
        p++;
        count--;
    }
    fprintf(out, "<path fill=\"none\" stroke-width=\"%.1f\"", stroke_width(s->role));
    write_color(out, "stroke", s->color);
    write_path(out, f, p, count, s->closed);
    if (s->arrow && count > 1) {
        write_head(out, px(f, p[count - 2]), py(f, p[count - 2]), px(f, p[count - 1]),
                   py(f, p[count - 1]), s->color);
    }
}

/* Bodies that are mere lines lie under everything, the other lines on top. */
static void write_strokes(FILE *out, const frame *f, const picture *pic, int bodies)
{
    fputs("<g class=\"lines\">\n", out);
    for (int32_t i = 0; i < pic->stroke_count; i++) {
        const tn_draw_role role = pic->strokes[i].role;
        if ((role == TN_ROLE_BODY || role == TN_ROLE_FIXED) == bodies)
            write_stroke(out, f, pic, &pic->strokes[i]);
    }
    fputs("</g>\n", out);
}

/* texts ---------------------------------------------------------------------------------------- */

static void write_text(FILE *out, double x, double y, const char *style, const char *text)
{
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\"%s>", x, y, style);
    write_escaped(out, text);
    fputs("</text>\n", out);
}

static void write_labels(FILE *out, const frame *f, const picture *pic)
{
    label *labels = TN_NEW_ARRAY(label, pic->text_count);
    if (labels == NULL)
        return; /* a picture without names is still a picture */
    for (int32_t i = 0; i < pic->text_count; i++) {
        const picture_text *t = &pic->texts[i];
        labels[i] = (label){px(f, t->p),
                            py(f, t->p),
                            tool_text_width(t->text, FONT),
                            FONT,
                            t->of_value,
                            t->text,
                            0};
    }
    tool_place_labels(labels, pic->text_count, f->width, f->height - FOOTER);
    for (int32_t i = 0; i < pic->text_count; i++) {
        if (labels[i].shown) {
            write_text(out, labels[i].x, labels[i].y,
                       labels[i].of_value ? " class=\"label value\"" : " class=\"label\"",
                       labels[i].text);
        }
    }
    tn_free(labels);
}

/* 1, 2 or 5 times a power of ten, at most `most` metres. */
static double round_length(double most)
{
    const double decade = pow(10.0, floor(log10(most)));
    const double rest = most / decade;
    return decade * (rest >= 5.0 ? 5.0 : rest >= 2.0 ? 2.0 : 1.0);
}

static void write_scale_bar(FILE *out, const frame *f)
{
    static const struct {
        double metres;
        const char *name;
    } units[] = {{1000.0, "km"}, {1.0, "m"}, {1e-3, "mm"}, {1e-6, "\xc2\xb5m"}};
    const double length = round_length(BAR_SHARE * f->width / f->scale);
    size_t u = 0;
    while (u + 1 < TN_COUNT_OF(units) && length < 0.0999 * units[u].metres)
        u++;
    char text[64];
    snprintf(text, sizeof text, "%.4g %s", length / units[u].metres, units[u].name);
    const double x = 20.0, y = f->height - 20.0, w = length * f->scale;
    fprintf(out, "<path class=\"bar\" d=\"M%.2f %.2fV%.2fH%.2fV%.2f\"/>\n", x, y - 5.0, y, x + w,
            y - 5.0);
    write_text(out, x + w + 8.0, y, " class=\"small\"", text);
}

static void write_triad(FILE *out, const frame *f, const picture_view *view)
{
    static const char *const names[] = {"x", "y", "z"};
    static const tn_draw_role roles[] = {TN_ROLE_AXIS_X, TN_ROLE_AXIS_Y, TN_ROLE_AXIS_Z};
    static const tn_vec3 colors[] = {{0.85, 0.15, 0.15}, {0.10, 0.60, 0.20}, {0.15, 0.35, 0.85}};
    const double right[3] = {view->right.x, view->right.y, view->right.z};
    const double up[3] = {view->up.x, view->up.y, view->up.z};
    const double x = f->width - 52.0, y = f->height - 36.0;
    for (int i = 0; i < 3; i++) {
        const double dx = TRIAD * right[i], dy = -TRIAD * up[i];
        fprintf(out, "<path fill=\"none\" stroke-width=\"%.1f\"", stroke_width(roles[i]));
        write_color(out, "stroke", colors[i]);
        fputs(" d=\"", out);
        write_point(out, 'M', x, y);
        write_point(out, 'L', x + dx, y + dy);
        fputs("\"/>\n", out);
        write_head(out, x, y, x + dx, y + dy, colors[i]);
        const double length = hypot(dx, dy);
        if (length > 0.3 * TRIAD) { /* an axis towards the viewer has no room for its name */
            write_text(out, x + dx * (1.0 + 11.0 / length) - 3.5,
                       y + dy * (1.0 + 11.0 / length) + 4.0, " class=\"small\"", names[i]);
        }
    }
}

/* ---------------------------------------------------------------------------------------------- */

static void write_head_of_file(FILE *out, const frame *f)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.2f %.2f\">\n"
            "<style>\n"
            "text{font-family:'DejaVu Sans',Verdana,Helvetica,sans-serif;font-size:%.0fpx;"
            "fill:#22242a}\n"
            ".label{paint-order:stroke;stroke:#fff;stroke-width:3.5px;stroke-opacity:.85;"
            "stroke-linejoin:round}\n"
            ".value{fill:#a11350;font-size:12px}\n"
            ".small{font-size:12px;fill:#50555e}\n"
            ".title{font-size:15px;font-weight:600}\n"
            ".faces{stroke-width:.6px;stroke-linejoin:round;stroke-linecap:round}\n"
            ".e{fill:none;stroke-width:1.1px}\n"
            ".bar{fill:none;stroke:#50555e;stroke-width:1.5px}\n"
            ".lines{stroke-linejoin:round;stroke-linecap:round}\n"
            "</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            f->width, f->height, f->width, f->height, FONT);
}

void picture_write_svg(const picture *pic, const char *title, const char *note, FILE *stream)
{
    const frame f = make_frame(pic);
    write_head_of_file(stream, &f);
    write_text(stream, 20.0, 27.0, " class=\"title\"", title);
    if (note[0] != '\0')
        write_text(stream, 20.0, 45.0, " class=\"small\"", note);
    write_strokes(stream, &f, pic, 1);
    write_faces(stream, &f, pic);
    write_strokes(stream, &f, pic, 0);
    write_labels(stream, &f, pic);
    write_scale_bar(stream, &f);
    write_triad(stream, &f, &pic->view);
    fputs("</svg>\n", stream);
}
