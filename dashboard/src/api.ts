import { type Role, roles } from "../../src/daemon/access/port/token-store.ts";
import type { Problem } from "../../src/daemon/rest/problem.ts";
import type { routes } from "../../src/daemon/server/routes.ts";
import { type OperationName, operations } from "./operations.ts";
import { savedName, saveFile } from "./save-file.ts";

type Routes = typeof routes;
type InputOf<N extends OperationName> = Partial<Parameters<Routes[N]["handle"]>[1]>;
export type ResultOf<N extends OperationName> = Awaited<ReturnType<Routes[N]["handle"]>>;
type ListName = {
  [N in OperationName]: ResultOf<N> extends { readonly items: readonly unknown[] } ? N : never;
}[OperationName];
export type ItemOf<N extends ListName> =
  ResultOf<N> extends { readonly items: readonly (infer Item)[] } ? Item : never;
type FileName = {
  [N in OperationName]: ResultOf<N> extends Response ? N : never;
}[OperationName];

/** The server's no, in its own words. */
export class Refusal extends Error {
  readonly problem: Pick<Problem, "status" | "code" | "detail" | "remedy">;

  constructor(problem: Refusal["problem"]) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Calls the daemon this page came from. */
export class Api {
  readonly #key: string | null;
  readonly #role: Role;
  readonly #onSessionOver: () => void;

  /** Without a key only a login is answered. */
  constructor(key: string | null, role: Role, onSessionOver: () => void) {
    this.#key = key;
    this.#role = role;
    this.#onSessionOver = onSessionOver;
  }

  may(name: OperationName): boolean {
    return roles.indexOf(this.#role) >= roles.indexOf(operations[name].role);
  }

  async call<N extends OperationName>(name: N, input: InputOf<N> = {}): Promise<ResultOf<N>> {
    const response = await this.#answer(name, input);
    return (await response.json().catch(() => null)) as ResultOf<N>;
  }

  /** Has the browser save a file the daemon keeps. No link could: half of the session is a header. */
  async save<N extends FileName>(name: N, input: InputOf<N>): Promise<void> {
    const response = await this.#answer(name, input);
    saveFile(savedName(response.headers.get("content-disposition")), await response.blob());
  }

  async #answer(name: OperationName, input: object): Promise<Response> {
    const { params = {}, query = {}, body } = input as Readonly<Record<string, Record<string, unknown>>>;
    const address = addressOf(operations[name].path, params, query);
    const response = await this.#fetch(operations[name].method, address, body);
    if (response.ok) return response;
    if (response.status === 401 && name !== "login") this.#onSessionOver();
    throw new Refusal((await response.json().catch(() => null)) ?? unreadable(response.status));
  }

  async #fetch(method: string, address: string, body: unknown): Promise<Response> {
    const headers = new Headers();
    if (this.#key !== null) headers.set("x-swarm-key", this.#key);
    if (body !== undefined) headers.set("content-type", "application/json");
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      return await fetch(address, { method, headers, redirect: "error", cache: "no-store", ...sent });
    } catch {
      const detail = "the daemon does not answer";
      throw new Refusal({
        status: 0,
        code: "",
        detail,
        remedy: "Start it with swarm up; this page tries again.",
      });
    }
  }
}

/** Options that are not given, or empty, are left out. */
export function addressOf(
  path: string,
  params: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

function unreadable(status: number): Refusal["problem"] {
  return {
    status,
    code: "",
    detail: `the answer cannot be read (status ${status})`,
    remedy: "Load the page again.",
  };
}
