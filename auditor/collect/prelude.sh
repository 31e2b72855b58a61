#!/bin/sh
# Gathers what roce-audit reads of a Linux host into a transcript on standard output:
#
#   sh collect.sh > "$(uname -n).txt"              as root, so that firmware and debugfs can be read
#   sh collect.sh ens1f0np0 > "$(uname -n).txt"    only these interfaces
#
# It only reads: it writes no file, loads no module, starts no service, and reads no keys or passwords. What it could
# not read, and why, it says on standard error. COLLECT_SECONDS bounds each command (10), and COLLECT_ROOT is where the
# host's /sys, /proc and /etc are seen, such as /host in a container.

LC_ALL=C
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin
export LC_ALL PATH
seconds=${COLLECT_SECONDS:-10}
root=${COLLECT_ROOT:-}
root=${root%/}
user=$(id -u)
failed=0
case $seconds in 0* | *[!0-9]*) echo "COLLECT_SECONDS: expected a number from 1, found $seconds" >&2; exit 2 ;; esac
case $root in '' | /*) ;; *) echo "COLLECT_ROOT: expected a path from /, found $root" >&2; exit 2 ;; esac
case $root in *[!A-Za-z0-9._/-]*) echo "COLLECT_ROOT: expected letters, digits, . _ - /" >&2; exit 2 ;; esac

# A command ends politely when its time is up, so that a tool can release the firmware; old versions cannot do that.
if timeout -k 2 5 true 2>/dev/null; then
    limited() { timeout -k 2 "$seconds" "$@"; }
elif timeout 5 true 2>/dev/null; then
    limited() { timeout "$seconds" "$@"; }
else
    echo 'no timeout (of coreutils or busybox) is here, without which a command that hangs could not be ended' >&2
    exit 2
fi

# Run a command into $output and $status; $said is how it is shown, $why what went wrong.
try() {
    said=$(printf '%s\n' "$*" | sed "s| $root/| /|g") why=''
    if ! command -v "$1" >/dev/null 2>&1; then
        status=127 output="$1: command not found" why='the tool is not installed'
        return 127
    fi
    output=$(limited "$@" 2>&1 </dev/null)
    status=$?
    [ -z "$root" ] || output=$(printf '%s\n' "$output" | sed "s|$root/|/|g")
    case $status in
    0) ;;
    124 | 137 | 143)
        why="timed out after $seconds s"
        output="$output
$1: $why" ;;
    *) why="exit status $status$(printf '%s\n' "$output" | sed -n 's/^..*/: &/p;q')" ;;
    esac
    return "$status"
}

# Show the command that was tried last, and what it printed.
show() {
    printf '$ %s\n' "$said"
    [ -z "$output" ] || printf '%s\n' "$output"
    [ "$status" -ne 0 ] || return 0
    printf 'rc=%s\n' "$status"
    case $1 in
    answer) [ "$status" -eq 127 ] || return 0 ;;
    root) [ "$user" -eq 0 ] || [ "$status" -eq 127 ] || why="$why; it needs root" ;;
    esac
    missed "$said: $why"
}

missed() {
    failed=$((failed + 1))
    printf 'not read: %s\n' "$1" >&2
}

# Whether there is anything to read at a path.
has() {
    [ -e "$root$1" ] || { printf 'not there: %s\n' "$1" >&2; return 1; }
}

# Whether one of these drivers runs the NIC that the turn is at, or any NIC of the host.
driven() {
    for one; do
        case " $driver " in *" $one "*) return 0 ;; esac
    done
    return 1
}

# The directory that a link leads to, by its last name only.
target() {
    (cd -P "$1" 2>/dev/null && basename "$PWD")
}

# Names that a kernel gives are plain; whatever else stands there is nothing to put on a command line.
is_plain() {
    case $1 in '' | [-.]* | *[!A-Za-z0-9_.-]*) return 1 ;; esac
}

# The interfaces of hardware that carry RDMA, else all of hardware; virtual functions are their owner's.
interfaces() {
    carrying='' all=''
    for path in "$root"/sys/class/net/*; do
        name=${path##*/}
        is_plain "$name" && [ -e "$path/device" ] && [ ! -e "$path/device/physfn" ] || continue
        case $(cat "$path/phys_port_name" 2>/dev/null) in *vf* | *sf*) continue ;; esac
        all="$all $name"
        if [ -d "$path/device/infiniband" ] || [ "$(target "$path/device/driver")" = mlx5_core ]; then
            carrying="$carrying $name"
        fi
    done
    echo "${carrying:-$all}"
}

devices() {
    for path in "$root"/sys/class/infiniband/*; do
        is_plain "${path##*/}" && [ -e "$path" ] && echo "${path##*/}"
    done
}

# The numbers that niccli gives to Broadcom adapters.
adapters() {
    driven bnxt_en && command -v niccli >/dev/null 2>&1 || return
    limited niccli --list_devices 2>/dev/null </dev/null | sed -n 's/^ *\([0-9][0-9]*\)) .*/\1/p'
}

for name; do
    if ! is_plain "$name" || [ ! -e "$root/sys/class/net/$name" ]; then
        echo "no interface $name" >&2
        exit 2
    fi
done
netdevs=${*:-$(interfaces)}
rdmas=$(devices)
driver=''
for netdev in $netdevs; do
    driver="$driver $(target "$root/sys/class/net/$netdev/device/driver")"
done

echo "# gathered with roce-audit @VERSION@ by user $user on $(date -u '+%Y-%m-%d %H:%M:%S') UTC"
[ -n "$rdmas" ] || missed 'RDMA devices: there is none in /sys/class/infiniband'

