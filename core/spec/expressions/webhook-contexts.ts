/** What expressions of `on.webhook` are about. */
export const webhookContexts = ['event', 'action', 'payload', 'headers', 'receiver'] as const;
