// @ts-check
import { maskCards } from "./mask-cards.mjs";

/**
 * Called when the plugin is loaded. `options` is what the user's config.yaml has for it:
 *
 *     plugin_options: { acme-bfsi: { luhn: true } }
 *
 * @param {Pick<import("swarm-hooks").Hooks, "on">} hooks
 * @param {{ luhn?: unknown }} options
 */
export function hooks(hooks, { luhn = false, ...unknown } = {}) {
  if (typeof luhn !== "boolean") throw new TypeError(`luhn is ${luhn}, expected true or false`);
  for (const option of Object.keys(unknown)) throw new TypeError(`unknown option ${option}, expected luhn`);
  // Before hooks that only look: they see what the model will see. What cannot be masked must not look masked.
  const how = /** @type {const} */ ({ name: "mask-cards", priority: 10, onFailure: "deny" });
  hooks.on("tool.after", how, ({ tool_output }) => {
    const masked = maskTexts(tool_output, { luhn });
    return masked === tool_output ? undefined : { rewrite: { tool_output: masked } };
  });
}

/**
 * The value with every text in it masked, at any depth; the same value where there was nothing to mask. Numbers, keys
 * and all else stay.
 *
 * @template T
 * @param {T} value
 * @param {{ luhn: boolean }} options
 * @returns {T}
 */
function maskTexts(value, options) {
  if (typeof value === "string") return /** @type {T} */ (maskCards(value, options));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, maskTexts(part, options)]);
  if (entries.every(([key, part]) => part === /** @type {Record<string, unknown>} */ (value)[key]))
    return value;
  return /** @type {T} */ (
    Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries)
  );
}
