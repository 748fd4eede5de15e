import { existsSync } from 'node:fs';
import { runCommand, say } from './run-command.mjs';

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
  if (findSshServer() || !existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return;
  say('installing openssh-server with apt-get');
  const env = {
    DEBIAN_FRONTEND: 'noninteractive',
    // Only the program is wanted, not a service of this machine that listens to the network.
    RUNLEVEL: '1',
  };
  await runCommand('apt-get', ['update', '-qq'], { env, quiet: true });
  const packages = ['openssh-server', 'openssh-client'];
  const { ok, output } = await runCommand(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    { env, quiet: true },
  );
  if (!ok) say(`apt-get failed:\n${output}`);
}
