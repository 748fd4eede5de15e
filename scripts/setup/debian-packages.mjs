import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand, printLine } from './run-command.mjs';

/** Whether packages can be installed: on Debian, as root. */
export const canInstallPackages = () => existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;

/** @param {string} program its name, without a directory */
export function isInstalled(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** Retries and timeouts for a slow mirror, and a limited wait for another installation. */
const patience = ['Acquire::Retries=3', 'Acquire::http::Timeout=30', 'DPkg::Lock::Timeout=300'].flatMap(
  (option) => ['-o', option],
);
const timeoutMs = 900_000;

/** @type {Promise<unknown> | undefined} */
let listed;

/**
 * Installs Debian packages if possible; prints a message on failure.
 * @param {readonly string[]} packages
 */
export async function installPackages(packages) {
  if (packages.length === 0 || !canInstallPackages()) return;
  printLine(`installing ${packages.join(', ')} with apt-get`);
  const env = {
    DEBIAN_FRONTEND: 'noninteractive',
    // Only the programs are needed, not running services.
    RUNLEVEL: '1',
  };
  listed ??= runCommand('apt-get', ['update', '-qq', ...patience], { env, quiet: true, timeoutMs });
  await listed;
  const { ok, output } = await runCommand(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...patience, ...packages],
    { env, quiet: true, timeoutMs },
  );
  if (!ok) printLine(`apt-get failed:\n${output}`);
}
