import { existsSync } from 'node:fs';
import { installPackages } from './debian-packages.mjs';

/** Paths of the OpenSSH server, which must be started by its absolute path. */
const SERVERS = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/opt/homebrew/sbin/sshd'];

/**
 * Returns the OpenSSH server for the tests of remote steps.
 * @returns {string | undefined} path of the executable
 */
export function findSshServer() {
  return SERVERS.find((path) => existsSync(path));
}

/**
 * Installs Debian's OpenSSH server if it is missing and this is root; otherwise the tests name what is missing.
 */
export async function ensureSshServer() {
  if (!findSshServer()) await installPackages(['openssh-server', 'openssh-client']);
}
