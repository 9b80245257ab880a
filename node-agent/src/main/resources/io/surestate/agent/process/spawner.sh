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

# Three pipes, 3 to 4, 5 to 6 and 7 to 8, without a process where the shell keeps what follows << in a pipe.
pipes() {
  exec 3<<END 5<<END 7<<END

END

END

END
  if [ -p /proc/self/fd/3 ]; then
    read -r line <&3
    read -r line <&5
    read -r line <&7
    exec 4>/proc/self/fd/3 6>/proc/self/fd/5 8>/proc/self/fd/7
  else
    rm -f fifo.3 fifo.5 fifo.7
    mkfifo fifo.3 fifo.5 fifo.7 || exit 1
    exec 4<>fifo.3 6<>fifo.5 8<>fifo.7
    exec 3<fifo.3 5<fifo.5 7<fifo.7
    exec 4>fifo.3 6>fifo.5 8>fifo.7
  fi
}

# Becomes the task: the leader of a session of its own. Who marks the folder sees the leader, or else the mark is seen here.
become() {
  exec >&4 2>&6 4>&- 6>&- 7<&-
  identify
  printf 'leader %s\n' "$self" >>"$claim" || exit 126
  [ -e stop ] || [ -e fenced ] || [ -e void ] || . ./task.journal
  # As whoever left the mark would have done.
  kill -9 "${self%% *}"
}

# The launcher of one task. Its outputs are copied in this session, which is not the task's, until their last writer is gone.
launch() {
  cd "$1" || exit 1
  claim=$2
  exec </dev/null >/dev/null 2>/dev/null
  identify
  # Whoever makes this name decides: an agent that came first, by a folder, gave this start up.
  set -C
  printf 'launcher %s\n' "$self" >"$claim" || exit 1
  set +C
  pipes
  split -a 9 -d -b "$part" --filter="$keep_two" - out/stdout. <&3 3<&- 4>&- 5<&- 6>&- 7<&- 8>&- &
  split -a 9 -d -b "$part" --filter="$keep_two" - out/stderr. <&5 3<&- 4>&- 5<&- 6>&- 7<&- 8>&- &
  # What this shell itself remarks tells a program that was killed from one that exited with the same number.
  exec 2>&8 3<&- 5<&- 8>&-
  (become)
  status=$?
  exec 2>/dev/null 4>&- 6>&-
  remark=0
  read -r line <&7 && remark=1
  printf 'exit %s %s\n' "$status" "$remark" >>"$claim"
  wait
}

while read -r id claim; do
  if [ -n "$id" ]; then
    launch "$id" "$claim" &
  fi
  # Lets go of children that have ended.
  jobs >/dev/null
done
