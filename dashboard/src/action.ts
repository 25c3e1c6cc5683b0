import { visible } from "../../src/base/visible.ts";
import { type Child, fill, h } from "./dom.ts";
import { failure } from "./view.ts";

/**
 * A button that has the daemon do something, and cannot be pressed again meanwhile; what went wrong is told beside it.
 * `about` is for whoever hears the button without the row it stands in.
 */
export function action(word: string, about: string, act: () => Promise<unknown>): Child {
  const told = h("div", { "aria-live": "polite" });
  const press = async (): Promise<void> => {
    button.disabled = true;
    try {
      await act();
      fill(told);
    } catch (error) {
      fill(told, failure(error));
    } finally {
      button.disabled = false;
    }
  };
  const label = `${word} ${visible(about)}`;
  const button = h("button", { type: "button", "aria-label": label, click: () => void press() }, word);
  return [button, told];
}
