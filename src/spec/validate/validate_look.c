/* validate_look.c: can a joint be drawn like that?
 *
 * Room spec/validate.
 */
#include <math.h>

#include "spec/validate/check.h"

static void check_color(tn_check *check, tn_vec3 color)
{
    if (isnan(color.x)) {
        return;
    }
    const double parts[] = {color.x, color.y, color.z};
    for (int i = 0; i < 3; i++) {
        if (!(parts[i] >= 0.0 && parts[i] <= 1.0)) {
            tn_complain(check, "color", TN_WHOLE_FIELD, NULL,
                        "color is red, green, blue between 0 and 1, not %g", parts[i]);
            return;
        }
    }
}

static void check_frame_style(tn_check *check, const char *key, tn_frame_style style)
{
    if ((unsigned)style >= TN_FRAME_STYLE_COUNT) {
        tn_complain(check, key, TN_WHOLE_FIELD, NULL, "there is no frame style number %d",
                    (int)style);
    }
}

void tn_check_look(tn_check *check, const tn_joint_look *look)
{
    const struct {
        const char *key, *label;
        double value;
    } sizes[] = {
        {"axis_length", "axis length", look->axis_length},
        {"shaft_length", "shaft length", look->shaft_length},
        {"shaft_radius", "shaft radius", look->shaft_radius},
        {"joint_radius", "joint radius", look->joint_radius},
        {"slot_width", "slot width", look->slot_width},
        {"plane_size", "plane size", look->plane_size},
    };
    for (size_t i = 0; i < TN_COUNT_OF(sizes); i++) {
        if (!isnan(sizes[i].value)) {
            tn_check_not_negative(check, sizes[i].key, TN_WHOLE_FIELD, sizes[i].value,
                                  sizes[i].label);
        }
    }
    check_color(check, look->color);
    check_frame_style(check, "draw_frame_c", look->draw_frame_c);
    check_frame_style(check, "draw_frame_d", look->draw_frame_d);
}
