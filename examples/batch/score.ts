/** A payment, one line of transactions.jsonl. */
interface Payment {
  readonly amount: number;
  readonly country: string;
  readonly home_country: string;
}

/** Called for each record: what it returns is the record's output. */
export function score({ amount, country, home_country }: Payment): { readonly risk: number } {
  if (typeof amount !== "number") throw new TypeError(`amount is ${amount}, expected a number`);
  const abroad = country === home_country ? 0 : 0.4;
  return { risk: Math.min(1, amount / 10_000 + abroad) };
}
