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
