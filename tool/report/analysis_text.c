/* analysis_text.c: the redundancy analysis in plain sentences. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "report/analysis.h"

/* Longer lists are cut; --json has them whole. */
enum { MOST_NAMES = 8, MOST_LOOPS = 12, MOST_CHANGES = 6 };

const char *const analysis_components[6] = {"fx", "fy", "fz", "mx", "my", "mz"};

static const tn_joint_type_info *type_of(const tn_model *model, tn_joint joint)
{
    return tn_model_joint_info(model, joint);
}

const char *analysis_row_name(const tn_model *model, tn_joint joint, int32_t k)
{
    return type_of(model, joint)->rows[k].name;
}

static bool is_linear(const tn_model *model, const tn_dependent_row *row)
{
    return (type_of(model, row->joint)->rows[row->row].flags & TN_ROW_LINEAR) != 0;
}

static const char *body_name(const tn_model *model, tn_body body)
{
    return body.i < 0 ? "ground" : tn_model_body_name(model, body);
}

/* Prints the k-th item of a list; false once the list is cut. */
static bool print_item(int32_t k, const char *name)
{
    if (k < MOST_NAMES) {
        printf("%s%s", k > 0 ? ", " : "", name);
    } else if (k == MOST_NAMES) {
        printf(", ...");
    }
    return k < MOST_NAMES;
}

static bool is_coupling(tn_joint joint)
{
    return joint.i >= TN_COUPLING_JOINTS;
}

static bool has_coupling(const tn_dependent_row *rows, int32_t count)
{
    for (int32_t r = 0; r < count; r++) {
        if (is_coupling(rows[r].joint))
            return true;
        for (int32_t t = 0; t < rows[r].term_count; t++) {
            if (is_coupling(rows[r].terms[t].joint))
                return true;
        }
    }
    return false;
}

static void print_loop_name(const tn_model *model, const tn_analysis *a, int32_t loop, bool coupled)
{
    if (loop < 0) {
        printf(coupled ? "Couplings and joints together: " : "Several loops together: ");
        return;
    }
    const tn_loop *l = &a->loops[loop];
    printf("Loop ");
    for (int32_t k = 0; k < l->count && k <= MOST_NAMES; k++)
        printf("%s%s", k > 0 ? "-" : "", k == MOST_NAMES ? "..." : body_name(model, l->bodies[k]));
    printf(" (joints ");
    for (int32_t k = 0; k < l->count; k++) {
        if (!print_item(k, tn_model_joint_name(model, l->joints[k])))
            break;
    }
    printf("): ");
}

static bool same_story(const tn_dependent_row *a, const tn_dependent_row *b)
{
    return a->loop == b->loop && a->kind == b->kind && a->joint.i == b->joint.i;
}

/* "joint0, joint1": the joints of the terms of rows first .. end-1, each once, in order. */
static void print_sources(const tn_model *model, const tn_dependent_row *rows, int32_t count)
{
    int32_t last = -1, shown = 0;
    for (;;) {
        int32_t next = INT32_MAX;
        for (int32_t r = 0; r < count; r++) {
            for (int32_t t = 0; t < rows[r].term_count; t++) {
                if (rows[r].terms[t].joint.i > last && rows[r].terms[t].joint.i < next)
                    next = rows[r].terms[t].joint.i;
            }
        }
        if (next == INT32_MAX || !print_item(shown++, tn_model_joint_name(model, (tn_joint){next})))
            return;
        last = next;
    }
}

static void count_name(void *context, const char *name)
{
    (void)name;
    ++*(int32_t *)context;
}

/* Does friction hang on how redundant rows share? */
static bool rubs(const tn_model *model, const tn_analysis *a)
{
    int32_t count = 0;
    const analysis_names names = {count_name, &count, false};
    analysis_name_friction(model, a, &names);
    return count > 0;
}

/* Does a joint break under a load that redundant rows share? */
static bool breaks(const tn_model *model, const tn_analysis *a)
{
    int32_t count = 0;
    const analysis_names names = {count_name, &count, false};
    analysis_name_breaks(model, a, &names);
    return count > 0;
}

/* "hinge 'a' rows mx, my repeat b, c" */
static void print_rows(const tn_model *model, const tn_dependent_row *rows, int32_t count)
{
    printf("%s '%s'", type_of(model, rows->joint)->name, tn_model_joint_name(model, rows->joint));
    for (int32_t k = 0; k < count && !is_coupling(rows->joint); k++) {
        printf("%s%s", k > 0 ? ", " : (count > 1 ? " rows " : " row "),
               analysis_row_name(model, rows->joint, rows[k].row));
    }
    printf(count > 1 ? " repeat " : " repeats ");
    print_sources(model, rows, count);
}

/* Rows that belong to one joint, one loop and one class, in one sentence. */
static void print_story(const tn_model *model, const tn_analysis *a, const tn_dependent_row *rows,
                        int32_t count)
{
    printf("  ");
    print_loop_name(model, a, rows->loop, has_coupling(rows, count));
    print_rows(model, rows, count);
    if (rows->kind == TN_REDUNDANCY_PERMANENT && (a->dof == 0 || a->freedoms == 0)) {
        printf(".\n"); /* there is no motion */
    } else if (rows->kind == TN_REDUNDANCY_PERMANENT) {
        printf(". Motion is unaffected%s.\n", rubs(model, a)     ? " but for friction (below)"
                                              : breaks(model, a) ? " until a joint breaks (below)"
                                                                 : "");
    } else if (rows->kind == TN_REDUNDANCY_MOMENTARY) {
        printf(" at this pose only.\n");
    } else {
        printf(", and contradict%s them: open by", count > 1 ? "" : "s");
        for (int32_t k = 0; k < count; k++) {
            printf("%s %.3g %s", k > 0 ? "," : "", rows[k].residual,
                   is_linear(model, &rows[k]) ? "m" : "rad");
        }
        printf(".\n");
    }
}

static int32_t end_of_story(const tn_analysis *a, int32_t from)
{
    int32_t to = from + 1;
    while (to < a->dependent_count && same_story(&a->dependents[from], &a->dependents[to]))
        to++;
    return to;
}

/* Do two loops have joints of the same types in order, and two stories the same rows of theirs? */
static bool are_alike(const tn_model *model, const tn_analysis *a, int32_t one, int32_t other)
{
    const tn_dependent_row *p = &a->dependents[one], *q = &a->dependents[other];
    const int32_t count = end_of_story(a, one) - one;
    if (p->loop < 0 || q->loop < 0 || p->kind != q->kind || p->kind == TN_REDUNDANCY_CONFLICT ||
        end_of_story(a, other) - other != count)
        return false;
    const tn_loop *l = &a->loops[p->loop], *m = &a->loops[q->loop];
    bool alike = l->count == m->count && type_of(model, p->joint) == type_of(model, q->joint);
    for (int32_t k = 0; k < l->count && alike; k++)
        alike = type_of(model, l->joints[k]) == type_of(model, m->joints[k]);
    for (int32_t k = 0; k < count && alike; k++)
        alike = p[k].row == q[k].row;
    return alike;
}

/* Fewer loops of a kind than this are reported one by one. */
enum { LEAST_ALIKE = 3 };

/* Joins stories that repeat the one at `from` in one sentence. Returns the index of the next story. */
static int32_t print_alike(const tn_model *model, const tn_analysis *a, int32_t from)
{
    int32_t end = end_of_story(a, from), count = 0, next = end;
    while (next < a->dependent_count && are_alike(model, a, from, next)) {
        next = end_of_story(a, next);
        count++;
    }
    if (count + 1 < LEAST_ALIKE)
        return end;
    printf("  So do %" PRId32 " more loops of the same joints, at ", count);
    for (int32_t k = 0; end < next; end = end_of_story(a, end), k++) {
        if (!print_item(k, tn_model_joint_name(model, a->dependents[end].joint)))
            break;
    }
    printf(".\n");
    return next;
}

static void print_stories(const tn_model *model, const tn_analysis *a)
{
    int32_t shown = 0;
    for (int32_t from = 0; from < a->dependent_count;) {
        const int32_t to = end_of_story(a, from);
        if (shown++ == MOST_LOOPS) {
            printf("  ... and %" PRId32 " more rows (--json lists all).\n",
                   a->dependent_count - from);
            return;
        }
        print_story(model, a, a->dependents + from, to - from);
        from = print_alike(model, a, from);
    }
}

/* What compliance makes unique: what repeats with all parts rigid, and whose compliance it is. */
static void print_rigid(const tn_model *model, const tn_analysis *a)
{
    const int32_t more = a->rigid_redundant - a->redundant;
    int32_t shown = 0;
    if (more <= 0)
        return;
    printf("  With all parts rigid %" PRId32 " row%s would repeat others", more,
           more > 1 ? "s" : "");
    for (int32_t from = 0, to; from < a->rigid_dependent_count; from = to) {
        for (to = from + 1; to < a->rigid_dependent_count &&
                            same_story(&a->rigid_dependents[from], &a->rigid_dependents[to]);)
            to++;
        if (shown++ == MOST_LOOPS) {
            printf("; ...");
            break;
        }
        printf(shown == 1 ? ": " : "; ");
        print_rows(model, a->rigid_dependents + from, to - from);
    }
    printf(".\n");
    if (a->yielding_count > 0)
        printf("  Made unique by the compliance of ");
    for (int32_t k = 0; k < a->yielding_count; k++) {
        if (!print_item(k, tn_model_joint_name(model, a->yielding[k])))
            break;
    }
    if (a->yielding_count > 0)
        printf(".\n");
}

/* Joints whose reactions are indeterminate in the same components, one sentence per mask. */
static void print_reactions(const tn_model *model, const tn_analysis *a)
{
    const int32_t joints = tn_model_get_size(model).joints;
    for (uint32_t mask = 0; mask < 63u && a->indeterminate > 0; mask++) {
        int32_t shown = 0;
        for (int32_t j = 0; j < joints; j++) {
            if (a->joints[j].wrench != mask)
                continue;
            if (shown == 0) {
                printf("  Reactions ");
                for (int32_t k = 0, n = 0; k < 6; k++) {
                    if (!(mask >> k & 1u))
                        printf("%s%s", n++ > 0 ? ", " : "", analysis_components[k]);
                }
                printf(" of ");
            }
            print_item(shown++, tn_model_joint_name(model, (tn_joint){j}));
        }
        if (shown > 0)
            printf(" are not unique (shown: minimum-energy sharing).\n");
    }
}

static void print_forces(const tn_model *model, const tn_analysis *a)
{
    int32_t shown = 0;
    for (int32_t k = 0; k < tn_model_get_size(model).couplings; k++) {
        const tn_joint joint = tn_model_coupling_joint(model, (tn_coupling){k});
        if (tn_analysis_row_is_unique(a, joint, 0))
            continue;
        if (shown == 0)
            printf("  Forces of couplings ");
        print_item(shown++, tn_model_joint_name(model, joint));
    }
    if (shown > 0)
        printf(" are not unique (shown: minimum-energy sharing).\n");
}

static void print_friction_name(void *context, const char *name)
{
    int32_t *count = context;
    if (*count == 0)
        printf("  Friction of ");
    print_item((*count)++, name);
}

static void print_friction(const tn_model *model, const tn_analysis *a)
{
    int32_t count = 0;
    const analysis_names names = {print_friction_name, &count, false};
    analysis_name_friction(model, a, &names);
    if (count > 0) {
        printf(" goes by forces that redundant joints share: motion is one of many. Compliance of "
               "these joints "
               "determines it.\n");
    }
}

static void print_break_name(void *context, const char *name)
{
    int32_t *count = context;
    if (*count == 0)
        printf("  Whether and when ");
    print_item((*count)++, name);
}

static void print_breaks(const tn_model *model, const tn_analysis *a)
{
    int32_t count = 0;
    const analysis_names names = {print_break_name, &count, false};
    analysis_name_breaks(model, a, &names);
    if (count > 0) {
        printf(" break%s is not determined: redundant joints share the load. Compliance of these "
               "joints determines it.\n",
               count > 1 ? "" : "s");
    }
}

static void print_pose(const tn_analysis *a)
{
    if (a->momentary > 0 && a->freedoms == 0) {
        printf("  Rigid: of %" PRId32 " degrees of freedom to first order none is left to second "
               "order. It shakes, and where it bears load its forces are large.\n",
               a->dof);
    } else if (a->momentary > 0) {
        printf("  This pose is singular (a change point or dead point): %" PRId32
               " degrees of freedom here, %" PRId32 " nearby.\n",
               a->dof, a->freedoms);
    }
    if (a->unclear) {
        printf("  The rank is not clear: %.2g was called zero, %.2g independent. Some joints are "
               "nearly, not quite, in line.\n",
               a->gap_low, a->gap_high);
    }
    if (a->fragile) {
        printf("  The loops close only because the geometry is exact: with all joints off by "
               "1e-6 they stay open by %.2g (of its size, or rad).\n",
               a->fragile_residual);
    }
}

static bool type_is_free(tn_joint_type type)
{
    return tn_joint_type_get(type)->bilateral_count == 0;
}

static void print_changes(const tn_model *model, const tn_analysis *a)
{
    if (a->change_count == 0)
        return;
    printf(a->change_complete ? "  Smallest change that ends it: "
                              : "  Changes that end part of it: ");
    for (int32_t k = 0; k < a->change_count && k <= MOST_CHANGES; k++) {
        const tn_type_change *c = &a->changes[k];
        if (k == MOST_CHANGES) {
            printf(", ... (%" PRId32 " joints in all)", a->change_count);
            break;
        }
        const bool coupling = is_coupling(c->joint);
        const bool same = k > 0 && coupling == is_coupling(c[-1].joint);
        printf("%s%s", k > 0 ? ", " : "", same ? "" : coupling ? "leave out coupling " : "make ");
        printf("'%s'", tn_model_joint_name(model, c->joint));
        if (coupling)
            continue;
        printf(" a %s%s", tn_joint_type_get(c->type)->name,
               c->turned               ? " (slot along y)"
               : type_is_free(c->type) ? " joint (remove it)"
                                       : "");
    }
    if (a->change_freedom > 0) {
        printf(" (which adds %" PRId32 " degree%s of freedom)", a->change_freedom,
               a->change_freedom > 1 ? "s" : "");
    }
    printf(".\n");
}

void analysis_print(const tn_model *model, const tn_analysis *a)
{
    print_stories(model, a);
    print_rigid(model, a);
    print_reactions(model, a);
    print_forces(model, a);
    print_friction(model, a);
    print_breaks(model, a);
    print_pose(a);
    print_changes(model, a);
    for (int32_t k = 0; k < a->idle_count; k++) {
        printf("  Body '%s' can move by itself between its neighbours (idle degree of freedom).\n",
               tn_model_body_name(model, a->idle[k].body));
    }
}
