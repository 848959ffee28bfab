# Shared by the scripts of this directory; sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${RUFIO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rufio-operator}

# Debian puts ipmipower where only root looks.
PATH=$cache/bin:$PATH:/usr/sbin:/sbin
export PATH

say() { printf '\n== %s\n' "$*"; }
note() { printf '%s\n' "$*" >&2; }
die() {
    note "$*"
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# locked NAME COMMAND...: runs COMMAND while no other run of these scripts holds the lock NAME.
locked() {
    local name=$1
    shift
    mkdir -p "$cache"
    (
        flock 9
        "$@" 9>&-
    ) 9>"$cache/.$name.lock"
}

# apt_install PACKAGE...: installs Debian packages, as root or through sudo; fails quietly where neither is possible.
apt_install() {
    have apt-get || return 1
    local sudo=()
    if [ "$(id -u)" != 0 ]; then
        have sudo && sudo -n true 2>/dev/null || return 1
        sudo=(sudo -n)
    fi
    "${sudo[@]}" apt-get -qq update >&2 &&
        "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >&2
}

# cargo_tool NAME VERSION: makes the cargo subcommand NAME available; any version on PATH will do.
cargo_tool() {
    have "$1" || locked "$1" cargo_tool_build "$@"
}
cargo_tool_build() {
    have "$1" && return 0
    local target=$cache/build.$1 failed=0
    CARGO_TARGET_DIR=$target cargo install --quiet --locked --root "$cache" "$1@$2" || failed=1
    rm -rf "$target"
    return "$failed"
}
