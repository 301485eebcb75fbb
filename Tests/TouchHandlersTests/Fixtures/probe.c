// Logs every call with everything that it is given, and calls the host where a test asks for it:
// `config: {script: "..."}` names what to do when a touch begins.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <touchtree.h>
#include <unistd.h>

typedef struct probe {
  touchtree_plugin plugin;
  const touchtree_host *host;
  int64_t timer;
  int64_t watch;
  int pipe[2];
  char config[256];
} probe;

static void say(const probe *probe, const char *line) {
  probe->host->log(probe->host, TOUCHTREE_LOG_INFO, line);
}

static int asks(const probe *probe, const char *word) { return strstr(probe->config, word) != NULL; }

static void describe(const probe *probe, const char *what, const touchtree_touches *touches) {
  char line[512];
  snprintf(line, sizeof line, "%s phase=%s responder=%s view=%s time=%lld count=%u sizes=%d", what,
           touchtree_phase_name(touches->phase), touches->responder, touches->view,
           (long long)touches->time_us, touches->count, touches->size == sizeof *touches);
  say(probe, line);
  for (uint32_t i = 0; i < touches->count; i++) {
    const touchtree_touch *touch = touches->touch[i];
    snprintf(line, sizeof line,
             "  touch=%lld device=%lld time=%lld at=%g,%g from=%g,%g window=%g,%g from=%g,%g "
             "taps=%u pressure=%g inside=%u size=%d",
             (long long)touch->id, (long long)touch->device, (long long)touch->time_us, touch->x, touch->y,
             touch->previous_x, touch->previous_y, touch->window_x, touch->window_y,
             touch->previous_window_x, touch->previous_window_y, touch->tap_count, touch->pressure,
             touch->inside, touch->size == sizeof *touch);
    say(probe, line);
    // A finger of which the device says nothing is not worth a line.
    if (touch->tool == TOUCHTREE_TOOL_FINGER && touch->touch_major != touch->touch_major) continue;
    snprintf(line, sizeof line, "  says major=%g minor=%g distance=%g tool=%d", touch->touch_major,
             touch->touch_minor, touch->distance, touch->tool);
    say(probe, line);
  }
}

static void set(const probe *probe, const char *view, const char *key, const char *value) {
  char line[256];
  snprintf(line, sizeof line, "set %s %s=%s: %d", view, key, value,
           probe->host->set_property(probe->host, view, key, value));
  say(probe, line);
}

// Everything that the host has, from a thread that is not its own, and much of it.
static void *misuse(void *context) {
  const touchtree_host *host = context;
  int32_t answer = 0;
  for (int i = 0; i < 1000; i++) {
    host->log(host, TOUCHTREE_LOG_INFO, "from a thread");
    answer |= host->invalidate(host, "ok") ^ TOUCHTREE_UNAVAILABLE;
    answer |= host->set_property(host, "ok", "text", "from a thread") ^ TOUCHTREE_UNAVAILABLE;
    answer |= (int32_t)host->add_timer(host, 1, 0) ^ TOUCHTREE_UNAVAILABLE;
    host->cancel_timer(host, 1);
  }
  return answer == 0 ? context : NULL;
}

static void misuse_from_thread(const probe *probe) {
  pthread_t thread;
  void *result = NULL;
  if (pthread_create(&thread, NULL, misuse, (void *)probe->host) != 0) return;
  pthread_join(thread, &result);
  say(probe, result ? "unavailable" : "available");
}

static void pass_nulls(const probe *probe) {
  const touchtree_host *host = probe->host;
  char line[128];
  host->log(host, TOUCHTREE_LOG_INFO, NULL);
  snprintf(line, sizeof line, "nulls: %d %d %d %d", host->invalidate(host, NULL),
           host->set_property(host, NULL, "text", "x"), host->set_property(host, "ok", NULL, "x"),
           host->set_property(host, "ok", "text", NULL));
  say(probe, line);
}

static void set_typed(const probe *probe) {
  const touchtree_host *host = probe->host;
  const double frame[4] = {1, 2, 30, 40};
  char line[256];
  double alpha = 7, hidden = 7, text = 7;
  snprintf(line, sizeof line, "typed: %d %d %d %d %d %d %d", host->set_number(host, "ok", "alpha", 0.25),
           host->set_numbers(host, "ok", "frame", frame, 4), host->set_flag(host, "panel", "hidden", 2),
           host->set_number(host, "ok", "font.size", 33), host->set_number(host, "ok", "alpha", 2),
           host->set_numbers(host, "ok", "frame", NULL, 4), host->set_flag(host, "ok", "alpha", 1));
  say(probe, line);
  snprintf(line, sizeof line, "read: %d %d %d %d %d", host->get_number(host, "ok", "alpha", &alpha),
           host->get_number(host, "panel", "hidden", &hidden), host->get_number(host, "ok", "text", &text),
           host->get_number(host, "panel", "text", &text), host->get_number(host, "nobody", "alpha", &text));
  say(probe, line);
  snprintf(line, sizeof line, "values: %g %g %g", alpha, hidden, text);
  say(probe, line);
  char whole[64] = "", cut[4] = "";
  int32_t length = host->get_text(host, "ok", "text", whole, sizeof whole);
  int32_t same = host->get_text(host, "ok", "text", cut, sizeof cut);
  snprintf(line, sizeof line, "texts: %d %s %d %s %d %d", length, whole, same, cut,
           host->get_text(host, "ok", "alpha", whole, sizeof whole), host->get_text(host, "ok", "text", NULL, 0));
  say(probe, line);
}

static void use_values(const probe *probe) {
  const touchtree_host *host = probe->host;
  char line[128];
  double target = 7, name = 7;
  snprintf(line, sizeof line, "set: %d %d %d %d", host->set_value(host, "target", "21.5"),
           host->set_value(host, "target", "warm"), host->set_value(host, "nothing", "1"),
           host->set_value(host, "code", "Hall"));
  say(probe, line);
  snprintf(line, sizeof line, "get: %d %d %d", host->get_value(host, "target", &target),
           host->get_value(host, "code", &name), host->get_value(host, "nothing", &name));
  say(probe, line);
  snprintf(line, sizeof line, "named: %g %g", target, name);
  say(probe, line);
}

static void watch_pipe(probe *probe) {
  const touchtree_host *host = probe->host;
  char line[128];
  if (pipe(probe->pipe) != 0) return;
  probe->watch = host->watch_descriptor(host, probe->pipe[0]);
  snprintf(line, sizeof line, "watch %lld, closed %lld", (long long)probe->watch,
           (long long)host->watch_descriptor(host, 1 << 30));
  say(probe, line);
  if (write(probe->pipe[1], "hi", 2) != 2) say(probe, "cannot write");
}

static void *wake(void *context) {
  const touchtree_host *host = context;
  for (int i = 0; i < 1000; i++)
    if (host->wake(host) != TOUCHTREE_OK) return NULL;
  return context;
}

static void wake_from_thread(const probe *probe) {
  pthread_t thread;
  void *result = NULL;
  if (pthread_create(&thread, NULL, wake, (void *)probe->host) != 0) return;
  pthread_join(thread, &result);
  say(probe, result ? "called" : "unavailable");
}

static void perform(probe *probe) {
  const touchtree_host *host = probe->host;
  char line[256];
  if (asks(probe, "levels"))
    for (int32_t level = TOUCHTREE_LOG_ERROR; level <= TOUCHTREE_LOG_DEBUG + 1; level++)
      host->log(host, level, "said");
  if (asks(probe, "properties")) {
    set(probe, "ok", "text", "pressed");
    set(probe, "nobody", "text", "pressed");
    set(probe, "ok", "colour", "red");
    set(probe, "panel", "text", "pressed");
    set(probe, "ok", "alpha", "2");
  }
  if (asks(probe, "invalidate")) {
    snprintf(line, sizeof line, "invalidate: %d %d", host->invalidate(host, "ok"),
             host->invalidate(host, "nobody"));
    say(probe, line);
  }
  if (asks(probe, "typed")) set_typed(probe);
  if (asks(probe, "named")) use_values(probe);
  if (asks(probe, "watches")) watch_pipe(probe);
  if (asks(probe, "wakes")) wake_from_thread(probe);
  if (asks(probe, "misuses")) misuse_from_thread(probe);
  if (asks(probe, "nulls")) pass_nulls(probe);
  if (asks(probe, "slow")) nanosleep(&(struct timespec){.tv_nsec = 120 * 1000000}, NULL);
  if (asks(probe, "once")) probe->timer = host->add_timer(host, 0, 0);
  if (asks(probe, "repeats")) probe->timer = host->add_timer(host, 250, 1);
}

static int32_t probe_touch(const touchtree_plugin *plugin, const touchtree_touches *touches) {
  probe *probe = plugin->context;
  describe(probe, "touch", touches);
  if (touches->phase == TOUCHTREE_BEGAN) perform(probe);
  if (asks(probe, "nonsense")) return 7;
  return asks(probe, "handled") ? TOUCHTREE_HANDLED : TOUCHTREE_FORWARD;
}

static void probe_action(const touchtree_plugin *plugin, int32_t action, const touchtree_touches *cause) {
  describe(plugin->context, touchtree_action_name(action), cause);
}

static void probe_gesture(const touchtree_plugin *plugin, const touchtree_gesture *gesture) {
  char line[512];
  snprintf(line, sizeof line,
           "%s %s of %s on %s at %g %g window %g %g touches %u translation %g %g velocity %g %g "
           "scale %g %g angle %g %g direction %d time %lld size %d",
           touchtree_gesture_kind_name(gesture->kind), touchtree_gesture_state_name(gesture->state), gesture->gesture,
           gesture->view, gesture->x, gesture->y, gesture->window_x, gesture->window_y, gesture->touches,
           gesture->translation_x, gesture->translation_y, gesture->velocity_x, gesture->velocity_y, gesture->scale,
           gesture->scale_velocity, gesture->angle, gesture->angular_velocity, gesture->direction,
           (long long)gesture->time_us, gesture->size == sizeof *gesture);
  say(plugin->context, line);
}

static int32_t probe_pointer(const touchtree_plugin *plugin, const touchtree_pointer *pointer) {
  const probe *probe = plugin->context;
  char line[512];
  snprintf(line, sizeof line,
           "pointer kind=%d responder=%s view=%s time=%lld device=%lld at=%g,%g window=%g,%g wheel=%g,%g button=%d size=%d",
           pointer->kind, pointer->responder, pointer->view, (long long)pointer->time_us, (long long)pointer->device,
           pointer->x, pointer->y, pointer->window_x, pointer->window_y, pointer->wheel_x, pointer->wheel_y,
           pointer->button, pointer->size == sizeof *pointer);
  say(probe, line);
  return asks(probe, "handled") ? TOUCHTREE_HANDLED : TOUCHTREE_FORWARD;
}

static void probe_timer(const touchtree_plugin *plugin, int64_t timer) {
  const probe *probe = plugin->context;
  char line[64];
  snprintf(line, sizeof line, "timer %lld of %lld", (long long)timer, (long long)probe->timer);
  say(probe, line);
  if (asks(probe, "cancels")) probe->host->cancel_timer(probe->host, timer);
}

static void probe_ready(const touchtree_plugin *plugin, int64_t watch) {
  const probe *probe = plugin->context;
  char line[64], text[8] = "";
  const long count = (long)read(probe->pipe[0], text, sizeof text - 1);
  snprintf(line, sizeof line, "ready %lld read %ld %s", (long long)watch, count, text);
  say(probe, line);
  if (asks(probe, "unwatches")) probe->host->unwatch_descriptor(probe->host, watch);
}

static void probe_woken(const touchtree_plugin *plugin) { say(plugin->context, "woken"); }

static void probe_destroy(const touchtree_plugin *plugin) {
  say(plugin->context, "destroyed");
  free(plugin->context);
}

const touchtree_plugin *touchtree_plugin_create(uint32_t host_abi, const touchtree_host *host,
                                                const char *config_json, const char **error) {
  static char reason[128];
  probe *probe = calloc(1, sizeof *probe);
  if (!probe || strlen(config_json) >= sizeof probe->config) {
    *error = "no room";
    free(probe);
    return NULL;
  }
  probe->host = host;
  strcpy(probe->config, config_json);
  probe->plugin.size = sizeof probe->plugin;
  probe->plugin.abi = TOUCHTREE_ABI;
  probe->plugin.context = probe;
  if (!asks(probe, "deaf")) {
    probe->plugin.touch = probe_touch;
    probe->plugin.action = probe_action;
    probe->plugin.timer = probe_timer;
    probe->plugin.destroy = probe_destroy;
    probe->plugin.gesture = probe_gesture;
    probe->plugin.pointer = probe_pointer;
    probe->plugin.ready = probe_ready;
    if (!asks(probe, "sleeps")) probe->plugin.woken = probe_woken;
  }
  // As a plugin that was built before there was anything after gesture.
  if (asks(probe, "old")) probe->plugin.size = offsetof(touchtree_plugin, pointer);
  snprintf(reason, sizeof reason, "host abi %u %u size %d config %s", host_abi, host->abi,
           host->size == sizeof *host, config_json);
  say(probe, reason);
  return &probe->plugin;
}
