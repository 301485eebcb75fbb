# Sourced by `gates` and `bench`: trees of views side by side, and a panel that touches them in turn.

# views COLUMNS ROWS: a configuration.
views() {
  awk -v columns="$1" -v rows="$2" 'BEGIN {
    print "version: 1\ndisplay: {background: \"#101418\"}"
    print "highlight: {view: {style: fill, color: \"#e6007a\"}, touches: false}\nwindow:\n  subviews:" (columns ? "" : " []")
    if (!columns) exit
    width = 800 / columns; height = 480 / rows
    for (row = 0; row < rows; row++) for (column = 0; column < columns; column++)
      printf "    - {id: v%d-%d, frame: [%g, %g, %g, %g], background: \"#203040\"}\n",
        column, row, column * width + 1, row * height + 1, width - 2, height - 2
  }'
}

# A configuration with a slider, for `thumb`.
slider() {
  printf '%s\n' 'version: 1' 'display: {canvas: {size: [800, 500]}}' 'window:' '  subviews:' \
    '    - {id: slider, kind: slider, frame: [40, 40, 720, 60], jumps: true}'
}

# One event a line: seconds, code, value. `recording` and `device` turn that into what touchtree and vm-guest read.
nothing() { echo 0 SYN_REPORT 0; }
taps() {
  awk -v count="$1" 'BEGIN {
    for (tap = 0; tap < count; tap++) {
      view = tap * 37 % 100
      print tap, "BTN_TOUCH", 1; print tap, "ABS_X", view % 10 * 80 + 40; print tap, "ABS_Y", int(view / 10) * 48 + 24
      print tap, "SYN_REPORT", 0; print tap + 0.1, "BTN_TOUCH", 0; print tap + 0.1, "SYN_REPORT", 0
    }
  }'
}
moves() {
  awk -v count="$1" 'BEGIN {
    print 0, "BTN_TOUCH", 1; print 0, "ABS_X", 0; print 0, "ABS_Y", 0; print 0, "SYN_REPORT", 0
    for (move = 1; move <= count; move++) {
      print move / 100, "ABS_X", move * 7 % 800; print move / 100, "ABS_Y", move * 3 % 480; print move / 100, "SYN_REPORT", 0
    }
    print count, "BTN_TOUCH", 0; print count, "SYN_REPORT", 0
  }'
}
# As `moves`, along the slider.
thumb() {
  awk -v count="$1" 'BEGIN {
    print 0, "BTN_TOUCH", 1; print 0, "ABS_X", 640; print 0, "ABS_Y", 116; print 0, "SYN_REPORT", 0
    for (move = 1; move <= count; move++) {
      print move / 100, "ABS_X", move * 7 % 800 + 200; print move / 100, "SYN_REPORT", 0
    }
    print count, "BTN_TOUCH", 0; print count, "SYN_REPORT", 0
  }'
}
# Events as an evemu recording. A panel has axes; without them the recording is read and then refused, which is how the
# cost of reading is found.
recording() {
  local axes=$1 zero=' 00 00 00 00 00 00 00'
  printf '%s\n' '# EVEMU 1.3' 'N: Panel' 'I: 0018 0000 0000 0000' "P: 02$zero" "B: 00 0b$zero"
  for _ in {1..5}; do printf 'B: 01 00%s\n' "$zero"; done
  printf 'B: 01 00 04 00 00 00 00 00 00\n'
  if [[ $axes == panel ]]; then printf '%s\n' "B: 03 03$zero" 'A: 00 0 1279 0 0 0' 'A: 01 0 799 0 0 0'; fi
  awk 'BEGIN {code["BTN_TOUCH"] = "0001 014a"; code["ABS_X"] = "0003 0000"; code["ABS_Y"] = "0003 0001"
         code["SYN_REPORT"] = "0000 0000"}
       {printf "E: %.6f %s %d\n", $1, code[$2], $3}'
}
# The same events for vm-guest device, which waits after each frame until the daemon sleeps again.
device() { awk '$2 == "SYN_REPORT" {print "frame" frame; print "reader @"; frame = ""; next} {frame = frame " " $2 "=" $3}'; }

# A configuration for requests, and requests of it.
requests() {
  cat <<YAML
version: 1
values: {rooms: []}
display: {background: "#ffffff"}
window:
  subviews:
    - {kind: stack, columns: 20, frame: [0, 0, 1280, 800], subviews: [{repeat: {for: rooms, view: {kind: label, text: "{name}"}}}]}
    - {id: field, kind: text_field, frame: [0, 0, 400, 44]}
    - {id: long, kind: text_field, frame: [0, 50, 400, 44], limit: 10000}
    - kind: stack
      axis: vertical
      frame: [1100, 0, 180, 800]
      subviews: [{id: label, kind: label, text: "", font: {lines: 0}}]
    - {id: card, frame: [200, 200, 800, 400], background: "#304050", user_interaction: false}
    - id: turned
      frame: [0, 400, 640, 400]
      multiple_touch: true
      gestures: [{kind: pinch, transforms: turned}, {kind: rotation, transforms: turned}]
      subviews:
        - {frame: [20, 20, 200, 200], background: "#304050", corner_radius: 20, shadow: {blur: 100}}
        - {frame: [240, 20, 200, 200], background: "#30405080", corner_radius: 20, shadow: {blur: 50}}
        - {kind: label, frame: [20, 240, 600, 150], text: "$(letters 600 6)", font: {lines: 0, size: 12}}
YAML
}
# letters COUNT [WORD]: letters that do not repeat soon, with a space at the end of each word of so many.
letters() {
  awk -v count="$1" -v word="${2-0}" 'BEGIN {
    seed = 7
    for (place = 1; place <= count; place++) {
      seed = (seed * 1103515 + 12345) % 2147483648
      printf "%s", word && place % word == 0 ? " " : substr("abcdefghijklmnopqrstuvwxyz", int(seed / 65536) % 26 + 1, 1)
    }
  }'
}
row_request() {
  letters $(($1 * 12)) | fold -w 12 | awk 'BEGIN {printf "{\"type\":\"set\",\"values\":{\"rooms\":["}
    {printf "%s{\"name\":\"%s\"}", (NR > 1 ? "," : ""), $0} END {print "]}}"}'
}
text_request() { printf '{"type":"set","view":"%s","properties":{"text":"%s"}}\n' "$1" "$(letters "$2")"; }
shadow_request() {
  printf '{"type":"set","view":"card","properties":{"shadow":{"color":"#000000","blur":%d},"transform":{"rotate":%d}}}\n' "$@"
}
finger() { printf '{"type":"inject","phase":"%s","finger":%d,"x":%d,"y":%d}\n' "$@"; }
began_request() { finger began 1 300 500; finger began 2 400 520; finger moved 2 420 530; }
moved_request() { finger moved 2 480 600; }
