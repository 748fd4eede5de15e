/**
 * Parameters that a run has whose start a webhook has caused. They are the engine's own: a schema of the workflow's
 * parameters says nothing about them.
 */
export const webhookParams = [
  'WEBHOOK_RECEIVER',
  'WEBHOOK_EVENT',
  'WEBHOOK_ACTION',
  'WEBHOOK_DELIVERY',
  'WEBHOOK_PAYLOAD_FILE',
] as const;
export type WebhookParam = (typeof webhookParams)[number];

export const isWebhookParam = (name: string): boolean => (webhookParams as readonly string[]).includes(name);
