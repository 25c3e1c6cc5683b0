import { count } from "../charts.ts";
import { Table } from "../table.ts";
import type { Material } from "./section.ts";

/** Which rows these are in the chain, who has signed it, and how anybody can check that. */
export function chainSection({ sheet, summary, head, publicKey, verification }: Material): void {
  sheet.heading("Chain, signature and how to verify");
  const table = new Table(sheet, [
    { title: "What", share: 0.26 },
    { title: "Value", share: 0.74 },
  ]);
  const { first, last } = summary;
  table.row(["Rows in this range", count(summary.rows)]);
  if (first !== null) table.row(["First row", `${first.seq}  ${first.hash}`]);
  if (last !== null) table.row(["Last row", `${last.seq}  ${last.hash}`]);
  table.row(["SHA-256 over their hashes", summary.rowsDigest]);
  table.row(["Head of the chain", `${head.seq}  ${head.hash}`]);
  table.row(["Signed", `${head.time} by key ${head.key_id} (Ed25519)`]);
  table.row(["Signature of the head", head.signature]);
  table.row(["Public key", publicKey.trim().split("\n").slice(1, -1).join("")]);
  table.row([
    "The whole record",
    verification.is_intact
      ? { text: `intact, ${count(verification.rows)} rows`, color: "good" }
      : { text: `not intact, ${count(verification.faults.length)} faults`, color: "bad" },
  ]);
  table.end();
  if (verification.faults.length > 0) {
    sheet.subheading("What is wrong with the record");
    const faults = new Table(sheet, [
      { title: "Row", share: 0.1, isRight: true },
      { title: "Fault", share: 0.15 },
      { title: "Problem", share: 0.75 },
    ]);
    for (const { seq, kind, problem } of verification.faults) faults.row([String(seq), kind, problem]);
    faults.end();
  }
  sheet.subheading("How to verify");
  for (const text of howToVerify) sheet.paragraph(text);
}

const howToVerify = [
  "Every row of the record holds the SHA-256 of the row before it, so that no row can be changed, removed or put in without every later one changing. The newest row, the head, is signed. Beside this file lies a manifest of the same name with .manifest.json at the end: the SHA-256 of this file, the rows it covers and the signature over all of that.",
  "1. On the machine that has the record, with or without the daemon: swarm audit verify FILE.pdf",
  "2. Elsewhere, with an export of the record (swarm audit export) and the public key of the machine it is from (audit-key.pub): swarm audit verify FILE.pdf --file audit.jsonl --key audit-key.pub",
  "Both check that this file is the one the manifest names, that the manifest was signed by that key, that every hash and link of the record holds, and that the rows named above are in it as they were. Compare the key with one you have from elsewhere: a forger would sign with a key of their own.",
  "Codes such as \\u{202e} in another colour stand for characters that cannot be seen, steer the reading order or have no letter in the fonts of this file; ↵ stands for a line break.",
];
