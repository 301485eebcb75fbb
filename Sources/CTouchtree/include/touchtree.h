/*
 * touchtree.h: the plugin interface of touchtree. A plugin author needs this file and nothing else.
 *
 * A plugin is a shared object that exports one function, touchtree_plugin_create. The daemon loads it for a
 * handler of the configuration file:
 *
 *     handlers:
 *       bell: {kind: plugin, path: libbell.so, config: {record: /tmp/bell.txt}}
 *
 * and calls it for every touch of a responder that names the handler.
 *
 * Rules for everything below:
 *
 * - Thread. The daemon has one thread, the loop's, which makes every call into the plugin. The plugin calls
 *   the host only from inside such a call, never from a thread or a signal handler of its own. The one
 *   exception is `wake`. Return soon, because the next touch and the screen wait for the call. To wait for
 *   something, let the host watch a descriptor, or wake the loop from a thread of the plugin. A call that
 *   takes longer than its budget (5 ms, or as configured) is logged. After ten such calls the plugin is
 *   turned off: it gets cancelled for the touches and gestures that have begun, and after that only destroy.
 *   Under a service manager with a watchdog, a plugin that does not return ends the daemon.
 * - Lifetime. The target of a pointer argument is valid until the function returns, unless its description
 *   says otherwise. Copy what you keep.
 * - Text is UTF-8 and ends with a zero byte. It is never NULL. A NULL from a plugin is logged, and answered
 *   like an invalid text.
 * - Growth. Every struct begins with its own size in bytes, as its maker knew it. New fields are appended,
 *   and TOUCHTREE_ABI then stays the same. A field beyond `size` does not exist, and the other side behaves
 *   as it did before the field was introduced. TOUCHTREE_ABI is raised when an old field changes its meaning.
 * - A plugin is never unloaded. A crash in it is a crash of the daemon. A call of exit ends the daemon and
 *   counts as a failure. Both are logged with the handler's name.
 *
 * The file is C99 and C++98, and imports into Swift as it is.
 */
#ifndef TOUCHTREE_H
#define TOUCHTREE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For Swift: a pointer that is not marked TOUCHTREE_NULLABLE is never NULL. */
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#define TOUCHTREE_NULLABLE _Nullable
#define TOUCHTREE_NONNULL _Nonnull
#else
#define TOUCHTREE_NULLABLE
#define TOUCHTREE_NONNULL
#endif

/* Keeps touchtree_plugin_create visible in a plugin that is built with -fvisibility=hidden. */
#if defined(__GNUC__) || defined(__clang__)
#define TOUCHTREE_EXPORT __attribute__((visibility("default")))
#else
#define TOUCHTREE_EXPORT
#endif

/* The version of this interface. */
#define TOUCHTREE_ABI 1u

/* -- Events ------------------------------------------------------------------------------------------- */

/* Phases of a touch. Each began is followed by exactly one ended or cancelled. */
#define TOUCHTREE_BEGAN 0      /* the finger came down */
#define TOUCHTREE_MOVED 1      /* it moved */
#define TOUCHTREE_STATIONARY 2 /* it is down and did not change; never delivered */
#define TOUCHTREE_ENDED 3      /* it was lifted */
#define TOUCHTREE_CANCELLED 4  /* broken off without a lift, nothing more follows: undo what it started */
/* Only with `tracking: slide_over` in the configuration. They are no phases of the touch itself, and have no
   disposition. */
#define TOUCHTREE_ENTERED 5 /* a finger that came down on another view slid over this one */
#define TOUCHTREE_LEFT 6    /* it slid on, or was lifted here; each entered is followed by exactly one left */

/* Actions of a control, such as a button, during its touch. "Inside" reaches a little beyond its bounds. */
#define TOUCHTREE_TOUCH_DOWN 0
#define TOUCHTREE_TOUCH_DOWN_REPEAT 1 /* follows TOUCHTREE_TOUCH_DOWN when tap_count is more than 1 */
#define TOUCHTREE_TOUCH_DRAG_INSIDE 2
#define TOUCHTREE_TOUCH_DRAG_OUTSIDE 3
#define TOUCHTREE_TOUCH_DRAG_ENTER 4
#define TOUCHTREE_TOUCH_DRAG_EXIT 5
#define TOUCHTREE_TOUCH_UP_INSIDE 6 /* the button was pressed */
#define TOUCHTREE_TOUCH_UP_OUTSIDE 7
#define TOUCHTREE_TOUCH_CANCEL 8
#define TOUCHTREE_VALUE_CHANGED 9 /* the touch changed the control's value: see get_number */
#define TOUCHTREE_ROW_ACTION 10 /* an action behind a row of a list was performed */
/* Actions of text fields. No finger causes them, so their touch is 0. */
#define TOUCHTREE_EDITING_BEGAN 11
#define TOUCHTREE_EDITING_CHANGED 12 /* the text in the field changed: see get_text */
#define TOUCHTREE_EDITING_ENDED 13
#define TOUCHTREE_RETURNED 14 /* the return key was pressed in the field; other actions may be added */

/* Dispositions of touches. Any other value counts as TOUCHTREE_FORWARD. */
#define TOUCHTREE_FORWARD 0 /* the next responder of the chain gets the touches too, if this one forwards */
#define TOUCHTREE_HANDLED 1 /* the chain stops here, for this call's touches and phase */
#define TOUCHTREE_CLAIM 2   /* the touches are this responder's from now on; all others that saw them get cancelled */

/* Tools that touch, by the kernel's numbers (MT_TOOL_FINGER ...). Others may be added. A palm is no touch. */
#define TOUCHTREE_TOOL_FINGER 0 /* also if the device does not report the tool */
#define TOUCHTREE_TOOL_PEN 1
#define TOUCHTREE_TOOL_DIAL 10

/* One reported place of a touch. */
typedef struct touchtree_sample {
  int64_t time_us; /* time of the input frame, in microseconds on CLOCK_MONOTONIC */
  /* The finger's place, in the same spaces as x, y and window_x, window_y of the touch. */
  double x, y;
  double window_x, window_y;
} touchtree_sample;

/* One touch. */
typedef struct touchtree_touch {
  uint32_t size;      /* size of this struct, in bytes: touches lie in memory apart from each other */
  uint32_t tap_count; /* 1 for a first tap, 2 when it follows another one closely, and so on */
  int64_t id;         /* from 1 up; never used twice while the daemon runs */
  int64_t device;     /* number of the input device; never used twice while the daemon runs */
  int64_t time_us;    /* time of the last change, in microseconds on CLOCK_MONOTONIC */
  /* The finger's place now and one event before, in the bounds space of the responder that is called, with y
     downwards. A view controller has its view's space, the application the window's. NaN if a transform
     flattens that space. */
  double x, y;
  double previous_x, previous_y;
  /* The same places in window space, in units of the canvas. They may lie outside the window. */
  double window_x, window_y;
  double previous_window_x, previous_window_y;
  double pressure; /* pressure in the device's own units; NaN if the device reports none */
  uint32_t inside; /* 1 if the finger is within the bounds of the hit view, else 0 */
  uint32_t reserved;
  /* The contact, in the device's own units; NaN for what the device does not report. First the longer and the
     shorter axis: honest devices report both in the unit of their positions, and leave out the shorter one of
     a round contact. Then the distance from the screen: 0 while it touches, if known. */
  double touch_major, touch_minor;
  double distance;
  int32_t tool; /* TOUCHTREE_TOOL_FINGER ... */
  uint32_t reserved_2;
  /* All places of the finger since the previous event, oldest first; the last one is x, y. Moves are
     delivered once in a turn of the loop, and a panel may report several in one turn. There is at least one
     if the finger came down or moved. These fields exist only if `size` includes them. The pointer is valid
     until the call returns. */
  const touchtree_sample *TOUCHTREE_NULLABLE samples; /* sample_count of them */
  uint32_t sample_count;
  uint32_t reserved_3;
} touchtree_touch;

/* The touches of one call: one phase, one hit view, one responder chain. */
typedef struct touchtree_touches {
  uint32_t size;
  int32_t phase;         /* TOUCHTREE_BEGAN ... TOUCHTREE_CANCELLED */
  int64_t time_us;       /* time of the causing input frame, in microseconds on CLOCK_MONOTONIC */
  const char *responder; /* id of the responder that is called */
  const char *view;      /* id of the hit view, on which the touches began; never changes during a touch */
  const touchtree_touch *TOUCHTREE_NONNULL const *TOUCHTREE_NONNULL touch; /* touches->touch[0]->x, ... */
  uint32_t count;                                                          /* number of touches; at least 1 */
  uint32_t reserved;
} touchtree_touches;

/* States of a gesture. A continuous gesture is reported as began, changed ..., and then ended or cancelled. A
   gesture that is over when it is recognised, such as a tap or a swipe, is reported as ended. */
#define TOUCHTREE_GESTURE_BEGAN 0
#define TOUCHTREE_GESTURE_CHANGED 1
#define TOUCHTREE_GESTURE_ENDED 2
#define TOUCHTREE_GESTURE_CANCELLED 3 /* broken off: undo what it started */

/* Kinds of gesture. */
#define TOUCHTREE_TAP 1
#define TOUCHTREE_LONG_PRESS 2
#define TOUCHTREE_PAN 3
#define TOUCHTREE_SWIPE 4
#define TOUCHTREE_PINCH 5
#define TOUCHTREE_ROTATION 6
#define TOUCHTREE_SCREEN_EDGE_PAN 7 /* has the fields of a pan */

/* Directions of a swipe. */
#define TOUCHTREE_DIRECTION_NONE 0 /* no swipe */
#define TOUCHTREE_DIRECTION_RIGHT 1
#define TOUCHTREE_DIRECTION_LEFT 2
#define TOUCHTREE_DIRECTION_UP 3
#define TOUCHTREE_DIRECTION_DOWN 4

/* A gesture that was recognised on a view. Fields that its kind does not measure are NaN. Lengths are in the
   bounds space of the view. Angles are in radians, clockwise on the screen. */
typedef struct touchtree_gesture {
  uint32_t size;
  int32_t state;       /* TOUCHTREE_GESTURE_BEGAN ... TOUCHTREE_GESTURE_CANCELLED */
  int64_t time_us;     /* time of the input frame or the deadline, in microseconds on CLOCK_MONOTONIC */
  const char *gesture; /* id of the gesture in the configuration */
  const char *view;    /* id of the view that has the gesture */
  int32_t kind;        /* TOUCHTREE_TAP ... TOUCHTREE_SCREEN_EDGE_PAN; others may be added */
  int32_t direction;   /* swipe: TOUCHTREE_DIRECTION_RIGHT ... */
  uint32_t touches;    /* number of fingers that are down */
  uint32_t reserved;
  double x, y;                       /* the middle of the fingers, in the view's bounds space */
  double window_x, window_y;         /* the same in window space */
  double translation_x, translation_y; /* pan: way of the fingers since they came down */
  double velocity_x, velocity_y;       /* pan: speed of the fingers, per second */
  double scale, scale_velocity;        /* pinch: distance of the fingers; 1 is their first distance */
  double angle, angular_velocity;      /* rotation: turn of the fingers; several turns add up */
} touchtree_gesture;

/* Events of a mouse or a tablet other than touches, while its left button is up. */
#define TOUCHTREE_POINTER_ENTERED 0   /* it moved onto the responder's view, or onto one inside it */
#define TOUCHTREE_POINTER_MOVED 1     /* it moved there */
#define TOUCHTREE_POINTER_LEFT 2      /* it left, touches, or is not used any more; follows each entered once */
#define TOUCHTREE_POINTER_WHEEL 3     /* its wheel was turned */
#define TOUCHTREE_POINTER_PRESSED 4   /* a button other than the left one went down; there is no touch */
#define TOUCHTREE_POINTER_RELEASED 5  /* the button went up; sent to the responders that got the press */
#define TOUCHTREE_POINTER_CANCELLED 6 /* the press was broken off without a release */

/* Buttons. Others may be added. */
#define TOUCHTREE_BUTTON_RIGHT 1
#define TOUCHTREE_BUTTON_MIDDLE 2
#define TOUCHTREE_BUTTON_SIDE 3
#define TOUCHTREE_BUTTON_EXTRA 4
#define TOUCHTREE_BUTTON_FORWARD 5
#define TOUCHTREE_BUTTON_BACK 6
#define TOUCHTREE_BUTTON_TASK 7

/* One event of a pointer. */
typedef struct touchtree_pointer {
  uint32_t size;
  int32_t kind;          /* TOUCHTREE_POINTER_ENTERED ... TOUCHTREE_POINTER_CANCELLED */
  int64_t time_us;       /* time in microseconds on CLOCK_MONOTONIC */
  int64_t device;        /* number of the input device; never used twice while the daemon runs */
  const char *responder; /* id of the responder that gets the event */
  const char *view;      /* id of the view that the pointer is on or was on, or that has the pressed button */
  double x, y;           /* place in the bounds space of the responder, as in touchtree_touch */
  double window_x, window_y; /* the same in window space */
  /* TOUCHTREE_POINTER_WHEEL: turn to the right and away from the user, in steps of a wheel that clicks, with
     fractions if the wheel has them. Else 0. */
  double wheel_x, wheel_y;
  int32_t button; /* TOUCHTREE_BUTTON_..., or 0 for none */
  uint32_t reserved;
} touchtree_pointer;

/* Keys that are held down beside another one. Others may be added. */
#define TOUCHTREE_MODIFIER_CAPS 1u /* caps lock is on */
#define TOUCHTREE_MODIFIER_SHIFT 2u
#define TOUCHTREE_MODIFIER_CTRL 4u
#define TOUCHTREE_MODIFIER_ALT 8u
#define TOUCHTREE_MODIFIER_META 16u

/* A press of a key or a button of a keyboard, a board, an encoder or a remote control, from down to up. */
typedef struct touchtree_press {
  uint32_t size;
  /* TOUCHTREE_BEGAN; TOUCHTREE_MOVED for a repetition; TOUCHTREE_ENDED or TOUCHTREE_CANCELLED, once */
  int32_t phase;
  int64_t id;             /* number of the press; never used twice */
  int64_t time_us;        /* time in microseconds on CLOCK_MONOTONIC */
  int64_t device;         /* number of the input device; never used twice while the daemon runs */
  const char *responder;  /* id of the responder that gets the press */
  const char *view;       /* id of the view that got it first; "" for none */
  const char *key;        /* the key's name, as in the configuration: "enter", "f1" */
  const char *characters; /* typed characters; "" for none */
  uint32_t code;          /* the key's number: KEY_... of the kernel; from 0x1000 on, steps of an encoder */
  uint32_t modifiers;     /* TOUCHTREE_MODIFIER_... */
  uint32_t repeat_count;  /* number of repetitions so far */
  uint32_t reserved;
} touchtree_press;

/* -- The host ----------------------------------------------------------------------------------------- */

/* Levels of log. */
#define TOUCHTREE_LOG_ERROR 0
#define TOUCHTREE_LOG_WARNING 1
#define TOUCHTREE_LOG_INFO 2
#define TOUCHTREE_LOG_DEBUG 3

/* Results of host functions. The reason of a failure is also logged, under the handler's name. */
#define TOUCHTREE_OK 0
#define TOUCHTREE_NO_SUCH_VIEW (-1)
#define TOUCHTREE_NO_SUCH_PROPERTY (-2) /* unknown, or not a property of that kind of view */
#define TOUCHTREE_BAD_VALUE (-3)
#define TOUCHTREE_UNAVAILABLE (-4)      /* called from another thread, or while the daemon stops */

/*
 * The host's table. It stays in place, valid and unchanged, until the plugin's destroy returns. After that no
 * call is made into the plugin, and the plugin makes none. The first argument of every function is the table
 * itself. A function that is called from another thread does nothing, returns TOUCHTREE_UNAVAILABLE if it
 * returns anything, and is logged once.
 */
typedef struct touchtree_host {
  uint32_t size;
  uint32_t abi;                     /* TOUCHTREE_ABI of the host */
  void *TOUCHTREE_NULLABLE context; /* the host's own; leave it alone */

  /* Writes a line to the daemon's log, with the handler's name before it. The text is copied. An unknown
     level counts as TOUCHTREE_LOG_DEBUG. [the loop's thread] */
  void (*log)(const struct touchtree_host *TOUCHTREE_NULLABLE host, int32_t level,
              const char *TOUCHTREE_NULLABLE message);

  /* Draws a view again before the loop next waits. This is needed only for changes that the host cannot see.
     Returns TOUCHTREE_OK or a failure. [the loop's thread] */
  int32_t (*invalidate)(const struct touchtree_host *TOUCHTREE_NULLABLE host,
                        const char *TOUCHTREE_NULLABLE view);

  /* Sets a property of a view. Changes on the screen are drawn before the loop next waits. The texts are
     copied. An unchanged property is not drawn again. Returns TOUCHTREE_OK, or a failure, after which nothing
     has changed. [the loop's thread]

       key               value                    on
       frame             x,y,width,height         every view but the window
       bounds_origin     x,y                      every view
       transform         a,b,c,d,tx,ty | none     every view but the window; also transform.rotate, in degrees,
                                                  transform.scale and transform.translate
       alpha             0 ... 1                  every view
       hidden            true | false             every view
       user_interaction  true | false             every view
       background        #rrggbb[aa] | none       every view; none paints nothing
       corner_radius     a length                 every view
       border            none                     every view; border.color, border.width
       z                 a number                 every view but the window
       enabled           true | false             control, button
       selected          true | false             control, button
       text              any text                 label, button
       font.size ...     as in the configuration  label, button; family, size, weight, color, align, valign, lines
       image             the path of a PNG file   image; relative to the configuration's folder; also image.mode
       value             a number                 a control that has a value
       page              the id of a subview      pages
       size              width,height             every view but the window, for a stack; none for one of them
       axis              horizontal | vertical    stack
       spacing           a length                 stack */
  int32_t (*set_property)(const struct touchtree_host *TOUCHTREE_NULLABLE host,
                          const char *TOUCHTREE_NULLABLE view, const char *TOUCHTREE_NULLABLE key,
                          const char *TOUCHTREE_NULLABLE value);

  /* Calls the plugin's `timer` after a number of milliseconds, once, or repeatedly if repeats is not 0. 0
     milliseconds count as 1. Returns the timer's number, 1 or more, or TOUCHTREE_UNAVAILABLE. Timers end with
     the plugin. A daemon without timers is not woken while the screen is not touched, so keep none running
     without need. [the loop's thread] */
  int64_t (*add_timer)(const struct touchtree_host *TOUCHTREE_NULLABLE host, uint32_t milliseconds,
                       int32_t repeats);

  /* Ends a timer before its time. Its number is not used again. A timer that is over, or never existed, is
     ignored. It may be called from `timer`, even for that same timer. [the loop's thread] */
  void (*cancel_timer)(const struct touchtree_host *TOUCHTREE_NULLABLE host, int64_t timer);

  /* Sets a property that is a number, as set_property does: alpha, corner_radius, z, value, font.size,
     border.width, transform.rotate ... [the loop's thread] */
  int32_t (*set_number)(const struct touchtree_host *TOUCHTREE_NULLABLE host,
                        const char *TOUCHTREE_NULLABLE view, const char *TOUCHTREE_NULLABLE key, double value);

  /* Sets a property that is a list of numbers, as set_property does: frame, bounds_origin, transform ... The
     numbers are copied. [the loop's thread] */
  int32_t (*set_numbers)(const struct touchtree_host *TOUCHTREE_NULLABLE host,
                         const char *TOUCHTREE_NULLABLE view, const char *TOUCHTREE_NULLABLE key,
                         const double *TOUCHTREE_NULLABLE values, uint32_t count);

  /* Sets a property that is true (not 0) or false (0), as set_property does. [the loop's thread] */
  int32_t (*set_flag)(const struct touchtree_host *TOUCHTREE_NULLABLE host,
                      const char *TOUCHTREE_NULLABLE view, const char *TOUCHTREE_NULLABLE key, int32_t value);

  /* Writes a property of a view into *value: a number as it is, true as 1 and false as 0. Returns
     TOUCHTREE_OK, or a failure, after which *value is unchanged. The failure is TOUCHTREE_BAD_VALUE for a
     property that is neither a number nor true or false. [the loop's thread] */
  int32_t (*get_number)(const struct touchtree_host *TOUCHTREE_NULLABLE host,
                        const char *TOUCHTREE_NULLABLE view, const char *TOUCHTREE_NULLABLE key,
                        double *TOUCHTREE_NULLABLE value);

  /* Calls the plugin's `ready` whenever the descriptor has something to read, or its other end is gone. The
     calls are repeated until the plugin has read everything, so set O_NONBLOCK and read what is there. The
     descriptor stays the plugin's. The plugin ends the watch before it closes the descriptor, even if the
     other end is gone. Returns the watch's number, 1 or more; TOUCHTREE_BAD_VALUE for a descriptor that
     cannot be waited for, such as a regular file, and for one that is already watched; or
     TOUCHTREE_UNAVAILABLE. Watches end with the plugin, before destroy is called. [the loop's thread] */
  int64_t (*watch_descriptor)(const struct touchtree_host *TOUCHTREE_NULLABLE host, int32_t descriptor);

  /* Ends a watch. Its number is not used again. A watch that is over, or never existed, is ignored. It may be
     called from `ready`, even for that same watch. [the loop's thread] */
  void (*unwatch_descriptor)(const struct touchtree_host *TOUCHTREE_NULLABLE host, int64_t watch);

  /* Calls the plugin's `woken` soon on the loop's thread, once for all earlier calls of this function. It
     neither waits nor allocates. Returns TOUCHTREE_OK, or TOUCHTREE_UNAVAILABLE if the plugin has no `woken`.
     Writes before the call are visible in `woken`. No thread may call it after destroy has returned, so let
     destroy end and join the plugin's threads. [any thread, and signal handlers] */
  int32_t (*wake)(const struct touchtree_host *TOUCHTREE_NULLABLE host);

  /* Sets a named value of the configuration (`values:`), as on a command line: a number, true or false, null,
     a text, or a list of rows as JSON. Properties that follow it are computed before the loop next waits. The
     texts are copied. Returns TOUCHTREE_OK; TOUCHTREE_NO_SUCH_PROPERTY if no value has the name; or
     TOUCHTREE_BAD_VALUE for a value of another type, after which nothing has changed. [the loop's thread] */
  int32_t (*set_value)(const struct touchtree_host *TOUCHTREE_NULLABLE host,
                       const char *TOUCHTREE_NULLABLE name, const char *TOUCHTREE_NULLABLE value);

  /* Writes a named value into *value: a number as it is, true as 1 and false as 0. Returns as set_value does.
     The result is TOUCHTREE_BAD_VALUE for a value that is neither now, such as null, and *value is then
     unchanged. [the loop's thread] */
  int32_t (*get_value)(const struct touchtree_host *TOUCHTREE_NULLABLE host,
                       const char *TOUCHTREE_NULLABLE name, double *TOUCHTREE_NULLABLE value);

  /* Writes a text property of a view into a buffer, in UTF-8 with a NUL at its end. A text that is too long
     is cut between letters. Returns the length of the whole text in bytes, without the NUL; the text was cut
     if that is not smaller than size. Or returns a failure, TOUCHTREE_BAD_VALUE for a property that is no
     text, and the buffer is unchanged. With TOUCHTREE_EDITING_CHANGED, "text" is the text in the field.
     [the loop's thread] */
  int32_t (*get_text)(const struct touchtree_host *TOUCHTREE_NULLABLE host,
                      const char *TOUCHTREE_NULLABLE view, const char *TOUCHTREE_NULLABLE key,
                      char *TOUCHTREE_NULLABLE buffer, uint32_t size);
} touchtree_host;

/* -- The plugin --------------------------------------------------------------------------------------- */

/*
 * A plugin's table. The plugin owns it, and keeps it in place and unchanged until destroy is called. There is
 * one for each handler of the configuration file that names the plugin, and the file may be reloaded. So keep
 * state behind `context` and none in globals. The first argument of every function is the table itself. A
 * function may be NULL.
 */
typedef struct touchtree_plugin {
  uint32_t size;                    /* sizeof(touchtree_plugin) */
  uint32_t abi;                     /* TOUCHTREE_ABI; a host of another ABI reads nothing beyond this field */
  void *TOUCHTREE_NULLABLE context; /* the plugin's own; the host leaves it alone */

  /* Touches changed at a responder with the handler. Returns a disposition; NULL counts as TOUCHTREE_FORWARD.
     Two fingers that change in one frame on one view come in one call. [the loop's thread] */
  int32_t (*TOUCHTREE_NULLABLE touch)(const struct touchtree_plugin *plugin,
                                      const touchtree_touches *touches);

  /* A control sent an action, TOUCHTREE_TOUCH_DOWN to TOUCHTREE_RETURNED. The control, or a responder in its
     chain, has the handler. `cause` holds the one touch that the control tracks, in the control's own space;
     its responder is the control. It is called before `touch` for that phase. [the loop's thread] */
  void (*TOUCHTREE_NULLABLE action)(const struct touchtree_plugin *plugin, int32_t action,
                                    const touchtree_touches *cause);

  /* A timer is due. [the loop's thread] */
  void (*TOUCHTREE_NULLABLE timer)(const struct touchtree_plugin *plugin, int64_t timer);

  /* The last call. Free everything, even the table. The daemon stops or reloads its configuration. Touches
     that were down have been cancelled. The host may still be called. [the loop's thread] */
  void (*TOUCHTREE_NULLABLE destroy)(const struct touchtree_plugin *plugin);

  /* A gesture whose `handlers:` name the handler was recognised, changed or ended. [the loop's thread] */
  void (*TOUCHTREE_NULLABLE gesture)(const struct touchtree_plugin *plugin, const touchtree_gesture *gesture);

  /* A pointer event other than a touch came to the view of a responder with the handler, or to a view inside
     it. Returns a disposition, which counts for a wheel and for a pressed button. Moves in one turn of the
     loop come as one. [the loop's thread] */
  int32_t (*TOUCHTREE_NULLABLE pointer)(const struct touchtree_plugin *plugin,
                                        const touchtree_pointer *pointer);

  /* A descriptor has something to read, or its other end is gone: see watch_descriptor.
     [the loop's thread] */
  void (*TOUCHTREE_NULLABLE ready)(const struct touchtree_plugin *plugin, int64_t watch);

  /* The plugin called `wake`, from this thread or from another. [the loop's thread] */
  void (*TOUCHTREE_NULLABLE woken)(const struct touchtree_plugin *plugin);

  /* A key was pressed, and a responder with the handler is in the chain of the focused view. Returns a
     disposition, which counts when a press begins. [the loop's thread] */
  int32_t (*TOUCHTREE_NULLABLE press)(const struct touchtree_plugin *plugin, const touchtree_press *press);
} touchtree_plugin;

/*
 * The one function that a plugin exports. It is called once for each handler that names the plugin.
 * [the loop's thread]
 *
 *   host_abi     TOUCHTREE_ABI of the host. A host accepts only plugins of its own ABI.
 *   host         The host's table, valid until destroy returns. Its functions may be called at once.
 *   config_json  The handler's `config:` as one JSON object; "{}" if there is none. Valid until return.
 *   error        The place for the reason of a failure; holds NULL. The text stays the plugin's, such as a
 *                literal or a static buffer. The host copies it before it calls anything else.
 *
 * Returns the plugin's table, or NULL after a failure. Free everything before that, because destroy is not
 * called then.
 */
TOUCHTREE_EXPORT const touchtree_plugin *TOUCHTREE_NULLABLE touchtree_plugin_create(
    uint32_t host_abi, const touchtree_host *host, const char *config_json,
    const char *TOUCHTREE_NULLABLE *TOUCHTREE_NONNULL error);

/* -- Conveniences ------------------------------------------------------------------------------------- */

/* The name of a phase, as in the configuration and in traces; "unknown" for any other value. */
static inline const char *touchtree_phase_name(int32_t phase) {
  switch (phase) {
  case TOUCHTREE_BEGAN: return "began";
  case TOUCHTREE_MOVED: return "moved";
  case TOUCHTREE_STATIONARY: return "stationary";
  case TOUCHTREE_ENDED: return "ended";
  case TOUCHTREE_CANCELLED: return "cancelled";
  case TOUCHTREE_ENTERED: return "entered";
  case TOUCHTREE_LEFT: return "left";
  default: return "unknown";
  }
}

/* The name of a kind of gesture, as in the configuration and in traces; "unknown" for any other value. */
static inline const char *touchtree_gesture_kind_name(int32_t kind) {
  switch (kind) {
  case TOUCHTREE_TAP: return "tap";
  case TOUCHTREE_LONG_PRESS: return "long_press";
  case TOUCHTREE_PAN: return "pan";
  case TOUCHTREE_SWIPE: return "swipe";
  case TOUCHTREE_PINCH: return "pinch";
  case TOUCHTREE_ROTATION: return "rotation";
  case TOUCHTREE_SCREEN_EDGE_PAN: return "screen_edge_pan";
  default: return "unknown";
  }
}

/* The name of a gesture's state, as in traces; "unknown" for any other value. */
static inline const char *touchtree_gesture_state_name(int32_t state) {
  switch (state) {
  case TOUCHTREE_GESTURE_BEGAN: return "began";
  case TOUCHTREE_GESTURE_CHANGED: return "changed";
  case TOUCHTREE_GESTURE_ENDED: return "ended";
  case TOUCHTREE_GESTURE_CANCELLED: return "cancelled";
  default: return "unknown";
  }
}

/* The name of a control's action, as in traces; "unknown" for any other value. */
static inline const char *touchtree_action_name(int32_t action) {
  switch (action) {
  case TOUCHTREE_TOUCH_DOWN: return "touchDown";
  case TOUCHTREE_TOUCH_DOWN_REPEAT: return "touchDownRepeat";
  case TOUCHTREE_TOUCH_DRAG_INSIDE: return "touchDragInside";
  case TOUCHTREE_TOUCH_DRAG_OUTSIDE: return "touchDragOutside";
  case TOUCHTREE_TOUCH_DRAG_ENTER: return "touchDragEnter";
  case TOUCHTREE_TOUCH_DRAG_EXIT: return "touchDragExit";
  case TOUCHTREE_TOUCH_UP_INSIDE: return "touchUpInside";
  case TOUCHTREE_TOUCH_UP_OUTSIDE: return "touchUpOutside";
  case TOUCHTREE_TOUCH_CANCEL: return "touchCancel";
  case TOUCHTREE_VALUE_CHANGED: return "valueChanged";
  case TOUCHTREE_ROW_ACTION: return "rowAction";
  case TOUCHTREE_EDITING_BEGAN: return "editingBegan";
  case TOUCHTREE_EDITING_CHANGED: return "editingChanged";
  case TOUCHTREE_EDITING_ENDED: return "editingEnded";
  case TOUCHTREE_RETURNED: return "returned";
  default: return "unknown";
  }
}

#ifdef __clang__
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* TOUCHTREE_H */
