import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOfLink, forgetSession, keepSession, keptSession } from "./session.ts";

function storage(): Storage {
  const items = new Map<string, string>();
  const { get, set, remove } = {
    get: (name: string) => items.get(name) ?? null,
    set: (name: string, value: string) => void items.set(name, value),
    remove: (name: string) => void items.delete(name),
  };
  return { getItem: get, setItem: set, removeItem: remove } as Partial<Storage> as Storage;
}

test("a session is kept until it is forgotten", () => {
  const [place, session] = [
    storage(),
    { key: "k", name: "ann", role: "viewer", expires_at: "2026-01-01T00:00:00.000Z" } as const,
  ];
  keepSession(place, session);
  assert.deepEqual(keptSession(place), session);
  forgetSession(place);
  assert.equal(keptSession(place), null);
});

test("what is kept but no session counts as none", () => {
  const place = storage();
  for (const text of ["", "{", "null", "1", '{"name":"ann"}']) {
    place.setItem("swarm.session", text);
    assert.equal(keptSession(place), null, text);
  }
});

test("a login link is one only as a whole", () => {
  assert.equal(codeOfLink("#login=aB-_9"), "aB-_9");
  for (const hash of ["", "#login=", "#/login=x", "#login=x&y", "#login=<b>", "#/record?login=x"])
    assert.equal(codeOfLink(hash), null, hash);
});
