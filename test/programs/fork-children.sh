#!/bin/sh
[ "$1" = ignore ] && trap '' TERM
(sleep 1000000 & sleep 1000000) &
echo ready
wait
