#!/bin/sh
# An ignored signal stays ignored in the children.
trap '' TERM
echo ready
while :; do sleep 1000000; done
