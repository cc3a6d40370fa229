/* joint_list.h: room joint: the registry, one line per joint type.
 * Each line names the file src/joint/type/<name>.c, which defines tn_joint_class_<name>; custom
 * joints have a room of their own, src/joint/custom. */
#ifndef TN_JOINT_LIST_H
#define TN_JOINT_LIST_H

#define TN_JOINT_LIST(X)                                                                           \
    X(hinge)                                                                                       \
    X(slider)                                                                                      \
    X(cylindrical)                                                                                 \
    X(screw)                                                                                       \
    X(slotted_hinge)                                                                               \
    X(universal)                                                                                   \
    X(skewed_universal)                                                                            \
    X(constant_velocity)                                                                           \
    X(gimbal)                                                                                      \
    X(spherical)                                                                                   \
    X(spherical_tilt)                                                                              \
    X(spherical_rotation)                                                                          \
    X(spherical_swing_twist)                                                                       \
    X(planar)                                                                                      \
    X(planar_translation)                                                                          \
    X(ellipsoid)                                                                                   \
    X(solid)                                                                                       \
    X(free)                                                                                        \
    X(rotation_lock)                                                                               \
    X(parallel_axes)                                                                               \
    X(point_plane)                                                                                 \
    X(point_line)                                                                                  \
    X(half_space)                                                                                  \
    X(segmented_plane)                                                                             \
    X(segmented_half_space)                                                                        \
    X(custom)                                                                                      \
    X(distance)                                                                                    \
    X(rod)                                                                                         \
    X(rope)                                                                                        \
    X(wheel)                                                                                       \
    X(pin)                                                                                         \
    X(block_distance)                                                                              \
    X(beam)

/* The number of each type: TN_JOINT_hinge ... */
enum {
#define TN_JOINT_NUMBER(name) TN_JOINT_##name,
    TN_JOINT_LIST(TN_JOINT_NUMBER)
#undef TN_JOINT_NUMBER
        TN_JOINT_TYPE_COUNT
};

#endif
