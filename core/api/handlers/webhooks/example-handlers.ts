import { AppError } from '../../../base/errors.ts';
import type { HandlersFor } from '../handlers.ts';

/** Operations on example events, which are large and loaded on first use. */
export const webhookExampleHandlers: HandlersFor<'webhooks.example'> = {
  'webhooks.example': async ({ event, action }) => {
    const { findEvent } = await import('../../../webhooks/catalog/catalog.ts');
    const known = findEvent(event);
    if (known === undefined)
      throw new AppError(
        'not_found',
        `Unknown event "${event}". Run "engine webhooks catalog" to see all events.`,
      );
    const { findExample } = await import('../../../webhooks/examples/example-payload.ts');
    return findExample(known, action);
  },
};
