import { SwarmError } from "../../../base/errors.ts";
import { suggest } from "../../../base/suggest.ts";

/** The zone of this machine. It is written into a job when it is made, so that moving the daemon moves no job. */
export function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A zone of the IANA database, as it is written there. Offsets such as +02:00 are none: they have no summer. */
export function checkTimeZone(zone: string): string {
  if (/^[A-Za-z]/.test(zone) && zone.length <= 64) {
    try {
      return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  const suggestion = suggest(zone, Intl.supportedValuesOf("timeZone"));
  throw new SwarmError("SWARM_TIME_ZONE_UNKNOWN", { zone, suggestion });
}
