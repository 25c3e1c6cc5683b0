import { setMessageMask } from "./message-mask.ts";
import { maskSecrets } from "./secrets/mask.ts";

/** From here on no message of this process has a secret in it that is known by its form. */
export function maskMessages(): void {
  setMessageMask(maskSecrets);
}
