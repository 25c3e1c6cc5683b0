/** Four digits, whatever their size. */
export function shown(value: number | null): string {
  if (value === null) return "–";
  return Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3)
    ? value.toExponential(2)
    : String(Number(value.toPrecision(4)));
}

export function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

export function pValue(value: number): string {
  return value < 1e-4 ? "< 0.0001" : shown(value);
}
