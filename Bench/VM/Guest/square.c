// The least that shows a touch: reads a device and fills a rectangle of the framebuffer while something touches the
// device. What a daemon takes longer than this is its own. It shows its pixels in one of four ways:
//
//   map     writes them to the mapping; the kernel shows them when it likes
//   fsync   the same, and asks the kernel to show them now
//   write   writes each row with pwrite(2), without a mapping
//   dirty   writes them to a buffer of a card that is given instead of a framebuffer, and says what is dirty
#include <fcntl.h>
#include <linux/input.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

static void set_row(const struct screen *screen, uint8_t *row, unsigned width, uint32_t colour) {
  if (screen->depth == 4)
    for (unsigned x = 0; x < width; x++) ((uint32_t *)row)[x] = colour;
  else
    for (unsigned x = 0; x < width; x++) ((uint16_t *)row)[x] = (uint16_t)colour;
}

static void map(const struct screen *screen, struct rectangle area, uint32_t colour) {
  for (unsigned y = area.y; y < area.y + area.height; y++)
    set_row(screen, screen->pixels + place_in(screen, area.x, y), area.width, colour);
}

static void map_and_flush(const struct screen *screen, struct rectangle area, uint32_t colour) {
  map(screen, area, colour);
  if (fsync(screen->node) < 0) fail_errno("fsync");
}

static void write_rows(const struct screen *screen, struct rectangle area, uint32_t colour) {
  static uint8_t row[65536];
  size_t size = area.width * screen->depth;
  set_row(screen, row, area.width, colour);
  for (unsigned y = area.y; y < area.y + area.height; y++) {
    off_t place = (off_t)(screen->start + place_in(screen, area.x, y));
    if (pwrite(screen->node, row, size, place) != (ssize_t)size) fail_errno("pwrite");
  }
}

static void map_and_say(const struct screen *screen, struct rectangle area, uint32_t colour) {
  map(screen, area, colour);
  kms_say_dirty(screen, area);
}

int square_command(int count, char **arguments) {
  if (count != 6) fail("square wants an event node, a framebuffer, X,Y,WxH, two colours, and map, fsync, write or dirty");
  int node = open(arguments[0], O_RDONLY | O_CLOEXEC);
  if (node < 0) fail_errno("%s", arguments[0]);
  const int by_kms = strcmp(arguments[5], "dirty") == 0;
  struct screen screen = by_kms ? kms_screen(arguments[1]) : map_screen(arguments[1]);
  struct rectangle area = rectangle(arguments[2]);
  uint32_t colours[2] = {(uint32_t)strtoul(arguments[4], NULL, 16), (uint32_t)strtoul(arguments[3], NULL, 16)};
  void (*fill)(const struct screen *, struct rectangle, uint32_t) = map;
  if (strcmp(arguments[5], "fsync") == 0) fill = map_and_flush;
  if (strcmp(arguments[5], "write") == 0) fill = write_rows;
  if (by_kms) fill = map_and_say;
  fill(&screen, area, colours[0]);

  int touched = 0, shown = 0;
  struct input_event events[64];
  for (ssize_t size; (size = read(node, events, sizeof events)) > 0;)
    for (size_t i = 0; i < (size_t)size / sizeof *events; i++) {
      if (events[i].type == EV_KEY && events[i].code == BTN_TOUCH) touched = events[i].value != 0;
      if (events[i].type != EV_SYN || events[i].code != SYN_REPORT || touched == shown) continue;
      shown = touched;
      fill(&screen, area, colours[shown]);
    }
  return 0;
}
