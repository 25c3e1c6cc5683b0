/** `4:05`, `1:04:05`; `0:00` when it is over. */
export function leftUntil(time: string, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(time) - nowMs) / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** In the reader's own time: `14:03:09`, and the day unless it is today. */
export function clockTime(time: string, nowMs: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = (of: Date): string => `${of.getFullYear()}-${two(of.getMonth() + 1)}-${two(of.getDate())}`;
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return day(date) === day(new Date(nowMs)) ? clock : `${day(date)} ${clock}`;
}

/** How long something took, or takes: `0.4 s`, `3 min 5 s`, `2 h 10 min`. */
export function lasted(from: string, to: string | null, nowMs: number): string {
  const ms = Math.max(0, (to === null ? nowMs : Date.parse(to)) - Date.parse(from));
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor(seconds / 60) % 60} min`;
}
