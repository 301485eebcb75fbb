#include "linux_loop.h"
#include "linux_display.h"
#include "linux_terminal.h"
