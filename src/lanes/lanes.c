/* lanes.c: room lanes: which kernel this machine runs. */
#include "lanes/lanes.h"

#include "base/base.h"
#include "lanes/block.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
static const tn_lane_kernel *widest(int32_t most)
{
    const bool avx2 = __builtin_cpu_supports("avx2"), f = __builtin_cpu_supports("avx512f"),
               dq = __builtin_cpu_supports("avx512dq"), vl = __builtin_cpu_supports("avx512vl");
    if (f && dq && vl && most >= 8)
        return &tn_lane_kernel_8;
    return avx2 && most >= 4 ? &tn_lane_kernel_4 : &tn_lane_kernel_2;
}
#else
static const tn_lane_kernel *widest(int32_t most)
{
    (void)most;
    return &tn_lane_kernel_2;
}
#endif

const tn_lane_kernel *tn_lane_kernel_of(int32_t most)
{
    return most < 2 ? NULL : widest(most);
}

int32_t tn_lane_width(int32_t most)
{
    const tn_lane_kernel *kernel = tn_lane_kernel_of(most);
    return kernel ? kernel->width : 1;
}

int32_t tn_lane_shape_width(const tn_lane_shape *shape)
{
    return shape->kernel->width;
}

static size_t aligned(size_t bytes)
{
    return (bytes + TN_LANE_ALIGNMENT - 1) / TN_LANE_ALIGNMENT * TN_LANE_ALIGNMENT;
}

size_t tn_lane_block_size(const tn_lane_shape *shape)
{
    return aligned(tn_lane_numbers(shape) * (size_t)shape->kernel->width * sizeof(double));
}

size_t tn_lane_work_size(const tn_lane_shape *shape)
{
    const tn_lane_kernel *kernel = shape->kernel;
    return aligned(sizeof(tn_lane_world) * (size_t)kernel->width +
                   kernel->work_size * (size_t)shape->count +
                   kernel->inertia_size * (size_t)shape->inertias);
}

static tn_lane_rule rule_of(const tn_lane_shape *shape, double h)
{
    const tn_alpha c = tn_alpha_scheme(shape->spectral_radius, h);
    return (tn_lane_rule){c, tn_hinge_rule_of(&c), shape->tolerance, shape->most_iterations};
}

int64_t tn_lane_run(const tn_lane_shape *shape, double h, double *block, double *work,
                    unsigned lanes, int64_t steps, unsigned *left)
{
    const tn_lane_rule rule = rule_of(shape, h);
    return shape->kernel->run(shape, &rule, block, work, lanes, steps, left);
}

void tn_lane_commit(const tn_lane_shape *shape, double h, double *block, double *work)
{
    const tn_lane_rule rule = rule_of(shape, h);
    shape->kernel->commit(shape, &rule, block, work);
}
