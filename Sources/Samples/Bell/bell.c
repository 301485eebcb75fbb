// A sample plugin: writes a line to a file for every touch that it is given.
//
//   handlers:
//     bell: {kind: plugin, path: libbell.so, config: {record: /tmp/bell.txt, handled: false}}
//
//   record    the file that lines are appended to; with none, only the daemon's log gets them
//   handled   true stops the chain at the responder that the bell is attached to
//
// Build it without the package: cc -shared -fPIC -I<folder of touchtree.h> -o libbell.so bell.c
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <touchtree.h>

typedef struct bell {
  touchtree_plugin plugin;
  const touchtree_host *host;
  FILE *record;
  int32_t disposition;
} bell;

static void write_line(const bell *bell, const char *line) {
  if (bell->record) {
    fprintf(bell->record, "%s\n", line);
    fflush(bell->record);
  }
  bell->host->log(bell->host, TOUCHTREE_LOG_INFO, line);
}

static int32_t bell_touch(const touchtree_plugin *plugin, const touchtree_touches *touches) {
  const bell *bell = plugin->context;
  for (uint32_t i = 0; i < touches->count; i++) {
    const touchtree_touch *touch = touches->touch[i];
    char line[512];
    snprintf(line, sizeof line,
             "%s touch=%lld responder=%s view=%s x=%.10g y=%.10g "
             "window_x=%.10g window_y=%.10g taps=%u → %s",
             touchtree_phase_name(touches->phase), (long long)touch->id, touches->responder, touches->view,
             touch->x, touch->y, touch->window_x, touch->window_y, (unsigned)touch->tap_count,
             bell->disposition == TOUCHTREE_HANDLED ? "handled" : "forward");
    write_line(bell, line);
  }
  return bell->disposition;
}

static void bell_action(const touchtree_plugin *plugin, int32_t action, const touchtree_touches *cause) {
  char line[512];
  snprintf(line, sizeof line, "%s touch=%lld control=%s", touchtree_action_name(action),
           (long long)cause->touch[0]->id, cause->responder);
  write_line(plugin->context, line);
}

static void bell_gesture(const touchtree_plugin *plugin, const touchtree_gesture *gesture) {
  char line[512];
  snprintf(line, sizeof line, "%s %s gesture=%s view=%s x=%.10g y=%.10g", touchtree_gesture_kind_name(gesture->kind),
           touchtree_gesture_state_name(gesture->state), gesture->gesture, gesture->view, gesture->x, gesture->y);
  write_line(plugin->context, line);
}

static void bell_destroy(const touchtree_plugin *plugin) {
  bell *bell = plugin->context;
  if (bell->record) fclose(bell->record);
  free(bell);
}

// Finds the value of a key at the top of an object of plain strings and booleans, which is all that this
// plugin takes. One with richer configuration brings a JSON parser.
static const char *value_of(const char *key, const char *json) {
  char quoted[32];
  snprintf(quoted, sizeof quoted, "\"%s\"", key);
  const char *found = strstr(json, quoted);
  return found ? found + strlen(quoted) + strspn(found + strlen(quoted), " :") : NULL;
}

// Answers NULL, or why the configuration is no good.
static const char *configure(bell *bell, const char *json) {
  const char *handled = value_of("handled", json);
  bell->disposition = handled && strncmp(handled, "true", 4) == 0 ? TOUCHTREE_HANDLED : TOUCHTREE_FORWARD;

  const char *record = value_of("record", json);
  if (!record) return NULL;
  char path[256];
  if (sscanf(record, "\"%255[^\"]\"", path) != 1) return "config: record is not the path of a file";
  bell->record = fopen(path, "ae");
  if (bell->record) return NULL;
  static char reason[512];
  snprintf(reason, sizeof reason, "config: cannot append to record %s: %s", path, strerror(errno));
  return reason;
}

const touchtree_plugin *touchtree_plugin_create(uint32_t host_abi, const touchtree_host *host,
                                                const char *config_json, const char **error) {
  (void)host_abi;
  bell *bell = calloc(1, sizeof *bell);
  *error = bell ? configure(bell, config_json) : "out of memory";
  if (*error) {
    free(bell);
    return NULL;
  }
  bell->host = host;
  bell->plugin = (touchtree_plugin){
      .size = sizeof(touchtree_plugin),
      .abi = TOUCHTREE_ABI,
      .context = bell,
      .touch = bell_touch,
      .action = bell_action,
      .destroy = bell_destroy,
      .gesture = bell_gesture,
  };
  return &bell->plugin;
}
