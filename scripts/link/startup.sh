# Runs in the virtual machine for scripts/order-startup: touches a panel and moves a mouse while valgrind notes what
# touchtree calls.
set -e
mkfifo /tmp/panel /tmp/mouse
vm-guest device </tmp/panel &
vm-guest device </tmp/mouse &
exec 5>/tmp/panel 6>/tmp/mouse
cat >&5 <<'END'
name Panel
property INPUT_PROP_DIRECT
key BTN_TOUCH
abs ABS_MT_SLOT 0 9
abs ABS_MT_TRACKING_ID 0 65535
abs ABS_MT_POSITION_X 0 1279
abs ABS_MT_POSITION_Y 0 799
create
END
cat >&6 <<'END'
name Mouse
key BTN_LEFT BTN_RIGHT
rel REL_X REL_Y REL_WHEEL
create
END
sleep 1
valgrind.bin --tool=callgrind --callgrind-out-file=calls --demangle=no --log-file=log \
  /usr/bin/touchtree run --config startup.yaml 2>messages &
pid=$!
until grep -q 'ready:' messages; do sleep 1; done
tap() {
  echo "frame ABS_MT_SLOT=0 ABS_MT_TRACKING_ID=$1 ABS_MT_POSITION_X=$2 ABS_MT_POSITION_Y=$3 BTN_TOUCH=1" >&5
  sleep 2
  echo "frame ABS_MT_POSITION_X=$(($2 + 50))" >&5
  sleep 2
  echo "frame ABS_MT_TRACKING_ID=-1 BTN_TOUCH=0" >&5
  sleep 2
}
tap 1 200 300
tap 2 700 300
tap 3 700 600
printf 'frame REL_X=-300\nframe REL_Y=-20\nframe BTN_LEFT=1\nframe BTN_LEFT=0\n' >&6
sleep 5
kill -TERM $pid
wait $pid
cat messages
