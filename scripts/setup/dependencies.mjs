import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_24, ROOT } from './paths.mjs';
import { fail, runCommand, printLine } from './run-command.mjs';

/** @typedef {Record<string, {version?: string, optional?: boolean, link?: boolean}>} LockedPackages */

/** Runs `npm ci` unless the installed packages match package-lock.json. */
export async function ensureDependencies() {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < 20) fail(`Node.js 20 or newer is needed; this is ${process.version}. Get it from nodejs.org.`);
  if (areDependenciesInstalled()) return;
  printLine('installing dependencies (npm ci); this takes about a minute');
  const { ok } = await runCommand('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (!ok)
    fail('npm ci failed; its messages are above. Check the network and the npm registry, then try again.');
  await ensureNodeBinary();
}

/** The `node` package downloads its binary in an install script, which npm settings may disable. */
async function ensureNodeBinary() {
  if (existsSync(NODE_24)) return;
  await runCommand('npm', ['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error']);
  if (!existsSync(NODE_24))
    fail('the node package has no binary: allow its install script, then run npm ci.');
}

/** Compares the lock file with npm's copy inside node_modules, so that a plain `npm install` counts too. */
function areDependenciesInstalled() {
  const installed = readLockedPackages('node_modules/.package-lock.json');
  const lockedPackages = readLockedPackages('package-lock.json');
  if (!installed || !lockedPackages || !existsSync(NODE_24)) return false;
  return Object.entries(lockedPackages).every(
    ([path, entry]) =>
      path === '' ||
      installed[path]?.version === entry.version ||
      (!installed[path] && entry.optional === true),
  );
}

/**
 * @param {string} path
 * @returns {LockedPackages | undefined}
 */
function readLockedPackages(path) {
  const file = join(ROOT, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}
