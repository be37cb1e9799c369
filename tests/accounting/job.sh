#!/bin/bash
# A job of the tests: job.sh FOLDER SECONDS [EXIT CODE or KILL]. It writes the time every half second, seconds since 1970, into a file of
# its own for each run, whose name begins with the number of the job and, in an array, of the task. A job with the name steps also
# has steps (Slurm) or a slave task (Grid Engine).
task=${SLURM_ARRAY_TASK_ID:-${SGE_TASK_ID:-undefined}}
name=${SLURM_ARRAY_JOB_ID:-${SLURM_JOB_ID:-$JOB_ID}}
if [ "$task" != undefined ]; then name+=_$task; fi
file=$1/$name.$(date +%s%N).${SLURM_JOB_ID:-$JOB_ID}
end=$((SECONDS + $2))
if [ "${SLURM_JOB_NAME:-}" = steps ]; then
  srun --overlap --ntasks=2 sleep 1
elif [ "${JOB_NAME:-}" = steps ]; then
  qrsh -inherit -nostdin "$(hostname)" sleep 1
fi
while printf '%(%s)T\n' >> "$file"; do
  if [ $SECONDS -ge $end ]; then
    if [ "${3:-}" = KILL ]; then kill -KILL $$; fi
    exit "${3:-0}"
  fi
  sleep 0.5
done
