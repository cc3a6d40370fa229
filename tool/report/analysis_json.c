/* analysis_json.c: the redundancy analysis for programs, nothing left out. */
#include <stdio.h>

#include "report/analysis.h"

static const char *const kinds[] = {
    [TN_REDUNDANCY_PERMANENT] = "permanent",
    [TN_REDUNDANCY_MOMENTARY] = "momentary",
    [TN_REDUNDANCY_CONFLICT] = "conflict",
};

static const char *body_name(const tn_model *model, tn_body body)
{
    return body.i < 0 ? "ground" : tn_model_body_name(model, body);
}

static void write_counts(tool_json *json, const tn_model *model, const tn_analysis *a)
{
    tool_json_integer(json, "couplings", a->couplings);
    tool_json_integer(json, "rows", a->rows);
    tool_json_integer(json, "rank", a->rank);
    tool_json_integer(json, "redundant", a->redundant);
    tool_json_integer(json, "dof", a->dof);
    tool_json_integer(json, "gruebler", a->gruebler);
    tool_json_integer(json, "generic_rank", a->generic_rank);
    tool_json_integer(json, "permanent", a->permanent);
    tool_json_integer(json, "momentary", a->momentary);
    tool_json_integer(json, "freedoms", a->freedoms);
    tool_json_integer(json, "witnesses", a->witnesses);
    tool_json_number(json, "gap_low", a->gap_low);
    tool_json_number(json, "gap_high", a->gap_high);
    tool_json_integer(json, "unclear", a->unclear);
    tool_json_number(json, "residual", a->residual);
    tool_json_text(json, "worst", a->worst.i < 0 ? NULL : tn_model_joint_name(model, a->worst));
    tool_json_integer(json, "conflicts", a->conflicts);
    tool_json_integer(json, "fragile", a->fragile);
    tool_json_number(json, "fragile_residual", a->fragile_residual);
    tool_json_integer(json, "indeterminate_dimension", a->indeterminate);
}

static void write_loops(tool_json *json, const tn_model *model, const tn_analysis *a)
{
    tool_json_open(json, "loops", '[');
    for (int32_t l = 0; l < a->loop_count; l++) {
        const tn_loop *loop = &a->loops[l];
        tool_json_open(json, NULL, '{');
        tool_json_open(json, "joints", '[');
        for (int32_t k = 0; k < loop->count; k++)
            tool_json_text(json, NULL, tn_model_joint_name(model, loop->joints[k]));
        tool_json_close(json, ']');
        tool_json_open(json, "bodies", '[');
        for (int32_t k = 0; k < loop->count; k++)
            tool_json_text(json, NULL, body_name(model, loop->bodies[k]));
        tool_json_close(json, ']');
        tool_json_integer(json, "redundant", loop->redundant);
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
}

static void write_row(tool_json *json, const tn_model *model, tn_joint joint, int32_t row)
{
    tool_json_text(json, "joint", tn_model_joint_name(model, joint));
    tool_json_text(json, "row", analysis_row_name(model, joint, row));
}

static void write_dependents(tool_json *json, const char *key, const tn_model *model,
                             const tn_dependent_row *rows, int32_t count)
{
    tool_json_open(json, key, '[');
    for (int32_t k = 0; k < count; k++) {
        const tn_dependent_row *row = &rows[k];
        tool_json_open(json, NULL, '{');
        write_row(json, model, row->joint, row->row);
        if (row->loop < 0) {
            tool_json_null(json, "loop");
        } else {
            tool_json_integer(json, "loop", row->loop);
        }
        tool_json_text(json, "class", kinds[row->kind]);
        tool_json_number(json, "residual", row->residual);
        tool_json_open(json, "terms", '[');
        for (int32_t t = 0; t < row->term_count; t++) {
            tool_json_open(json, NULL, '{');
            write_row(json, model, row->terms[t].joint, row->terms[t].row);
            tool_json_number(json, "coefficient", row->terms[t].coefficient);
            tool_json_close(json, '}');
        }
        tool_json_close(json, ']');
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
}

static void take_name(void *json, const char *name)
{
    tool_json_text(json, NULL, name);
}

void analysis_write_indeterminate(tool_json *json, const tn_model *model, const tn_sim *sim,
                                  const tn_analysis *a)
{
    const analysis_names names = {take_name, json, false};
    tool_json_open(json, "indeterminate", '[');
    analysis_name_columns(model, sim, a, &names);
    tool_json_close(json, ']');
}

void analysis_write_friction(tool_json *json, const tn_model *model, const tn_analysis *a)
{
    const analysis_names names = {take_name, json, false};
    tool_json_open(json, "friction_not_unique", '[');
    analysis_name_friction(model, a, &names);
    tool_json_close(json, ']');
}

void analysis_write_breaks(tool_json *json, const tn_model *model, const tn_analysis *a)
{
    const analysis_names names = {take_name, json, false};
    tool_json_open(json, "break_not_unique", '[');
    analysis_name_breaks(model, a, &names);
    tool_json_close(json, ']');
}

static void write_wrenches(tool_json *json, const tn_model *model, const tn_analysis *a)
{
    tool_json_open(json, "reactions_not_unique", '{');
    for (int32_t j = 0; j < tn_model_get_size(model).joints; j++) {
        if (a->joints[j].wrench == 63u)
            continue;
        tool_json_open(json, tn_model_joint_name(model, (tn_joint){j}), '[');
        for (int32_t k = 0; k < 6; k++) {
            if (!(a->joints[j].wrench >> k & 1u))
                tool_json_text(json, NULL, analysis_components[k]);
        }
        tool_json_close(json, ']');
    }
    tool_json_close(json, '}');
}

static void write_twist(tool_json *json, const char *key, const tn_twist *t)
{
    const double all[6] = {t->v.x, t->v.y, t->v.z, t->w.x, t->w.y, t->w.z};
    tool_json_row(json, key, all, 6);
}

static void write_motions(tool_json *json, const tn_model *model, const tn_analysis *a)
{
    const int32_t bodies = tn_model_get_size(model).bodies;
    tool_json_open(json, "motions", '[');
    for (int32_t k = 0; k < a->motion_count; k++) {
        tool_json_open(json, NULL, '{');
        for (int32_t i = 0; i < bodies; i++) {
            write_twist(json, tn_model_body_name(model, (tn_body){i}),
                        &a->motions[(int64_t)k * bodies + i]);
        }
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
    tool_json_open(json, "idle_motions", '[');
    for (int32_t k = 0; k < a->idle_count; k++) {
        tool_json_open(json, NULL, '{');
        tool_json_text(json, "body", tn_model_body_name(model, a->idle[k].body));
        write_twist(json, "twist", &a->idle[k].twist);
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
}

static void write_changes(tool_json *json, const tn_model *model, const tn_analysis *a)
{
    tool_json_open(json, "changes", '[');
    for (int32_t k = 0; k < a->change_count; k++) {
        tool_json_open(json, NULL, '{');
        tool_json_text(json, "joint", tn_model_joint_name(model, a->changes[k].joint));
        tool_json_text(json, "type", tn_joint_type_get(a->changes[k].type)->name);
        tool_json_integer(json, "turned", a->changes[k].turned);
        tool_json_integer(json, "released", a->changes[k].released);
        tool_json_integer(json, "gained", a->changes[k].gained);
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
    tool_json_integer(json, "change_freedom", a->change_freedom);
    tool_json_integer(json, "change_complete", a->change_complete);
}

/* The same with all parts rigid, and whose compliance makes the difference. */
static void write_rigid(tool_json *json, const tn_model *model, const tn_analysis *a)
{
    tool_json_open(json, "rigid", '{');
    tool_json_integer(json, "rows", a->rigid_rows);
    tool_json_integer(json, "redundant", a->rigid_redundant);
    tool_json_integer(json, "dof", a->rigid_dof);
    write_dependents(json, "dependent_rows", model, a->rigid_dependents, a->rigid_dependent_count);
    tool_json_open(json, "unique_by_compliance_of", '[');
    for (int32_t k = 0; k < a->yielding_count; k++)
        tool_json_text(json, NULL, tn_model_joint_name(model, a->yielding[k]));
    tool_json_close(json, ']');
    tool_json_close(json, '}');
}

void analysis_write(tool_json *json, const tn_model *model, const tn_sim *sim, const tn_analysis *a)
{
    write_counts(json, model, a);
    write_loops(json, model, a);
    write_dependents(json, "dependent_rows", model, a->dependents, a->dependent_count);
    write_rigid(json, model, a);
    analysis_write_indeterminate(json, model, sim, a);
    write_wrenches(json, model, a);
    analysis_write_friction(json, model, a);
    analysis_write_breaks(json, model, a);
    write_motions(json, model, a);
    write_changes(json, model, a);
}
