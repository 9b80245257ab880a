# Kills what must not outlive the lease, whatever became of the agent.
# $1 = keeper folder. In "state": the deadline in milliseconds since boot, the agent's process and its start, then one line for each
# guarded task: its token and its folder. $2 = stay: there is always one, whoever starts it; else it leaves when nobody needs it.
cd "$1" || exit 1
stay=$2
exec </dev/null >/dev/null 2>keeper.err
(echo -900 >/proc/$$/oom_score_adj) 2>/dev/null

# Sets start to the start time of process $1; fails if it does not live.
start_of() {
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- ${line##*) }
  [ "$1" != Z ] && [ "$1" != X ] || return 1
  shift 19
  start=$1
}

# Sets sessions to the numbers of the leaders and writes the tokens of all guarded tasks.
gather() {
  sessions=' '
  : >tokens
  while read -r token folder; do
    printf 'SURESTATE_TOKEN=%s\n' "$token" >>tokens
    for claim in "$folder"/claim-*; do
      [ -f "$claim" ] || continue
      while read -r word leader began; do
        [ "$word" = leader ] || continue
        # A leader's number that belongs to another process now names another session.
        if ! start_of "$leader" || [ "$start" = "$began" ]; then
          sessions="$sessions$leader "
        fi
      done <"$claim"
    done
  done <guarded
}

# Sets grouped to the processes in the guarded tasks' control groups; choked, nothing forks in them any more.
group() {
  grouped=
  while read -r token folder; do
    [ -r "$folder/cgroup" ] || continue
    while read -r door; do
      { [ -z "$choked" ] || [ ! -e "${door%/*}/pids.max" ] || echo 0 >"${door%/*}/pids.max"; } 2>/dev/null
      grouped="$grouped $(cat "$door" "${door%/*}"/*/cgroup.procs 2>/dev/null | tr '\n' ' ')"
    done <"$folder/cgroup"
  done <guarded
}

# Sets pids to every live process of the guarded tasks.
members() {
  group
  pids=$(for pid in $grouped; do start_of "$pid" && printf '%s ' "$pid"; done)
  for file in /proc/[0-9]*/stat; do
    { read -r line <"$file"; } 2>/dev/null || continue
    set -- ${line##*) }
    [ "$1" != Z ] && [ "$1" != X ] || continue
    pid=${file#/proc/}
    pid=${pid%/stat}
    # A task that is about to lead its session does not do so yet.
    case $sessions in
    *" $4 "* | *" $pid "*)
      pids="$pids $pid"
      ;;
    esac
  done
  for file in $(grep -lzxF -f tokens /proc/[0-9]*/environ 2>/dev/null); do
    pid=${file#/proc/}
    pids="$pids ${pid%/environ}"
  done
}

mark() {
  while read -r token folder; do
    [ -e "$folder/fenced" ] || { : >"$folder/fenced"; } 2>/dev/null
  done <guarded
}

# The marks come first, so that an agent that sees the tasks die knows why.
fence() {
  mark
  choked=
  gather
  members
  while [ -n "${pids# }" ]; do
    kill -9 $pids 2>/dev/null
    # Not before: a program that cannot fork any more would end by itself, and seem to have failed.
    choked=yes
    sleep 0.05
    gather
    members
  done
}

# One round; fails when there is nothing left to do.
round() {
  deadline=0 agent=0 agent_start=0
  # Nobody has said anything yet.
  [ -r state ] || { [ -n "$stay" ]; return; }
  {
    read -r deadline
    read -r agent agent_start
    if read -r first; then
      { printf '%s\n' "$first" && cat; } >guarded
    else
      : >guarded
    fi
  } <state
  if [ -s guarded ] && [ "$now" -ge "$deadline" ]; then
    fence
    : >guarded
  fi
  if [ -s guarded ] || [ -n "$stay" ]; then
    return 0
  fi
  start_of "$agent" && [ "$start" = "$agent_start" ]
}

start_of $$
me="$$ $start"
printf '%s\n' "$me" >pid.tmp && mv pid.tmp pid || exit 1
while :; do
  # A newer keeper has taken over.
  read -r owner <pid && [ "$owner" = "$me" ] || exit 0
  read -r up rest </proc/uptime
  now=${up%.*}${up#*.}0
  printf '%s\n' "$now" >beat
  round || exit 0
  sleep 0.4
done
