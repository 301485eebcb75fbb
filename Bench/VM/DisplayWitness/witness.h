#pragma once

#include <stddef.h>
#include <sys/types.h>

// A framebuffer was read, or mapped so that it can be.
void witness_read(void);
// Bytes of a framebuffer were written.
void witness_write(int fd, size_t length, off_t offset);
// How often was written so far.
unsigned long long witness_writes(void);
