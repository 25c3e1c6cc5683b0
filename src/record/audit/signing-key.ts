import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { existsSync } from "node:fs";
import { SwarmError } from "../../base/errors.ts";
import { readOrMake } from "../../base/private-file.ts";
import { sealPrefix } from "../../base/seal.ts";
import type { Head, SignedHead } from "../../store/port/store.ts";
import { sha256 } from "../port/chain.ts";

/** Signs heads of the record with the Ed25519 key of this `SWARM_HOME`. */
export class SigningKey {
  readonly #private: KeyObject;
  /** The file's bytes, for seals: only who can read the file can make or check one. */
  readonly #secret: KeyObject;
  readonly publicKey: PublicKey;
  /** Whether there was none before. */
  readonly isNew: boolean;

  constructor(file: string) {
    try {
      this.isNew = !existsSync(file);
      const pem = readOrMake(file, makeKey);
      this.#private = createPrivateKey(pem);
      this.#secret = createSecretKey(Buffer.from(pem));
      this.publicKey = new PublicKey(createPublicKey(this.#private));
      // For whoever is to verify exports: it can be given away.
      readOrMake(file.replace(/(\.pem)?$/, ".pub"), () => this.publicKey.pem);
    } catch (error) {
      throw new SwarmError(
        "SWARM_STORE_FAILED",
        { location: file, problem: (error as Error).message },
        { cause: error },
      );
    }
  }

  sign({ seq, hash }: Head, time: string): SignedHead {
    const signature = sign(null, signedText(seq, hash, time), this.#private).toString("base64");
    return { seq, hash, time, key_id: this.publicKey.id, signature };
  }

  /** Signs a text of another kind than a head; base64. */
  signText(kind: string, text: string): string {
    return sign(null, Buffer.from(`${kind}\n${text}`), this.#private).toString("base64");
  }

  /** See `sealOf`; 3 µs instead of a signature's 30, for what is checked on this machine only. */
  seal(kind: string, text: string): string {
    return createHmac("sha256", this.#secret).update(sealPrefix(kind)).update(text).digest("base64url");
  }
}

/** Whoever has it can check a record without being able to sign one. */
export class PublicKey {
  readonly #key: KeyObject;
  readonly pem: string;
  readonly id: string;

  constructor(key: KeyObject | string) {
    this.#key = typeof key === "string" ? createPublicKey(key) : key;
    if (this.#key.asymmetricKeyType !== "ed25519")
      throw new TypeError(`expected an Ed25519 key, got ${this.#key.asymmetricKeyType}`);
    this.pem = this.#key.export({ type: "spki", format: "pem" }).toString();
    this.id = sha256(this.pem).slice(0, 16);
  }

  hasSigned({ seq, hash, time, signature }: SignedHead): boolean {
    return verify(null, signedText(seq, hash, time), this.#key, Buffer.from(signature, "base64"));
  }

  hasSignedText(kind: string, text: string, signature: string): boolean {
    return verify(null, Buffer.from(`${kind}\n${text}`), this.#key, Buffer.from(signature, "base64"));
  }
}

/** The first line keeps a signature made here from meaning anything anywhere else. */
function signedText(seq: number, hash: string, time: string): Buffer {
  return Buffer.from(`swarm-hooks audit head 1\n${seq}\n${hash}\n${time}\n`);
}

function makeKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
