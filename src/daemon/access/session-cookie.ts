/**
 * A browser's session is two halves. This one is a cookie that no script can read; but a browser sends the cookies of
 * 127.0.0.1 to every port of it, so whatever else listens there gets to see it. The other half, the key, is kept by the
 * page, whose storage is of this port alone, and comes as a header, which no page of another origin can send.
 */
export const keyHeader = "x-swarm-key";

/** One who holds both holds a token. Neither half has a dot in it. */
export function sessionToken(cookie: string, key: string): string {
  return `${cookie}.${key}`;
}

/** Daemons of other homes are at other ports of the same host, and share its cookies. */
export function cookieName(address: string): string {
  return `swarm_session_${new URL(address).port}`;
}

/** No `Secure`: there is no TLS on loopback, and not every browser makes the exception. */
export function keptCookie(address: string, value: string, maxAgeS: number): string {
  return `${cookieName(address)}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict`;
}

/** More than a page of ours ever sends; others on this host may set any number. */
const maxValues = 8;

/** All of this name: another port may have set one for a longer path, which then comes first. */
export function cookieValues(header: string | undefined, name: string): string[] {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .slice(0, maxValues)
    .map((pair) => pair.slice(name.length + 1));
}
