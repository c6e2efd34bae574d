#!/usr/bin/env bash
# The broker alone, in the foreground, from a clone that has been set up (`make sync`); Ctrl-C ends it cleanly.
#   deploy/broker/start.sh [--port 19092] [--home .stanchion] [--flush-messages 1]
set -euo pipefail
exec "$(dirname "$0")/../../.venv/bin/stanchion-broker" "$@"
