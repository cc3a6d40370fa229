/* results.c: room web: the redundancy report, as the tool writes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis.h"
#include "page.h"

/* At the present pose, as JSON; NULL: it cannot be said (page_analysis_status). */
const char *PAGE_EXPORT(page_analysis)(int32_t *status)
{
    tn_analysis analysis;
    *status = tn_sim_analyze(the_page.sim, NULL, &analysis);
    if (*status != TN_OK)
        return NULL;
    FILE *stream = page_text_begin();
    if (stream != NULL) {
        tool_json json = tool_json_begin(stream);
        tool_json_open(&json, NULL, '{');
        analysis_write(&json, the_page.model, the_page.sim, &analysis);
        tool_json_close(&json, '}');
    }
    tn_analysis_free(&analysis);
    return stream != NULL ? page_text_end(stream) : NULL;
}

/* One of the arrays of the equations, and how many numbers a row of it has. */
static const double *part_of(const tn_equations *equations, page_part part, int32_t *columns)
{
    *columns = part == PAGE_PART_RHS         ? 1
               : part == PAGE_PART_EFFECTIVE ? equations->rows
                                             : equations->velocities;
    switch (part) {
    case PAGE_PART_MASS:
        return equations->mass;
    case PAGE_PART_EFFECTIVE:
        return equations->effective;
    case PAGE_PART_RHS:
        return equations->rhs;
    default:
        return equations->jacobian;
    }
}

static double *copied(const double *from, size_t count)
{
    double *copy = from != NULL ? malloc(sizeof(double) * (count + 1)) : NULL;
    for (size_t i = 0; copy != NULL && i < count; i++)
        copy[i] = from[i];
    return copy;
}

/* The equations of the active rows of a joint, or of all (-1), row-major: J, M, K = J M^-1 J^T or b = -J u, by part.
 * NULL: none, as K where a body has no inertia. size[2] receives its rows and columns. To be freed with page_free. */
double *PAGE_EXPORT(page_equations)(int joint, int part, int32_t *size)
{
    tn_equations equations;
    size[0] = size[1] = 0;
    const tn_status status =
        tn_sim_equations(the_page.sim, joint < 0 ? (tn_joint){-1} : page_joint(joint), &equations);
    if (status != TN_OK && status != TN_ERROR_SINGULAR)
        return NULL;
    const double *all = part_of(&equations, (page_part)part, &size[1]);
    size[0] = part == PAGE_PART_MASS ? equations.velocities : equations.rows;
    double *copy = copied(all, (size_t)size[0] * (size_t)size[1]);
    tn_equations_free(&equations);
    return copy;
}

/* Of each of these rows its joint and its number there: [rows][2]; NULL: none. */
int32_t *PAGE_EXPORT(page_equation_rows)(int joint, int32_t *count)
{
    tn_equations equations;
    *count = 0;
    const tn_status status =
        tn_sim_equations(the_page.sim, joint < 0 ? (tn_joint){-1} : page_joint(joint), &equations);
    if (status != TN_OK && status != TN_ERROR_SINGULAR)
        return NULL;
    int32_t *rows = malloc(sizeof(int32_t) * (2 * (size_t)equations.rows + 1));
    for (int32_t k = 0; rows != NULL && k < equations.rows; k++) {
        rows[2 * k] = page_joint_index((tn_joint){equations.row_joint[k]});
        rows[2 * k + 1] = equations.row_index[k];
    }
    *count = equations.rows;
    tn_equations_free(&equations);
    return rows;
}

static int32_t velocities_of(int32_t b)
{
    switch (tn_model_body_kind(the_page.model, page_body(b))) {
    case TN_BODY_RIGID:
        return 6;
    case TN_BODY_PLANAR:
    case TN_BODY_PARTICLE:
        return 3;
    case TN_BODY_PLANAR_PARTICLE:
        return 2;
    default:
        return 0;
    }
}

/* A row of the Jacobian on a body as a wrench about its centre of mass, world axes. */
static tn_wrench wrench_of(const double *row, int32_t body)
{
    const int32_t count = velocities_of(body);
    for (int32_t b = 0; b < body; b++)
        row += velocities_of(b);
    tn_wrench w = {{row[0], row[1], 0.0}, {0.0, 0.0, 0.0}};
    if (tn_model_body_kind(the_page.model, page_body(body)) == TN_BODY_PLANAR) {
        w.m.z = row[2];
        return w;
    }
    if (count > 2)
        w.f.z = row[2];
    if (count == 6)
        w.m = tn_pose_rotate_vector(tn_sim_body_pose(the_page.sim, page_body(body)),
                                    (tn_vec3){row[3], row[4], row[5]});
    return w;
}

/* What a row of a joint pushes its body A along, or turns it about where it pushes nowhere, as a row
 * of page_wrenches: of size 1. A tn_status. */
int PAGE_EXPORT(page_row_direction)(int joint, int row, double *out)
{
    tn_equations equations;
    const tn_status status = tn_sim_equations(the_page.sim, page_joint(joint), &equations);
    if (status != TN_OK && status != TN_ERROR_SINGULAR)
        return status;
    tn_body a, b;
    tn_model_joint_bodies(the_page.model, page_joint(joint), &a, &b);
    const bool of_a = a.i >= 0 && velocities_of(a.i) > 0;
    int found = TN_ERROR_NOT_FOUND;
    memset(out, 0, 9 * sizeof *out);
    for (int32_t k = 0; k < equations.rows; k++) {
        if (equations.row_index[k] != row || (!of_a && b.i < 0))
            continue;
        const tn_wrench w = wrench_of(equations.jacobian + (size_t)k * (size_t)equations.velocities,
                                      of_a ? a.i : b.i);
        const double push = sqrt(w.f.x * w.f.x + w.f.y * w.f.y + w.f.z * w.f.z);
        const double turn = sqrt(w.m.x * w.m.x + w.m.y * w.m.y + w.m.z * w.m.z);
        const bool pushes = push > 1e-9 * turn; /* m, and more than rounding */
        const tn_vec3 v = pushes ? w.f : w.m;
        const double scale = (of_a ? 1.0 : -1.0) / fmax(pushes ? push : turn, 1e-300);
        double *place = out + (pushes ? 3 : 6);
        place[0] = scale * v.x;
        place[1] = scale * v.y;
        place[2] = scale * v.z;
        found = TN_OK;
    }
    tn_equations_free(&equations);
    page_joint_place(joint, out);
    return found;
}
