// The clocks and the display of LVGL's programs, which draw straight into the display's memory.
#include "lvgl.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Microseconds of a clock.
static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static uint32_t tick(void) { return (uint32_t)(now(CLOCK_MONOTONIC) / 1000); }

static void flush(lv_display_t *display, const lv_area_t *area, uint8_t *pixels) {
  (void)area;
  (void)pixels;
  lv_display_flush_ready(display);
}

static int compare(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}
