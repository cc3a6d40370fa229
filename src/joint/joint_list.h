/* joint_list.h: room joint: the registry, one line per joint type.
 * Each line names the file src/joint/<name>.c, which defines tn_joint_class_<name>. */
#ifndef TN_JOINT_LIST_H
#define TN_JOINT_LIST_H

#define TN_JOINT_LIST(X)                                                                           \
    X(hinge)                                                                                       \
    X(slider)                                                                                      \
    X(cylindrical)                                                                                 \
    X(spherical)                                                                                   \
    X(solid)

#endif
