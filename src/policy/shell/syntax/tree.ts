/** A shell line as written: nothing is expanded yet. */
export interface Script {
  readonly lists: readonly List[];
}

/** Pipelines joined by `&&` and `||`: the first runs in any case, the others may not. */
export interface List {
  readonly pipelines: readonly Pipeline[];
  /** What stands before each of them but the first. */
  readonly joinedBy: readonly string[];
  /** `&` follows: it is a process of its own. */
  readonly isBackground: boolean;
}

/** Stages whose output runs into the next one's input. */
export type Pipeline = readonly Stage[];

export type Stage = SimpleCommand | Compound | FunctionDefinition;

export interface SimpleCommand {
  readonly kind: "simple";
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

/** Loops, branches, `( … )` and `{ … }`: whichever way they go, all their bodies are followed. */
export interface Compound {
  readonly kind: "compound";
  /** What happens to variables and the working directory in it stays in it. */
  readonly isSubshell: boolean;
  readonly bodies: readonly Script[];
  /** As many of them run in any case: of a branch the condition, of a loop over words none. */
  readonly sureBodies: number;
  readonly isLoop: boolean;
  /** `break`, `continue`, `return` or `exit` is in it. */
  readonly mayJump: boolean;
  /** The variable of a `for`, which takes the words as its values. */
  readonly variable: string | null;
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

export interface FunctionDefinition {
  readonly kind: "function";
  readonly name: string;
  readonly body: Stage;
}

export interface Assignment {
  readonly name: string;
  /** `name+=` */
  readonly isOpen: boolean;
  /** `name=(…)` and `name[n]=`: words of an array. */
  readonly isArray: boolean;
  /** `name[n]=`: one of them. */
  readonly isElement: boolean;
  readonly words: readonly Word[];
}

export interface Redirect {
  /** `<`, `>`, `>>`, `<<<`, `&>` …; `<<` for a here-document, whose text is the target. */
  readonly operator: string;
  readonly target: Word;
}

export type Word = readonly Part[];

export type Part =
  | { readonly kind: "text"; readonly text: string; readonly isQuoted: boolean }
  | {
      readonly kind: "variable";
      readonly name: string;
      /** `:-`, `#`, `//`, `:` …; null for a plain one. */
      readonly operator: string | null;
      readonly argument: Word;
      readonly isQuoted: boolean;
    }
  | { readonly kind: "substitution"; readonly script: Script; readonly isQuoted: boolean }
  /** `<( … )` and `>( … )`: stands for the name of a file. */
  | { readonly kind: "process"; readonly script: Script; readonly isInput: boolean }
  /** Arithmetic; what stands in it is expanded all the same. */
  | { readonly kind: "number"; readonly expression: Word };
