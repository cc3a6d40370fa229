#include "import/mjcf/mjcf.h"
void tn_mjcf_read(tn_robot *robot, tn_xml_element *root)
{
    tn_xml_error(robot->import, root, NULL, NULL, "MJCF is not read yet");
}
