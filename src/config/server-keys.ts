import type { ConfigFields } from "./config-field.ts";

/** What the name of a server looks like. */
export const serverName = /^[A-Za-z0-9_.-]{1,64}$/;

/** Exactly one of these says how a server is reached. */
export const serverNeeds = ["command", "url"] as const;

/** Keys that mean something only beside one of those. */
export const serverTakes = {
  command: ["args", "env", "cwd", "files"],
  url: ["headers", "allow_private"],
} as const;

/** Keys of one MCP server. */
export const serverKeys = {
  command: {
    type: "strings",
    mayBeAlone: true,
    mayBeEmpty: true,
    expected: "a program, or a list of it and its arguments",
    doc: "The program to start, or a list of it and its arguments; spoken to over its stdin and stdout. ./program is the one in cwd.",
  },
  args: {
    type: "strings",
    mayBeEmpty: true,
    doc: "Arguments of the program. Variables in them stay as written.",
  },
  env: {
    type: "object",
    isOfTexts: true,
    isSecret: true,
    mayBeEmpty: true,
    expected: "a map of texts; a number needs quotes",
    doc: "Variables of the program, beside the few every program gets. Variables in braces are replaced, if the user's file allows them.",
  },
  cwd: { type: "string", doc: "Where the program runs, from the folder of the file. Default that folder." },
  files: {
    type: "strings",
    expected: "a list of paths and globs",
    doc: "Files the program needs beside those the command names, as with a hook's (docs/trust.md).",
  },
  url: {
    type: "string",
    doc: "An http or https address of a streamable HTTP server. Variables in braces are replaced, if the user's file allows them.",
  },
  headers: {
    type: "object",
    isOfTexts: true,
    isSecret: true,
    mayBeEmpty: true,
    expected: "a map of texts; a number needs quotes",
    doc: "Sent with every request. Variables in braces are replaced, if the user's file allows them.",
  },
  allow_private: {
    type: "strings",
    doc: "Addresses it may be at that are not of the public internet: an address, a block such as 10.0.0.0/8, loopback or private. Default none.",
  },
} as const satisfies ConfigFields;
