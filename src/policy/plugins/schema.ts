import { manifestSchema } from "../../config/schema.ts";
import { manifestKeys } from "./manifest-keys.ts";

/** The JSON Schema of `swarm-plugin.json`, for editors. */
export const pluginSchema = manifestSchema(manifestKeys, "urn:swarm-hooks:plugin", "swarm-plugin.json");
