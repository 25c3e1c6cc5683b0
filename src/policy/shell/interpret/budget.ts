/**
 * Bounds on what is done for one line, counted and not timed: the same line ends in the same place on every machine. They
 * come to a few milliseconds.
 */
const perExploration = {
  /** Pipelines' stages. Functions that call each other run no command, and would go on for long. */
  stages: 5_000,
  commands: 1_000,
  /** Text that is read as commands. */
  chars: 1024 * 1024,
  /** Text that variables and substitutions become. */
  variableChars: 256 * 1024,
} as const;

/** Over all explorations of a line: stages and commands, each folder a command may be in counted. */
export const stepsPerLine = 20_000;

export const maxNesting = 12;
export const maxWords = 20_000;

/** How much more may be done for one line; all its explorations share the steps. */
export class Budget {
  readonly #line: { steps: number };
  readonly #left: Record<keyof typeof perExploration, number> = { ...perExploration };

  constructor(line: { steps: number } = { steps: 0 }) {
    this.#line = line;
  }

  /** What another exploration of the same line may use. */
  another(): Budget {
    return new Budget(this.#line);
  }

  /** Steps that were taken for the line so far. */
  get steps(): number {
    return this.#line.steps;
  }

  /** Takes so much of one kind; false when there is not as much left. */
  take(kind: keyof typeof perExploration, amount = 1): boolean {
    this.#left[kind] -= amount;
    return this.#left[kind] >= 0;
  }

  /** Takes steps of the line's; false when there are none left. */
  takeSteps(amount: number): boolean {
    const isEnough = this.#line.steps + amount <= stepsPerLine;
    this.#line.steps = isEnough ? this.#line.steps + amount : stepsPerLine;
    return isEnough;
  }
}
