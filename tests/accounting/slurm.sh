#!/usr/bin/env bash
# A Slurm of eight nodes with accounting, for tests: slurm.sh FOLDER PORT starts it, slurm.sh FOLDER stop ends it. With
# slurm.sh FOLDER PORT PROCESSORS PARAMETERS all nodes are alike and in one partition, with so many processors each, and
# PARAMETERS are its SchedulerParameters. The variable slurm_lines may hold more lines of slurm.conf. Its daemons
# listen on 127.0.0.1, at PORT and the ten ports after it, and keep everything in FOLDER; from port 32768 on, connections of
# others may have the ports. Runs as root, with Debian's slurmctld, slurmd, slurm-client, slurmdbd, mariadb-server and munge;
# without systemd or control groups.
set -euo pipefail
folder=$1
export SLURM_CONF=$folder/slurm.conf

if [ "$2" = stop ]; then
  scancel --user=root 2> /dev/null || true
  mapfile -t processes < "$folder/processes"
  executables=("${processes[@]/#//proc/}")
  executables=("${executables[@]/%//exe}")
  kill "${processes[@]}" 2> /dev/null || true
  for _ in $(seq 50); do
    readlink "${executables[@]}" > /dev/null || break
    sleep 0.1
  done
  kill -KILL "${processes[@]}" 2> /dev/null || true
  exit 0
fi

port=$2
host=$(hostname -s)
munge=$folder/munge database=$folder/database
mkdir -p "$folder"/{state,log,munge,database} "$folder"/spool-n{1..8}
chmod 755 "$folder" "$folder"/*/
: > "$folder/processes"

# Starts a daemon in the foreground of its own session, so that its process is known. Other tests that run at the same time must
# not delay the scheduler: the daemons and the jobs that they start go before them, where the system allows it.
daemon() {
  setsid nice -n -15 "$@" > "$folder/log/$(basename "$1")-$(wc -l < "$folder/processes")" 2>&1 < /dev/null &
  echo $! >> "$folder/processes"
}

# Waits until a command succeeds.
await() {
  for _ in $(seq 600); do
    if "$@" > /dev/null 2>&1; then return; fi
    sleep 0.1
  done
  echo "$* has no success; see $folder/log" >&2
  exit 1
}

# A key and a socket of its own: nothing that is here already is touched.
dd if=/dev/urandom of="$munge/key" bs=1024 count=1 status=none
chmod 400 "$munge/key"
daemon munged --foreground --force --key-file="$munge/key" --socket="$munge/socket" --pid-file="$munge/pid" \
  --log-file="$munge/log" --seed-file="$munge/seed" --num-threads=2

chown mysql "$database"
mariadb-install-db --no-defaults --user=mysql --datadir="$database" --skip-test-db \
  --auth-root-authentication-method=socket > "$folder/log/install"
daemon mariadbd --no-defaults --user=mysql --datadir="$database" --socket="$database/socket" --pid-file="$database/pid" \
  --bind-address=127.0.0.1 --port=$((port + 10)) --innodb-buffer-pool-size=64M --innodb-lock-wait-timeout=900 \
  --innodb-flush-log-at-trx-commit=0
await mariadb-admin --no-defaults --socket="$database/socket" ping
mariadb --no-defaults --socket="$database/socket" --execute="
  create database slurm_acct_db;
  create user slurm@localhost identified by 'x';
  create user slurm@127.0.0.1 identified by 'x';
  grant all on slurm_acct_db.* to slurm@localhost;
  grant all on slurm_acct_db.* to slurm@127.0.0.1"

cat > "$folder/slurmdbd.conf" << END
AuthType=auth/munge
AuthInfo=$munge/socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$((port + 9))
SlurmUser=root
PidFile=$folder/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$((port + 10))
StorageUser=slurm
StoragePass=x
StorageLoc=slurm_acct_db
END
chmod 600 "$folder/slurmdbd.conf"

processors=${3:-16} parameters=${4:-batch_sched_delay=0,sched_min_interval=0,bf_interval=1}
# The partition of most cases is main; the cases that need a full machine, a node that fails or preemption have nodes of their own.
partitions='PartitionName=main Nodes=n[1-3] Default=YES MaxTime=INFINITE PreemptMode=OFF
PartitionName=short Nodes=n[1-3] MaxTime=10 DefaultTime=2 PreemptMode=OFF
PartitionName=full Nodes=n[4-6] MaxTime=INFINITE PreemptMode=OFF
PartitionName=failing Nodes=n7 PreemptMode=OFF
PartitionName=idle Nodes=n8 PriorityTier=1
PartitionName=urgent Nodes=n8 PriorityTier=2
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE'
if [ $# = 4 ]; then partitions='PartitionName=main Nodes=n[1-8] Default=YES MaxTime=INFINITE'; fi

# A requeued job may start again as soon as the credentials of its first run have expired.
cat > "$SLURM_CONF" << END
ClusterName=gridalloc
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$munge/socket,cred_expire=10
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/spool-%n/pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$((port + 9))
AccountingStoragePass=$munge/socket
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=$parameters
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
MpiDefault=none
SlurmdParameters=config_overrides
ReturnToService=2
${slurm_lines:-}
MailProg=/bin/true
KillWait=2
$(for node in 1 2 3 4 5 6 7 8; do
  echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + node)) CPUs=$processors State=UNKNOWN"
done)
$partitions
END

daemon slurmdbd -D
await timeout 5 sacctmgr --noheader show cluster
sacctmgr --immediate add cluster gridalloc > "$folder/log/cluster"
daemon slurmctld -D -c
await timeout 5 scontrol ping
for node in 1 2 3 4 5 6 7 8; do daemon slurmd -D -N n$node; done
areIdle() { [ "$(timeout 5 sinfo --noheader --Node --format=%N --states=idle | sort --unique | wc -l)" = 8 ]; }
await areIdle
