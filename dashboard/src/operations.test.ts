import assert from "node:assert/strict";
import { test } from "node:test";
import { type Route, roleFor } from "../../src/daemon/rest/route.ts";
import { routes } from "../../src/daemon/server/routes.ts";
import { operations } from "./operations.ts";

test("the page calls the operations the server has, and knows whom each is for", () => {
  const served: Readonly<Record<string, Route>> = routes;
  const expected = Object.keys(operations).map((name) => {
    const route = served[name] ?? assert.fail(`there is no ${name}`);
    const role = route.isOpen === true ? "viewer" : roleFor(route);
    return [name, { method: route.method, path: route.path, role }];
  });
  assert.deepEqual(operations, Object.fromEntries(expected));
});
