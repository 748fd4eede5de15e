import type { EventScope, Webhook } from '../../store/types/webhooks.ts';
import { stableId } from '../../store/webhook-events/repository.ts';

export const isSame = (owner: string, name: string | undefined): boolean =>
  owner.toLowerCase() === name?.toLowerCase();

/**
 * Returns the installation through which an app receives an event: by the event's installation id, else by account and
 * repository. An app without listed installations is installed everywhere. Undefined if it does not receive the event.
 */
export function findInstallation(
  { owner, options: { installations } }: Pick<Webhook, 'owner' | 'options'>,
  { repository, organization, installationId }: EventScope,
): number | undefined {
  if (installations === undefined) return installationId ?? stableId(`installation ${owner}`);
  if (installationId !== undefined)
    return installations.some(({ id }) => id === installationId) ? installationId : undefined;
  // Events without an account, such as an expired token, go to every installation.
  if (organization === undefined && repository === undefined) return installations[0]?.id;
  const account = (organization ?? repository?.split('/')[0])?.toLowerCase();
  const found = installations.find(
    (one) =>
      one.account.toLowerCase() === account &&
      (repository === undefined ||
        one.repositories === undefined ||
        one.repositories.some((name) => name.toLowerCase() === repository.toLowerCase())),
  );
  return found?.id;
}
