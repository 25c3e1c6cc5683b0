/** What stands in an element. A text is always a text: there is no way to give markup. */
export type Child = Node | string | null | readonly Child[];

type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => void)>>;

/** An element. Functions are listeners (`click`), `true` an attribute without a value, `false` none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...nodesOf(children));
  return element;
}

/** Puts these in an element instead of what is there. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...nodesOf(children));
}

function nodesOf(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null) return [];
    return Array.isArray(child) ? nodesOf(child) : [child as Node | string];
  });
}
