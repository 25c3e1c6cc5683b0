import { Refusal, type ResultOf } from "./api.ts";

type Passkeys = typeof import("./passkeys.ts");
export type Approvers = ResultOf<"listApprovers">;
export type ApproverKey = Approvers["keys"][number];

/** A file of its own: most pages never need it. */
const file = "/passkeys.js";

/** Does something with a passkey; that the person has cancelled, or has none here, is told like a refusal. */
export async function usePasskey<T>(work: (passkeys: Passkeys) => Promise<T>): Promise<T> {
  const passkeys = (await import(file)) as Passkeys;
  try {
    return await work(passkeys);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new Refusal({
      status: 0,
      code: "",
      detail: `the passkey was not used: ${error.message}`,
      remedy: "Try again with the device it is on.",
    });
  }
}

/** Passkeys that can be used on this page: browsers keep them by the page's name, and 127.0.0.1 is none. */
export function usablePasskeys(approvers: Approvers): ApproverKey[] {
  return isPasskeyPage(approvers) ? approvers.keys.filter(({ kind }) => kind === "passkey") : [];
}

export function isPasskeyPage({ page }: Approvers): boolean {
  return location.origin === page;
}
