import type { Verification } from "../../audit/verify.ts";
import { cut } from "../../../base/show.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import type { RunEvent } from "../../port/run-event.ts";
import type { SignedHead, Store } from "../../../store/port/store.ts";
import type { PdfRange } from "../range.ts";
import type { Sheet } from "../sheet.ts";
import type { Summary } from "../summary.ts";

/** What every part of a document is made from. */
export interface Material {
  readonly sheet: Sheet;
  readonly range: PdfRange;
  readonly summary: Summary;
  readonly head: SignedHead;
  readonly publicKey: string;
  readonly verification: Verification;
  readonly version: string;
  /** The rows of the range, read anew. */
  rows(): AsyncIterable<RunEvent>;
  readonly store: Pick<Store, "findPayload">;
}

export type Section = (material: Material) => Promise<void> | void;

/** What was recorded with a row; empty when it has expired or was never kept. */
export async function payloadOf({ store }: Material, { seq }: RunEvent): Promise<JsonObject> {
  const kept = await store.findPayload(seq);
  const text = kept?.after ?? kept?.before ?? null;
  if (text === null) return {};
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** A field of a payload as text: it may be missing, or anything at all. */
export function textOf(value: unknown, otherwise = "–"): string {
  if (value === undefined || value === null || value === "") return otherwise;
  return typeof value === "string" ? value : (JSON.stringify(value) ?? otherwise);
}

/** What a call was to do, in short: the line a shell was to run, the file that was to be changed, else all it was given. */
export function subjectOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const { command, file_path, path, url } = input as Record<string, unknown>;
  const known = command ?? file_path ?? path ?? url;
  if (known !== undefined) return shortened(textOf(known, ""));
  return shortened(
    Object.entries(input)
      .map(([key, value]) => `${key}: ${textOf(value)}`)
      .join(", "),
  );
}

/** Long enough to tell two calls apart; all of it is in the record. */
const maxSubject = 300;

function shortened(text: string): string {
  const shown = cut(text, maxSubject);
  return shown.length < text.length ? `${shown}…` : shown;
}

/** 2026-01-31 12:00:00, in UTC as all times are. */
export function shownTime(iso: string): string {
  return iso.slice(0, 19).replace("T", " ");
}
