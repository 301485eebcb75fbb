// See drm.h beside this file.
#include <libdrm/drm_mode.h>
