// A plugin that is wrong in the one way that the test defines.
#include <stddef.h>
#include <touchtree.h>

#ifndef ABI
#define ABI TOUCHTREE_ABI
#endif
#ifndef SIZE
#define SIZE sizeof(touchtree_plugin)
#endif
#ifndef ENTRY
#define ENTRY touchtree_plugin_create
#endif
#ifndef REASON
#define REASON NULL
#endif

#ifdef MISSING
extern void a_function_that_nobody_has(void);
#define USE_MISSING a_function_that_nobody_has();
#else
#define USE_MISSING
#endif

TOUCHTREE_EXPORT const touchtree_plugin *ENTRY(uint32_t host_abi, const touchtree_host *host,
                                               const char *config_json, const char **error);

static const touchtree_host *kept;

// What a thread that the plugin has started would do.
TOUCHTREE_EXPORT int32_t call_the_host(void);
int32_t call_the_host(void) { return kept->invalidate(kept, "ok"); }

const touchtree_plugin *ENTRY(uint32_t host_abi, const touchtree_host *host, const char *config_json,
                              const char **error) {
  (void)host_abi, (void)config_json;
  kept = host;
  USE_MISSING
#ifdef REFUSES
  *error = REASON;
  return NULL;
#else
  static const touchtree_plugin plugin = {.size = SIZE, .abi = ABI};
  (void)error;
  return &plugin;
#endif
}
