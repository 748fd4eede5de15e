import { existsSync } from 'node:fs';
import { installPackages } from './debian-packages.mjs';

/** Where systems keep the OpenSSH server, which insists on being started by its whole path. */
const SERVERS = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/opt/homebrew/sbin/sshd'];

/**
 * The OpenSSH server that the tests of steps on other hosts talk to.
 * @returns {string | undefined} path of the executable
 */
export function findSshServer() {
  return SERVERS.find((path) => existsSync(path));
}

/** Installs Debian's OpenSSH server when there is none and this is root; the tests name what is missing otherwise. */
export async function ensureSshServer() {
  if (!findSshServer()) await installPackages(['openssh-server', 'openssh-client']);
}
