/** Routes that decide, and that no other program's API has. */
const distinctRoutes =
  /(?<![\w-])api\/v\d+\/(?:approvals\/[^\n]{0,80}\/decision|trust\/(?:files\/)?(?:approve|ignore|revoke)\b|models\/[^\s"'`]{1,200}\/promote\b|approvers?\b|policy\/exceptions\b|audit\/accept\b)/i;

/** Routes that decide and that other programs have as well: they count only with the daemon's usual port or a socket. */
const commonRoutes =
  /\/api\/v\d+\/(?:tokens\b|login(?:-links)?\b|flags\/|hooks\/[^/\s"'`]+(?:["'`\s?]|$)|plugins\b|tasks\/[^/\s"'`]+\/(?:accept|send-back)\b)/i;
const ownPort = /:7077\b|\b7077\b|\.sock\b/;

/** Whether one of these texts names the daemon's usual port, or a socket. */
export function namesOwnPort(texts: readonly string[]): boolean {
  return texts.some((text) => ownPort.test(text));
}

/**
 * Whether a text asks for a route of the daemon that decides. `hasOwnPort`: the address may stand in another text. What
 * curl and servers make of a path is undone first: `%64ecision`, `{approvals}`, `//`.
 */
export function namesDecidingRoute(text: string, hasOwnPort = false): boolean {
  if (!/api/i.test(text) && !text.includes("%")) return false;
  const plain = text
    .replaceAll(/%([0-7][\da-f])/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replaceAll(/[{}[\]]/g, "")
    .replaceAll(/\/(?:\.?\/)+/g, "/")
    .replaceAll(/\/[^/\s"'`]{1,100}\/\.\.(?=\/)/g, "");
  return distinctRoutes.test(plain) || (commonRoutes.test(plain) && (hasOwnPort || ownPort.test(plain)));
}
