/** Label → value. */
export type Labels = Readonly<Record<string, string>>;

/** A family keeps so many combinations of labels; the names in them come from files, and files from anywhere. */
const maxSeries = 1_000;

/** Seconds; the first is below a call of a function, the last above what an agent waits for. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** One number per combination of labels, by the text of the labels. */
class Series<T> {
  readonly #values = new Map<string, T>();

  /** What is too much is counted together, so that sums stay right. */
  of(labels: Labels, make: () => T): T {
    const key = textOf(labels);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size >= maxSeries) {
      const other = textOf(Object.fromEntries(Object.keys(labels).map((label) => [label, "other"])));
      if (key !== other) return this.#values.get(other) ?? this.#add(other, make());
    }
    return this.#add(key, make());
  }

  entries(): Iterable<[string, T]> {
    return this.#values;
  }

  #add(key: string, value: T): T {
    this.#values.set(key, value);
    return value;
  }
}

export class Counter {
  readonly #series = new Series<{ count: number }>();
  readonly #name: string;
  readonly #help: string;

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  add(labels: Labels, by = 1): void {
    this.#series.of(labels, () => ({ count: 0 })).count += by;
  }

  text(): string {
    const lines = [...this.#series.entries()].map(([labels, { count }]) => line(this.#name, labels, count));
    return family(this.#name, "counter", this.#help, lines);
  }
}

export class Histogram {
  readonly #series = new Series<{ readonly buckets: number[]; sum: number; count: number }>();
  readonly #name: string;
  readonly #help: string;

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  observe(labels: Labels, seconds: number): void {
    const one = this.#series.of(labels, () => ({ buckets: bounds.map(() => 0), sum: 0, count: 0 }));
    const at = bounds.findIndex((bound) => seconds <= bound);
    if (at !== -1) one.buckets[at] = (one.buckets[at] ?? 0) + 1;
    one.sum += seconds;
    one.count++;
  }

  text(): string {
    const lines = [...this.#series.entries()].flatMap(([labels, { buckets, sum, count }]) => {
      let below = 0;
      const upTo = buckets.map((its, at) => {
        below += its;
        return line(`${this.#name}_bucket`, joined(labels, `le="${bounds[at]}"`), below);
      });
      return [
        ...upTo,
        line(`${this.#name}_bucket`, joined(labels, 'le="+Inf"'), count),
        line(`${this.#name}_sum`, labels, sum),
        line(`${this.#name}_count`, labels, count),
      ];
    });
    return family(this.#name, "histogram", this.#help, lines);
  }
}

/** What is asked for when it is read. */
export function gauge(name: string, help: string, value: number, labels: Labels = {}): string {
  return family(name, "gauge", help, [line(name, textOf(labels), value)]);
}

function family(name: string, type: string, help: string, lines: readonly string[]): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${value}\n`;
}

function joined(labels: string, more: string): string {
  return labels === "" ? more : `${labels},${more}`;
}

function textOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
}

/** As the text format asks for; a name may hold anything, a line break among it. */
function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
