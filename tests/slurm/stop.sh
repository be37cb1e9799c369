#!/usr/bin/env bash
# Ends what start.sh FOLDER has started, jobs first.
folder=$1
export SLURM_CONF=$folder/slurm.conf
scancel --user="$(id -un)" 2> /dev/null
for _ in $(seq 50); do
  [ -n "$(squeue --noheader 2> /dev/null)" ] || break
  sleep 0.1
done
for file in "$folder"/slurmctld.pid "$folder"/first/pid "$folder"/second/pid "$folder"/third/pid "$folder"/munge/pid; do
  [ -e "$file" ] || continue
  process=$(cat "$file")
  kill "$process" 2> /dev/null
  for _ in $(seq 50); do
    readlink "/proc/$process/exe" > /dev/null || break
    sleep 0.1
  done
  kill -KILL "$process" 2> /dev/null
done
exit 0
