/** What every request says of itself; the user's own win, in whatever case they are written. */
export function requestHeaders(own: Readonly<Record<string, string>>): Record<string, string> {
  const lower = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]);
  return { "content-type": "application/json", "user-agent": "swarm-hooks", ...Object.fromEntries(lower) };
}
