/** Services whose own form messages may have. */
export const webhookFormats = ["slack", "discord", "teams", "pagerduty"] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
