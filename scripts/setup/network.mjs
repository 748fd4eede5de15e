import { installPackages, isInstalled } from './debian-packages.mjs';

/**
 * What is missing for tests whose machines are network namespaces.
 * @returns {string | undefined} words for a person
 */
export const findMissingForNetworks = () =>
  isInstalled('ip') ? undefined : 'the program ip (Debian: iproute2)';

/** Installs it where that may be done; the tests name what is missing otherwise. */
export async function ensureNetworks() {
  if (findMissingForNetworks() !== undefined) await installPackages(['iproute2']);
}
