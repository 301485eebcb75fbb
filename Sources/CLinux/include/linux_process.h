#pragma once
#include <spawn.h>

// glibc 2.34 and later, but only declared for _GNU_SOURCE, without which Swift sees glibc.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
