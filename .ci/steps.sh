# What .ci/run and .ci/nightly share: how a step runs, and the programs that some need. Sourced, with `logs` set.
rm -rf "$logs"
mkdir -p "$logs"
touch "$logs/failed"

# Runs one step; a failure is kept for the end, so that one run tells of every problem. Lines that say how far it is are
# shown at once: a run that is cut off from outside tells no more than them.
step() {
  local name=$1 log="$logs/${1// /-}.log" since=$SECONDS progress
  shift
  printf '\n== %s\n' "$name"
  : >"$log"
  tail -f "$log" | grep --line-buffered '^\[plinth\]' &
  progress=$(jobs -p %%)
  if "$@" >"$log" 2>&1; then
    printf 'passed in %s s\n' $((SECONDS - since))
  else
    printf 'failed in %s s\n' $((SECONDS - since))
    tail -n 80 "$log"
    echo "$name" >>"$logs/failed"
  fi
  kill "$progress" 2>/dev/null || true
  wait "$progress" 2>/dev/null || true
}

# A Chromium for the tests of the admin page: Debian's without windows, which takes half of the time; else that of the machine.
has_browser() { [ -n "${PLINTH_CHROMIUM:-}" ] || command -v "$@"; }
install_browser() {
  has_browser chromium-headless-shell || (apt-get update && apt-get install --yes chromium-headless-shell) ||
    has_browser chromium chromium-browser google-chrome || apt-get install --yes chromium
}

# What test/fleet runs beside PostgreSQL: Debian's, where the machine has none.
has_fleet() { PATH=$PATH:/usr/sbin; command -v pgbouncer && command -v nginx; }
install_fleet() { (has_fleet) || (apt-get update && apt-get install --yes pgbouncer nginx); }

# Lists the end of each failed step once more: of a long output only the end may be kept.
report_failed() {
  local name
  while read -r name; do
    printf '\n== the end of %s, which failed\n' "$name"
    tail -n 30 "$logs/${name// /-}.log" | cut -c 1-400
  done <"$logs/failed"
  printf '\n'
  [ ! -s "$logs/failed" ] || printf 'failed: %s\n' "$(paste -sd ' ' "$logs/failed")"
}
