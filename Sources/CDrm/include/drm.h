// xf86drm.h wants the headers of libdrm by these names, which pkg-config would put into the search path, together with the
// library itself: that is not to be linked.
#include <libdrm/drm.h>
