// The kernel's names of event types, codes and properties, from libevdev's table.
#include <ctype.h>
#include <libevdev/libevdev.h>

#include "guest.h"

static unsigned checked(int value, const char *what, const char *text) {
  if (value < 0) fail("'%s' is no %s that libevdev knows", text, what);
  return (unsigned)value;
}

static int is_number(const char *text) { return isdigit((unsigned char)*text); }

unsigned type_named(const char *text) {
  return checked(is_number(text) ? number(text) : libevdev_event_type_from_name(text), "event type", text);
}

unsigned code_named(unsigned type, const char *text) {
  return checked(is_number(text) ? number(text) : libevdev_event_code_from_name(type, text), "event code", text);
}

unsigned property_named(const char *text) {
  return checked(is_number(text) ? number(text) : libevdev_property_from_name(text), "property", text);
}

void event_named(const char *text, unsigned *type, unsigned *code) {
  *type = checked(libevdev_event_type_from_code_name(text), "event code", text);
  *code = checked(libevdev_event_code_from_code_name(text), "event code", text);
}
