import { isIP } from "node:net";

/** A run of addresses that share their first bits. */
export interface Block {
  readonly bits: 32 | 128;
  readonly value: bigint;
  readonly prefix: number;
}

/** Why a connection to this address is refused; null when it is an address of the public internet, or allowed. */
export function whyRefused(address: string, allowed: readonly Block[]): string | null {
  const parsed = parseBlock(address);
  // A zone (`fe80::1%eth0`) is an address of this link by definition; so is whatever else cannot be read.
  if (parsed === null || address.includes("/")) return "no address that can be checked";
  if (allowed.some((block) => holds(block, parsed))) return null;
  const refused = refusedBlocks().find(({ block }) => holds(block, parsed));
  if (refused !== undefined) return refused.why;
  return parsed.bits === 128 && !holds(globalUnicast, parsed) ? "not of the public internet" : null;
}

/** `10.0.0.0/8`, `::1`, or a word for several of them; null when it is neither. */
export function readAllowed(written: string): readonly Block[] | null {
  if (allowedWords.includes(written)) {
    return refusedBlocks()
      .filter(({ why }) => why === written)
      .map(({ block }) => block);
  }
  const block = parseBlock(written);
  return block === null ? null : [block];
}

/** An address, or a block whose bits after the prefix are zero. */
export function parseBlock(text: string): Block | null {
  const [address = "", prefixText, ...rest] = text.split("/");
  const parsed = parseAddress(address);
  if (parsed === null || rest.length > 0) return null;
  if (prefixText === undefined) return { ...parsed, prefix: parsed.bits };
  const prefix = Number(prefixText);
  if (!/^\d{1,3}$/.test(prefixText) || prefix > parsed.bits) return null;
  const hostBits = BigInt(parsed.bits - prefix);
  return (parsed.value >> hostBits) << hostBits === parsed.value ? { ...parsed, prefix } : null;
}

function holds({ bits, value, prefix }: Block, address: Block): boolean {
  const hostBits = BigInt(bits - prefix);
  return bits === address.bits && value >> hostBits === address.value >> hostBits;
}

function parseAddress(text: string): Pick<Block, "bits" | "value"> | null {
  // A zone is legal for isIP.
  if (text.includes("%")) return null;
  switch (isIP(text)) {
    case 4:
      return { bits: 32, value: ofFour(text) };
    case 6:
      return { bits: 128, value: ofSixteen(text) };
    default:
      return null;
  }
}

function ofFour(text: string): bigint {
  return text.split(".").reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** `::` stands for as many zeros as are missing; the last two groups may be written as an IPv4 address. */
function ofSixteen(text: string): bigint {
  const lastColon = text.lastIndexOf(":");
  const tail = text.slice(lastColon + 1);
  const four = isIP(tail) === 4 ? ofFour(tail) : null;
  const plain =
    four === null
      ? text
      : `${text.slice(0, lastColon + 1)}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`;
  const [before = "", after] = plain
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const [head, end] = [[...before], [...(after ?? [])]];
  const zeros = Array.from({ length: 8 - head.length - end.length }, () => "0");
  return [...head, ...zeros, ...end].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

/** All that is given out to anybody; what IANA holds back of it is in the table. */
const globalUnicast = { bits: 128, value: 0x2000n << 112n, prefix: 3 } as const;

const carriesIpv4 = "IPv6 that carries an IPv4 address";

/**
 * What is not somebody's machine on the public internet, after IANA's registries of special-purpose addresses
 * (RFC 6890 and its successors). Clouds keep their metadata, and with it credentials, under link-local, shared and
 * unique local addresses; Azure's alone looks public.
 */
const refused: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"],
  "link-local": ["169.254.0.0/16", "fe80::/10"],
  "a cloud's metadata": ["168.63.129.16"],
  "shared by a carrier": ["100.64.0.0/10"],
  unspecified: ["0.0.0.0/8", "::"],
  "for protocols": ["192.0.0.0/24", "192.88.99.0/24", "2001::/23"],
  "for documentation": ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"],
  "for benchmarks": ["198.18.0.0/15"],
  multicast: ["224.0.0.0/4", "ff00::/8"],
  reserved: ["240.0.0.0/4"],
  [carriesIpv4]: ["::ffff:0:0/96", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16"],
};

/** Read when first asked for: the first address costs 5 ms, and most processes connect to nobody. */
function refusedBlocks(): readonly { readonly why: string; readonly block: Block }[] {
  readBlocks ??= Object.entries(refused).flatMap(([why, blocks]) =>
    blocks.map((text) => ({ why, block: parseBlock(text) as Block })),
  );
  return readBlocks;
}

let readBlocks: ReturnType<typeof refusedBlocks> | null = null;

/** What may stand in `allow_private` beside addresses and blocks. */
export const allowedWords: readonly string[] = ["loopback", "private"];
