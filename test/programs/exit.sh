#!/bin/sh
[ $# -gt 1 ] && printf '%s\n' "$2" >&2
exit "$1"
