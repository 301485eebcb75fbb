#pragma once

#include <stddef.h>

int witness_is_framebuffer(int fd);

// From here on every access to this memory is seen, if that is asked for.
void witness_watch(void *memory, size_t length, int fd);
void witness_unwatch(void *memory);
// How often was written so far.
unsigned long long witness_writes(void);
