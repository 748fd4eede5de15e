/** Contexts that expressions of `on.webhook` can use. */
export const webhookContexts = ['event', 'action', 'payload', 'headers', 'receiver'] as const;
