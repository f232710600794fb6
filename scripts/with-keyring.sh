#!/bin/sh
# usage: with-keyring.sh command...
# Runs a command on a private session bus with an unlocked, disposable keyring. The user's own keychain is not touched.
set -eu
if [ $# -eq 0 ]; then
  echo 'usage: with-keyring.sh command...' >&2
  exit 2
fi
folder=$(mktemp -d)
mkdir -m 700 "$folder/data" "$folder/runtime"
XDG_DATA_HOME=$folder/data
XDG_RUNTIME_DIR=$folder/runtime
export XDG_DATA_HOME XDG_RUNTIME_DIR
code=0
dbus-run-session -- sh -c '
  printf throw-away | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 &
  daemon=$!
  # The daemon outlives the bus, so it is stopped by its own id.
  trap "kill $daemon 2>/dev/null" EXIT INT TERM
  # Ask the bus and not the keyring: a request to the keyring would start a second daemon before ours is ready.
  tries=0
  until dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
    string:org.freedesktop.secrets 2>/dev/null | grep -q "boolean true"; do
    tries=$((tries + 1))
    if [ $tries -gt 200 ]; then echo "with-keyring: the keyring did not open" >&2; exit 1; fi
    sleep 0.05
  done
  "$@"
' sh "$@" || code=$?
rm -rf "$folder"
exit $code
