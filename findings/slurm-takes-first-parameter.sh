#!/usr/bin/env bash
# Finding: Slurm 22.05.8 (Debian 12) takes the first of a parameter that stands twice in SchedulerParameters, but the last of a key
# that stands twice in slurm.conf. Seen: with bf_interval=2,bf_interval=30 there are five or more backfill cycles in 20 s, with
# bf_interval=30,bf_interval=2 at most one; of two lines SchedulerParameters=..., `scontrol show config` has the last. Runs as root
# with slurmctld, slurmd, slurm-client, slurmdbd, mariadb-server and munge, in about a minute; fails if that has changed.
set -euo pipefail
starter=$(cd "$(dirname "$0")/.." && pwd)/tests/accounting/slurm.sh
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'bash "$starter" "$folder/slurm" stop; rm -rf "$folder"' EXIT
export TZ=UTC SLURM_CONF=$folder/slurm/slurm.conf
bash "$starter" "$folder/slurm" 27000

scontrol --version
# Jobs that wait for a machine that is in use, so that each backfill cycle has something to plan.
for seconds in 300 10 10; do
  sbatch --output=/dev/null --chdir=/ --time=10 --nodes=3 --exclusive --wrap="sleep $seconds" > "$folder/job"
done

# Prints the number of backfill cycles in 20 s; the arguments are lines of slurm.conf.
cycles() {
  sed -i '/^SchedulerParameters/d' "$SLURM_CONF"
  printf '%s\n' "$@" >> "$SLURM_CONF"
  scontrol reconfigure
  sleep 5
  sdiag --reset > "$folder/reset"
  sleep 20
  sdiag | sed -n '/^Backfilling stats/,$ s/.*Total cycles: *//p'
}

first=$(cycles SchedulerParameters=bf_interval=2,bf_interval=30)
second=$(cycles SchedulerParameters=bf_interval=30,bf_interval=2)
echo "backfill cycles in 20 s: $first with 2 before 30, $second with 30 before 2"
printf '%s\n' SchedulerParameters=bf_interval=2 >> "$SLURM_CONF"
scontrol reconfigure
sleep 2
last=$(scontrol show config | sed -n 's/^SchedulerParameters *= *//p')
echo "of two lines: $last"
[ "$first" -ge 5 ]
[ "$second" -le 1 ]
[[ "$last" = bf_interval=2* ]]
echo 'The finding holds.'
