const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** `512 B`, `1.5 MiB`: three digits. */
export function sizeText(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1_024 ** step).toPrecision(step === 0 ? 4 : 3))} ${units[step]}`;
}
