#!/usr/bin/env bash
# A Slurm of three nodes on this computer, for tests: start.sh FOLDER PORT [HIDDEN]. Its daemons listen on 127.0.0.1, keep all they
# have in FOLDER, and end with stop.sh FOLDER. The second node does not see what is in the folder HIDDEN; on the third, jobs of
# the partition urgent take the place of those of the partition idle. Runs as root, with Debian's slurmctld, slurmd,
# slurm-client and munge; without systemd, control groups or accounting.
set -euo pipefail
folder=$1 port=$2 hidden=${3:-}
host=$(hostname -s)
mkdir -p "$folder"/{state,first,second,third,munge}
chmod 755 "$folder" "$folder"/*

# A key and a socket of its own: nothing that is here already is touched.
dd if=/dev/urandom of="$folder/munge/munge.key" bs=1024 count=1 status=none
chmod 400 "$folder/munge/munge.key"
munged --key-file="$folder/munge/munge.key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
  --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" --num-threads=1 --force

cat > "$folder/slurm.conf" <<END
ClusterName=gridalloc
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n/pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/%n/log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
MpiDefault=none
SlurmdParameters=config_overrides
ReturnToService=2
MailProg=/bin/true
MaxArraySize=21
KillWait=5
EnforcePartLimits=ALL
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=first NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=16 State=UNKNOWN
NodeName=second NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=4 State=UNKNOWN
NodeName=third NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 3)) CPUs=4 State=UNKNOWN
PartitionName=main Nodes=first Default=YES MaxTime=INFINITE State=UP
PartitionName=apart Nodes=second MaxTime=1:00:00 State=UP
PartitionName=idle Nodes=third PriorityTier=1 State=UP
PartitionName=urgent Nodes=third PriorityTier=2 State=UP
END

export SLURM_CONF=$folder/slurm.conf
slurmctld -f "$SLURM_CONF" -c
slurmd -f "$SLURM_CONF" -N first
slurmd -f "$SLURM_CONF" -N third
if [ -n "$hidden" ]; then
  unshare --mount sh -c 'mount -t tmpfs none "$1" && exec slurmd -f "$2" -N second' sh "$hidden" "$SLURM_CONF"
fi
for _ in $(seq 100); do
  states=$(sinfo --noheader --format=%t --partition="main,idle${hidden:+,apart}" 2> /dev/null | sort --unique)
  if [ "$states" = idle ]; then exit 0; fi
  sleep 0.1
done
echo "Slurm did not come up; see $folder" >&2
exit 1
