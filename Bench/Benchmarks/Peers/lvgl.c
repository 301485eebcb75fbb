// LVGL's side of `make bench-peers`: the panel of panel.yaml, and the list of `display-benchmark list`.
//
//   lvgl panel|list 32|16 FRAMES [FILE.ppm]
//
// Draws so many frames after the first, and prints the shortest and the median time of one, in microseconds. It draws straight into
// the memory of the whole display, LVGL's fastest way.
#include "direct.h"

static lv_obj_t *box(lv_obj_t *parent, int x, int y, int width, int height, uint32_t color, int radius) {
  lv_obj_t *object = lv_obj_create(parent);
  lv_obj_remove_style_all(object);
  lv_obj_set_pos(object, x, y);
  lv_obj_set_size(object, width, height);
  lv_obj_set_style_bg_opa(object, LV_OPA_COVER, 0);
  lv_obj_set_style_bg_color(object, lv_color_hex(color), 0);
  lv_obj_set_style_radius(object, radius, 0);
  return object;
}

static void text(lv_obj_t *parent, int x, int y, const char *string) {
  lv_obj_t *label = lv_label_create(parent);
  lv_label_set_text(label, string);
  lv_obj_set_pos(label, x, y);
  lv_obj_set_style_text_font(label, &lv_font_montserrat_18, 0);
  lv_obj_set_style_text_color(label, lv_color_hex(0xe8eef4), 0);
}

static void make_panel(lv_obj_t *screen) {
  text(screen, 60, 20, "Northern Light");
  for (int card_index = 0; card_index < 3; card_index++) {
    lv_obj_t *card = box(screen, 16 + card_index * 420, 90, 400, 690, 0x121a22, 14);
    text(card, 20, 16, "Tanks");
    for (int index = 0; index < 8; index++) {
      text(box(card, 20 + index % 2 * 185, 60 + index / 2 * 90, 170, 76, 0x24405c, 12), 52, 26, "Button");
    }
    for (int index = 0; index < 4; index++) {
      box(card, 20, 440 + index * 40, 360, 14, 0x344354, 7);
      box(card, 20, 440 + index * 40, 200, 14, 0x30d0b0, 7);
      text(card, 20, 455 + index * 40, "68 %");
    }
    lv_obj_t *arc = lv_arc_create(card);
    lv_obj_set_size(arc, 120, 120);
    lv_obj_set_pos(arc, 140, 600);
    lv_arc_set_value(arc, 60);
  }
}

static lv_obj_t *make_list(lv_obj_t *screen, int width, int height) {
  lv_obj_t *list = lv_obj_create(screen);
  lv_obj_remove_style_all(list);
  lv_obj_set_size(list, width, height);
  lv_obj_add_flag(list, LV_OBJ_FLAG_SCROLLABLE);
  for (int row = 0; row < 200; row++) {
    char string[80];
    snprintf(string, sizeof string, "Row %d: the quick brown fox jumps over the lazy dog", row + 1);
    text(list, 16, row * 44 + 12, string);
    box(list, 16, row * 44 + 43, width - 16, 1, 0x344354, 0);
  }
  return list;
}

static void write_picture(const char *path, const uint8_t *pixels, int bits, int width, int height) {
  FILE *file = fopen(path, "wb");
  if (!file) exit(1);
  fprintf(file, "P6 %d %d 255\n", width, height);
  for (int index = 0; index < width * height; index++) {
    uint8_t color[3];
    if (bits == 32) {
      for (int channel = 0; channel < 3; channel++) color[channel] = pixels[index * 4 + 2 - channel];
    } else {
      unsigned pixel = pixels[index * 2] | pixels[index * 2 + 1] << 8;
      color[0] = (pixel >> 11) * 255 / 31;
      color[1] = (pixel >> 5 & 63) * 255 / 63;
      color[2] = (pixel & 31) * 255 / 31;
    }
    fwrite(color, 1, 3, file);
  }
  fclose(file);
}

int main(int count, char **arguments) {
  if (count < 4) return 64;
  int is_panel = strcmp(arguments[1], "panel") == 0, bits = atoi(arguments[2]), frames = atoi(arguments[3]);
  int width = is_panel ? 1280 : 800, height = is_panel ? 800 : 480;
  if ((bits != 32 && bits != 16) || frames < 1) return 64;

  lv_init();
  lv_tick_set_cb(tick);
  lv_display_t *display = lv_display_create(width, height);
  size_t size = (size_t)width * height * bits / 8;
  uint8_t *pixels = aligned_alloc(64, size);
  lv_display_set_color_format(display, bits == 32 ? LV_COLOR_FORMAT_XRGB8888 : LV_COLOR_FORMAT_RGB565);
  lv_display_set_buffers(display, pixels, NULL, size, LV_DISPLAY_RENDER_MODE_DIRECT);
  lv_display_set_flush_cb(display, flush);

  lv_obj_t *screen = lv_screen_active(), *list = NULL;
  lv_obj_set_style_bg_color(screen, lv_color_hex(is_panel ? 0x0a0f12 : 0x101418), 0);
  if (is_panel) {
    make_panel(screen);
  } else {
    list = make_list(screen, width, height);
  }
  lv_refr_now(display);

  double *times = calloc(frames, sizeof *times);
  int offset = 0;
  for (int frame = 0; frame < frames; frame++) {
    if (is_panel) {
      lv_obj_invalidate(screen);
    } else {
      // As the finger of ScrollingList: 30 frames of 12 pixels in one direction, and 30 back.
      offset += frame / 30 % 2 == 0 ? 12 : -12;
      lv_obj_scroll_to_y(list, offset, LV_ANIM_OFF);
    }
    double start = now(CLOCK_MONOTONIC);
    lv_refr_now(display);
    times[frame] = now(CLOCK_MONOTONIC) - start;
  }
  qsort(times, frames, sizeof *times, compare);
  printf("%.1f %.1f\n", times[0], times[frames / 2]);
  if (count > 4) write_picture(arguments[4], pixels, bits, width, height);
  return 0;
}
