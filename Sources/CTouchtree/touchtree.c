#include "touchtree.h"

#include <stddef.h>

// The layouts are a contract with plugins that were built long ago. A number here never
// changes, and a new field gets a new line at the end.

#define FIELD(type, field, offset) \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved")

// The next field is appended where the last one ends. Padding at the
// end would swallow it without a change of size.
#define NO_TAIL_PADDING(type, last) \
  _Static_assert(sizeof(type) == offsetof(type, last) + sizeof(((type *)0)->last), #type " ends in padding")

NO_TAIL_PADDING(touchtree_touch, reserved_3);
NO_TAIL_PADDING(touchtree_sample, window_y);
NO_TAIL_PADDING(touchtree_touches, reserved);
NO_TAIL_PADDING(touchtree_host, get_text);
NO_TAIL_PADDING(touchtree_gesture, angular_velocity);
NO_TAIL_PADDING(touchtree_pointer, reserved);
NO_TAIL_PADDING(touchtree_plugin, press);
NO_TAIL_PADDING(touchtree_press, reserved);

FIELD(touchtree_touch, size, 0);
FIELD(touchtree_touch, tap_count, 4);
FIELD(touchtree_touch, id, 8);
FIELD(touchtree_touch, device, 16);
FIELD(touchtree_touch, time_us, 24);
FIELD(touchtree_touch, x, 32);
FIELD(touchtree_touch, y, 40);
FIELD(touchtree_touch, previous_x, 48);
FIELD(touchtree_touch, previous_y, 56);
FIELD(touchtree_touch, window_x, 64);
FIELD(touchtree_touch, window_y, 72);
FIELD(touchtree_touch, previous_window_x, 80);
FIELD(touchtree_touch, previous_window_y, 88);
FIELD(touchtree_touch, pressure, 96);
FIELD(touchtree_touch, inside, 104);
FIELD(touchtree_touch, reserved, 108);
FIELD(touchtree_touch, touch_major, 112);
FIELD(touchtree_touch, touch_minor, 120);
FIELD(touchtree_touch, distance, 128);
FIELD(touchtree_touch, tool, 136);
FIELD(touchtree_touch, reserved_2, 140);
FIELD(touchtree_touch, samples, 144);

enum { pointer = sizeof(void *) };

FIELD(touchtree_touch, sample_count, 144 + pointer);
FIELD(touchtree_touch, reserved_3, 148 + pointer);

FIELD(touchtree_sample, time_us, 0);
FIELD(touchtree_sample, x, 8);
FIELD(touchtree_sample, y, 16);
FIELD(touchtree_sample, window_x, 24);
FIELD(touchtree_sample, window_y, 32);

FIELD(touchtree_touches, size, 0);
FIELD(touchtree_touches, phase, 4);
FIELD(touchtree_touches, time_us, 8);
FIELD(touchtree_touches, responder, 16);
FIELD(touchtree_touches, view, 16 + pointer);
FIELD(touchtree_touches, touch, 16 + 2 * pointer);
FIELD(touchtree_touches, count, 16 + 3 * pointer);
FIELD(touchtree_touches, reserved, 20 + 3 * pointer);

FIELD(touchtree_host, size, 0);
FIELD(touchtree_host, abi, 4);
FIELD(touchtree_host, context, 8);
FIELD(touchtree_host, log, 8 + pointer);
FIELD(touchtree_host, invalidate, 8 + 2 * pointer);
FIELD(touchtree_host, set_property, 8 + 3 * pointer);
FIELD(touchtree_host, add_timer, 8 + 4 * pointer);
FIELD(touchtree_host, cancel_timer, 8 + 5 * pointer);
FIELD(touchtree_host, set_number, 8 + 6 * pointer);
FIELD(touchtree_host, set_numbers, 8 + 7 * pointer);
FIELD(touchtree_host, set_flag, 8 + 8 * pointer);
FIELD(touchtree_host, get_number, 8 + 9 * pointer);
FIELD(touchtree_host, watch_descriptor, 8 + 10 * pointer);
FIELD(touchtree_host, unwatch_descriptor, 8 + 11 * pointer);
FIELD(touchtree_host, wake, 8 + 12 * pointer);
FIELD(touchtree_host, set_value, 8 + 13 * pointer);
FIELD(touchtree_host, get_value, 8 + 14 * pointer);
FIELD(touchtree_host, get_text, 8 + 15 * pointer);

FIELD(touchtree_plugin, size, 0);
FIELD(touchtree_plugin, abi, 4);
FIELD(touchtree_plugin, context, 8);
FIELD(touchtree_plugin, touch, 8 + pointer);
FIELD(touchtree_plugin, action, 8 + 2 * pointer);
FIELD(touchtree_plugin, timer, 8 + 3 * pointer);
FIELD(touchtree_plugin, destroy, 8 + 4 * pointer);
FIELD(touchtree_plugin, gesture, 8 + 5 * pointer);
FIELD(touchtree_plugin, pointer, 8 + 6 * pointer);
FIELD(touchtree_plugin, ready, 8 + 7 * pointer);
FIELD(touchtree_plugin, woken, 8 + 8 * pointer);
FIELD(touchtree_plugin, press, 8 + 9 * pointer);

FIELD(touchtree_press, size, 0);
FIELD(touchtree_press, phase, 4);
FIELD(touchtree_press, id, 8);
FIELD(touchtree_press, time_us, 16);
FIELD(touchtree_press, device, 24);
FIELD(touchtree_press, responder, 32);
FIELD(touchtree_press, view, 32 + pointer);
FIELD(touchtree_press, key, 32 + 2 * pointer);
FIELD(touchtree_press, characters, 32 + 3 * pointer);
FIELD(touchtree_press, code, 32 + 4 * pointer);
FIELD(touchtree_press, modifiers, 36 + 4 * pointer);
FIELD(touchtree_press, repeat_count, 40 + 4 * pointer);
FIELD(touchtree_press, reserved, 44 + 4 * pointer);

FIELD(touchtree_gesture, size, 0);
FIELD(touchtree_gesture, state, 4);
FIELD(touchtree_gesture, time_us, 8);
FIELD(touchtree_gesture, gesture, 16);
FIELD(touchtree_gesture, view, 16 + pointer);
FIELD(touchtree_gesture, kind, 16 + 2 * pointer);
FIELD(touchtree_gesture, direction, 20 + 2 * pointer);
FIELD(touchtree_gesture, touches, 24 + 2 * pointer);
FIELD(touchtree_gesture, reserved, 28 + 2 * pointer);
FIELD(touchtree_gesture, x, 32 + 2 * pointer);
FIELD(touchtree_gesture, y, 40 + 2 * pointer);
FIELD(touchtree_gesture, window_x, 48 + 2 * pointer);
FIELD(touchtree_gesture, window_y, 56 + 2 * pointer);
FIELD(touchtree_gesture, translation_x, 64 + 2 * pointer);
FIELD(touchtree_gesture, translation_y, 72 + 2 * pointer);
FIELD(touchtree_gesture, velocity_x, 80 + 2 * pointer);
FIELD(touchtree_gesture, velocity_y, 88 + 2 * pointer);
FIELD(touchtree_gesture, scale, 96 + 2 * pointer);
FIELD(touchtree_gesture, scale_velocity, 104 + 2 * pointer);
FIELD(touchtree_gesture, angle, 112 + 2 * pointer);
FIELD(touchtree_gesture, angular_velocity, 120 + 2 * pointer);

FIELD(touchtree_pointer, size, 0);
FIELD(touchtree_pointer, kind, 4);
FIELD(touchtree_pointer, time_us, 8);
FIELD(touchtree_pointer, device, 16);
FIELD(touchtree_pointer, responder, 24);
FIELD(touchtree_pointer, view, 24 + pointer);
FIELD(touchtree_pointer, x, 24 + 2 * pointer);
FIELD(touchtree_pointer, y, 32 + 2 * pointer);
FIELD(touchtree_pointer, window_x, 40 + 2 * pointer);
FIELD(touchtree_pointer, window_y, 48 + 2 * pointer);
FIELD(touchtree_pointer, wheel_x, 56 + 2 * pointer);
FIELD(touchtree_pointer, wheel_y, 64 + 2 * pointer);
FIELD(touchtree_pointer, button, 72 + 2 * pointer);
FIELD(touchtree_pointer, reserved, 76 + 2 * pointer);
