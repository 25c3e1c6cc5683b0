/**
 * The variables of an environment that may decide whether hooks run: all of them but for those that would send the run to the
 * vendor or hand it a credential, that lead to files of the user's own, or that say which session an agent belongs to.
 */
export function decidingVariables(env: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env)
      .filter(([name, value]) => isText(value) && !leftOut.some((pattern) => pattern.test(name)))
      .map(([name, value]) => [name, String(value)]),
  );
}

const leftOut = [
  /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE/i,
  /(URL|URI|ENDPOINT|HOST|PORT|PROXY|ADDRESS|BASE|HEADERS)$/i,
  /_USE_(BEDROCK|VERTEX|VERTEXAI|FOUNDRY|MANTLE|GCA)$/,
  /MODEL|PROVIDER/,
  // An administrator's settings decide; the user's own are copied.
  /^(?!.*SYSTEM_(SETTINGS|DEFAULTS)_PATH$).*(DIR|HOME|PATH|FILE|DB|CONFIG|CONTENT)$/,
  /SESSION_ID$|ENTRYPOINT$|^COPILOT_CLI$|^CODEX_(THREAD|SANDBOX)/,
];

/** As agents turn values of their settings into variables. */
function isText(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
