import { installPackages, isInstalled } from './debian-packages.mjs';

/**
 * Returns the missing programs for tests whose machines are network namespaces.
 * @returns {string | undefined} a message for the user
 */
export const findMissingForNetworks = () =>
  isInstalled('ip') ? undefined : 'the program ip (Debian: iproute2)';

/** Installs it if possible; otherwise the tests name what is missing. */
export async function ensureNetworks() {
  if (findMissingForNetworks() !== undefined) await installPackages(['iproute2']);
}
