/* method.c: room method: the table of integrators. */
#include "method/method.h"

const tn_method *tn_method_of(tn_integrator integrator)
{
    static const tn_method *const methods[] = {
#define METHOD(id, name, text, order, controls) &tn_method_##name,
        TN_INTEGRATOR_LIST(METHOD)
#undef METHOD
    };
    return (unsigned)integrator < TN_INTEGRATOR_COUNT ? methods[integrator] : NULL;
}

tn_integrator_traits tn_integrator_traits_of(tn_integrator integrator)
{
    const tn_method *method = tn_method_of(integrator);
    return method ? method->traits : (tn_integrator_traits){0};
}
