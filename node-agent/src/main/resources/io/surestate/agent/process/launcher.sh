# Starts one task in this session, keeps its output within bounds and leaves its exit status on disk.
# $1 = task folder, $2 = claim to win, $3 = bytes of one part of an output
cd "$1" || exit 1
exec </dev/null >/dev/null 2>launcher.err

# Whoever makes this folder decides: an agent that came first gave this start up.
mkdir "$2" || exit 1
part=$3

read -r stat </proc/$$/stat
set -- ${stat##*) }
shift 19
printf '%s %s\n' "$$" "$1" >leader.tmp && mv leader.tmp leader || exit 1

# Each output is copied in sessions of their own, which end when the last writer is gone: they outlive the agent and are no part of
# the task. Only the newest two parts are kept; on a full disk output is dropped rather than the task blocked.
rm -f stdout.fifo stderr.fifo
mkfifo stdout.fifo stderr.fifo || exit 1
keep_two='n=$((1${FILE##*.} - 1000000002))
[ $n -lt 0 ] || rm -f "${FILE%.*}.$(printf %09d $n)"
cat >"$FILE" || exec cat >/dev/null'
for name in stdout stderr; do
  setsid split -a 9 -d -b "$part" --filter="$keep_two" - "out/$name." <$name.fifo 2>/dev/null &
done

# A stop signal to the whole session must not end the one who records how the task ended. What is trapped here is reset in the task.
trap : HUP INT TERM USR1 USR2
sh ./run.sh
status=$?
remark=0
[ -s launcher.err ] && remark=1
printf '%s %s\n' "$status" "$remark" >exit.tmp && mv exit.tmp exit
rm -f stdout.fifo stderr.fifo
wait
