import { type Html, html } from "../../../base/html.ts";

export function tile(value: string, about: string): Html {
  return html`<div class="tile"><b>${value}</b><span>${about}</span></div>`;
}

/** Four digits, whatever their size. */
export function number(value: unknown): string {
  if (typeof value !== "number" || !Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 10_000) return grouped(Math.round(value));
  return String(Number(value.toPrecision(4)));
}

export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
