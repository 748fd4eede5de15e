import { stableId } from '../sources/stable-id.ts';
import type { EventScope, Hook } from './ports.ts';

/**
 * The installation of an app by which it is told of something: by its number where the event names one, else by the
 * account and the repository. An app that names no installations has one everywhere. Undefined: it is not told.
 */
export function findInstallation(
  { owner, options: { installations } }: Pick<Hook, 'owner' | 'options'>,
  { repository, organization, installationId }: EventScope,
): number | undefined {
  if (installations === undefined) return installationId ?? stableId(`installation ${owner}`);
  if (installationId !== undefined)
    return installations.some(({ id }) => id === installationId) ? installationId : undefined;
  // What belongs to no account, such as a token that has ended, is told wherever the app is.
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
