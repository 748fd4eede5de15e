import { installPackages, isInstalled } from './debian-packages.mjs';

/** Debian packages with the programs for the tests of container steps. */
const PACKAGES = {
  podman: 'podman',
  runc: 'runc',
  busybox: 'busybox-static',
  'docker-registry': 'docker-registry',
};

/**
 * Lists the missing packages for the tests of container steps.
 * @returns {string[]} names of Debian packages
 */
export function findMissingForContainers() {
  return Object.entries(PACKAGES)
    .filter(([program]) => !isInstalled(program))
    .map(([, name]) => name);
}

/** Installs Podman if it is missing and this is root on Debian; otherwise the tests name what is missing. */
export async function ensureContainerEngine() {
  await installPackages(findMissingForContainers());
}
