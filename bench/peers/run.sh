#!/bin/sh
# run.sh [BUILD [SCENE...]]: every engine that is there on every scene, one table on standard output.
# A run that dies or hangs in a step for LIMIT seconds is a line of the table that says so.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}
[ $# -gt 0 ] && shift
scenes=${*:-four_bar bricard n_four_bar_1 n_four_bar_40}
limit=${LIMIT:-300}

echo "| scene | engine | setting | h, s | error, m | separation, m | tilt, rad | energy drift, J | s per s | what happened |"
echo "|---|---|---|---|---|---|---|---|---|---|"
for scene in $scenes; do
    for program in "$build"/bench/peers/peer_tenon "$build"/bench/peers/peer_[!t]*; do
        case $program in */peer_pinocchio) continue ;; esac # trees only
        name=$("$program" | sed -n '1s/ of this tree.*//; 1s/[,:].*//; 1p')
        settings=$("$program" | awk -F '\t' '$1 == "setting" { print $2 }')
        for setting in $settings; do
            for step in 1e-2 1e-3; do
                code=0
                line=$(timeout "$limit" "$program" "$scene" "$setting" "$step" 2>/dev/null) || code=$?
                case $code in
                0) ;;
                124) line=$(printf '%s\t%s\t%s\t%s\t\t\t\t\t\tnot done after %s s' \
                    "$scene" "$name" "$setting" "$step" "$limit") ;;
                *) line=$(printf '%s\t%s\t%s\t%s\t\t\t\t\t\tdies (exit code %s)' \
                    "$scene" "$name" "$setting" "$step" "$code") ;;
                esac
                echo "$line" | awk -F '\t' '{ for (i = 1; i <= NF; i++) printf "| %s ", $i; print "|" }'
            done
        done
    done
done
