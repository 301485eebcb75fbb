#!/bin/sh
# A process handler: it collects the digits that keypad.yaml sends, and shows whether the door is open. A message has the key's
# id in "from". A real lock reads its code from a file that no one else can read.
code=2580
typed=

while read -r line; do
  case $line in
    *'"type":"hello"'*) echo '{"type":"ready","protocol":1}' ;;
    *'"message":"digit"'*)
      key=${line#*'"from":"key-'}
      typed=$typed${key%%'"'*}
      ;;
    *'"message":"clear"'*) typed= ;;
    *'"message":"enter"'*)
      page=locked
      [ "$typed" = "$code" ] && page=open
      typed=
      echo "{\"type\":\"page\",\"view\":\"lock\",\"page\":\"$page\"}"
      ;;
  esac
done
