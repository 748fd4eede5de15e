#!/bin/sh
kill -s "$1" $$
