#!/usr/bin/env bash
# Finding: whether Slurm 22.05.8 (Debian 12) has an Epilog, even one that does nothing, decides when the next job starts after one
# ends. Without Epilog, batch_sched_delay, documented as a delay of the scheduling of submitted batch jobs, holds after ends, too: a
# job that waits for processors starts only when so many seconds have passed since the last pass of the main scheduler. With an
# Epilog the scheduler runs as soon as it is over. Seen with batch_sched_delay=20: after the end of a job of 2 s, the next one of the
# same processors started 10 to 20 s later without Epilog, and at once with one. Runs as root with slurmctld, slurmd, slurm-client,
# slurmdbd, mariadb-server and munge, in about two minutes; fails if that has changed.
set -euo pipefail
starter=$(cd "$(dirname "$0")/.." && pwd)/tests/accounting/slurm.sh
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'bash "$starter" "$folder/slurm" stop; rm -rf "$folder"' EXIT
export TZ=UTC SLURM_CONF=$folder/slurm/slurm.conf
bash "$starter" "$folder/slurm" 26600

scontrol --version
printf '#!/bin/sh\nexit 0\n' > "$folder/epilog"
chmod 755 "$folder/epilog"
submit() { sbatch --parsable --output=/dev/null --chdir=/ --time=1 --ntasks="$processors" --wrap="sleep $1"; }
field() { sacct --allocations --noheader --parsable2 --format="$2" --jobs "$1"; }

# Prints the seconds from the end of a job to the start of the next; the argument is the line of the Epilog.
gap() {
  sed -i '/^SchedulerParameters/d; /^Epilog=/d' "$SLURM_CONF"
  printf '%s\n' 'SchedulerParameters=batch_sched_delay=20,bf_interval=600' "$1" >> "$SLURM_CONF"
  scontrol reconfigure
  sleep 2
  processors=$(sinfo --noheader --partition=main --format=%C | cut -d/ -f4)
  local first second
  first=$(submit 2)
  second=$(submit 1)
  until [ -z "$(squeue --noheader)" ]; do sleep 0.5; done
  sleep 2
  echo $(($(date -d "$(field "$second" Start)" +%s) - $(date -d "$(field "$first" End)" +%s)))
}

without=$(gap '')
with=$(gap "Epilog=$folder/epilog")
echo "from the end of a job to the start of the next: $without s without Epilog, $with s with one"
[ "$without" -ge 10 ]
[ "$without" -le 21 ]
[ "$with" -le 2 ]
echo 'The finding holds.'
