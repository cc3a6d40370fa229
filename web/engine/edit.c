/* edit.c: room web: what the page changes of a running mechanism: coordinates, switches, what acts
 * along coordinates, and bodies taken by the hand. Every function answers a tn_status.
 */
#include <math.h>
#include <string.h>

#include "page.h"

/* Sets one coordinate. answer[6]: outcome, value reached, joint errors (m, rad), poses on the way,
 * bodies moved. */
int PAGE_EXPORT(page_set_coordinate)(int joint, int coordinate, double value, double *answer)
{
    const tn_coordinate_request request = {page_joint(joint), coordinate, value};
    tn_coordinate_answer got = {TN_COORDINATE_SET, (double)NAN};
    tn_placement_report report;
    tn_coordinate_options options = tn_default_coordinate_options();
    options.project_velocity = 1;
    const tn_status status =
        tn_sim_set_coordinates(the_page.sim, &request, 1, &options, &got, &report);
    const double numbers[6] = {(double)got.outcome, got.value,         report.position_error,
                               report.angle_error,  report.path_steps, report.moved_bodies};
    memcpy(answer, numbers, sizeof numbers);
    return status;
}

const char *PAGE_EXPORT(page_outcome)(int outcome)
{
    return tn_coordinate_outcome_word((tn_coordinate_outcome)outcome);
}

/* Where another coordinate turns back while one goes to a value, and where it turns back itself, ahead in a direction: the
 * pose is there then. */
int PAGE_EXPORT(page_find_turning)(int joint, int coordinate, double to, int other,
                                   int other_coordinate, double *at)
{
    return tn_sim_find_turning(the_page.sim, page_joint(joint), coordinate, to, page_joint(other),
                               other_coordinate, at);
}

int PAGE_EXPORT(page_find_dead_point)(int joint, int coordinate, double direction, double *at)
{
    return tn_sim_find_dead_point(the_page.sim, page_joint(joint), coordinate, direction, at);
}

/* The coordinates that cannot be chosen once `joint`'s is held: 1 in
 * out[joints][TN_MAX_COORDINATES] where the other follows. Asked by moving nothing: both requests
 * at the present values. */
int PAGE_EXPORT(page_dependent)(int joint, int coordinate, int other, int other_coordinate)
{
    double q[TN_MAX_COORDINATES], p[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(the_page.sim, page_joint(joint), q);
    tn_sim_joint_coordinates(the_page.sim, page_joint(other), p);
    const tn_coordinate_request requests[2] = {
        {page_joint(joint), coordinate, q[coordinate]},
        {page_joint(other), other_coordinate, p[other_coordinate]}};
    tn_coordinate_answer answers[2];
    const tn_status status = tn_sim_set_coordinates(the_page.sim, requests, 2, NULL, answers, NULL);
    return status == TN_OK && answers[1].outcome == TN_COORDINATE_DEPENDENT;
}

/* Brings a point of a body (m, body frame) as near to a place as the joints let it. */
int PAGE_EXPORT(page_drag)(int body, double px, double py, double pz, double x, double y, double z)
{
    tn_marker_request request = tn_default_point_request(page_body(body), (tn_vec3){px, py, pz});
    request.position = (tn_vec3){x, y, z};
    request.weight = 1.0;
    return tn_sim_pose(the_page.sim, NULL, 0, &request, 1, NULL, NULL, NULL, NULL);
}

/* A point of the world in a body's frame, and back; in place. */
void PAGE_EXPORT(page_body_point)(int body, double *point)
{
    const tn_pose pose = tn_pose_inverse(tn_sim_body_pose(the_page.sim, page_body(body)));
    const tn_vec3 p = tn_pose_transform_point(pose, (tn_vec3){point[0], point[1], point[2]});
    memcpy(point, &p, sizeof p);
}

void PAGE_EXPORT(page_world_point)(int body, double *point)
{
    const tn_pose pose = tn_sim_body_pose(the_page.sim, page_body(body));
    const tn_vec3 p = tn_pose_transform_point(pose, (tn_vec3){point[0], point[1], point[2]});
    memcpy(point, &p, sizeof p);
}

/* ranges, locks, joints switched off ----------------------------------------------------------- */

int PAGE_EXPORT(page_set_range)(int joint, int coordinate, double lower, double upper)
{
    return tn_sim_set_range(the_page.sim, page_joint(joint), coordinate, lower, upper);
}

int PAGE_EXPORT(page_set_locked)(int joint, int coordinate, int locked)
{
    return tn_sim_set_locked(the_page.sim, page_joint(joint), coordinate, locked);
}

int PAGE_EXPORT(page_set_enabled)(int joint, int enabled)
{
    tn_status status = tn_sim_set_enabled(the_page.sim, page_joint(joint), enabled);
    if (status == TN_OK && enabled)
        status = tn_sim_assemble(the_page.sim, NULL);
    return status;
}

/* Infinite: it never breaks. */
int PAGE_EXPORT(page_set_break)(int joint, double force, double torque)
{
    return tn_sim_set_break(the_page.sim, page_joint(joint), force, torque);
}

/* Of a joint's rows of one kind (TN_ROW_LINEAR, TN_ROW_ROTARY), critically damped; 0 is hard. */
int PAGE_EXPORT(page_set_compliance)(int joint, uint32_t group, double compliance)
{
    return tn_sim_set_group_compliance(the_page.sim, page_joint(joint), group, compliance, 1.0);
}

/* what acts along a coordinate ----------------------------------------------------------------- */

/* Coordinates that get room for drives at once: of larger models only what is touched. */
#define MOST_ROOM 400

static bool is_driven(int32_t j, int32_t coordinate)
{
    const tn_joint_def *def = tn_spec_joint(the_page.spec, page_joint(j));
    for (int32_t k = 0; k < def->drive_count; k++)
        if (def->drives[k].coordinate == coordinate)
            return true;
    return false;
}

/* A drive on a coordinate that had none makes the state larger, and what was kept before of no use:
 * with the first one all others get room too. Coordinates that cannot be driven stay without. */
void PAGE_EXPORT(page_make_room)(void)
{
    int32_t room = MOST_ROOM;
    for (int32_t j = 0; j < the_page.size.joints; j++) {
        const tn_joint_type_info *info = tn_model_joint_info(the_page.model, page_joint(j));
        for (int32_t i = 0; i < info->coordinate_count && room > 0; i++, room--)
            if (!is_driven(j, i))
                (void)tn_sim_set_spring(the_page.sim, page_joint(j), i, NULL);
    }
}

static page_drive *drive_at(int joint, int coordinate)
{
    return &the_page.drives[joint * TN_MAX_COORDINATES + coordinate];
}

/* Functions are numbers here; they live as long as the page's model, of which there are few. */
static tn_function_def constant(double value)
{
    static double numbers[4096];
    static int32_t used = 0;
    double *place = &numbers[used++ % 4096];
    *place = value;
    return (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = place, .count = 1};
}

/* mode 0: no motor; 1: to a speed; 2: to a position. NaN cap: whatever it takes. */
int PAGE_EXPORT(page_set_motor)(int joint, int coordinate, int mode, double target, double cap)
{
    page_drive *drive = drive_at(joint, coordinate);
    drive->motor = tn_default_motor_def();
    if (mode == 1)
        drive->motor.speed = constant(target);
    if (mode == 2)
        drive->motor.position = constant(target);
    drive->motor.max_force = cap;
    return tn_sim_set_motor(the_page.sim, page_joint(joint), coordinate,
                            mode == 0 ? NULL : &drive->motor);
}

/* Takes a prescribed motion away, or (on 1) turns on evenly from where it is. */
int PAGE_EXPORT(page_set_driver)(int joint, int coordinate, int on, double value, double rate)
{
    page_drive *drive = drive_at(joint, coordinate);
    drive->position = (tn_function_def){0};
    if (!on)
        return tn_sim_set_driver(the_page.sim, page_joint(joint), coordinate, NULL);
    static double numbers[2][2048];
    static int32_t used = 0;
    double *place = numbers[0] + 2 * (used++ % 1024);
    place[0] = value - rate * tn_sim_time(the_page.sim);
    place[1] = rate;
    drive->position =
        (tn_function_def){.kind = TN_FUNCTION_POLYNOMIAL, .numbers = place, .count = 2};
    return tn_sim_set_driver(the_page.sim, page_joint(joint), coordinate, &drive->position);
}

int PAGE_EXPORT(page_set_friction)(int joint, int coordinate, double force, double viscous)
{
    page_drive *drive = drive_at(joint, coordinate);
    drive->friction.force = force;
    drive->friction.viscous = viscous;
    return tn_sim_set_friction(the_page.sim, page_joint(joint), coordinate,
                               force > 0.0 || viscous > 0.0 ? &drive->friction : NULL);
}

int PAGE_EXPORT(page_set_spring)(int joint, int coordinate, double stiffness, double damping,
                                 double rest)
{
    page_drive *drive = drive_at(joint, coordinate);
    drive->spring = tn_default_spring_def();
    drive->spring.stiffness = stiffness;
    drive->spring.damping = damping;
    drive->spring.rest = constant(rest);
    return tn_sim_set_spring(the_page.sim, page_joint(joint), coordinate,
                             stiffness > 0.0 || damping > 0.0 ? &drive->spring : NULL);
}

/* Generalised force of one part on a coordinate and the joint's own speeds, for the panel: [3] the
 * coordinate's speed, limit and lock force, drive force. */
void PAGE_EXPORT(page_coordinate_forces)(int joint, int coordinate, double *out)
{
    double speeds[TN_MAX_COORDINATES] = {0.0};
    const tn_joint j = page_joint(joint);
    if (joint < the_page.size.joints) {
        tn_sim_joint_speeds(the_page.sim, j, speeds);
        out[0] = speeds[coordinate];
    } else {
        const tn_coupling coupling = {joint - the_page.size.joints};
        out[0] = tn_sim_coupling_speed(the_page.sim, coupling);
    }
    out[1] = tn_sim_coordinate_force(the_page.sim, j, coordinate, TN_WRENCH_LOCK) +
             tn_sim_coordinate_force(the_page.sim, j, coordinate, TN_WRENCH_LIMIT);
    out[2] = 0.0;
    for (int part = TN_WRENCH_DRIVER; part < TN_WRENCH_PART_COUNT; part++)
        out[2] += tn_sim_coordinate_force(the_page.sim, j, coordinate, (tn_wrench_part)part);
}
