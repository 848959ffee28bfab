#!/bin/sh
set -eu
secret=$(cat "$RPC_SECRET_FILE")
body=$(mktemp)
trap 'rm -f "$body"' EXIT

answer() { # STATUS JSON
    printf 'Status: %s\r\nContent-Type: application/json\r\n\r\n%s\n' "$1" "$2"
    exit 0
}
refuse() { # STATUS WHY
    answer "$1" "$(jq -nc --arg why "$2" '{error: {code: 1, message: $why}}')"
}
accept() { # RESULT
    answer '200 OK' "$(jq -nc --argjson id "$id" --arg host "$host" --arg result "$1" '{$id, $host, $result}')"
}

[ "${CONTENT_LENGTH:-0}" -le 65536 ] || refuse '413 Content Too Large' 'too long'
head -c "${CONTENT_LENGTH:-0}" >"$body"

# Signed are the body and, right behind it, the timestamp.
at=${HTTP_X_RUFIO_TIMESTAMP:-}
right=$({ cat "$body" && printf %s "$at"; } | openssl dgst -sha256 -hmac "$secret" -r | cut -d ' ' -f 1)
case ,${HTTP_X_RUFIO_SIGNATURE_256:-}, in
*,sha256="$right",*) ;;
*) refuse '401 Unauthorized' 'wrong signature' ;;
esac
age=$(($(date +%s) - $(date -d "$at" +%s)))
[ "${age#-}" -le 300 ] || refuse '403 Forbidden' "$age s old"

id=$(jq -r '.id | tostring' "$body")
host=$(jq -r .host "$body")
method=$(jq -r .method "$body")
case $id$host in *[!A-Za-z0-9._-]*) refuse '400 Bad Request' 'odd id or host' ;; esac
case $method in
ping | setBootDevice) accept '' ;;
getPowerState) accept "$("$RPC_POWER" "$host" status)" ;;
setPowerState) ;;
*) refuse '501 Not Implemented' "no method $method" ;;
esac

# A directory is made once: who comes second has nothing to do.
find "$RPC_STATE_DIR" -mindepth 1 -mmin +60 -exec rmdir {} + 2>/dev/null || true
mkdir "$RPC_STATE_DIR/$host.$id" 2>/dev/null || accept ''
if "$RPC_POWER" "$host" "$(jq -r .params.state "$body")" >&2; then accept ''; fi
rmdir "$RPC_STATE_DIR/$host.$id"
refuse '500 Internal Server Error' 'power failed'
