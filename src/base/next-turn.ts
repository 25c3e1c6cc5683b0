/** Calls back in a later turn of the event loop, when what is settled by now has had its turn. Without `setImmediate`: in browsers. */
export const nextTurn: (callback: () => void) => unknown =
  (globalThis as { setImmediate?: (callback: () => void) => unknown }).setImmediate ?? setTimeout;
