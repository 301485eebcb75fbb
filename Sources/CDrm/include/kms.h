#pragma once

#include <errno.h>
#include <libdrm/drm_fourcc.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

// Kernel mode setting by libdrm. Boards with a framebuffer need no libdrm, so it is loaded when KMS is
// needed, and not linked. The functions have the headers' types.
struct touchtree_drm {
  __typeof__(&drmSetMaster) set_master;
  __typeof__(&drmDropMaster) drop_master;
  __typeof__(&drmSetClientCap) set_client_capability;
  __typeof__(&drmGetCap) get_capability;
  __typeof__(&drmGetVersion) get_version;
  __typeof__(&drmFreeVersion) free_version;
  __typeof__(&drmModeGetResources) get_resources;
  __typeof__(&drmModeFreeResources) free_resources;
  __typeof__(&drmModeGetConnector) get_connector;
  __typeof__(&drmModeGetConnectorCurrent) get_connector_current;
  __typeof__(&drmModeFreeConnector) free_connector;
  __typeof__(&drmModeGetEncoder) get_encoder;
  __typeof__(&drmModeFreeEncoder) free_encoder;
  __typeof__(&drmModeGetCrtc) get_crtc;
  __typeof__(&drmModeFreeCrtc) free_crtc;
  __typeof__(&drmModeSetCrtc) set_crtc;
  __typeof__(&drmModeGetPlaneResources) get_plane_resources;
  __typeof__(&drmModeFreePlaneResources) free_plane_resources;
  __typeof__(&drmModeGetPlane) get_plane;
  __typeof__(&drmModeFreePlane) free_plane;
  __typeof__(&drmModeObjectGetProperties) get_properties;
  __typeof__(&drmModeFreeObjectProperties) free_properties;
  __typeof__(&drmModeGetProperty) get_property;
  __typeof__(&drmModeFreeProperty) free_property;
  __typeof__(&drmModeConnectorSetProperty) set_connector_property;
  __typeof__(&drmModeAddFB2) add_framebuffer;
  __typeof__(&drmModeRmFB) remove_framebuffer;
  __typeof__(&drmModeCreatePropertyBlob) create_blob;
  __typeof__(&drmModeDestroyPropertyBlob) destroy_blob;
  // Null in libdrm before 2.4.89.
  __typeof__(&drmModeCreateLease) create_lease;
  __typeof__(&drmModeRevokeLease) revoke_lease;
};

// Returns null, or the missing function in the words of dlerror(3).
const char *touchtree_drm_load(const char *library, struct touchtree_drm *functions);

// Calls for each picture go to the kernel itself, because libdrm allocates memory for its requests. Each
// returns 0, or -1 with errno set, as ioctl does.

/// DRM_IOCTL_MODE_ATOMIC
int touchtree_drm_atomic(int fd, struct drm_mode_atomic *request);

/// DRM_IOCTL_MODE_CREATEPROPBLOB
int touchtree_drm_create_blob(int fd, const void *bytes, uint32_t size, uint32_t *blob);

/// DRM_IOCTL_MODE_DESTROYPROPBLOB
int touchtree_drm_destroy_blob(int fd, uint32_t blob);

/// DRM_IOCTL_MODE_DIRTYFB
int touchtree_drm_dirty(int fd, uint32_t framebuffer, const struct drm_clip_rect *clips, uint32_t count);

/// DRM_IOCTL_MODE_PAGE_FLIP with an event
int touchtree_drm_flip(int fd, uint32_t crtc, uint32_t framebuffer);

/// DRM_IOCTL_MODE_CURSOR: takes the hardware's pointer off a CRTC.
int touchtree_drm_hide_cursor(int fd, uint32_t crtc);

/// DRM_IOCTL_MODE_CREATE_DUMB
int touchtree_drm_create_dumb(int fd, struct drm_mode_create_dumb *buffer);

/// DRM_IOCTL_MODE_MAP_DUMB: the buffer's place in the file, for mmap(2).
int touchtree_drm_map_dumb(int fd, uint32_t handle, uint64_t *offset);

/// DRM_IOCTL_MODE_DESTROY_DUMB
int touchtree_drm_destroy_dumb(int fd, uint32_t handle);

/// DRM_IOCTL_MODE_GETFB: describes any program's buffer, with a handle for root and the master.
int touchtree_drm_get_buffer(int fd, uint32_t framebuffer, struct drm_mode_fb_cmd *buffer);

/// DRM_IOCTL_CRTC_GET_SEQUENCE: fails for drivers that have no vertical blank.
int touchtree_drm_has_vertical_blank(int fd, uint32_t crtc);

/// Takes the events that have arrived, and returns how many of them report a shown
/// picture; `time` becomes the last one's, in microseconds of CLOCK_MONOTONIC. Does not wait if the
/// descriptor does not.
int touchtree_drm_take_events(int fd, int64_t *time);
