/* A program outside the project that uses the installed library. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tenon/math.h>
#include <tenon/status.h>

int main(void)
{
    tn_pose quarter = {.p = {1, 0, 0}, .q = tn_quat_from_axis_angle((tn_vec3){0, 0, 1}, asin(1))};
    tn_vec3 p = tn_pose_transform_point(quarter, (tn_vec3){1, 0, 0});
    printf("%s: %g %g %g\n", tn_status_text(TN_OK), p.x, p.y, p.z);
    double error = fabs(p.x - 1) + fabs(p.y - 1) + fabs(p.z);
    return error < 1e-15 && strcmp(tn_status_text(TN_OK), "ok") == 0 ? 0 : 1;
}
