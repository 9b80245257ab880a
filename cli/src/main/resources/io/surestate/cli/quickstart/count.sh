# Counts up to TARGET, publishes the count every EVERY counts, and begins where the newest committed checkpoint left off.
n=0
if [ -n "$SURESTATE_CHECKPOINT" ]; then
  n=$(cat "$SURESTATE_CHECKPOINT")
fi
echo "attempt $SURESTATE_ATTEMPT begins at $n"
while [ "$n" -lt "$TARGET" ]; do
  sleep 0.5
  n=$((n + 1))
  echo "$n"
  if [ $((n % EVERY)) -eq 0 ]; then
    # Whole or not at all: written aside, then renamed.
    echo "$n" >"$SURESTATE_CHECKPOINT_DIR/.new"
    mv "$SURESTATE_CHECKPOINT_DIR/.new" "$SURESTATE_CHECKPOINT_DIR/$n"
  fi
done
echo "done"
