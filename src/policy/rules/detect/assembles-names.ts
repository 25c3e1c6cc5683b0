import type { ShellCommand } from "../../shell/command.ts";
import { interpreterOf } from "../../shell/programs/table.ts";
import { shellPrograms } from "../../shell/programs/shells.ts";
import { hasUnknown } from "../../shell/marks.ts";
import { codeTexts } from "./code-texts.ts";
import { decodedTexts, literalsIn } from "./literals.ts";

/**
 * Whether code puts together what may be the name of SWARM_HOME, of our program or of a route that decides, or runs what it
 * decodes. What it comes to is known only then; that it has the pieces, and something to do with them, is enough to ask.
 */
export function assemblesNames(command: ShellCommand): string | null {
  if (runsDecoded(command)) return `${command.program} runs what has been decoded`;
  for (const code of codeTexts(command)) {
    const found = inCode(code);
    if (found !== null) return `${command.program} ${found}`;
  }
  return null;
}

const decodes =
  /b64|base64|atob|fromhex|unhexlify|rot_?13|decompress|inflate|marshal\.loads|codecs\.|unpack1?\b|pack\s*\(?\s*["']H|\bxxd\b/i;
const runs =
  /(?<![.\w])(?:exec|eval|compile|Function|system|popen|proc_open|passthru|shell_exec)\s*\(|(?<![.\w])(?:exec|eval|system)\s+[^\s=]|\b(?:os|[Ii][Oo]|Kernel|cp|child_process)\.(?:system|popen|exec\w*|spawn\w*)|\bsubprocess\b|child_process|\bexec(?:File)?Sync\b|\bspawn(?:Sync)?\s*\(|\bos\.execute|\bSystem\.cmd|\bCmd\s*\(|\brun\s*\(|\brun_path\b|\bpty\.spawn|\bqx\b|%x[[({]/;
/** Perl, PHP and Ruby run what stands in backticks. */
const ticks = /`[^`\n]+`/;
const opens =
  /\bopen\b|read|slurp|getline|connect|file_get_contents|fopen|sqlite|copy|rename|unlink|rmtree|\brm\w*\s*\(|write|createReadStream|<F>|Path\s*\(|load/i;
const requests =
  /\b(?:fetch|axios|urlopen|requests?|http\w*|curl|Net::HTTP|XMLHttpRequest|socket|connect)\b/i;
const computes =
  /[+%]|\.\.|join|format|concat|implode|sprintf|\$\{|#\{|\bchr\b|fromCharCode|revers|::-1|b64|base64|atob|\bf["']|replace|\[\s*-?\d|slice|substr|lower|upper|charCode|Buffer|bytes|pack|Template|<<|<>|\*|paste|\.=|["']\s+["']/i;
const namesHome = /home|expanduser|\/Users\/|~\/|\/root\b|USERPROFILE|getpw/i;
const secret = /token|sock|swarmdb|auditkey|journal|configyaml|stopped|approver|installations|policyyaml/;
const decision = /approv|trust|stop|uninstall|login|flagsset|hooksdisable|tokensadd|promote|pluginsadd/;

/** Longer code is searched by what stands in it in so many words. */
const maxChars = 8_192;

function inCode(code: string): string | null {
  const isRun = runs.test(code) || (ticks.test(code) && !/\$\{/.test(code));
  if (isRun && decodes.test(code)) return "with code that decodes what it runs";
  if (code.length > maxChars) return null;
  const texts = [...literalsIn(code), ...decodedTexts(code)].map(withoutPaths);
  const pieces = texts
    .join("")
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
  if (
    requests.test(code) &&
    /api(?:v\d?)?/.test(pieces) &&
    /approvals/.test(pieces) &&
    /decision/.test(pieces)
  )
    return "with code that puts a route together";
  if (!pieces.includes("swarm")) return null;
  const isOpened = isRun || opens.test(code) || requests.test(code);
  const isOfHome = namesHome.test(code) || /home/.test(pieces);
  if (isOpened && computes.test(code) && (isOfHome || secret.test(pieces)))
    return "with code that puts the name of SWARM_HOME together";
  return isRun && decision.test(pieces) ? "with code that puts a decision together" : null;
}

/** `src/swarm/x.ts` is a path of the project's. */
function withoutPaths(text: string): string {
  return text.replaceAll(/[\w.-]{1,100}\/swarm\b|\bswarm\/[\w.-]{1,100}\.\w+/gi, "");
}

/** `base64 -d x | sh`, `eval "$(base64 -d x)"` */
function runsDecoded({ program, args, inputs, substituted, stdin, code }: ShellCommand): boolean {
  const isShell = shellPrograms.has(program);
  if (
    !isShell &&
    program !== "eval" &&
    program !== "source" &&
    program !== "." &&
    interpreterOf(program) === null
  )
    return false;
  if (stdin === null && code === null && inputs.some((input) => decodesFile(input, 3))) return true;
  return args.some(hasUnknown) && substituted.some((input) => decodesFile(input, 3));
}

function decodesFile({ program, args, inputs }: ShellCommand, depth: number): boolean {
  if (depth === 0) return false;
  const isDecoder = /^(?:g?base(?:64|32|58|nc)|uudecode|basenc)$/.test(program)
    ? program === "uudecode" || args.some((arg) => /^-\w*[dD]|^--d/.test(arg))
    : (program === "xxd" && args.some((arg) => /^-\w*r/.test(arg))) ||
      (program === "openssl" && args.some((arg) => arg === "-d"));
  return isDecoder || inputs.some((input) => decodesFile(input, depth - 1));
}
