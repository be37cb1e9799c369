#!/usr/bin/env bash
# Finding: whether Slurm 22.05.8 (Debian 12) enforces limits decides what the fair share of its multifactor priorities counts. With
# AccountingStorageEnforce=limits the use of a job is counted up to its end. Without, what it used after the last computation of
# priorities (every PriorityCalcPeriod, 5 minutes by default) is lost, so jobs that begin and end between two computations count as
# nothing at all. Seen with PriorityCalcPeriod=1: a job of 20 s on 16 processors, over before the first computation, added 0
# processor-seconds to the RawUsage of sshare without the enforcement, and some 320 with it. Runs as root with slurmctld, slurmd,
# slurm-client, slurmdbd, mariadb-server and munge, in about three minutes; fails if that has changed.
set -euo pipefail
starter=$(cd "$(dirname "$0")/.." && pwd)/tests/accounting/slurm.sh
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'for each in none limits; do bash "$starter" "$folder/$each" stop || true; done 2> /dev/null; rm -rf "$folder"' EXIT
export TZ=UTC

# Prints the processor-seconds that Slurm counts for a job of 20 s; the argument is the value of AccountingStorageEnforce.
counted() {
  export SLURM_CONF=$folder/$1/slurm.conf
  export slurm_lines="PriorityType=priority/multifactor
PriorityFlags=NO_FAIR_TREE
PriorityWeightFairshare=1000
PriorityCalcPeriod=1"
  if [ "$1" = limits ]; then slurm_lines+=$'\nAccountingStorageEnforce=limits'; fi
  bash "$starter" "$folder/$1" 26700 > /dev/null
  sbatch --output=/dev/null --chdir=/ --time=2 --ntasks=16 --wrap='sleep 20' > /dev/null
  until [ -z "$(squeue --noheader)" ]; do sleep 0.5; done
  # The next computation makes it show.
  sleep 65
  sshare --all --noheader --parsable2 --format=User,RawUsage | sed --quiet 's/^ *root|//p' | tail -1
  bash "$starter" "$folder/$1" stop
}

without=$(counted none)
with=$(counted limits)
echo "processor-seconds counted of a job of 20 s on 16 processors: $without without limits, $with with them"
[ "$without" -eq 0 ]
[ "$with" -ge 300 ]
[ "$with" -le 340 ]
echo 'The finding holds.'
