/* results.c: room web: the redundancy report, as the tool writes it. */
#include <stdlib.h>

#include "analysis.h"
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
        analysis_write(&json, the_page.model, &analysis);
        tool_json_close(&json, '}');
    }
    tn_analysis_free(&analysis);
    return stream != NULL ? page_text_end(stream) : NULL;
}

/* The Jacobian of the active rows, row-major [rows][velocities]; NULL: none. size[2] receives rows
 * and velocities. To be freed with page_free. */
double *PAGE_EXPORT(page_jacobian)(int32_t *size)
{
    tn_equations equations;
    const tn_joint all = {-1};
    size[0] = size[1] = 0;
    const tn_status status = tn_sim_equations(the_page.sim, all, &equations);
    if (status != TN_OK && status != TN_ERROR_SINGULAR)
        return NULL;
    size[0] = equations.rows;
    size[1] = equations.velocities;
    const size_t count = (size_t)equations.rows * (size_t)equations.velocities;
    double *jacobian = malloc(sizeof(double) * (count + 1));
    for (size_t i = 0; jacobian != NULL && i < count; i++)
        jacobian[i] = equations.jacobian[i];
    tn_equations_free(&equations);
    return jacobian;
}
