import type { Config } from "../../config/hook-config.ts";
import { hookWarnings } from "../../config/hook-warnings.ts";
import { existingFolder } from "../../config/load.ts";
import type { Judgement } from "../../policy/trust/judge.ts";
import { type ConfigChange, Project, type ProjectOptions } from "./project.ts";
import type { Unawaited } from "./unawaited.ts";

export interface ProjectsOptions {
  /** Where events come from that do not say. */
  readonly cwd: string;
  readonly unawaited: Unawaited;
  /** Which hooks of a configuration may run in a folder. */
  readonly judge: (config: Config, cwd: string) => Judgement;
  /** What is the same for all of them. */
  readonly parts: Omit<ProjectOptions, "cwd" | "judge">;
  readonly changed: (project: Project, change: ConfigChange) => Promise<void>;
}

/** Kept open; the one that was asked for longest ago goes first. */
const maxProjects = 256;
/** Projects come from outside: without a bound they would fill the log. */
const maxWarnings = 1_000;

/** The configuration of every folder that events come from. */
export class Projects {
  readonly #options: ProjectsOptions;
  readonly #projects = new Map<string, Project>();
  readonly #listeners = new Set<(project: Project) => void>();
  /** What has been warned of: the user's hooks are in every project. */
  readonly #warned = new Set<string>();

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  /** The project an event from this folder belongs to; it fails where a configuration has never been good. */
  at(from: string = this.#options.cwd): Project {
    // Links are resolved first: the files that count are those around the real folder.
    return this.#in(existingFolder(from));
  }

  /** The same by its files as they are now; a promise only when something has changed. */
  refresh(from?: string): Project | Promise<Project> {
    // Waited for only when a plugin was added, removed or switched.
    const reloading = this.#options.parts.plugins.refresh();
    return reloading === null ? this.#refreshed(from) : reloading.then(() => this.#refreshed(from));
  }

  /** Calls the listener for every project that is opened and every one whose files change; returns how to stop that. */
  onChanged(listener: (project: Project) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Has all of them take flags, switches and trust as they are now. */
  reregister(): void {
    for (const project of this.#projects.values()) project.reregister();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#projects.values()].map((project) => project.close()));
  }

  #refreshed(from: string | undefined): Project | Promise<Project> {
    const project = this.at(from);
    const change = project.refresh();
    if (change === null) return project;
    this.#notify(project);
    // Asked for anew after the wait: it may have been closed meanwhile, to make room.
    return this.#options.changed(project, change).then(() => this.#in(project.cwd));
  }

  #in(cwd: string): Project {
    const { parts, judge } = this.#options;
    const known = this.#projects.get(cwd);
    const project = known ?? new Project({ ...parts, cwd, judge: (config) => judge(config, cwd) });
    // Last in the map is last asked for.
    this.#projects.delete(cwd);
    this.#projects.set(cwd, project);
    if (known === undefined) this.#notify(project);
    const [oldest] = this.#projects;
    if (this.#projects.size > maxProjects && oldest !== undefined) {
      this.#projects.delete(oldest[0]);
      this.#options.unawaited.leave(oldest[1].close());
    }
    return project;
  }

  #notify(project: Project): void {
    this.#warn(project);
    for (const listener of this.#listeners) listener(project);
  }

  #warn({ config }: Project): void {
    for (const hook of config.hooks) {
      for (const warning of hookWarnings(hook)) {
        const { file, line, column } = hook.source;
        const message = `${file}:${line}:${column}: hook ${hook.name}: ${warning}`;
        if (this.#warned.has(message) || this.#warned.size >= maxWarnings) continue;
        this.#warned.add(message);
        this.#options.parts.log.warn(message, { hook: hook.name, event: hook.event });
      }
    }
  }
}
