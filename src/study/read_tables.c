/* read_tables.c: room study: the keys of a study file. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "io/reader/number.h"
#include "study/read.h"

#define FORMAT_VERSION 1

/* What the fields point into. */
typedef struct sections {
    tn_study_draft draft;
    tn_study_simulation simulation;
    tn_study_sweep sweep;
} sections;

static void read_version(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double value = 0.0;
    (void)target;
    if (tn_read_number(reader, node, field->key, &value) && value != FORMAT_VERSION) {
        tn_problem(reader, node, NULL, "this is version %g of the format of studies, known is %d",
                   value, FORMAT_VERSION);
    }
}

/* Largest whole number that every double up to it is. */
#define MOST_SEED 9007199254740992.0

static void read_seed(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    double seed = 0.0;
    if (!tn_read_number(reader, node, field->key, &seed))
        return;
    if (!(seed >= 0.0 && seed <= MOST_SEED && seed == floor(seed))) {
        tn_problem(reader, node, NULL, "'seed' must be a whole number, at least 0");
    } else {
        ((sections *)target)->draft.seed = seed;
    }
}

/* Remembers where a section stands, to be read later. */
static void note_node(tn_reader *reader, const tn_field *field, int32_t node, void *target)
{
    (void)reader;
    memcpy((char *)target + field->offset, &node, sizeof node);
}

static const tn_field_kind kind_version = {.read = read_version}, kind_seed = {.read = read_seed},
                           kind_node = {.read = note_node};

static const char *sampling_word(int32_t index)
{
    static const char *const words[] = {"random", "latin_hypercube", "sobol", NULL};
    return words[index];
}

static const tn_words sampling_words = {sampling_word};

#define NODE(word, member)                                                                         \
    {                                                                                              \
        .key = (word), .kind = &kind_node,                                                         \
        .offset = offsetof(sections, draft) + offsetof(tn_study_draft, member)                     \
    }

static const tn_field study_fields[] = {
    {.key = "study", .kind = &kind_version, .flags = TN_FIELD_REQUIRED},
    {.key = "model",
     .kind = &kind_node,
     .offset = offsetof(sections, draft) + offsetof(tn_study_draft, model_node),
     .flags = TN_FIELD_REQUIRED},
    {.key = "seed", .kind = &kind_seed},
    NODE("samples", samples_node),
    {.key = "sampling",
     .kind = &tn_field_word,
     .offset = offsetof(sections, draft) + offsetof(tn_study_draft, sampling),
     .extra = &sampling_words},
    NODE("indices", indices),
    NODE("parameters", parameters),
    NODE("simulation", simulation),
    NODE("sweep", sweep),
    NODE("check", check),
    NODE("keep", keep),
    NODE("limit", limit_node),
};
static const tn_table study_table = {
    .title = "a study", .section = TN_NO_SECTION, TN_FIELDS(study_fields)};

static const tn_field samples_field = {.key = "samples"};
static const tn_field limit_field = {.key = "limit", .unit = "s"};

static const tn_field simulation_fields[] = {
    {.key = "duration",
     .kind = &tn_field_number,
     .offset = offsetof(tn_study_simulation, duration),
     .unit = "s"},
    {.key = "step",
     .kind = &tn_field_number,
     .offset = offsetof(tn_study_simulation, step),
     .unit = "s"},
};
static const tn_table simulation_table = {
    .title = "'simulation'", .section = TN_NO_SECTION, TN_FIELDS(simulation_fields)};

/* Ends of the sweep are read with the model, which knows whether they are angles. */
static const tn_field sweep_fields[] = {
    {.key = "coordinate",
     .kind = &kind_node,
     .offset = offsetof(sections, draft) + offsetof(tn_study_draft, sweep_coordinate),
     .flags = TN_FIELD_REQUIRED},
    {.key = "from",
     .kind = &kind_node,
     .offset = offsetof(sections, draft) + offsetof(tn_study_draft, sweep_from),
     .flags = TN_FIELD_REQUIRED},
    {.key = "to",
     .kind = &kind_node,
     .offset = offsetof(sections, draft) + offsetof(tn_study_draft, sweep_to),
     .flags = TN_FIELD_REQUIRED},
    {.key = "count",
     .kind = &tn_field_count,
     .offset = offsetof(sections, sweep) + offsetof(tn_study_sweep, count),
     .flags = TN_FIELD_REQUIRED},
    NODE("output", sweep_output),
    NODE("through", sweep_through),
};
static const tn_table sweep_table = {
    .title = "'sweep'", .section = TN_NO_SECTION, TN_FIELDS(sweep_fields)};

static bool is_given(int32_t node)
{
    return node != TN_NO_NODE;
}

static void read_simulation(tn_reader *reader, int32_t node, tn_study_simulation *simulation)
{
    if (tn_get(reader, node)->kind == TN_NODE_SCALAR &&
        tn_node_scalar(reader, node).kind == TN_SCALAR_NULL)
        return; /* as the model has it */
    if (!tn_want_mapping(reader, node, "simulation"))
        return;
    tn_read_table(reader, &simulation_table, node, node, simulation);
    if (simulation->duration <= 0.0 || simulation->step <= 0.0)
        tn_problem(reader, node, NULL, "'duration' and 'step' must be greater than 0");
}

/* true, or nothing else. */
static void read_true(tn_reader *reader, int32_t node, const char *key)
{
    const tn_scalar scalar = tn_node_scalar(reader, node);
    if (scalar.kind != TN_SCALAR_BOOL || scalar.number == 0.0)
        tn_wrong_type(reader, node, key, "true", NULL);
}

/* What is done: one of three. */
static void read_task(tn_reader *reader, int32_t root, sections *s, tn_study *study)
{
    const tn_study_draft *d = &s->draft;
    if (is_given(d->simulation) + is_given(d->sweep) + is_given(d->check) != 1) {
        tn_problem(reader, root, NULL, "a study needs one of 'simulation', 'sweep' and 'check'");
        return;
    }
    if (is_given(d->simulation)) {
        study->task = TN_TASK_SIMULATION;
        read_simulation(reader, d->simulation, &s->simulation);
    } else if (is_given(d->sweep)) {
        study->task = TN_TASK_SWEEP;
        if (tn_want_mapping(reader, d->sweep, "sweep"))
            tn_read_table(reader, &sweep_table, d->sweep, d->sweep, s);
    } else {
        study->task = TN_TASK_CHECK;
        read_true(reader, d->check, "check");
    }
    study->simulation = s->simulation;
    study->sweep = s->sweep;
}

static void read_parameters(tn_reader *reader, tn_study_draft *d, tn_study *study)
{
    if (!is_given(d->parameters) || !tn_want_mapping(reader, d->parameters, "parameters"))
        return;
    const int32_t most = tn_get(reader, d->parameters)->count / 2;
    study->varied = tn_reader_alloc(reader, most + 1, sizeof *study->varied);
    d->keys = tn_reader_alloc(reader, most + 1, sizeof *d->keys);
    if (study->varied == NULL || d->keys == NULL)
        return;
    TN_EACH_KEY(reader, d->parameters, key)
    {
        tn_varied *varied = &study->varied[study->varied_count];
        for (int32_t i = 0; i < study->varied_count; i++) {
            if (strcmp(study->varied[i].name, tn_node_text(reader->tree, key)) == 0)
                tn_problem(reader, key, NULL, "'%s' is given twice", study->varied[i].name);
        }
        d->keys[study->varied_count++] = key;
        tn_study_read_varied(reader, key, varied);
        const bool random = varied->way != TN_WAY_LIST && varied->way != TN_WAY_RANGE;
        varied->axis = random ? study->axes++ : -1;
    }
}

static void read_samples(tn_reader *reader, const tn_study_draft *d, tn_study *study)
{
    study->samples = 1;
    if (is_given(d->samples_node))
        tn_field_count.read(reader, &samples_field, d->samples_node, &study->samples);
    if (is_given(d->samples_node) && study->axes == 0)
        tn_problem(reader, d->samples_node, NULL, "no parameter is random: there are no samples");
    if (!is_given(d->samples_node) && study->axes > 0) {
        tn_problem(reader, d->parameters, "samples: 1000",
                   "parameters are random: say how many 'samples' to take");
    }
    const int32_t axes_each = study->indices ? 2 : 1;
    const int32_t most = tn_study_most_axes(study->sampling) / axes_each;
    if (study->axes > most) {
        tn_problem(reader, d->parameters, "take latin_hypercube or random",
                   "sobol has points for at most %d random parameters%s, not for %d", (int)most,
                   study->indices ? " with indices" : "", (int)study->axes);
    }
}

static void read_limit(tn_reader *reader, const tn_study_draft *d, tn_study *study)
{
    study->limit = INFINITY;
    if (!is_given(d->limit_node))
        return;
    tn_field_number.read(reader, &limit_field, d->limit_node, &study->limit);
    if (!(study->limit > 0.0))
        tn_problem(reader, d->limit_node, "limit: 60 s", "'limit' must be a positive time");
}

/* Shares of a variance are of what is random. */
static void read_indices(tn_reader *reader, const tn_study_draft *d, tn_study *study)
{
    if (!is_given(d->indices))
        return;
    read_true(reader, d->indices, "indices");
    study->indices = true;
    for (int32_t i = 0; i < study->varied_count; i++) {
        if (study->varied[i].axis < 0) {
            tn_problem(reader, d->keys[i], "make it uniform, normal or a table",
                       "Sobol's indices are of random parameters: '%.100s' is a list or range",
                       study->varied[i].name);
        }
    }
    if (study->varied_count == 0)
        tn_problem(reader, d->indices, NULL, "no parameter is random: there are no indices");
}

void tn_study_read_draft(tn_reader *reader, int32_t root, tn_study *study, tn_study_draft *draft)
{
    sections s = {.simulation = {NAN, NAN}};
    tn_study_draft *d = &s.draft;
    d->sampling = TN_SAMPLING_LATIN_HYPERCUBE;
    d->model_node = d->parameters = d->keep = d->simulation = d->sweep = d->check = TN_NO_NODE;
    d->indices = d->samples_node = d->sweep_from = d->sweep_to = d->sweep_coordinate = TN_NO_NODE;
    d->sweep_output = d->sweep_through = d->limit_node = TN_NO_NODE;
    if (tn_want_mapping(reader, root, "a study")) {
        tn_read_table(reader, &study_table, root, root, &s);
        read_task(reader, root, &s, study);
        read_parameters(reader, d, study);
        study->seed = (uint64_t)d->seed;
        study->sampling = (tn_sampling)d->sampling;
        read_indices(reader, d, study);
        read_samples(reader, d, study);
        read_limit(reader, d, study);
        if (is_given(d->model_node))
            tn_read_text(reader, d->model_node, "model", &d->model);
    }
    *draft = s.draft;
}
