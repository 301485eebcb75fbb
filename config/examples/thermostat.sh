#!/bin/sh
# A process handler that only writes: once a second, the temperature as the text of a label.
#
#   handlers:
#     room: {kind: process, command: [./thermostat.sh, LABEL, SENSOR], wants: []}
#
# SENSOR is a file with thousandths of a degree, as the kernel's are. Without it, a temperature is made up.
label=$1
sensor=${2:-/sys/class/thermal/thermal_zone0/temp}
tenths=195
echo '{"type":"ready","protocol":1}'
while :; do
  if [ -r "$sensor" ]; then
    tenths=$(($(cat "$sensor") / 100))
  else
    tenths=$(((tenths - 195 + 1) % 20 + 195))
  fi
  printf '{"type":"set","view":"%s","properties":{"text":"%d.%d°"}}\n' "$label" $((tenths / 10)) $((tenths % 10))
  sleep 1
done
