import { SwarmError } from "../../base/errors.ts";
import type { HookConfig, WebhookAction } from "../../config/hook-config.ts";
import { targetOf } from "../../handlers/webhook/webhook-handler.ts";
import type { Outbound } from "../../net/outbound.ts";
import { requestHeaders } from "../../net/request-headers.ts";
import { signingKeys } from "../../net/standard-webhooks.ts";
import type { PendingDelivery } from "./port/outbox-store.ts";
import type { Receiver } from "./receiver.ts";
import type { Found } from "./send-batch.ts";
import type { Project } from "../../daemon/runtime/project.ts";

type Sought = Pick<PendingDelivery, "hook_id" | "cwd" | "target">;
type Webhook = HookConfig & { readonly action: WebhookAction };

/** Finds out where a delivery goes: whatever its hook says now. */
export class Receivers {
  readonly #outbound: Outbound;
  readonly #projectOf: (cwd: string | undefined) => Promise<Project>;
  /** A hook's configuration is a new object whenever its file has changed. */
  readonly #known = new WeakMap<HookConfig, Receiver>();

  constructor(outbound: Outbound, projectOf: (cwd: string | undefined) => Promise<Project>) {
    this.#outbound = outbound;
    this.#projectOf = projectOf;
  }

  async find({ hook_id, cwd, target }: Sought): Promise<Found> {
    let project: Project;
    try {
      project = await this.#projectOf(cwd ?? undefined);
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      const broken = { problem: error.message, isFinal: false };
      if (cwd === null) return broken;
      // The user's own hooks are in the daemon's configuration as well: a project's broken file is no reason to wait.
      const found = await this.find({ hook_id, cwd: null, target });
      return "problem" in found ? broken : found;
    }
    if (!project.inForce.flags.hooks_enabled) return { problem: "hooks_enabled is off", isFinal: false };
    const hook = project.config.hooks.find(({ id }) => id === hook_id);
    if (hook === undefined || !isWebhook(hook))
      return { problem: "its hook is not configured any more", isFinal: true };
    // Disabled, or for another reason not one whose word counts now.
    if (!project.isInForce(hook.name)) return { problem: "its hook is not in force", isFinal: true };
    // A project's address counts once somebody has approved it; meanwhile what was queued waits.
    if (!isTrusted(project, hook))
      return { problem: "its hook is not approved: run swarm trust", isFinal: false };
    const movedTo = targetOf(hook.action.url);
    return movedTo === target ? this.of(hook) : { movedTo };
  }

  of(hook: Webhook): Receiver {
    const known = this.#known.get(hook) ?? this.#make(hook);
    this.#known.set(hook, known);
    return known;
  }

  #make({ name, timeoutMs, action }: Webhook): Receiver {
    const {
      routingKey,
      url,
      secret,
      previousSecret,
      allowPrivate,
      headers,
      retry,
      isRetryCap,
      maxAgeMs,
      legacyPrefix,
    } = action;
    const endpoint = this.#outbound.endpoint({ name, url, allowPrivate });
    const keys = signingKeys(secret, previousSecret);
    const sent = requestHeaders(headers);
    return {
      name,
      endpoint,
      keys,
      headers: sent,
      legacyPrefix,
      timeoutMs,
      retry,
      isRetryCap,
      maxAgeMs,
      routingKey,
    };
  }
}

export function isTrusted(project: Project, { id }: HookConfig): boolean {
  return ["own", "trusted"].includes(project.trustOf(id));
}

export function isWebhook(hook: HookConfig): hook is Webhook {
  return hook.action.kind === "webhook";
}
