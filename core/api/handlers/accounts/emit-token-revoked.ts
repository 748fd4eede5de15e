import type { ApiToken } from '../../../auth/tokens/api-tokens.ts';
import type { Caller } from '../../engine-host.ts';
import type { EngineContext } from '../../engine-context.ts';

/** Notifies webhooks of a deleted token (`app_authorization`), because apps may have used it. */
export async function emitTokenRevoked(
  { webhooks }: EngineContext,
  { owner }: ApiToken,
  { user }: Caller,
): Promise<void> {
  const payload = { action: 'revoked' };
  await (
    await webhooks()
  ).emit({ event: 'app_authorization', payload, by: owner?.username ?? user?.username });
}
