#pragma once

#include "../CLinux/include/linux_loading.h"

#include <xkbcommon/xkbcommon.h>
#include <xkbcommon/xkbcommon-compose.h>

// A panel that is only touched has no use for layouts of keyboards, so this is loaded for the first key that types, and not
// linked. The functions' types are the headers'.
struct touchtree_xkb {
  __typeof__(&xkb_context_new) context_new;
  __typeof__(&xkb_context_unref) context_unref;
  __typeof__(&xkb_context_set_log_level) set_log_level;
  __typeof__(&xkb_keymap_new_from_names) keymap_new;
  __typeof__(&xkb_keymap_unref) keymap_unref;
  __typeof__(&xkb_state_new) state_new;
  __typeof__(&xkb_state_unref) state_unref;
  __typeof__(&xkb_state_update_key) update_key;
  __typeof__(&xkb_state_update_mask) update_mask;
  __typeof__(&xkb_keymap_mod_get_index) modifier_index;
  __typeof__(&xkb_state_led_name_is_active) light_is_on;
  __typeof__(&xkb_state_key_get_one_sym) key_symbol;
  __typeof__(&xkb_state_key_get_utf8) key_text;
  __typeof__(&xkb_state_mod_name_is_active) modifier_is_active;
  __typeof__(&xkb_keymap_key_get_syms_by_level) symbols_by_level;
  __typeof__(&xkb_state_key_get_layout) key_layout;
  __typeof__(&xkb_keysym_to_utf8) symbol_text;
  __typeof__(&xkb_compose_table_new_from_locale) compose_table_new;
  __typeof__(&xkb_compose_table_unref) compose_table_unref;
  __typeof__(&xkb_compose_state_new) compose_state_new;
  __typeof__(&xkb_compose_state_unref) compose_state_unref;
  __typeof__(&xkb_compose_state_feed) compose_feed;
  __typeof__(&xkb_compose_state_get_status) compose_status;
  __typeof__(&xkb_compose_state_get_utf8) compose_text;
  __typeof__(&xkb_compose_state_reset) compose_reset;
};

// Returns null, or what is missing, in the words of dlerror(3).
static inline const char *touchtree_xkb_load(const char *library, struct touchtree_xkb *functions) {
  const struct touchtree_wanted wanted[] = {
    {"xkb_context_new", (void **)&functions->context_new},
    {"xkb_context_unref", (void **)&functions->context_unref},
    {"xkb_context_set_log_level", (void **)&functions->set_log_level},
    {"xkb_keymap_new_from_names", (void **)&functions->keymap_new},
    {"xkb_keymap_unref", (void **)&functions->keymap_unref},
    {"xkb_state_new", (void **)&functions->state_new},
    {"xkb_state_unref", (void **)&functions->state_unref},
    {"xkb_state_update_key", (void **)&functions->update_key},
    {"xkb_state_update_mask", (void **)&functions->update_mask},
    {"xkb_keymap_mod_get_index", (void **)&functions->modifier_index},
    {"xkb_state_led_name_is_active", (void **)&functions->light_is_on},
    {"xkb_state_key_get_one_sym", (void **)&functions->key_symbol},
    {"xkb_state_key_get_utf8", (void **)&functions->key_text},
    {"xkb_state_mod_name_is_active", (void **)&functions->modifier_is_active},
    {"xkb_keymap_key_get_syms_by_level", (void **)&functions->symbols_by_level},
    {"xkb_state_key_get_layout", (void **)&functions->key_layout},
    {"xkb_keysym_to_utf8", (void **)&functions->symbol_text},
    {"xkb_compose_table_new_from_locale", (void **)&functions->compose_table_new},
    {"xkb_compose_table_unref", (void **)&functions->compose_table_unref},
    {"xkb_compose_state_new", (void **)&functions->compose_state_new},
    {"xkb_compose_state_unref", (void **)&functions->compose_state_unref},
    {"xkb_compose_state_feed", (void **)&functions->compose_feed},
    {"xkb_compose_state_get_status", (void **)&functions->compose_status},
    {"xkb_compose_state_get_utf8", (void **)&functions->compose_text},
    {"xkb_compose_state_reset", (void **)&functions->compose_reset},
  };
  return touchtree_load(library, wanted, sizeof wanted / sizeof *wanted);
}
