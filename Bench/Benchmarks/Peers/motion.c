// LVGL's side of the motions of `make bench-peers`: the scenes of `display-benchmark page@WxH` and its like.
//
//   motion page|sheet|list|chart|keyboard WIDTHxHEIGHT 32|16 FRAMES
//
// Draws so many frames after the first, and prints the shortest and the median processor time of one, in microseconds. It draws straight
// into the memory of the whole display, LVGL's fastest way. Sizes grow with the display, as those of touchtree's canvas do.
#include "direct.h"

static int width, height;
static double unit;

static int scaled(double length) { return (int)(length * unit); }

static lv_obj_t *box(lv_obj_t *parent, double x, double y, int wide, int high, uint32_t color, double radius) {
  lv_obj_t *object = lv_obj_create(parent);
  lv_obj_remove_style_all(object);
  lv_obj_set_pos(object, scaled(x), scaled(y));
  lv_obj_set_size(object, wide, high);
  lv_obj_set_style_bg_opa(object, LV_OPA_COVER, 0);
  lv_obj_set_style_bg_color(object, lv_color_hex(color), 0);
  lv_obj_set_style_radius(object, scaled(radius), 0);
  return object;
}

// A card has a shadow, as the theme's has.
static lv_obj_t *card(lv_obj_t *parent, double y, double wide, double high) {
  lv_obj_t *object = box(parent, 16, y, scaled(wide - 32), scaled(high), 0x161b22, 18);
  lv_obj_set_style_shadow_color(object, lv_color_hex(0), 0);
  lv_obj_set_style_shadow_opa(object, 0x77, 0);
  lv_obj_set_style_shadow_width(object, scaled(18), 0);
  lv_obj_set_style_shadow_offset_y(object, scaled(6), 0);
  return object;
}

// The font whose letters are nearest to 20 units.
static const lv_font_t *font(void) {
  return unit < 1.2 ? &lv_font_montserrat_18 : unit < 2 ? &lv_font_montserrat_28 : &lv_font_montserrat_48;
}

static void text(lv_obj_t *parent, double x, double y, const char *string) {
  lv_obj_t *label = lv_label_create(parent);
  lv_label_set_text(label, string);
  lv_obj_set_pos(label, scaled(x), scaled(y));
  lv_obj_set_style_text_font(label, font(), 0);
  lv_obj_set_style_text_color(label, lv_color_hex(0xe8eef4), 0);
}

static lv_obj_t *chart;
static lv_chart_series_t *series;

static void make_home(lv_obj_t *page, double wide) {
  text(page, 16, 16, "Sunday 12:00");
  lv_obj_t *target = card(page, 56, wide, 150);
  text(box(target, 12, 12, scaled(96), scaled(126), 0x2a3947, 14), 40, 50, "-");
  text(target, wide / 2 - 60, 60, "21.5 °C");
  text(box(target, wide - 140, 12, scaled(96), scaled(126), 0x2a3947, 14), 40, 50, "+");
  lv_obj_t *outside = card(page, 218, wide, 186);
  text(outside, wide / 2 - 60, 12, "outside 11.5 °C");
  chart = lv_chart_create(outside);
  lv_obj_set_pos(chart, scaled(12), scaled(40));
  lv_obj_set_size(chart, scaled(wide - 56), scaled(134));
  lv_chart_set_range(chart, LV_CHART_AXIS_PRIMARY_Y, -100, 200);
  lv_chart_set_point_count(chart, 360);
  lv_obj_set_style_size(chart, 0, 0, LV_PART_INDICATOR);
  lv_obj_set_style_bg_opa(chart, 0, 0);
  series = lv_chart_add_series(chart, lv_color_hex(0x0a6cd6), LV_CHART_AXIS_PRIMARY_Y);
  for (int index = 0; index < 360; index++) lv_chart_set_next_value(chart, series, 100 + index % 40);
}

static void make_lights(lv_obj_t *page, double wide) {
  lv_obj_t *lamps = card(page, 16, wide, 20 * 56);
  for (int row = 0; row < 20; row++) {
    char name[16];
    snprintf(name, sizeof name, "Lamp %d", row + 1);
    text(lamps, 16, row * 56 + 16, name);
    lv_obj_t *lamp = lv_switch_create(lamps);
    lv_obj_set_pos(lamp, scaled(wide - 110), scaled(row * 56 + 12));
    lv_obj_set_size(lamp, scaled(52), scaled(32));
  }
}

int main(int count, char **arguments) {
  if (count < 5 || sscanf(arguments[2], "%dx%d", &width, &height) != 2) return 64;
  const char *kind = arguments[1];
  int bits = atoi(arguments[3]), frames = atoi(arguments[4]);
  if ((bits != 32 && bits != 16) || frames < 1) return 64;
  unit = height / 480.0;
  double wide = width / unit;

  lv_init();
  lv_tick_set_cb(tick);
  lv_display_t *display = lv_display_create(width, height);
  size_t size = (size_t)width * height * bits / 8;
  uint8_t *pixels = aligned_alloc(64, (size + 63) / 64 * 64);
  lv_display_set_color_format(display, bits == 32 ? LV_COLOR_FORMAT_XRGB8888 : LV_COLOR_FORMAT_RGB565);
  lv_display_set_buffers(display, pixels, NULL, size, LV_DISPLAY_RENDER_MODE_DIRECT);
  lv_display_set_flush_cb(display, flush);

  lv_obj_t *screen = lv_screen_active();
  lv_obj_set_style_bg_color(screen, lv_color_hex(0x0e1419), 0);
  lv_obj_remove_flag(screen, LV_OBJ_FLAG_SCROLLABLE);
  lv_obj_t *strip = box(screen, 0, 0, 2 * width, scaled(420), 0x0e1419, 0);
  make_home(box(strip, 0, 0, width, scaled(420), 0x0e1419, 0), wide);
  lv_obj_t *lights = box(strip, wide, 0, width, scaled(420), 0x0e1419, 0);
  lv_obj_add_flag(lights, LV_OBJ_FLAG_SCROLLABLE);
  make_lights(lights, wide);
  lv_obj_t *tabs = box(screen, 0, 420, width, scaled(60), 0x1c262f, 0);
  for (int tab = 0; tab < 3; tab++) text(tabs, wide / 6 + tab * wide / 3 - 20, 20, "Home");
  lv_obj_t *dim = box(screen, 0, 0, width, height, 0, 0);
  lv_obj_t *sheet = box(screen, 0, 480, width, scaled(240), 0x26303a, 14);
  for (int row = 0; row < 4; row++) text(box(sheet, 20, 16 + row * 50, scaled(300), scaled(44), 0x2a3947, 8), 12, 10, "Delete");
  lv_obj_t *keyboard = lv_keyboard_create(screen);
  lv_obj_set_size(keyboard, width, scaled(240));
  lv_obj_align(keyboard, LV_ALIGN_TOP_LEFT, 0, height);
  lv_obj_set_style_text_font(keyboard, font(), 0);
  int is_sheet = !strcmp(kind, "sheet"), is_list = !strcmp(kind, "list"), is_chart = !strcmp(kind, "chart");
  if (!is_sheet) lv_obj_add_flag(dim, LV_OBJ_FLAG_HIDDEN);
  if (is_list) lv_obj_set_x(strip, -width);
  lv_refr_now(display);

  double *times = calloc(frames, sizeof *times);
  for (int frame = 0; frame < frames; frame++) {
    // There in 20 frames, and back in 20.
    int step = frame % 40 < 20 ? frame % 40 : 40 - frame % 40;
    double share = (step + 1) / 21.0;
    if (is_chart) {
      lv_chart_set_next_value(chart, series, 100 + frame % 80);
    } else if (is_list) {
      lv_obj_scroll_to_y(lights, (int)(share * scaled(700)), LV_ANIM_OFF);
    } else if (is_sheet) {
      lv_obj_set_style_bg_opa(dim, (int)(share * 120), 0);
      lv_obj_set_y(sheet, height - (int)(share * scaled(240)));
    } else if (!strcmp(kind, "keyboard")) {
      lv_obj_set_y(keyboard, height - (int)(share * scaled(240)));
    } else {
      lv_obj_set_x(strip, -(int)(share * width));
    }
    double start = now(CLOCK_PROCESS_CPUTIME_ID);
    lv_refr_now(display);
    times[frame] = now(CLOCK_PROCESS_CPUTIME_ID) - start;
  }
  qsort(times, frames, sizeof *times, compare);
  printf("%.1f %.1f\n", times[0], times[frames / 2]);
  if (count > 5) {
    FILE *file = fopen(arguments[5], "wb");
    if (!file || bits != 32) return 1;
    fprintf(file, "P6 %d %d 255\n", width, height);
    for (int index = 0; index < width * height; index++) {
      for (int channel = 2; channel >= 0; channel--) fputc(pixels[index * 4 + channel], file);
    }
    fclose(file);
  }
  return 0;
}
