/* page.h: room web: the one model of a page and what its files share.
 *
 * The page's worker (web/engine.ts) calls the functions marked PAGE_EXPORT. Texts and arrays they
 * answer lie in the module's memory until the next call that makes one of the same kind. Everything
 * comes from Tenon's public headers; JSON is written by the tool's writer.
 */
#ifndef TN_WEB_PAGE_H
#define TN_WEB_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "json.h"
#include "tenon/io.h"
#include "tenon/record.h"
#include "tenon/tenon.h"

#define PAGE_EXPORT(name) __attribute__((export_name(#name))) name

/* The settings of a coordinate that a simulation does not hand back: what acts along it. */
typedef tn_drive_def page_drive;

/* Of the equations that page_equations gives: J, M, K, b; web/src/engine.ts has the same numbers. */
typedef enum page_part {
    PAGE_PART_JACOBIAN,
    PAGE_PART_MASS,
    PAGE_PART_EFFECTIVE,
    PAGE_PART_RHS
} page_part;

typedef struct page {
    tn_diagnostics *diags;
    tn_spec *spec;
    tn_model *model;
    tn_sim *sim;
    tn_recorder *recorder;
    tn_model_size size;
    page_drive *drives; /* [joints + couplings][TN_MAX_COORDINATES] */
    double *held;       /* [couplings] values at the start */
    char *text;         /* the last JSON or other text */
    size_t text_size;
    tn_step_report step;
} page;

extern page the_page;

/* All joints, couplings behind them. */
static inline int32_t page_joint_count(void)
{
    return the_page.size.joints + the_page.size.couplings;
}

static inline tn_joint page_joint(int32_t i)
{
    const int32_t coupling = i - the_page.size.joints;
    return coupling < 0 ? (tn_joint){i} : tn_coupling_as_joint((tn_coupling){coupling});
}

/* The other way round. */
static inline int32_t page_joint_index(tn_joint joint)
{
    return joint.i < TN_COUPLING_JOINTS ? joint.i
                                        : the_page.size.joints + joint.i - TN_COUPLING_JOINTS;
}

static inline tn_body page_body(int32_t i)
{
    return (tn_body){i};
}

/* run.c: the origin of a joint's frame C, in the world. */
void page_joint_place(int32_t joint, double *out);

#define PAGE_MOST_SETTINGS 64

/* load.c: settings as the page hands them over: count times a name and a value, one text behind the other.
 * out: [PAGE_MOST_SETTINGS]; false: there are more. */
bool page_list_settings(const char *texts, int32_t count, tn_setting *out);

/* pull.c */
void page_pull(int body, double px, double py, double pz, double x, double y, double z);

/* A stream into the_page.text; page_text_end closes it and answers the text. NULL: no memory. */
FILE *page_text_begin(void);
const char *page_text_end(FILE *stream);

#endif
