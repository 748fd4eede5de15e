import { installPackages, isInstalled } from './debian-packages.mjs';

/** Shells whose completion is tested in addition to bash; each is a Debian package of the same name. */
const SHELLS = ['zsh', 'fish'];

/**
 * Installs the shells if they are missing and this is root on Debian; otherwise the tests name what is missing.
 */
export async function ensureShells() {
  await installPackages(SHELLS.filter((shell) => !isInstalled(shell)));
}
