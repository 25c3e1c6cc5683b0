import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { join } from "node:path";
import { readBoundedFile } from "../../base/bounded-file.ts";
import { SwarmError } from "../../base/errors.ts";
import { replaceFile } from "../../base/replace-file.ts";
import type { ApproverKey } from "./message.ts";
import { makeKey, publicKeyOf } from "./sign.ts";

/** A private key as it lies on the disk: of no use to whoever does not know the passphrase. */
export interface LockedKey extends ApproverKey {
  /** scrypt's parameters; `cost` is its N. */
  readonly kdf: {
    readonly cost: number;
    readonly block_size: number;
    readonly parallel: number;
    readonly salt: string;
  };
  /** AES-256-GCM; all base64url. */
  readonly cipher: { readonly iv: string; readonly tag: string; readonly text: string };
}

/** 128 MiB and near half a second per guess: what OWASP's table asks for at least. */
export const scryptCost = 2 ** 17;
const [blockSize, parallel] = [8, 1];
/** A file that asks for more than this wants to stop the program, not to be opened. */
const maxCost = 2 ** 20;

/** Some thousand keys. */
const maxFileBytes = 1024 * 1024;

export const keyFile = (home: string): string => join(home, "approvers.json");

/** The keys of a home that a passphrase opens. */
export function readLockedKeys(home: string): LockedKey[] {
  const file = keyFile(home);
  try {
    const { keys } = JSON.parse(readBoundedFile(file, maxFileBytes).bytes.toString()) as { keys: unknown };
    if (!Array.isArray(keys) || !keys.every(isLockedKey)) throw new TypeError("it has no list of keys");
    return keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    // The parser quotes what it cannot read; this file is nobody else's to read.
    throw new SwarmError("SWARM_APPROVER_KEY_FILE", { file });
  }
}

/** Anything may stand in a file; what the parts hold shows when the key is opened. */
function isLockedKey(value: unknown): value is LockedKey {
  const { id, name, public_key, kdf, cipher } = Object(value) as Partial<Record<keyof LockedKey, unknown>>;
  const areTexts = [id, name, public_key].every((part) => typeof part === "string");
  return areTexts && [kdf, cipher].every((part) => typeof part === "object" && part !== null);
}

export function saveLockedKeys(home: string, keys: readonly LockedKey[]): void {
  replaceFile(keyFile(home), `${JSON.stringify({ version: 1, keys }, null, 2)}\n`, { isFlushed: true });
}

/** A new key that only this passphrase opens. */
export function makeLockedKey(name: string, passphrase: string, cost = scryptCost): LockedKey {
  const { key, privateKey } = makeKey(name);
  const kdf = {
    cost,
    block_size: blockSize,
    parallel,
    salt: randomBytes(32).toString("base64url"),
  };
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", derive(passphrase, kdf), iv).setAAD(boundTo(key, kdf));
  const text = Buffer.concat([cipher.update(privateKey), cipher.final()]).toString("base64url");
  privateKey.fill(0);
  const tag = cipher.getAuthTag().toString("base64url");
  return { ...key, kdf, cipher: { iv: iv.toString("base64url"), tag, text } };
}

/** The private half, as PKCS #8. */
export function unlockKey({ kdf, cipher, ...key }: LockedKey, passphrase: string): Buffer {
  try {
    if (!(kdf.cost <= maxCost) || kdf.block_size !== blockSize || kdf.parallel !== parallel)
      throw new RangeError("parameters of scrypt");
    const iv = Buffer.from(cipher.iv, "base64url");
    const opened = createDecipheriv("aes-256-gcm", derive(passphrase, kdf), iv, { authTagLength: 16 })
      .setAAD(boundTo(key, kdf))
      .setAuthTag(Buffer.from(cipher.tag, "base64url"));
    const privateKey = Buffer.concat([opened.update(Buffer.from(cipher.text, "base64url")), opened.final()]);
    if (publicKeyOf(privateKey) !== key.public_key) throw new RangeError("another key");
    return privateKey;
  } catch {
    // A wrong passphrase and a changed file look the same from here.
    throw new SwarmError("SWARM_APPROVER_PASSPHRASE", { name: key.name });
  }
}

function derive(passphrase: string, { cost, salt }: LockedKey["kdf"]): Buffer {
  // The same letters may be typed as different code points.
  const typed = passphrase.normalize("NFKC");
  const maxmem = 128 * cost * blockSize * parallel + 32 * 1024 * 1024;
  return scryptSync(typed, Buffer.from(salt, "base64url"), 32, {
    N: cost,
    r: blockSize,
    p: parallel,
    maxmem,
  });
}

/** What is not encrypted beside the private half cannot be exchanged either. */
function boundTo({ id, name, kind, public_key }: ApproverKey, kdf: LockedKey["kdf"]): Buffer {
  const { cost, block_size, parallel: lanes, salt } = kdf;
  return Buffer.from(JSON.stringify([id, name, kind, public_key, cost, block_size, lanes, salt]));
}
