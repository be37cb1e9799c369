#!/usr/bin/env bash
# A Grid Engine of one host, for tests: gridEngine.sh FOLDER PORT starts it, gridEngine.sh FOLDER stop ends it, and
# gridEngine.sh FOLDER lose has its host go down with all jobs and come back. Its daemons use
# PORT and the port after it, and keep everything in FOLDER; FOLDER/settings.sh sets what its commands need. Runs as root, with
# Debian's gridengine-master, gridengine-exec and gridengine-client, which make the user sgeadmin.
set -euo pipefail
folder=$1

if [ "$2" = lose ]; then
  # The host goes down with all jobs, and comes back.
  daemon=$(cat "$folder"/spool/execd/*/execd.pid)
  shepherds=$(pgrep --parent "$daemon" || true)
  # A shepherd that outlives its job would record the job's end.
  scripts=$(for shepherd in $shepherds; do pgrep --parent "$shepherd" || true; done)
  for process in "$daemon" $shepherds $scripts; do kill -KILL "$process" 2> /dev/null || true; done
  . "$folder/settings.sh"
  # Its port may still be taken.
  for _ in $(seq 20); do
    sge_execd || true
    sleep 1
    started=$(cat "$folder"/spool/execd/*/execd.pid)
    if [ "$started" != "$daemon" ] && kill -0 "$started" 2> /dev/null; then exit 0; fi
  done
  echo 'sge_execd does not start again' >&2
  exit 1
fi

if [ "$2" = stop ]; then
  for file in "$folder"/spool/execd/*/execd.pid "$folder"/spool/qmaster/qmaster.pid; do
    [ -e "$file" ] || continue
    process=$(cat "$file")
    kill "$process" 2> /dev/null || continue
    for _ in $(seq 100); do
      readlink "/proc/$process/exe" > /dev/null || continue 2
      sleep 0.1
    done
    kill -KILL "$process" 2> /dev/null || true
  done
  exit 0
fi

mkdir -p "$folder"
cat > "$folder/settings.sh" << END
export SGE_ROOT=$folder/root SGE_CELL=default SGE_ARCH=lx-amd64 SGE_QMASTER_PORT=$2 SGE_EXECD_PORT=$(($2 + 1))
END
. "$folder/settings.sh"

# Waits until a command succeeds.
await() {
  for _ in $(seq 600); do
    if "$@" > "$folder/last" 2>&1; then return; fi
    sleep 0.1
  done
  echo "$* has no success: $(cat "$folder/last")" >&2
  exit 1
}

common=$SGE_ROOT/$SGE_CELL/common spool=$folder/spool
mkdir -p "$common" "$spool"/{execd,qmaster/job_scripts,database}
for name in bin lib util utilbin; do ln -s "/var/lib/gridengine/$name" "$SGE_ROOT/$name"; done
sed "s|/var/spool/gridengine/spooldb|$spool/database|; s|/var/spool/gridengine|$spool|" \
  /usr/share/gridengine/default-bootstrap > "$common/bootstrap"
echo localhost > "$common/act_qmaster"
# Names of this computer differ from what its address is resolved to.
echo "localhost $(hostname) $(getent hosts 127.0.0.1 | tr -s ' ' | cut -d' ' -f2- | sed 's/\blocalhost\b//')" > "$common/host_aliases"
chmod 755 "$folder"
chown -R sgeadmin: "$SGE_ROOT" "$spool"
asAdmin() { setpriv --reuid sgeadmin --regid sgeadmin --clear-groups "$@"; }
asAdmin /usr/lib/gridengine/spoolinit berkeleydb libspoolb "$spool/database" init
# Jobs run in no login shell: what root's profile does, and how long that takes, is not theirs.
sed "s|/var/spool/gridengine|$spool|; s|^login_shells .*|login_shells NONE|; s|flush_time=00:00:15|flush_time=00:00:01|; s|^min_uid .*|min_uid 0|; s|^min_gid .*|min_gid 0|" \
  /usr/share/gridengine/default-configuration > "$folder/configuration"
asAdmin /usr/lib/gridengine/spooldefaults configuration "$folder/configuration"
asAdmin /usr/lib/gridengine/spooldefaults complexes /usr/share/gridengine/util/resources/centry
asAdmin /usr/lib/gridengine/spooldefaults usersets /usr/share/gridengine/util/resources/usersets
asAdmin /usr/lib/gridengine/spooldefaults managers root sgeadmin
sge_qmaster
# Adds something; a first answer may be lost while the daemon starts.
add() {
  for _ in $(seq 100); do
    if qconf "$@" 2>&1 | tee "$folder/last" | grep -qE 'added|modified|changed|already exists'; then return; fi
    sleep 0.1
  done
  echo "qconf $*: $(cat "$folder/last")" >&2
  exit 1
}
add -ah localhost
add -as localhost
sge_execd

# Slots for all cases at once on the one host, which is looked at every second.
qconf -ssconf > "$folder/scheduler"
sed -i 's/^schedule_interval .*/schedule_interval 0:0:1/; s/^flush_submit_sec .*/flush_submit_sec 1/; s/^flush_finish_sec .*/flush_finish_sec 1/; s/^job_load_adjustments .*/job_load_adjustments NONE/' "$folder/scheduler"
add -Msconf "$folder/scheduler"
for name in smp mpi pair; do
  cat > "$folder/$name" << END
pe_name $name
slots $([ $name = pair ] && echo 2 || echo 999)
user_lists NONE
xuser_lists NONE
start_proc_args NONE
stop_proc_args NONE
allocation_rule \$pe_slots
control_slaves TRUE
job_is_first_task TRUE
urgency_slots min
accounting_summary $([ $name = mpi ] && echo FALSE || echo TRUE)
qsort_args NONE
END
  add -Ap "$folder/$name"
done
cat > "$folder/edit" << 'END'
#!/bin/sh
sed -i 's/^hostlist .*/hostlist localhost/; s/^slots .*/slots 99/; s/^load_thresholds .*/load_thresholds NONE/; s/^pe_list .*/pe_list smp mpi pair/; s/^rerun .*/rerun TRUE/' "$1"
END
chmod +x "$folder/edit"
EDITOR=$folder/edit add -aq all.q
# A queue with a limit of its own, only for jobs that ask for it.
qconf -sq all.q | sed 's/^qname .*/qname short.q/; s/^h_rt .*/h_rt 0:0:9/; s/^seq_no .*/seq_no 9/' > "$folder/short"
add -Aq "$folder/short"
isReady() { qhost -q | grep -q 'all.q *BIP *0/0/99 *$'; }
await isReady
