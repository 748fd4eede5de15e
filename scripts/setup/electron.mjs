import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CACHE_FOLDER, ROOT } from './paths.mjs';
import { runNode, printLine } from './run-command.mjs';

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
