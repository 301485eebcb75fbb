#include "kms.h"

#include <string.h>
#include <unistd.h>

#include "../CLinux/include/linux_loading.h"

const char *touchtree_drm_load(const char *library, struct touchtree_drm *functions) {
  const struct touchtree_wanted wanted[] = {
      {"drmSetMaster", (void **)&functions->set_master},
      {"drmDropMaster", (void **)&functions->drop_master},
      {"drmSetClientCap", (void **)&functions->set_client_capability},
      {"drmGetCap", (void **)&functions->get_capability},
      {"drmGetVersion", (void **)&functions->get_version},
      {"drmFreeVersion", (void **)&functions->free_version},
      {"drmModeGetResources", (void **)&functions->get_resources},
      {"drmModeFreeResources", (void **)&functions->free_resources},
      {"drmModeGetConnector", (void **)&functions->get_connector},
      {"drmModeGetConnectorCurrent", (void **)&functions->get_connector_current},
      {"drmModeFreeConnector", (void **)&functions->free_connector},
      {"drmModeGetEncoder", (void **)&functions->get_encoder},
      {"drmModeFreeEncoder", (void **)&functions->free_encoder},
      {"drmModeGetCrtc", (void **)&functions->get_crtc},
      {"drmModeFreeCrtc", (void **)&functions->free_crtc},
      {"drmModeSetCrtc", (void **)&functions->set_crtc},
      {"drmModeGetPlaneResources", (void **)&functions->get_plane_resources},
      {"drmModeFreePlaneResources", (void **)&functions->free_plane_resources},
      {"drmModeGetPlane", (void **)&functions->get_plane},
      {"drmModeFreePlane", (void **)&functions->free_plane},
      {"drmModeObjectGetProperties", (void **)&functions->get_properties},
      {"drmModeFreeObjectProperties", (void **)&functions->free_properties},
      {"drmModeGetProperty", (void **)&functions->get_property},
      {"drmModeFreeProperty", (void **)&functions->free_property},
      {"drmModeConnectorSetProperty", (void **)&functions->set_connector_property},
      {"drmModeAddFB2", (void **)&functions->add_framebuffer},
      {"drmModeRmFB", (void **)&functions->remove_framebuffer},
      {"drmModeCreatePropertyBlob", (void **)&functions->create_blob},
      {"drmModeDestroyPropertyBlob", (void **)&functions->destroy_blob},
  };
  const char *missing = touchtree_load(library, wanted, sizeof wanted / sizeof *wanted);
  if (missing) return missing;
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  *(void **)&functions->create_lease = dlsym(handle, "drmModeCreateLease");
  *(void **)&functions->revoke_lease = dlsym(handle, "drmModeRevokeLease");
  return 0;
}

// A signal may interrupt any of them. EAGAIN also requests another try. (drmIoctl)
static int call(int fd, unsigned long request, void *argument) {
  int status;
  do status = ioctl(fd, request, argument);
  while (status != 0 && (errno == EINTR || errno == EAGAIN));
  return status;
}

int touchtree_drm_atomic(int fd, struct drm_mode_atomic *request) {
  return call(fd, DRM_IOCTL_MODE_ATOMIC, request);
}

int touchtree_drm_create_blob(int fd, const void *bytes, uint32_t size, uint32_t *blob) {
  struct drm_mode_create_blob create = {.data = (uintptr_t)bytes, .length = size};
  const int status = call(fd, DRM_IOCTL_MODE_CREATEPROPBLOB, &create);
  *blob = create.blob_id;
  return status;
}

int touchtree_drm_destroy_blob(int fd, uint32_t blob) {
  struct drm_mode_destroy_blob destroy = {.blob_id = blob};
  return call(fd, DRM_IOCTL_MODE_DESTROYPROPBLOB, &destroy);
}

int touchtree_drm_dirty(int fd, uint32_t framebuffer, const struct drm_clip_rect *clips, uint32_t count) {
  struct drm_mode_fb_dirty_cmd dirty = {.fb_id = framebuffer, .num_clips = count, .clips_ptr = (uintptr_t)clips};
  return call(fd, DRM_IOCTL_MODE_DIRTYFB, &dirty);
}

int touchtree_drm_flip(int fd, uint32_t crtc, uint32_t framebuffer) {
  struct drm_mode_crtc_page_flip flip = {.crtc_id = crtc, .fb_id = framebuffer, .flags = DRM_MODE_PAGE_FLIP_EVENT};
  return call(fd, DRM_IOCTL_MODE_PAGE_FLIP, &flip);
}

int touchtree_drm_hide_cursor(int fd, uint32_t crtc) {
  struct drm_mode_cursor cursor = {.flags = DRM_MODE_CURSOR_BO, .crtc_id = crtc};
  return call(fd, DRM_IOCTL_MODE_CURSOR, &cursor);
}

int touchtree_drm_create_dumb(int fd, struct drm_mode_create_dumb *buffer) {
  return call(fd, DRM_IOCTL_MODE_CREATE_DUMB, buffer);
}

int touchtree_drm_map_dumb(int fd, uint32_t handle, uint64_t *offset) {
  struct drm_mode_map_dumb map = {.handle = handle};
  const int status = call(fd, DRM_IOCTL_MODE_MAP_DUMB, &map);
  *offset = map.offset;
  return status;
}

int touchtree_drm_destroy_dumb(int fd, uint32_t handle) {
  struct drm_mode_destroy_dumb destroy = {.handle = handle};
  return call(fd, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy);
}

int touchtree_drm_get_buffer(int fd, uint32_t framebuffer, struct drm_mode_fb_cmd *buffer) {
  *buffer = (struct drm_mode_fb_cmd){.fb_id = framebuffer};
  return call(fd, DRM_IOCTL_MODE_GETFB, buffer);
}

int touchtree_drm_has_vertical_blank(int fd, uint32_t crtc) {
  struct drm_crtc_get_sequence sequence = {.crtc_id = crtc};
  return call(fd, DRM_IOCTL_CRTC_GET_SEQUENCE, &sequence);
}

int touchtree_drm_take_events(int fd, int64_t *time) {
  // Aligned for the events. The kernel returns whole events only.
  _Alignas(8) char bytes[1024];
  int shown = 0;
  for (;;) {
    const ssize_t count = read(fd, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return shown;
    for (ssize_t place = 0; place + (ssize_t)sizeof(struct drm_event) <= count;) {
      struct drm_event event;
      memcpy(&event, bytes + place, sizeof event);
      if (event.length < sizeof event) return shown;
      struct drm_event_vblank flip;
      if (event.type == DRM_EVENT_FLIP_COMPLETE && event.length >= sizeof flip) {
        memcpy(&flip, bytes + place, sizeof flip);
        *time = flip.tv_sec * INT64_C(1000000) + flip.tv_usec;
        shown++;
      }
      place += event.length;
    }
    // The buffer had room, so there are no more.
    if (count <= (ssize_t)sizeof bytes / 2) return shown;
  }
}
