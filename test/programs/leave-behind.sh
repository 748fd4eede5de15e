#!/bin/sh
sleep 1000000 &
echo $!
exit "$1"
