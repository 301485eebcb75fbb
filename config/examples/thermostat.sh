#!/bin/sh
# A process handler that only writes: once a second, the temperature as a value of the file.
#
#   handlers:
#     room: {kind: process, command: [./thermostat.sh, VALUE, SENSOR], wants: []}
#
# SENSOR is a file with thousandths of a degree, as the kernel's are. Without it, a temperature is made up.
value=$1
sensor=${2:-/sys/class/thermal/thermal_zone0/temp}
tenths=195
echo '{"type":"ready","protocol":1}'
while :; do
  if [ -r "$sensor" ]; then
    tenths=$(($(cat "$sensor") / 100))
  else
    tenths=$(((tenths - 195 + 1) % 20 + 195))
  fi
  printf '{"type":"set","values":{"%s":%d.%d}}\n' "$value" $((tenths / 10)) $((tenths % 10))
  sleep 1
done
