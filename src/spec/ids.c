/* ids.c: room spec: what an id says of its item, and whether that item is at its index.
 *
 * In: the name of an item, its kind or type, and the bodies it joins. Out: a number that is never 0.
 * Two items in the same place of two descriptions have the same one where they are the same part of
 * the same build, and else, but for one chance in 2^32, not.
 */
#include "base/hash.h"
#include "spec/spec_internal.h"

tn_mark tn_mark_of(tn_section section, const char *name, const char *type, const int32_t what[2])
{
    const int32_t all[3] = {(int32_t)section, what[0], what[1]};
    uint64_t hash = tn_hash_bytes(TN_HASH_START, all, sizeof(all));
    hash = tn_hash_bytes(hash, name, strlen(name));
    if (type != NULL) {
        hash = tn_hash_bytes(hash, type, strlen(type));
    }
    const uint32_t of = (uint32_t)(hash ^ hash >> 32);
    return (tn_mark){.of = of != 0 ? of : 1};
}

const tn_mark *tn_spec_mark(const tn_spec *spec, tn_section section, int32_t index)
{
    static const tn_mark nothing = {0, false};
    switch (section) {
    case TN_SECTION_BODY:
        return &spec->bodies[index].mark;
    case TN_SECTION_JOINT:
        return &spec->joints[index].mark;
    case TN_SECTION_MARKER:
        return &spec->markers[index].mark;
    case TN_SECTION_COUPLING:
        return &spec->couplings[index].mark;
    case TN_SECTION_LOAD:
        return &spec->loads[index].mark;
    case TN_SECTION_MEASURE:
        return &spec->measures[index].mark;
    default:
        return &nothing;
    }
}

bool tn_spec_is_removed(const tn_spec *spec, tn_section section, int32_t index)
{
    return tn_spec_mark(spec, section, index)->removed;
}

bool tn_spec_had(const tn_spec *spec, tn_section section, int32_t index, uint32_t of)
{
    return TN_IN(index, tn_spec_count(spec, section)) &&
           (of == 0 || of == tn_spec_mark(spec, section, index)->of);
}
