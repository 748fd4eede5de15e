#!/bin/sh
echo ready
sleep 1000000
