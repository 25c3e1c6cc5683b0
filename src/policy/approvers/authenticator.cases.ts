import { generateKeyPairSync, hash, randomBytes, sign } from "node:crypto";
import type { Proof } from "./message.ts";
import { challengeOf } from "./passkey.ts";
import { keyIdOf } from "./sign.ts";

/** What an authenticator or a page may do differently from what is expected of it. */
export interface Deviation {
  readonly origin?: string;
  readonly domain?: string;
  readonly type?: string;
  /** Bit 0: the user is present; bit 2: the user was verified. */
  readonly flags?: number;
  readonly counter?: number;
}

const origin = "http://localhost:7077";
const presentAndVerified = 0b101;

/** An authenticator with one passkey (ES256), as a browser would use it. */
export function makeAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // RFC 9053: kty EC2, alg ES256, crv P-256, x, y.
  const cose = cborMap([
    [cborInt(1), cborInt(2)],
    [cborInt(3), cborInt(-7)],
    [cborInt(-1), cborInt(1)],
    [cborInt(-2), cborBytes(Buffer.from(x, "base64url"))],
    [cborInt(-3), cborBytes(Buffer.from(y, "base64url"))],
  ]);
  const credentialId = randomBytes(16);
  const id = credentialId.toString("base64url");
  const public_key = cose.toString("base64url");
  const key = {
    id: keyIdOf("passkey", public_key),
    name: "phone",
    kind: "passkey",
    public_key,
    credential_id: id,
  } as const;

  /** What `navigator.credentials.create` gives, as JSON. */
  function register(text: string, given: Deviation = {}) {
    const attested = Buffer.concat([Buffer.alloc(16), uint16(credentialId.length), credentialId, cose]);
    const authData = Buffer.concat([authenticatorData({ flags: 0b1000101, ...given }), attested]);
    const attestation = cborMap([
      [cborText("fmt"), cborText("none")],
      [cborText("attStmt"), cborMap([])],
      [cborText("authData"), cborBytes(authData)],
    ]);
    const clientDataJSON = clientData("webauthn.create", text, given).toString("base64url");
    const response = { clientDataJSON, attestationObject: attestation.toString("base64url") };
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }

  /** What `navigator.credentials.get` gives, as a proof. */
  function assert(text: string, given: Deviation = {}): Proof {
    const [client, data] = [clientData("webauthn.get", text, given), authenticatorData(given)];
    const signed = Buffer.concat([data, hash("sha256", client, "buffer")]);
    return {
      key_id: key.id,
      signature: sign("sha256", signed, privateKey).toString("base64url"),
      authenticator_data: data.toString("base64url"),
      client_data: client.toString("base64url"),
    };
  }

  return { key, register, assert };
}

function clientData(type: string, text: string, given: Deviation): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge: challengeOf(text), origin, ...given }));
}

function authenticatorData({ domain = "localhost", flags = presentAndVerified, counter = 0 }: Deviation) {
  const counted = Buffer.alloc(4);
  counted.writeUInt32BE(counter);
  return Buffer.concat([hash("sha256", domain, "buffer"), Buffer.of(flags), counted]);
}

/** The parts of CBOR that an attestation takes. */
const cborInt = (value: number) => cborHead(value < 0 ? 1 : 0, value < 0 ? -1 - value : value);
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (pairs: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()]);

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.of((major << 5) | value);
  return value < 256 ? Buffer.of((major << 5) | 24, value) : Buffer.of((major << 5) | 25, value >> 8, value);
}

function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value);
}
