/* fuzz_saved.c: any bytes as a saved state, or as changes of one that was saved. What was not saved
 * is refused and changes nothing; what was goes on. */
#include <string.h>

#include "fuzz.h"
#include "tenon/io.h"
#include "tenon/sim.h"

static const char text[] =
    "tenon: 1\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  wheel: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}\n"
    "joints:\n"
    "  p: {type: hinge, a: crank, origin: [0, 0, 0], axis: [0, 0, 1], speed: {theta: 3}, motor: "
    "{theta: {speed: 3}}}\n"
    "  q: {type: hinge, a: wheel, origin: [1, 0, 0], axis: [0, 0, 1], range: {theta: [-40, 40]}}\n"
    "couplings:\n"
    "  g: {gear: {a: p.theta, b: q.theta, ratio: -2}}\n";

static tn_sim *sim;
static unsigned char *saved, *block, *now;
static size_t block_size;

static void make(void)
{
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    fuzz_require(tn_spec_read_string(text, strlen(text), "saved", NULL, &spec) == TN_OK, "a model");
    fuzz_require(tn_model_compile(spec, NULL, &model) == TN_OK, "that compiles");
    fuzz_require(tn_sim_create(model, NULL, NULL, &sim) == TN_OK, "and starts");
    for (int k = 0; k < 10; k++)
        fuzz_require(tn_sim_step(sim, 1e-2, NULL) == TN_OK, "and steps");
    block_size = tn_sim_state_size(sim);
    saved = malloc(block_size);
    block = malloc(block_size);
    now = malloc(block_size);
    fuzz_require(saved && block && now, "memory");
    tn_sim_save(sim, saved);
    tn_spec_destroy(spec);
}

/* Raw bytes from the start, or up to a hundred bytes of what was saved changed. */
static void write_block(fuzz_bytes bytes)
{
    memcpy(block, saved, block_size);
    if (fuzz_byte(&bytes) % 4 == 0) {
        const size_t length = (size_t)(bytes.end - bytes.at);
        memcpy(block, bytes.at, length < block_size ? length : block_size);
        return;
    }
    for (int k = 0; k < 100 && bytes.at < bytes.end; k++) {
        const size_t at = fuzz_byte(&bytes) | fuzz_byte(&bytes) << 8;
        block[at % block_size] ^= (unsigned char)fuzz_byte(&bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!sim)
        make();
    write_block((fuzz_bytes){data, data + size});
    const int same = memcmp(block, saved, block_size) == 0;
    const tn_status status = tn_sim_restore(sim, block);
    fuzz_require((status == TN_OK) == same, "what was saved is taken, and nothing else");
    tn_sim_save(sim, now);
    fuzz_require(memcmp(now, saved, block_size) == 0, "the state is the one that was saved");
    return 0;
}
