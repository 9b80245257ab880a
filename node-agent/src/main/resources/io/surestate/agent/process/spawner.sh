# Starts the tasks of one agent and sees each to its end. Ends with the agent; what it started goes on.
# $1 = folder of the tasks' folders, $2 = bytes of one part of an output.
# Reads lines: an allocation and the claim to win. At an empty line it only looks after its children.
cd "$1" || exit 1
part=$2

# Only the newest two parts of an output are kept; on a full disk output is dropped rather than the task blocked.
keep_two='n=$((1${FILE##*.} - 1000000002))
[ $n -lt 0 ] || rm -f "${FILE%.*}.$(printf %09d $n)"
cat >"$FILE" || exec cat >/dev/null'

# Sets self to number and start time of the process that runs this.
identify() {
  read -r stat </proc/self/stat
  self=${stat%% *}
  set -- ${stat##*) }
  shift 19
  self="$self $1"
}

# Two pipes, 3 to 4 and 5 to 6, without a process where the shell keeps what follows << in a pipe.
pipes() {
  exec 3<<END 5<<END

END

END
  if [ -p /proc/self/fd/3 ]; then
    read -r line <&3
    read -r line <&5
    exec 4>/proc/self/fd/3 6>/proc/self/fd/5
  else
    rm -f stdout.fifo stderr.fifo
    mkfifo stdout.fifo stderr.fifo || exit 1
    exec 7<>stdout.fifo 8<>stderr.fifo
    exec 3<stdout.fifo 4>stdout.fifo 5<stderr.fifo 6>stderr.fifo 7>&- 8>&-
  fi
}

# Becomes the task: the leader of a session of its own. Who marks the folder sees the leader, or else the mark is seen here.
become() {
  exec >&4 2>&6 4>&- 6>&-
  identify
  printf '%s\n' "$self" >leader || exit 126
  [ -e stop ] || [ -e fenced ] || [ -e void ] || . ./run.sh
  exit 143
}

# The launcher of one task. Its outputs are copied in this session, which is not the task's, until their last writer is gone.
launch() {
  cd "$1" || exit 1
  # Whoever makes this name decides: an agent that came first, by a folder, gave this start up.
  set -C
  : >"$2" || exit 1
  set +C
  exec </dev/null >/dev/null 2>launcher.err
  identify
  printf '%s\n' "$self" >launcher || exit 1
  pipes
  split -a 9 -d -b "$part" --filter="$keep_two" - out/stdout. <&3 3<&- 4>&- 5<&- 6>&- 2>/dev/null &
  split -a 9 -d -b "$part" --filter="$keep_two" - out/stderr. <&5 3<&- 4>&- 5<&- 6>&- 2>/dev/null &
  exec 3<&- 5<&-
  (become)
  status=$?
  exec 4>&- 6>&-
  remark=0
  [ -s launcher.err ] && remark=1
  printf '%s %s\n' "$status" "$remark" >exit
  wait
}

while read -r id claim; do
  if [ -n "$id" ]; then
    launch "$id" "$claim" &
  fi
  # Lets go of children that have ended.
  jobs >/dev/null
done
