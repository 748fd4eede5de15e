import { existsSync, readFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { NODE_24, ROOT, fail, runCommand, printLine, CACHE_FOLDER, runNode } from './run-command.mjs';

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

const DOWNLOAD_LIMIT_MS = 120_000;
const RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
const FAILED_ATTEMPT = join(CACHE_FOLDER, 'electron-download-failed');
const ELECTRON = join(ROOT, 'node_modules/electron');

/**
 * Finds or downloads the Electron binary. A failed download is retried after a day at the earliest.
 * @returns {Promise<{ready: true} | {ready: false, reason: string}>}
 */
export async function ensureElectron() {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) {
    return { ready: false, reason: 'there is no display' };
  }
  if (hasElectron()) return { ready: true };
  if (!failedRecently()) await downloadElectron();
  if (hasElectron()) return { ready: true };
  return { ready: false, reason: 'the Electron binary could not be downloaded' };
}

/** Whether there is a binary: the installed one, or that of `ELECTRON_OVERRIDE_DIST_PATH`. */
function hasElectron() {
  if (process.env['ELECTRON_OVERRIDE_DIST_PATH']) return true;
  const pointer = join(ELECTRON, 'path.txt');
  return existsSync(pointer) && existsSync(join(ELECTRON, 'dist', readFileSync(pointer, 'utf8').trim()));
}

async function downloadElectron() {
  printLine('downloading Electron (about 100 MB, once)');
  const { ok } = await runNode([join(ELECTRON, 'install.js')], { timeoutMs: DOWNLOAD_LIMIT_MS, quiet: true });
  if (ok && hasElectron()) return;
  mkdirSync(dirname(FAILED_ATTEMPT), { recursive: true });
  writeFileSync(FAILED_ATTEMPT, '');
}

function failedRecently() {
  return existsSync(FAILED_ATTEMPT) && Date.now() - statSync(FAILED_ATTEMPT).mtimeMs < RETRY_AFTER_MS;
}
