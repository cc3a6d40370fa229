/* test_killed.c: a recording run that is killed at any moment, asked to end, or meets a full disk:
 * what it leaves opens and holds every frame that was flushed before; the model is as it was.
 * TENON_KILLS: how many kills of each kind.
 */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/random_numbers.h"
#include "support/run_main.h"

#define FOLDER TN_TEST_OUTPUT "/killed"
#define MODEL  FOLDER "/model.yaml"
#define H5     FOLDER "/run.h5"
#define TABLE  FOLDER "/run.csv"
#define KILLS  12

static const char text[] =
    "tenon: 1\n"
    "bodies: {bar: {position: [1, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
    "joints: {pin: {type: hinge, a: bar, b: ground, origin: [0, 0, 0], axis: [0, 1, 0]}}\n"
    "simulation: {step: 0.001, duration: 1.0e+6}\n";

static long kills(void)
{
    const char *wanted = getenv("TENON_KILLS");
    return wanted ? atol(wanted) : KILLS;
}

/* What is written beside an output whose name begins so: FOLDER/run.h5.XXXXXXXX.part; "": nothing. */
static const char *part_of(const char *name)
{
    static char path[sizeof FOLDER + 300];
    DIR *folder = opendir(FOLDER);
    path[0] = '\0';
    for (struct dirent *at; folder && (at = readdir(folder)) != NULL && path[0] == '\0';) {
        const size_t length = strlen(at->d_name);
        if (strncmp(at->d_name, name, strlen(name)) == 0 && length > 5 &&
            strcmp(at->d_name + length - 5, ".part") == 0)
            snprintf(path, sizeof path, "%s/%s", FOLDER, at->d_name);
    }
    if (folder)
        closedir(folder);
    return path;
}

static void prepare(void)
{
    mkdir(TN_TEST_OUTPUT, 0777);
    mkdir(FOLDER, 0777);
    remove(H5);
    remove(TABLE);
    for (const char *part = part_of("run."); *part; part = part_of("run."))
        remove(part);
    FILE *file = fopen(MODEL, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void check_model(void)
{
    char found[sizeof text + 1] = {0};
    FILE *file = fopen(MODEL, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(found, 1, sizeof found, file), sizeof text - 1);
    fclose(file);
    ck_assert_str_eq(found, text);
}

static pid_t run(const char *option, const char *path, rlim_t most)
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child > 0)
        return child;
    const struct rlimit limit = {most, most};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execl(TN_TOOL, TN_TOOL, "run", MODEL, "--quiet", "--every", "0.001", option, path,
          (char *)NULL);
    _exit(127);
}

static off_t size_of(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 ? there.st_size : -1;
}

/* Frames of the file: their times are those of the grid, their angles numbers. -1: it does not open. */
static long frames_of(const char *path)
{
    H5E_auto2_t printer;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &printer, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, printer, data);
    if (file < 0)
        return -1;
    const hid_t set = H5Dopen2(file, "t", H5P_DEFAULT);
    ck_assert_int_ge(set, 0);
    const hid_t space = H5Dget_space(set);
    const long count = (long)H5Sget_simple_extent_npoints(space);
    double *times = malloc(sizeof(double) * (size_t)(count + 1));
    ck_assert_int_ge(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times), 0);
    for (long k = 0; k < count; k++)
        ck_assert_msg(fabs(times[k] - 1e-3 * (double)k) < 1e-9, "frame %ld of %ld: %g", k, count,
                      times[k]);
    free(times);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return count;
}

/* Ends a run by a signal once its file has some size; frames that are left. */
static long ended(int number, off_t wanted, int *exit_code)
{
    prepare();
    const pid_t child = run("--hdf5", H5, RLIM_INFINITY);
    for (int k = 0; k < 120000 && size_of(part_of("run.h5")) < wanted; k++)
        nanosleep(&(struct timespec){0, 500000}, NULL);
    kill(child, number);
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    *exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    check_model();
    return frames_of(number == SIGKILL ? part_of("run.h5") : H5);
}

START_TEST(killed_at_any_moment)
{
    uint64_t seed = 1;
    long least = 1000000000, most = 0;
    for (long k = 0; k < kills(); k++) {
        const off_t size = (off_t)random_between(&seed, 6e5, 3e6);
        int code;
        const long frames = ended(SIGKILL, size, &code);
        ck_assert_int_eq(code, -SIGKILL);
        ck_assert_int_ge(frames, 1024); /* at that size the second block has begun */
        least = frames < least ? frames : least;
        most = frames > most ? frames : most;
    }
    printf("%ld kills: all files open, %ld to %ld frames\n", kills(), least, most);
}
END_TEST

START_TEST(asked_to_end)
{
    uint64_t seed = 2;
    for (long k = 0; k < kills(); k++) {
        int code;
        const long frames = ended(SIGTERM, (off_t)random_between(&seed, 1e4, 2e6), &code);
        ck_assert_int_eq(code, 128 + SIGTERM);
        ck_assert_int_ge(frames, 1);
    }
}
END_TEST

/* A limit on the size of files stands for the full disk. */
START_TEST(full_disk)
{
    uint64_t seed = 3;
    for (long k = 0; k < kills(); k++) {
        prepare();
        const pid_t child = run("--hdf5", H5, (rlim_t)random_between(&seed, 4e5, 3e6));
        int status = 0;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFEXITED(status));
        ck_assert_int_ne(WEXITSTATUS(status), 0);
        check_model();
        ck_assert_int_ge(frames_of(H5), 1024);
    }
}
END_TEST

/* Frames of a table: whole lines, in order of the grid. The last line may be cut where the program
 * was. -1: there is no table. */
static long lines_of(const char *path, bool may_be_cut)
{
    char line[4096];
    long count = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file)) {
        char *end;
        const double time = strtod(line, &end);
        if (line[0] == '#' || end == line) /* units and names */
            continue;
        if (!strchr(line, '\n')) {
            ck_assert_msg(may_be_cut, "line %ld is cut", count);
            break;
        }
        ck_assert_msg(fabs(time - 1e-3 * (double)count) < 1e-9, "line %ld: %g", count, time);
        count++;
    }
    fclose(file);
    return count;
}

/* A table, ended by a signal, or with a limit on its size where that is 0. */
static long table_ended(int number, off_t wanted)
{
    prepare();
    const pid_t child = run("--csv", TABLE, number ? RLIM_INFINITY : (rlim_t)wanted);
    for (int k = 0; number && k < 120000 && size_of(part_of("run.csv")) < wanted; k++)
        nanosleep(&(struct timespec){0, 500000}, NULL);
    if (number)
        kill(child, number);
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(number == SIGKILL ? WIFSIGNALED(status) : WIFEXITED(status));
    ck_assert_int_ne(WEXITSTATUS(status), number == SIGKILL ? -1 : 0);
    check_model();
    const long done = lines_of(TABLE, number != SIGTERM);
    return done >= 0 ? done : lines_of(part_of("run.csv"), true);
}

/* A line has some 500 bytes: of 300 kB so many at least are whole. */
START_TEST(tables_killed_at_any_moment)
{
    static const int ways[] = {SIGKILL, SIGTERM, 0};
    uint64_t seed = 4;
    long least = 1000000000;
    for (long k = 0; k < kills(); k++)
        for (int way = 0; way < 3; way++) {
            const long lines = table_ended(ways[way], (off_t)random_between(&seed, 3e5, 3e6));
            ck_assert_msg(lines >= 300, "way %d: %ld lines", way, lines);
            least = lines < least ? lines : least;
        }
    printf("%ld tables of each kind: at least %ld lines, all whole but a last one\n", kills(),
           least);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("killed");
    TCase *tests = tcase_create("recordings");
    tcase_add_test(tests, killed_at_any_moment);
    tcase_add_test(tests, asked_to_end);
    tcase_add_test(tests, full_disk);
    tcase_add_test(tests, tables_killed_at_any_moment);
    suite_add_tcase(suite, tests);
    return suite;
}
