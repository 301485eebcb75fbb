#!/bin/sh
# A process handler that only writes: the time of day, every second, as the text of a label.
#
#   handlers:
#     clock: {kind: process, command: [./clock.sh, LABEL]}
echo '{"type":"ready","protocol":1,"wants":[]}'
while :; do
  printf '{"type":"set","view":"%s","properties":{"text":"%s"}}\n' "$1" "$(date +%H:%M:%S)"
  sleep 1
done
