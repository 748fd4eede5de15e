/**
 * Parameters that the engine adds to a run started by a webhook. The schema of the workflow's parameters does not apply
 * to them.
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
