import { generateKeyPairSync, sign, X509Certificate } from "node:crypto";

/** A key and a certificate for `name` that nobody has signed but itself; made anew, so that no key lies in a file. */
export function selfSigned(name: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const issuer = der(
    0x30,
    der(0x31, der(0x30, der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from(name)))),
  );
  const time = (text: string) => der(0x17, Buffer.from(text));
  const names = der(0x30, der(0x82, Buffer.from(name)));
  const extension = der(0x30, der(0x06, Buffer.from("551d11", "hex")), der(0x04, names));
  const authority = der(
    0x30,
    der(0x06, Buffer.from("551d13", "hex")),
    der(0x04, der(0x30, der(0x01, Buffer.from([0xff])))),
  );
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    issuer,
    der(0x30, time("200101000000Z"), time("491231235959Z")),
    issuer,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, extension, authority)),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = der(0x30, body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  return { key: String(key), cert: new X509Certificate(certificate).toString() };
}

/** Tag, length, contents. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}
