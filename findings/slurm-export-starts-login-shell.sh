#!/usr/bin/env bash
# Finding: with Slurm 22.05.8 (Debian 12), `sbatch --export=ALL,NAME=value` runs the profile of the user on the node before the job's
# script, while `sbatch` without --export, whose documented default is --export=ALL, does not. Accounting counts that time as
# runtime. Seen with a profile that takes 15 s: the script began 0 to 1 s after the recorded start without --export, and 15 to 16 s
# after it with it. Runs as root with slurmctld, slurmd, slurm-client, slurmdbd, mariadb-server and munge, in about a minute; the
# daemons see a home of root of their own. Fails if that has changed.
set -euo pipefail
starter=$(cd "$(dirname "$0")/.." && pwd)/tests/accounting/slurm.sh
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'bash "$starter" "$folder/slurm" stop; rm -rf "$folder"' EXIT
export TZ=UTC SLURM_CONF=$folder/slurm/slurm.conf
mkdir "$folder/home"
echo 'sleep 15' > "$folder/home/.profile"
unshare --mount bash -c 'mount --bind "$1" "$HOME" && bash "$2" "$3" 26800' _ "$folder/home" "$starter" "$folder/slurm"

scontrol --version
# Prints the seconds from the recorded start of a job to the begin of its script; the arguments are options of sbatch.
delay() {
  local job
  job=$(sbatch --parsable --output=/dev/null --chdir=/ --time=2 "$@" --wrap="date +%s > $folder/began")
  until [ -z "$(squeue --noheader)" ]; do sleep 0.5; done
  sleep 2
  echo $(($(cat "$folder/began") - $(date -d "$(sacct --allocations --noheader --parsable2 --format=Start --jobs "$job")" +%s)))
}

without=$(delay)
with=$(delay --export=ALL,NAME=value)
echo "from the recorded start to the script: $without s without --export, $with s with --export=ALL,NAME=value"
[ "$without" -le 3 ]
[ "$with" -ge 14 ]
echo 'The finding holds.'
