#!/bin/sh
yes 'all work and no play makes a dull log' | head -c "$1"
