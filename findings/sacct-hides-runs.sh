#!/usr/bin/env bash
# Finding: sacct of Slurm 22.05.8 (Debian 12) leaves out the run of a job before it was requeued, although --duplicates asks for
# all runs, if --state names the ends of jobs but not RQ. With SLURM_TIME_FORMAT=%s, sacct --json prints an error in its
# document, no jobs, and exit code 0. Runs as root with slurmctld, slurmd, slurm-client, slurmdbd, mariadb-server and munge, in
# about a minute; fails if either has changed.
set -euo pipefail
starter=$(cd "$(dirname "$0")/.." && pwd)/tests/accounting/slurm.sh
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'bash "$starter" "$folder/slurm" stop; rm -rf "$folder"' EXIT
export TZ=UTC SLURM_CONF=$folder/slurm/slurm.conf
bash "$starter" "$folder/slurm" 26500

sacct --version
job=$(sbatch --parsable --output=/dev/null --chdir=/ --time=1 --wrap='sleep 6')
until [ "$(squeue --noheader --format=%T)" = RUNNING ]; do sleep 0.2; done
scontrol requeue "$job"
until [ -z "$(squeue --noheader)" ]; do sleep 0.5; done
sleep 2

window=(--starttime now-10minutes --endtime now+1minute)
runs() { sacct --allocations --duplicates --noheader --parsable2 --format=JobID,Start,End,State "${window[@]}" --state "$1"; }
echo 'states CD,F,TO,CA,NF,OOM:'; without=$(runs CD,F,TO,CA,NF,OOM); echo "$without"
echo 'states CD,F,TO,CA,NF,OOM,RQ:'; with=$(runs CD,F,TO,CA,NF,OOM,RQ); echo "$with"
[ "$(wc -l <<< "$without")" = 1 ]
[ "$(wc -l <<< "$with")" = 2 ]
grep -q REQUEUED <<< "$with"

document=$(SLURM_TIME_FORMAT=%s sacct --json "${window[@]}")
grep -A4 '"errors"' <<< "$document"
grep -q 'Unable to parse time format' <<< "$document"
! grep -q '"job_id"' <<< "$document"
echo 'The findings hold.'
