#!/bin/sh
# Joins the networks that wifi.yaml asks for, by NetworkManager. touchtree starts it, and it speaks JSON lines: it reads
# {"message":{"join":"Office","password":"..."}}, and sets the label "state". It fills the list with what is on the air.
#
# Without nmcli it says so, and the page can be tried all the same.

say() { printf '{"type":"set","view":"%s","properties":{"%s":%s}}\n' "$1" "$2" "$3"; }
quoted() { printf '"%s"' "$(printf %s "$1" | sed 's/\\/\\\\/g; s/"/\\"/g')"; }
# The text of a key: letters that JSON writes with a backslash are rare in both, and \" and \\ are turned back.
field() { printf %s "$1" | sed -n "s/.*\"$2\":\"\(\([^\"\\\\]\|\\\\.\)*\)\".*/\1/p" | sed 's/\\\(.\)/\1/g'; }

printf '{"type":"ready","protocol":1,"wants":[]}\n'
if command -v nmcli >/dev/null; then
  rows=$(nmcli --terse --fields SSID device wifi list 2>/dev/null | sed '/^$/d' | sort -u | head -20 |
    while IFS= read -r name; do quoted "$name"; printf ,; done)
  [ -n "$rows" ] && say networks rows "[${rows%,}]"
fi

while IFS= read -r line; do
  case $line in
  *'"type":"message"'*) ;;
  *) continue ;;
  esac
  name=$(field "$line" join)
  if ! command -v nmcli >/dev/null; then
    say state text '"nmcli is missing"'
  elif field "$line" password | nmcli --ask device wifi connect "$name" >/dev/null 2>&1; then
    say state text '"Connected"'
  else
    say state text '"Wrong password?"'
  fi
done
