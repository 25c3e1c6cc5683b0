import { flagNamed, flagSources } from "../../config/flags.ts";
import { flag, required, text } from "../../engine/events/schema.ts";
import { pageOf } from "../rest/page.ts";
import { route } from "../rest/route.ts";
import { closed } from "../rest/schemas.ts";
import { stringOrNull } from "../rest/shapes.ts";

const flagSchema = closed({
  name: { type: "string" },
  value: { type: "boolean", description: "What is in force." },
  from: { enum: flagSources, description: "Whose word that is." },
  default: { type: "boolean" },
  set_at: { ...stringOrNull, description: "When the override was set." },
  set_by: stringOrNull,
  doc: { type: "string" },
});
const name = { name: required(text("Name of the flag.")) };

/** The switches: what is on, and by whose word. */
export const flagRoutes = {
  listFlags: route({
    method: "GET",
    path: "/api/v1/flags",
    summary: "List the flags, their values and where each comes from",
    response: pageOf(flagSchema),
    async handle({ runtime }) {
      return { items: runtime.flags.list() };
    },
  }),

  setFlag: route({
    method: "PUT",
    path: "/api/v1/flags/{name}",
    summary: "Set a flag over what files and the environment say, from the next event on",
    role: "admin",
    params: name,
    body: { value: required(flag("True: on.")) },
    response: flagSchema,
    async handle({ runtime, actor }, { params, body: { value } }) {
      return runtime.flags.set(flagNamed(params.name), value, actor);
    },
  }),

  unsetFlag: route({
    method: "DELETE",
    path: "/api/v1/flags/{name}",
    summary: "Leave a flag to what files and the environment say again",
    role: "admin",
    params: name,
    response: flagSchema,
    async handle({ runtime, actor }, { params }) {
      return runtime.flags.unset(flagNamed(params.name), actor);
    },
  }),
};
