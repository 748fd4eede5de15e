#!/bin/sh
# Short naps, because a shell looks at its traps between commands.
trap 'echo INT' INT
trap 'echo TERM; exit 0' TERM
echo ready
while :; do sleep 0.02; done
