#!/bin/sh
setsid sleep 1000000 &
echo ready
wait
