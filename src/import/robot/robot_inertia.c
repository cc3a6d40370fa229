/* robot_inertia.c: inertias that no body can have (robot.h).
 *
 * Room import/robot. Principal moments of matter obey a + b >= c. Files have others: rounded to few digits, zeros,
 * guesses. The sum J + d 1 with the smallest d > 0 that makes them possible is the nearest one that
 * keeps the axes.
 */
#include "import/robot/robot.h"

#include <math.h>

/* What is missing by rounding is given without a word, relative. */
#define ROUNDING 1e-4
/* Of a body of which a file says no inertia: the square of a radius of gyration, m^2. */
#define POINT_GYRATION 1e-6

static void add_to_diagonal(tn_mat3 *J, double d)
{
    for (int i = 0; i < 3; i++) {
        J->m[i][i] += d;
    }
}

void tn_robot_mend_inertia(tn_robot *robot, tn_robot_link *link, const tn_xml_element *element)
{
    tn_vec3 moments; /* ascending */
    tn_mat3 *J = &link->mass.inertia;
    if (!(link->mass.mass > 0.0) || element == NULL)
        return;
    tn_mass_properties_principal(&link->mass, &moments, NULL);
    const double largest = fabs(moments.z) > fabs(moments.x) ? fabs(moments.z) : fabs(moments.x);
    if (largest == 0.0) {
        add_to_diagonal(J, POINT_GYRATION * link->mass.mass);
        tn_xml_warning(robot->import, element, NULL, NULL,
                       "link '%.100s' has a mass and no inertia: given that of 1 mm around it",
                       link->name != NULL ? link->name : "");
        return;
    }
    const double d = moments.z - moments.x - moments.y; /* enough for the smallest too */
    if (!(d > 0.0))
        return;
    add_to_diagonal(J, d * (1.0 + ROUNDING * ROUNDING));
    if (d > ROUNDING * largest)
        tn_xml_warning(robot->import, element, NULL, NULL,
                       "no body has the inertia of link '%.100s', of principal moments %g, %g, %g: "
                       "%g is added to each",
                       link->name != NULL ? link->name : "", moments.x, moments.y, moments.z, d);
}
