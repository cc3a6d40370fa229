/* The recorder: what is in the CSV and HDF5 files is what the simulation says, and a file that
 * cannot be written is never silent. */
#include <check.h>
#include <errno.h>
#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "allocator.h"
#include "run_main.h"
#include "tenon/record.h"
#include "tenon/tenon.h"

#define FRAMES       7
#define COLUMNS      104 /* 1 + 8 + 10 + 12 + 3 + 6 + 4 x 13 + 12: see expected_header */
#define ENERGY_TOTAL 37
#define CSV_FILE     TN_TEST_OUTPUT "/record.csv"
#define HDF5_FILE    TN_TEST_OUTPUT "/record.h5"

/* frame (fixed) - pin - arm - tube - odd_name - ball - bob, and a marker on the bob. The name of
 * the third body needs quotes in CSV. */
static const char *const odd_name = "arm \"B\", left";

static const char *const expected_header =
    "t,"
    "pin.theta,pin.theta.speed,pin.fx,pin.fy,pin.fz,pin.mx,pin.my,pin.mz,"
    "tube.z,tube.theta,tube.z.speed,tube.theta.speed,"
    "tube.fx,tube.fy,tube.fz,tube.mx,tube.my,tube.mz,"
    "ball.rx,ball.ry,ball.rz,ball.wx,ball.wy,ball.wz,"
    "ball.fx,ball.fy,ball.fz,ball.mx,ball.my,ball.mz,"
    "tip.x,tip.y,tip.z,"
    "energy.kinetic,energy.potential,energy.elastic,energy.total,energy.work,energy.lost,"
    "frame.px,frame.py,frame.pz,frame.qw,frame.qx,frame.qy,frame.qz,"
    "frame.vx,frame.vy,frame.vz,frame.wx,frame.wy,frame.wz,"
    "arm.px,arm.py,arm.pz,arm.qw,arm.qx,arm.qy,arm.qz,"
    "arm.vx,arm.vy,arm.vz,arm.wx,arm.wy,arm.wz,"
    "\"arm \"\"B\"\", left.px\",\"arm \"\"B\"\", left.py\",\"arm \"\"B\"\", left.pz\","
    "\"arm \"\"B\"\", left.qw\",\"arm \"\"B\"\", left.qx\",\"arm \"\"B\"\", left.qy\","
    "\"arm \"\"B\"\", left.qz\",\"arm \"\"B\"\", left.vx\",\"arm \"\"B\"\", left.vy\","
    "\"arm \"\"B\"\", left.vz\",\"arm \"\"B\"\", left.wx\",\"arm \"\"B\"\", left.wy\","
    "\"arm \"\"B\"\", left.wz\","
    "bob.px,bob.py,bob.pz,bob.qw,bob.qx,bob.qy,bob.qz,"
    "bob.vx,bob.vy,bob.vz,bob.wx,bob.wy,bob.wz,"
    "pin.lambda0,pin.lambda1,pin.lambda2,pin.lambda3,pin.lambda4,"
    "tube.lambda0,tube.lambda1,tube.lambda2,tube.lambda3,"
    "ball.lambda0,ball.lambda1,ball.lambda2";

static const char *const expected_units =
    "# units: s,"
    "rad,rad/s,N,N,N,N m,N m,N m,m,rad,m/s,rad/s,N,N,N,N m,N m,N m,"
    "rad,rad,rad,rad/s,rad/s,rad/s,N,N,N,N m,N m,N m,"
    "m,m,m,J,J,J,J,J,J,"
    "m,m,m,1,1,1,1,m/s,m/s,m/s,rad/s,rad/s,rad/s,m,m,m,1,1,1,1,m/s,m/s,m/s,rad/s,rad/s,rad/s,"
    "m,m,m,1,1,1,1,m/s,m/s,m/s,rad/s,rad/s,rad/s,m,m,m,1,1,1,1,m/s,m/s,m/s,rad/s,rad/s,rad/s,"
    "N,N,N,N m,N m,N,N,N m,N m,N,N,N\n";

typedef struct mechanism {
    tn_model *model;
    tn_sim *sim;
} mechanism;

static void add_body(tn_spec *spec, const char *name, tn_body_kind kind, double x)
{
    tn_body_def body = tn_default_body_def();
    body.name = name;
    body.kind = kind;
    body.pose.p = (tn_vec3){x, 0.1, -0.2};
    body.mass = 2.0;
    body.inertia = (tn_mat3){{{0.2, 0.0, 0.0}, {0.0, 0.3, 0.0}, {0.0, 0.0, 0.4}}};
    ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
}

static void add_joint(tn_spec *spec, const char *name, const char *type, int a, int b, double x)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.name = name;
    joint.type = type;
    joint.a.i = a;
    joint.b.i = b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = (tn_vec3){x, 0.1, -0.2};
    joint.axis = (tn_vec3){0.0, 1.0, 0.3};
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
}

static mechanism compile(tn_spec *spec)
{
    mechanism m = {NULL, NULL};
    ck_assert_int_eq(tn_model_compile(spec, NULL, &m.model), TN_OK);
    tn_sim_options options = tn_default_sim_options(m.model);
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &m.sim), TN_OK);
    tn_spec_destroy(spec);
    return m;
}

static mechanism make_mechanism(void)
{
    tn_spec *spec = tn_spec_create();
    add_body(spec, "frame", TN_BODY_FIXED, 0.0);
    add_body(spec, "arm", TN_BODY_RIGID, 0.5);
    add_body(spec, odd_name, TN_BODY_RIGID, 1.5);
    add_body(spec, "bob", TN_BODY_RIGID, 2.5);
    add_joint(spec, "pin", "hinge", 1, 0, 0.0);
    add_joint(spec, "tube", "cylindrical", 2, 1, 1.0);
    add_joint(spec, "ball", "spherical", 3, 2, 2.0);
    tn_marker_def tip = tn_default_marker_def();
    tip.name = "tip";
    tip.body.i = 3;
    tip.position = (tn_vec3){0.1, 0.2, 0.3};
    ck_assert_int_eq(tn_spec_add_marker(spec, &tip, NULL), TN_OK);
    return compile(spec);
}

static void destroy(mechanism *m)
{
    tn_sim_destroy(m->sim);
    tn_model_destroy(m->model);
}

static tn_recorder *make_recorder(const mechanism *m)
{
    tn_recorder *recorder = NULL;
    tn_record_def def = *tn_model_record(m->model);
    ck_assert_uint_eq(def.what, TN_RECORD_ALL);
    ck_assert_int_eq(tn_recorder_create(m->sim, &def, &recorder), TN_OK);
    return recorder;
}

/* The row the files must hold, from the getters of the simulation. */
static void expected_row(const tn_sim *sim, double row[COLUMNS])
{
    int n = 0;
    double poses[4][7], velocities[4][6];
    tn_sim_get_poses(sim, &poses[0][0]);
    tn_sim_get_velocities(sim, &velocities[0][0]);
    row[n++] = tn_sim_time(sim);
    static const int coordinates[3] = {1, 2, 0}, rows[3] = {5, 4, 3};
    double q[3][TN_MAX_COORDINATES], lambda[3][TN_MAX_ROWS];
    tn_sim_get_coordinates(sim, &q[0][0]);
    tn_sim_get_multipliers(sim, &lambda[0][0]);
    for (int i = 0; i < 3; i++) {
        memcpy(row + n, q[i], (size_t)coordinates[i] * sizeof(double));
        n += coordinates[i];
        tn_sim_joint_speeds(sim, (tn_joint){i}, row + n);
        n += coordinates[i];
        if (i == 2) { /* the ball */
            tn_pose T_CD;
            tn_twist velocity;
            tn_sim_joint_motion(sim, (tn_joint){i}, &T_CD, &velocity);
            const tn_vec3 turned = tn_quat_to_rotation_vector(T_CD.q);
            memcpy(row + n, &turned, sizeof turned);
            memcpy(row + n + 3, &velocity.w, sizeof velocity.w);
            n += 6;
        }
        tn_wrench w = tn_sim_joint_wrench(sim, (tn_joint){i}, TN_WRENCH_IN_C);
        memcpy(row + n, &w, sizeof w);
        n += 6;
    }
    tn_vec3 tip = tn_sim_marker_position(sim, (tn_marker){0});
    tn_energy energy = tn_sim_energy(sim);
    memcpy(row + n, &tip, sizeof tip);
    memcpy(row + n + 3, &energy, 6 * sizeof(double)); /* in the order of the columns */
    n += 9;
    for (int i = 0; i < 4; i++, n += 13) {
        memcpy(row + n, poses[i], sizeof poses[i]);
        memcpy(row + n + 7, velocities[i], sizeof velocities[i]);
    }
    for (int i = 0; i < 3; n += rows[i++])
        memcpy(row + n, lambda[i], (size_t)rows[i] * sizeof(double));
    ck_assert_int_eq(n, COLUMNS);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    ck_assert_uint_eq(fread(text, 1, size, file), size);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* Records FRAMES frames of a moving mechanism into both files and keeps what they must hold. */
static void record(double rows[FRAMES][COLUMNS])
{
    mechanism m = make_mechanism();
    tn_recorder *recorder = make_recorder(&m);
    ck_assert_int_eq(tn_recorder_add_csv(recorder, CSV_FILE, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_add_hdf5(recorder, HDF5_FILE, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_column_count(recorder), COLUMNS);
    for (int i = 0; i < FRAMES; i++) {
        double row[COLUMNS];
        expected_row(m.sim, rows[i]);
        tn_recorder_read(recorder, row);
        ck_assert_mem_eq(row, rows[i], sizeof row);
        ck_assert_int_eq(tn_recorder_write(recorder, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(m.sim, 0.01, NULL), TN_OK);
    }
    ck_assert_int_eq(tn_recorder_frame_count(recorder), FRAMES);
    ck_assert_int_eq(tn_recorder_close(recorder, NULL), TN_OK);
    tn_recorder_destroy(recorder);
    destroy(&m);
    ck_assert_double_ne(rows[FRAMES - 1][55], rows[0][55]); /* it moves */
}

START_TEST(csv_holds_what_the_simulation_says)
{
    double rows[FRAMES][COLUMNS];
    record(rows);
    char *text = read_text(CSV_FILE);
    const size_t units = strlen(expected_units), header = strlen(expected_header);
    ck_assert_int_eq(strncmp(text, expected_units, units), 0);
    ck_assert_int_eq(strncmp(text + units, expected_header, header), 0);
    ck_assert_int_eq(text[units + header], '\n');
    char *at = text + units + header + 1;
    for (int i = 0; i < FRAMES; i++)
        for (int k = 0; k < COLUMNS; k++) {
            char *end = NULL;
            double value = strtod(at, &end);
            ck_assert_ptr_ne(end, at);
            ck_assert_int_eq(*end, k + 1 < COLUMNS ? ',' : '\n');
            ck_assert(value == rows[i][k]); /* the same bits */
            at = end + 1;
        }
    ck_assert_int_eq(*at, '\0');
    free(text);
}
END_TEST

/* Column names through the interface: those of the header before quoting. */
START_TEST(column_names_are_those_of_the_header)
{
    mechanism m = make_mechanism();
    tn_recorder *recorder = make_recorder(&m);
    char name[64];
    tn_recorder_column_name(recorder, 0, name, sizeof name);
    ck_assert_str_eq(name, "t");
    tn_recorder_column_name(recorder, 52, name, sizeof name);
    ck_assert_str_eq(name, "frame.wz");
    tn_recorder_column_name(recorder, 66, name, sizeof name);
    ck_assert_str_eq(name, "arm \"B\", left.px");
    tn_recorder_column_name(recorder, 10, name, sizeof name);
    ck_assert_str_eq(name, "tube.theta");
    ck_assert_str_eq(tn_recorder_column_unit(recorder, 10), "rad");
    tn_recorder_column_name(recorder, ENERGY_TOTAL, name, sizeof name);
    ck_assert_str_eq(name, "energy.total");
    ck_assert_uint_eq(tn_recorder_column_name(recorder, ENERGY_TOTAL, name, 4), 12);
    ck_assert_str_eq(name, "ene");

    double row[COLUMNS], q[TN_MAX_COORDINATES];
    tn_joint tube;
    ck_assert_int_eq(tn_model_find_joint(m.model, "tube", &tube), TN_OK);
    tn_recorder_read(recorder, row);
    tn_sim_joint_coordinates(m.sim, tube, q);
    ck_assert_double_eq(row[0], tn_sim_time(m.sim));
    ck_assert_double_eq(row[10], q[1]);
    ck_assert_double_eq(row[ENERGY_TOTAL], tn_sim_energy(m.sim).total);
    ck_assert_int_eq(tn_recorder_frame_count(recorder), 0);
    tn_recorder_destroy(recorder);
    destroy(&m);
}
END_TEST

/* A data set must have this shape; its numbers go to out. */
static void read_set(hid_t file, const char *name, int rank, const hsize_t *shape, double *out)
{
    hsize_t dims[3] = {0, 0, 0};
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    ck_assert_msg(set >= 0, "%s is missing", name);
    hid_t space = H5Dget_space(set);
    ck_assert_int_eq(H5Sget_simple_extent_ndims(space), rank);
    H5Sget_simple_extent_dims(space, dims, NULL);
    for (int i = 0; i < rank; i++)
        ck_assert_uint_eq(dims[i], shape[i]);
    ck_assert_int_ge(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out), 0);
    H5Sclose(space);
    H5Dclose(set);
}

/* Text `index` of a data set, or of an attribute of one when attribute is not NULL. */
static void check_text(hid_t file, const char *name, const char *attribute, size_t index,
                       const char *want)
{
    char *texts[16] = {NULL};
    hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    hid_t from = attribute == NULL ? object : H5Aopen(object, attribute, H5P_DEFAULT);
    hid_t type = attribute == NULL ? H5Dget_type(from) : H5Aget_type(from);
    hid_t space = attribute == NULL ? H5Dget_space(from) : H5Aget_space(from);
    ck_assert_int_le(H5Sget_simple_extent_npoints(space), 16);
    ck_assert_int_gt(H5Sget_simple_extent_npoints(space), (int)index);
    if (attribute == NULL)
        H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
    else
        H5Aread(from, type, texts);
    ck_assert_str_eq(texts[index], want);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts);
    H5Sclose(space);
    H5Tclose(type);
    if (attribute != NULL)
        H5Aclose(from);
    H5Oclose(object);
}

/* Values of one frame that lie at `offset` + i * stride of the row, width at a time. */
static void check_values(const double *values, const double *row, int offset, int count, int width,
                         int stride)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < width; k++)
            ck_assert(values[i * width + k] == row[offset + i * stride + k]);
}

START_TEST(hdf5_holds_what_the_simulation_says)
{
    double rows[FRAMES][COLUMNS];
    record(rows);
    static double t[FRAMES], pose[FRAMES][28], velocity[FRAMES][24], q[FRAMES][6], speed[FRAMES][6],
        lambda[FRAMES][12], wrench[FRAMES][18], position[FRAMES][3], energy[FRAMES][4],
        work[FRAMES][2];
    hid_t file = H5Fopen(HDF5_FILE, H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_int_ge(file, 0);
    read_set(file, "/t", 1, (hsize_t[]){FRAMES}, t);
    read_set(file, "/bodies/pose", 3, (hsize_t[]){FRAMES, 4, 7}, &pose[0][0]);
    read_set(file, "/bodies/velocity", 3, (hsize_t[]){FRAMES, 4, 6}, &velocity[0][0]);
    read_set(file, "/joints/coordinates", 2, (hsize_t[]){FRAMES, 6}, &q[0][0]);
    read_set(file, "/joints/speeds", 2, (hsize_t[]){FRAMES, 6}, &speed[0][0]);
    read_set(file, "/joints/multipliers", 2, (hsize_t[]){FRAMES, 12}, &lambda[0][0]);
    read_set(file, "/joints/reaction", 3, (hsize_t[]){FRAMES, 3, 6}, &wrench[0][0]);
    read_set(file, "/markers/position", 3, (hsize_t[]){FRAMES, 1, 3}, &position[0][0]);
    read_set(file, "/energy", 2, (hsize_t[]){FRAMES, 4}, &energy[0][0]);
    read_set(file, "/work", 2, (hsize_t[]){FRAMES, 2}, &work[0][0]);
    for (int i = 0; i < FRAMES; i++) {
        const double *row = rows[i];
        ck_assert(t[i] == row[0]);
        check_values(pose[i], row, 40, 4, 7, 13);
        check_values(velocity[i], row, 47, 4, 6, 13);
        check_values(q[i], row, 1, 1, 1, 0);
        check_values(q[i] + 1, row, 9, 1, 2, 0);
        check_values(q[i] + 3, row, 19, 1, 3, 0);
        check_values(speed[i], row, 2, 1, 1, 0);
        check_values(speed[i] + 1, row, 11, 1, 2, 0);
        check_values(speed[i] + 3, row, 22, 1, 3, 0);
        check_values(lambda[i], row, 92, 1, 12, 0);
        check_values(wrench[i], row, 3, 1, 6, 0);
        check_values(wrench[i] + 6, row, 13, 1, 6, 0);
        check_values(wrench[i] + 12, row, 25, 1, 6, 0);
        check_values(position[i], row, 31, 1, 3, 0);
        check_values(energy[i], row, ENERGY_TOTAL - 3, 1, 4, 0);
        check_values(work[i], row, ENERGY_TOTAL + 1, 1, 2, 0);
    }
    check_text(file, "/bodies/names", NULL, 2, odd_name);
    check_text(file, "/joints/names", NULL, 1, "tube");
    check_text(file, "/markers/names", NULL, 0, "tip");
    check_text(file, "/joints/coordinates_columns", NULL, 2, "tube.theta");
    check_text(file, "/joints/coordinates_units", NULL, 1, "m");
    check_text(file, "/joints/multipliers_columns", NULL, 5, "tube.lambda0");
    check_text(file, "/joints/multipliers_units", NULL, 3, "N m");
    check_text(file, "/bodies/pose", "columns", 3, "qw");
    check_text(file, "/joints/reaction", "units", 5, "N m");
    check_text(file, "/", "format", 0, "tenon-record-1");
    H5Fclose(file);
}
END_TEST

/* Only the second joint's wrench and the energy. */
START_TEST(selection_is_obeyed)
{
    mechanism m = make_mechanism();
    tn_record_def def = tn_default_record_def();
    const tn_joint tube = {1};
    def.what = TN_RECORD_REACTIONS | TN_RECORD_ENERGY;
    def.joints = &tube;
    def.joint_count = 1;
    tn_recorder *recorder = NULL;
    ck_assert_int_eq(tn_recorder_create(m.sim, &def, &recorder), TN_OK);
    ck_assert_int_eq(tn_recorder_add_csv(recorder, CSV_FILE, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_add_hdf5(recorder, HDF5_FILE, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_write(recorder, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_close(recorder, NULL), TN_OK);
    tn_recorder_destroy(recorder);
    destroy(&m);
    char *text = read_text(CSV_FILE);
    char *names = strchr(text, '\n') + 1; /* behind the units */
    *strchr(names, '\n') = '\0';
    ck_assert_str_eq(names, "t,tube.fx,tube.fy,tube.fz,tube.mx,tube.my,tube.mz,energy.kinetic,"
                            "energy.potential,energy.elastic,energy.total,energy.work,energy.lost");
    free(text);
    hid_t file = H5Fopen(HDF5_FILE, H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_int_eq(H5Lexists(file, "/bodies", H5P_DEFAULT), 0);
    ck_assert_int_eq(H5Lexists(file, "/joints/coordinates", H5P_DEFAULT), 0);
    ck_assert_int_gt(H5Lexists(file, "/joints/reaction", H5P_DEFAULT), 0);
    H5Fclose(file);
}
END_TEST

typedef tn_status (*add_function)(tn_recorder *, const char *, tn_diagnostics *);

static const struct {
    add_function add;
    const char *path;
} unwritable[] = {
    {tn_recorder_add_csv, "/dev/full"},
    {tn_recorder_add_csv, TN_TEST_OUTPUT "/no/such/folder/x.csv"},
    {tn_recorder_add_csv, TN_TEST_OUTPUT},
    {tn_recorder_add_hdf5, "/dev/full"},
    {tn_recorder_add_hdf5, TN_TEST_OUTPUT "/no/such/folder/x.h5"},
    {tn_recorder_add_hdf5, TN_TEST_OUTPUT},
};

/* It crashed. */
START_TEST(a_selection_of_what_there_is_not_is_refused)
{
    mechanism m = make_mechanism();
    const int32_t ids[] = {-1, INT32_MIN, 1000};
    for (int which = 0; which < 12; which++) {
        const int32_t id = ids[which / 4];
        const tn_body body = {id};
        const tn_joint joint = {id};
        const tn_marker marker = {id};
        const tn_coupling coupling = {id};
        tn_record_def def = tn_default_record_def();
        tn_recorder *recorder = NULL;
        def.bodies = &body;
        def.joints = &joint;
        def.markers = &marker;
        def.couplings = &coupling;
        def.body_count = which % 4 == 0 ? 1 : -1;
        def.joint_count = which % 4 == 1 ? 1 : -1;
        def.marker_count = which % 4 == 2 ? 1 : -1;
        def.coupling_count = which % 4 == 3 ? 1 : -1;
        ck_assert_int_eq(tn_recorder_create(m.sim, &def, &recorder), TN_ERROR_ARGUMENT);
        ck_assert_ptr_null(recorder);
    }
    destroy(&m);
}
END_TEST

START_TEST(an_unwritable_file_is_reported)
{
    mechanism m = make_mechanism();
    tn_recorder *recorder = make_recorder(&m);
    tn_diagnostics *problems = tn_diagnostics_create();
    ck_assert_int_eq(unwritable[_i].add(recorder, unwritable[_i].path, problems), TN_ERROR_IO);
    ck_assert_int_eq(tn_diagnostics_error_count(problems), 1);
    ck_assert_str_eq(tn_diagnostics_get(problems, 0)->at.file, unwritable[_i].path);
    ck_assert_int_eq(tn_diagnostics_get(problems, 0)->code, TN_ERROR_IO);
    ck_assert_int_eq(tn_recorder_write(recorder, problems), TN_OK); /* no file is left */
    tn_recorder_destroy(recorder);
    tn_diagnostics_destroy(problems);
    destroy(&m);
}
END_TEST

/* A disk that fills up during the run: no file may grow beyond a limit. The other file goes on. */
static void fill_up(add_function add, const char *path, int frames)
{
    mechanism m = make_mechanism();
    tn_recorder *recorder = make_recorder(&m);
    tn_diagnostics *problems = tn_diagnostics_create();
    ck_assert_int_eq(add(recorder, path, problems), TN_OK);
    ck_assert_int_eq(tn_sim_step(m.sim, 0.01, NULL), TN_OK); /* numbers of many digits */
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    tn_status status = TN_OK;
    for (int i = 0; i < frames && status == TN_OK; i++)
        status = tn_recorder_write(recorder, problems);
    tn_status closed = tn_recorder_close(recorder, problems);
    setrlimit(RLIMIT_FSIZE, &before);
    ck_assert_int_eq(status == TN_OK ? closed : status, TN_ERROR_IO);
    ck_assert_int_eq(tn_diagnostics_error_count(problems), 1);
    ck_assert_ptr_nonnull(strstr(tn_diagnostics_get(problems, 0)->message, strerror(EFBIG)));
    tn_recorder_destroy(recorder);
    tn_diagnostics_destroy(problems);
    destroy(&m);
}

START_TEST(csv_tells_when_the_disk_fills_up)
{
    fill_up(tn_recorder_add_csv, CSV_FILE, 3000); /* during the run */
    fill_up(tn_recorder_add_csv, CSV_FILE, 150);  /* at the end: all fits into one block */
}
END_TEST

START_TEST(hdf5_tells_when_the_disk_fills_up)
{
    fill_up(tn_recorder_add_hdf5, HDF5_FILE, 20000);
    fill_up(tn_recorder_add_hdf5, HDF5_FILE, 500);
}
END_TEST

/* Ten thousand bodies are two data sets, not twenty thousand. */
START_TEST(many_bodies)
{
    enum { BODIES = 10000 };
    tn_spec *spec = tn_spec_create();
    for (int i = 0; i < BODIES; i++) {
        tn_body_def body = tn_default_body_def();
        body.kind = TN_BODY_PARTICLE;
        body.pose.p.x = i;
        body.mass = 1.0;
        ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
    }
    mechanism m = compile(spec);
    tn_recorder *recorder = make_recorder(&m);
    ck_assert_int_eq(tn_recorder_add_hdf5(recorder, HDF5_FILE, NULL), TN_OK);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(tn_recorder_write(recorder, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_close(recorder, NULL), TN_OK);
    tn_recorder_destroy(recorder);
    destroy(&m);
    double *pose = malloc(sizeof(double) * 3 * BODIES * 7);
    hid_t file = H5Fopen(HDF5_FILE, H5F_ACC_RDONLY, H5P_DEFAULT);
    read_set(file, "/bodies/pose", 3, (hsize_t[]){3, BODIES, 7}, pose);
    for (int i = 0; i < 3 * BODIES; i++)
        ck_assert(pose[7 * (size_t)i] == i % BODIES);
    H5Fclose(file);
    free(pose);
    struct stat info;
    ck_assert_int_eq(stat(HDF5_FILE, &info), 0);
    ck_assert_int_lt(info.st_size, 3 * BODIES * 13 * 8 + 2000000);
}
END_TEST

/* --- lack of memory --------------------------------------------------------------------------- */

/* Every k-th allocation fails once: a status, no leak, no crash. */
START_TEST(lack_of_memory_is_survived)
{
    test_allocator m = {.left = -1};
    tn_set_allocator(test_realloc, &m);
    mechanism mech = make_mechanism();
    const int64_t alive = m.alive;
    tn_status status = TN_ERROR_MEMORY;
    int budget = 0;
    for (; status != TN_OK && budget < 500; budget++) {
        tn_recorder *recorder = NULL;
        m.left = budget;
        status = tn_recorder_create(mech.sim, NULL, &recorder);
        if (status == TN_OK)
            status = tn_recorder_add_csv(recorder, CSV_FILE, NULL);
        if (status == TN_OK)
            status = tn_recorder_add_hdf5(recorder, HDF5_FILE, NULL);
        ck_assert(status == TN_OK || status == TN_ERROR_MEMORY);
        tn_recorder_destroy(recorder);
        ck_assert_int_eq(m.alive, alive);
    }
    ck_assert_int_eq(status, TN_OK);
    ck_assert_int_gt(budget, 10);
    m.left = -1;
    destroy(&mech);
    ck_assert_int_eq(m.alive, 0);
    tn_set_allocator(NULL, NULL);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("record");
    TCase *tcase = tcase_create("record");
    tcase_add_test(tcase, csv_holds_what_the_simulation_says);
    tcase_add_test(tcase, column_names_are_those_of_the_header);
    tcase_add_test(tcase, hdf5_holds_what_the_simulation_says);
    tcase_add_test(tcase, selection_is_obeyed);
    tcase_add_test(tcase, a_selection_of_what_there_is_not_is_refused);
    tcase_add_loop_test(tcase, an_unwritable_file_is_reported, 0,
                        (int)(sizeof unwritable / sizeof unwritable[0]));
    tcase_add_test(tcase, csv_tells_when_the_disk_fills_up);
    tcase_add_test(tcase, hdf5_tells_when_the_disk_fills_up);
    tcase_add_test(tcase, many_bodies);
    tcase_add_test(tcase, lack_of_memory_is_survived);
    suite_add_tcase(suite, tcase);
    return suite;
}
