import { visible } from "../../src/base/visible.ts";
import { type Child, fill, h } from "./dom.ts";
import { failure } from "./view.ts";

/**
 * A button that has the daemon do something. `about` is for whoever hears the button without the row it stands in; what
 * goes wrong is told beside it.
 */
export function action(word: string, about: string, act: () => Promise<unknown>): Child {
  const told = h("div", { "aria-live": "polite" });
  const label = `${word} ${visible(about)}`;
  const button = h(
    "button",
    { type: "button", "aria-label": label, click: () => void press(button, told, act) },
    word,
  );
  return [button, told];
}

/** Fields with a button below them; Enter in a field does as the button does. */
export function actionForm(
  fields: readonly HTMLElement[],
  button: HTMLButtonElement,
  told: HTMLElement,
  act: () => Promise<unknown>,
): HTMLFormElement {
  const submit = (sent: Event): void => {
    sent.preventDefault();
    void press(button, told, act);
  };
  return h("form", { submit }, h("div", { class: "tools" }, ...fields, button), told);
}

/** Cannot be pressed again until it is done. */
async function press(
  button: HTMLButtonElement,
  told: HTMLElement,
  act: () => Promise<unknown>,
): Promise<void> {
  const hadFocus = document.activeElement === button;
  button.disabled = true;
  fill(told);
  try {
    await act();
  } catch (error) {
    fill(told, failure(error));
  } finally {
    button.disabled = false;
    // A button that cannot be pressed loses the focus: the next Tab goes on from here, not from the top of the page.
    if (hadFocus && document.activeElement === document.body) button.focus({ preventScroll: true });
  }
}
