import { installPackages, isInstalled } from './debian-packages.mjs';

/** Debian's packages for the programs that the tests of container steps need. */
const PACKAGES = {
  podman: 'podman',
  runc: 'runc',
  busybox: 'busybox-static',
  'docker-registry': 'docker-registry',
};

/**
 * What the machine lacks of what the tests of container steps need.
 * @returns {string[]} names of Debian's packages
 */
export function findMissingForContainers() {
  return Object.entries(PACKAGES)
    .filter(([program]) => !isInstalled(program))
    .map(([, name]) => name);
}

/** Installs Podman when it is missing and this is root on Debian; the tests name what is missing otherwise. */
export async function ensureContainerEngine() {
  await installPackages(findMissingForContainers());
}
