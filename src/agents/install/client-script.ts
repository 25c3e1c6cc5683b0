import { shellQuoted } from "../../base/shell-quote.ts";
import { socketPath } from "../../base/sockets.ts";
import { eventVariable, type RefusalTexts, tellingVariables } from "../port/adapter.ts";
import { argumentsByDefault, type ClientPlace } from "./client-place.ts";

/**
 * The client as two shell scripts, for a machine without a C compiler. The first one only starts the second in a clean
 * environment: BASH_ENV, exported functions, PATH and NODE_OPTIONS end there. LD_PRELOAD does not: shells are linked
 * dynamically, and what it names runs before the first line.
 */
export function startScript({ environment }: ClientPlace, script: string): string {
  const recorded = Object.entries(environment).map(([name, value]) => shellQuoted(`${name}=${value}`));
  const handedOver = [...tellingVariables, "SWARM_RUN"].map((name) => `\${${name}+"${name}=$${name}"}`);
  return `#!/bin/sh
# What a coding agent starts for every hook call, where there is no C compiler: swarm-hook AGENT [--guard] [--timeout-ms N]
exec /usr/bin/env -i ${[...recorded, ...handedOver].join(" ")} /bin/sh ${shellQuoted(script)} "$@"
`;
}

/** How long nothing may come from the daemon before it is asked whether it is there at all. */
const silentS = 2;

/** `curl`: null where there is none; then Node asks the daemon as well. */
export function answerScript(curl: string | null, { home, node, cli, refusals }: ClientPlace): string {
  return `# Started by swarm-hook, in a clean environment. Consent is an answer that is whole and well formed; nothing else is.
[ $# -gt 0 ] || set -- ${argumentsByDefault.join(" ")}
agent=$1 guard=0 timeout_ms=0 next=
for argument; do
  case "$next$argument" in
    --guard) guard=1 ;;
    --timeout-ms) next=timeout: ; continue ;;
    timeout:*) timeout_ms=$argument ;;
  esac
  next=
done
fail_by_exit() {
  [ "$guard" = 1 ] || exit 0
  said="swarm: denied, because this call could not be judged: $1"
  case "$agent" in
${printedRefusals(refusals, 2)}
    *) printf '%s\\n' "$said" >&2 ;;
  esac
  exit 2
}
fail() {
  [ "$guard" = 1 ] || exit 0
  said="swarm: denied, because this call could not be judged: $1"
  case "$agent \${${eventVariable}-}" in
${printedRefusals(refusals, 0)}
  esac
  fail_by_exit "$1"
}
for name in TERM HUP INT QUIT USR1 USR2 XCPU XFSZ; do trap 'fail "its hook was ended by a signal"' "$name"; done
folder=$(mktemp -d) || fail "there is no temporary folder"
trap 'rm -rf "$folder"' EXIT
input=$folder/input answer=$folder/answer
cat > "$input" || fail "its input cannot be read"
[ "$(wc -c < "$input")" -le 1048576 ] || fail "its input is over 1 MiB"

# Prints what "swarm hook --framed" answers: "EXIT STDOUT_BYTES STDERR_BYTES", stdout, stderr.
evaluate() {
  [ "$guard" = 0 ] || set -- "$@" --guard
  [ "$timeout_ms" = 0 ] || set -- "$@" --timeout-ms "$timeout_ms"
  why="there is no daemon that answers, and the hooks could not be evaluated without it"
  ${shellQuoted(node)} ${shellQuoted(cli)} hook "$agent" --framed "$@" < "$input" > "$answer" || fail "$why"
  header=$(head -n 1 "$answer" | tr -d '\\0')
  case "$header" in *[!0-9\\ ]* | *\\ *\\ *\\ * | "") fail "$why" ;; [02]\\ [0-9]*\\ [0-9]*) ;; *) fail "$why" ;; esac
  set -- $header
  start=$((\${#header} + 1))
  [ "$(wc -c < "$answer")" -eq $((start + $2 + $3)) ] || fail "$why"
  tail -c "+$((start + 1))" "$answer" | head -c "$2" || fail_by_exit "its answer cannot be printed"
  tail -c "$3" "$answer" >&2
  exit "$1"
}
${curl === null ? "evaluate\n" : byCurl(curl, home)}`;
}

/** The event of an agent that is refused on stdout is part of the pattern; of the others only the name is. */
function printedRefusals(refusals: readonly RefusalTexts[], exitCode: number): string {
  return refusals
    .filter((refusal) => refusal.exitCode === exitCode)
    .map(({ agent, event, texts }) => {
      const pattern = exitCode === 0 ? shellQuoted(`${agent} ${event}`) : agent;
      const ending = exitCode === 0 ? "&& exit 0" : ">&2";
      const format = texts.map((text) => text.replaceAll("%", "%%").replaceAll("\\", "\\\\")).join("%s");
      const reasons = ' "$said"'.repeat(texts.length - 1);
      return `    ${pattern}) printf ${shellQuoted(format)}${reasons} ${ending} ;;`;
    })
    .join("\n");
}

function byCurl(curl: string, home: string): string {
  const asked = `${shellQuoted(curl)} -sS --unix-socket ${shellQuoted(socketPath(home, "api"))}`;
  return `names=
for name in ${tellingVariables.join(" ")}; do
  eval "value=\\\${$name-} is_set=\\\${$name+1}"
  [ "$is_set" = 1 ] || continue
  # A path or anything odd is handed over by its name only.
  case "$value" in "" | *[!A-Za-z0-9_.-]*) names="$names $name" ;; *) names="$names $name=$value" ;; esac
done
seconds=$((timeout_ms > 0 ? (timeout_ms + 999) / 1000 : 600))
${asked} -o "$answer" -w '%{http_code} %header{x-swarm-exit}' --max-time "$seconds" \\
  -H "x-swarm-guard: $guard" -H "x-swarm-timeout-ms: $timeout_ms" -H "x-swarm-env: $names" -H "x-swarm-sent-s: $(date +%s)" -H 'content-type: application/json' \\
  --data-binary "@$input" "http://localhost/hook/$agent" > "$folder/code" 2>/dev/null &
call=$!
# A daemon that is stopped accepts a call and says nothing, for as long as the agent waits.
{ sleep ${silentS}; ${asked} --max-time ${silentS} http://localhost/healthz || kill "$call"; } < /dev/null > /dev/null 2>&1 &
watch=$!
wait "$call" 2>/dev/null # a shell says "Terminated" where the agent reads the reason
status=$?
kill "$watch" 2>/dev/null
case "$status" in
  0) ;;
  7) evaluate ;; # nobody listens
  143) evaluate --no-daemon ;;
  28) fail "no answer came before the agent's own deadline" ;;
  52 | 55 | 56) case $(cat "$folder/code") in 000*) evaluate ;; *) fail "the daemon's answer is cut off" ;; esac ;; # it was killed
  *) fail "the daemon's answer is cut off" ;;
esac
code=$(cat "$folder/code")
case "$code" in
  "200 0") cat "$answer" || fail_by_exit "its answer cannot be printed"; exit 0 ;;
  "200 2") cat "$answer" >&2; exit 2 ;;
  *) fail "the daemon answered $code" ;;
esac
`;
}
