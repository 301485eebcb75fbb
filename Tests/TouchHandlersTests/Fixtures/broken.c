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

const touchtree_plugin *ENTRY(uint32_t host_abi, const touchtree_host *host, const char *config_json,
                              const char **error) {
  (void)host_abi, (void)host, (void)config_json;
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
