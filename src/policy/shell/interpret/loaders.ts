/** Variables by which a program is made to run something else. */
export function isLoader(name: string, value: string): boolean {
  if (name === "NODE_OPTIONS")
    return /--(?:require|import|loader|experimental-loader)|(?:^|\s)-r/.test(value);
  // `ENV=production` is for the program, a file for the shell.
  return name === "ENV" ? /[/$.]/.test(value) : loaders.has(name);
}

const loaders = new Set([
  "LD_PRELOAD",
  "LD_AUDIT",
  "DYLD_INSERT_LIBRARIES",
  "BASH_ENV",
  "PS4",
  "PROMPT_COMMAND",
  "PERL5OPT",
  "RUBYOPT",
  "PYTHONSTARTUP",
  "PYTHONINSPECT",
]);
