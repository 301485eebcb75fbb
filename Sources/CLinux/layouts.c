#include "linux_loop.h"
