import { compileWhen, type When } from "../engine/hooks/when.ts";
import { readFields } from "./fields.ts";
import { whenKeys } from "./keys.ts";
import { type ConfigNode, checkAt } from "./node.ts";

/** What narrows a hook beside its matcher; null when nothing does. */
export function readWhen(file: string, node: ConfigNode): When | null {
  const conditions = Object.entries(readFields(file, node, "when", whenKeys)).flatMap(([key, field]) => {
    if (field === undefined) return [];
    const condition = { [key]: field.value };
    checkAt(file, field.at, () => compileWhen("the hook", condition));
    return [condition];
  });
  return conditions.length === 0 ? null : Object.assign({}, ...conditions);
}
