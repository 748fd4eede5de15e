import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand, say } from './run-command.mjs';

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
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return Object.entries(PACKAGES)
    .filter(([program]) => !folders.some((folder) => existsSync(join(folder, program))))
    .map(([, name]) => name);
}

/** Installs Podman when it is missing and this is root on Debian; the tests name what is missing otherwise. */
export async function ensureContainerEngine() {
  const missing = findMissingForContainers();
  if (missing.length === 0 || !existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return;
  say(`installing ${missing.join(', ')} with apt-get`);
  const env = {
    DEBIAN_FRONTEND: 'noninteractive',
    // Only the programs are wanted, not a service of this machine.
    RUNLEVEL: '1',
  };
  await runCommand('apt-get', ['update', '-qq'], { env, quiet: true });
  const { ok, output } = await runCommand(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...missing],
    { env, quiet: true },
  );
  if (!ok) say(`apt-get failed:\n${output}`);
}
