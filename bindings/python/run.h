/* What a run of many steps has met; run.c. */
typedef struct tenon_run {
    int64_t steps;  /* taken so far */
    int64_t frames; /* recorded so far */
    int64_t record_at; /* step of the next record */
    double start;      /* s, the time of the simulation when the run began */
    int64_t iterations, factorizations, solves, fallbacks, halvings, parts, rejections, events, folds;
    double position_error, angle_error, gap, gap_angle; /* the worst of all steps: m, rad */
    tn_step_report last; /* of the last step, or of the one that failed */
} tenon_run;

/* Steps along the grid until its end, a failure, or `seconds` of time have passed, recording rows of
 * `columns` numbers. Begin with a zeroed *run. */
tn_status tenon_run_steps(tn_sim *sim, const tn_time_grid *grid, tn_recorder *recorder, double *rows,
                          int64_t columns, double seconds, tenon_run *run);
