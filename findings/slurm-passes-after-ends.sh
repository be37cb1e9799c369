#!/usr/bin/env bash
# Finding: batch_sched_delay of Slurm 22.05.8 (Debian 12), documented as a delay of the scheduling of submitted batch jobs, also
# delays the start of the next job when one ends: a job that waits for processors starts only when so many seconds have passed
# since the last pass of the main scheduler. Seen with 20 s: a job of 2 s ended, and the next one of the same processors started
# 10 to 20 s later. Runs as root with slurmctld, slurmd, slurm-client, slurmdbd, mariadb-server and munge, in about a minute;
# fails if that has changed.
set -euo pipefail
starter=$(cd "$(dirname "$0")/.." && pwd)/tests/accounting/slurm.sh
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'bash "$starter" "$folder/slurm" stop; rm -rf "$folder"' EXIT
export TZ=UTC SLURM_CONF=$folder/slurm/slurm.conf
bash "$starter" "$folder/slurm" 26600

scontrol --version
sed -i '/^SchedulerParameters/d' "$SLURM_CONF"
echo 'SchedulerParameters=batch_sched_delay=20,bf_interval=600' >> "$SLURM_CONF"
scontrol reconfigure
sleep 2
processors=$(sinfo --noheader --partition=main --format=%C | cut -d/ -f4)
submit() { sbatch --parsable --output=/dev/null --chdir=/ --time=1 --ntasks="$processors" --wrap="sleep $1"; }
first=$(submit 2)
second=$(submit 1)
until [ -z "$(squeue --noheader)" ]; do sleep 0.5; done
sleep 2
field() { sacct --allocations --noheader --parsable2 --format="$2" --jobs "$1"; }
end=$(date -d "$(field "$first" End)" +%s)
start=$(date -d "$(field "$second" Start)" +%s)
echo "the first job ended at $(field "$first" End), the second, which needs its processors, started $((start - end)) s later"
[ $((start - end)) -ge 10 ]
[ $((start - end)) -le 21 ]
echo 'The finding holds.'
