#pragma once

#include <linux/videodev2.h>
#include <stdint.h>
#include <sys/ioctl.h>

// Swift does not import variadic functions, so each ioctl has one typed function here.
// Each returns 0, or -1 with errno set, as ioctl does.

/// VIDIOC_QUERYCAP
static inline int touchtree_raw_capabilities(int fd, struct v4l2_capability *capability) {
  return ioctl(fd, VIDIOC_QUERYCAP, capability);
}

/// VIDIOC_ENUMINPUT: a measurement of the driver, by `input->index`.
static inline int touchtree_raw_input(int fd, struct v4l2_input *input) {
  return ioctl(fd, VIDIOC_ENUMINPUT, input);
}

/// VIDIOC_S_INPUT
static inline int touchtree_raw_choose(int fd, int index) {
  return ioctl(fd, VIDIOC_S_INPUT, &index);
}

/// VIDIOC_G_FMT of the captured pixels. Swift does not import the union.
static inline int touchtree_raw_format(int fd, struct v4l2_pix_format *pixels) {
  struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  const int status = ioctl(fd, VIDIOC_G_FMT, &format);
  *pixels = format.fmt.pix;
  return status;
}
