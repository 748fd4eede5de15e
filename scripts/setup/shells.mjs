import { installPackages, isInstalled } from './debian-packages.mjs';

/** Shells whose completion is tested beside that of bash; each is a package of Debian of the same name. */
const SHELLS = ['zsh', 'fish'];

/** Installs the shells when they are missing and this is root on Debian; the tests name what is missing otherwise. */
export async function ensureShells() {
  await installPackages(SHELLS.filter((shell) => !isInstalled(shell)));
}
