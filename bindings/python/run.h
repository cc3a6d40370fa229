/* What a run of many steps has met; run.c. */
typedef struct tenon_run {
    int64_t steps;     /* taken so far */
    int64_t frames;    /* recorded so far */
    int64_t record_at; /* step of the next record */
    double start;      /* s, the time of the simulation when the run began */
    int64_t iterations, factorizations, solves, fallbacks, halvings, parts, rejections, events,
        folds;
    double position_error, angle_error, gap, gap_angle; /* the worst of all steps: m, rad */
    tn_step_report last; /* of the last step, or of the one that failed */
} tenon_run;

/* Steps along the grid until its end, a failure, or `seconds` of time have passed (0: one step), recording rows of
 * `columns` numbers into `rows`, which has `capacity` of them. Begin with a zeroed *run. */
tn_status tenon_run_steps(tn_sim *sim, const tn_time_grid *grid, tn_recorder *recorder,
                          double *rows, int64_t capacity, int64_t columns, double seconds,
                          tenon_run *run);

/* The calls of this thread stop when something was raised within them: by a function of Python
 * (tenon_stop), or, in the main thread, which `asks`, by the handler of a signal: it asks Python ten times a
 * second (tenon_interrupted). Once for each thread. */
void tenon_listen(int asks);
void tenon_stop(void);
/* What was raised is taken: calls go on. */
void tenon_go_on(void);

/* Calls of the calling thread stop when *flag is no longer 0; NULL: never. */
void tenon_stop_by(int *flag);

/* The writer of files: src/file/output.h. */
typedef struct tn_output tn_output;
tn_output *tn_output_open(const char *path);
int tn_output_descriptor(tn_output *output);
int tn_output_settle(tn_output *output);
void tn_output_drop(tn_output *output);
const char *tn_output_problem(int error);
