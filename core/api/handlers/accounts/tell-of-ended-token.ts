import type { ApiToken } from '../../../auth/tokens/api-tokens.ts';
import type { Caller } from '../../engine-host.ts';
import type { EngineParts } from '../../engine-parts.ts';

/** Apps may have worked with it; each of them is told whose it was (`app_authorization`). */
export async function tellOfEndedToken(
  { webhooks }: EngineParts,
  { owner }: ApiToken,
  { user }: Caller,
): Promise<void> {
  const payload = { action: 'revoked' };
  await (
    await webhooks()
  ).emit({ event: 'app_authorization', payload, by: owner?.username ?? user?.username });
}
