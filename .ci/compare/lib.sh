# Shared by the comparisons; sourced, never run. A comparison prints facts and gates nothing.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
cd "$root" || exit 1

work=$(mktemp -d)
# Background programs, which end with the script.
started=()
finish() {
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null; done
    for pid in "${started[@]}"; do wait "$pid" 2>/dev/null; done
    rm -rf "$work"
}
trap finish EXIT

need_tools() {
    local missing=() tool
    for tool in hyperfine strace; do have "$tool" || missing+=("$tool"); done
    [ -x /usr/bin/time ] || missing+=(time)
    [ ${#missing[@]} = 0 ] || locked apt apt_install "${missing[@]}" || die "install ${missing[*]} first"
}

# release ARGUMENTS...: builds what is compared as users get it, and sets $built to its directory.
release() {
    cargo build --release "$@" || exit 1
    built=${CARGO_TARGET_DIR:-$root/target}/release
}

# free_port: a UDP port that was free a moment ago.
free_port() {
    local port
    while :; do
        port=$((RANDOM % 20000 + 20000))
        grep -q ":$(printf %04X "$port") " /proc/net/udp || break
    done
    echo "$port"
}

# await LIMIT COMMAND...: runs COMMAND every 20 ms until it succeeds, for LIMIT seconds at most.
await() {
    local limit=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$limit" ] || return 1
        sleep 0.02
    done
}

# peak COMMAND...: the peak resident set of COMMAND in KiB.
peak() { /usr/bin/time -f %M -o "$work/peak" "$@" >/dev/null 2>&1 </dev/null && tail -n 1 "$work/peak"; }

# traced COMMAND...: the UDP sockets that COMMAND opens, and the datagrams that it sends over them. Traced, some clients
# are too slow for their own time-outs and begin again and again.
traced() {
    timeout 120 strace -qqf -e trace=socket,sendto,sendmsg,sendmmsg -o "$work/strace" "$@" >/dev/null 2>&1 </dev/null
    awk '
        /socket\(AF_INET6?, SOCK_DGRAM/ { sockets++ }
        /(sendto|sendmsg)\(.*= [0-9]+$/ && !/AF_(UNIX|NETLINK)/ { sent++ }
        /sendmmsg\(.*= [0-9]+$/ { sent += $NF }
        END { printf "%d\t%d", sockets, sent }' "$work/strace"
}

# row NAME RUNS COMMAND...: measures COMMAND and adds a row: name, median wall, user+system (both ms), peak KiB,
# UDP sockets, datagrams sent (one for each round trip).
row() {
    local name=$1 runs=$2
    shift 2
    "$@" >"$work/out" 2>&1 </dev/null || {
        note "$name failed: $(tail -n 3 "$work/out")"
        return 1
    }
    hyperfine --shell=none --warmup 3 --runs "$runs" --export-csv "$work/row.csv" "$(printf '%q ' "$@")" >/dev/null 2>&1 || return 1
    awk -F, -v name="$name" -v rss="$(peak "$@")" -v traced="$(traced "$@")" \
        'END { printf "%s\t%.2f\t%.2f\t%d\t%s\n", name, $(NF-4) * 1000, ($(NF-3) + $(NF-2)) * 1000, rss, traced }' "$work/row.csv" >>"$work/table"
}

# table: prints the rows, each with how many times the first one it takes.
table() {
    awk -F'\t' '
        BEGIN { printf "%-24s %9s %6s %9s %6s %8s %8s %6s\n", "", "wall ms", "ratio", "CPU ms", "ratio", "KiB", "sockets", "sent" }
        NR == 1 { wall = $2; cpu = $3 > 0 ? $3 : 0.01 }
        { printf "%-24s %9.2f %6.1f %9.2f %6.1f %8d %8d %6d\n", $1, $2, $2 / wall, $3, $3 / cpu, $4, $5, $6 }' "$work/table"
}

# start_fleet COUNT [VIRTUAL-BMC ARGUMENTS...]: serves COUNT simulated BMCs (user admin, password in $BMC_PASSWORD), lists
# their URLs in $work/targets and sets $fleet to the process.
start_fleet() {
    local count=$1
    shift
    "$built/examples/virtual-bmc" --ipmi 127.0.0.1:0 --count "$count" --user admin --password-env BMC_PASSWORD "$@" \
        >"$work/fleet" 2>"$work/fleet.log" &
    fleet=$!
    started+=("$fleet")
    await 20 grep -q '^# Ready' "$work/fleet" || die "virtual-bmc did not start: $(tail -n 5 "$work/fleet.log")"
    grep '^ipmi://' "$work/fleet" >"$work/targets"
}
