#!/bin/sh
# The wait is interrupted by a signal, so that the trap runs at once.
trap 'echo INT' INT
trap 'echo TERM; kill "$child"; exit 0' TERM
sleep 1000000 &
child=$!
echo ready
while :; do wait "$child"; done
