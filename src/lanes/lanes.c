/* lanes.c: room lanes: which kernel this machine runs. */
#include "lanes/lanes.h"

#include "base/base.h"
#include "lanes/block.h"

/* 0: as many lanes as the machine has. */
static int32_t limit = 0;

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
static const tn_lane_kernel *widest(void)
{
    const bool avx2 = __builtin_cpu_supports("avx2"), f = __builtin_cpu_supports("avx512f"),
               dq = __builtin_cpu_supports("avx512dq"), vl = __builtin_cpu_supports("avx512vl");
    if (f && dq && vl && (limit == 0 || limit >= 8))
        return &tn_lane_kernel_8;
    return avx2 && (limit == 0 || limit >= 4) ? &tn_lane_kernel_4 : &tn_lane_kernel_2;
}
#else
static const tn_lane_kernel *widest(void)
{
    return &tn_lane_kernel_2;
}
#endif

/* NULL: one world at a time. */
static const tn_lane_kernel *kernel_of_machine(void)
{
    return limit == 1 ? NULL : widest();
}

void tn_lane_limit(int32_t most)
{
    limit = most;
}

int32_t tn_lane_width(void)
{
    const tn_lane_kernel *kernel = kernel_of_machine();
    return kernel ? kernel->width : 1;
}

static size_t aligned(size_t bytes)
{
    return (bytes + TN_LANE_ALIGNMENT - 1) / TN_LANE_ALIGNMENT * TN_LANE_ALIGNMENT;
}

size_t tn_lane_block_size(const tn_lane_shape *shape)
{
    return aligned(tn_lane_numbers(shape) * (size_t)tn_lane_width() * sizeof(double));
}

size_t tn_lane_work_size(const tn_lane_shape *shape)
{
    const tn_lane_kernel *kernel = kernel_of_machine();
    return aligned(sizeof(tn_lane_world) * (size_t)kernel->width +
                   kernel->work_size * (size_t)shape->count);
}

static tn_lane_rule rule_of(const tn_lane_shape *shape, double h)
{
    return (tn_lane_rule){tn_alpha_scheme(shape->spectral_radius, h), shape->tolerance,
                          shape->most_iterations};
}

int64_t tn_lane_run(const tn_lane_shape *shape, double h, double *block, double *work,
                    unsigned lanes, int64_t steps, unsigned *left)
{
    const tn_lane_rule rule = rule_of(shape, h);
    return kernel_of_machine()->run(shape, &rule, block, work, lanes, steps, left);
}

void tn_lane_commit(const tn_lane_shape *shape, double h, double *block, double *work)
{
    const tn_lane_rule rule = rule_of(shape, h);
    kernel_of_machine()->commit(shape, &rule, block, work);
}
