import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand, printLine, runNode } from './run-command.mjs';

/** Whether packages can be installed: on Debian, as root. */
const canInstallPackages = () => existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;

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

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Returns the browser for the end-to-end tests: `CHROMIUM_PATH`, Playwright's own, or the system's.
 * @returns {Promise<string | undefined>} path of the executable
 */
export async function findBrowser() {
  // Imported here, because this file is loaded before the dependencies are installed.
  const { chromium } = await import('playwright');
  const candidates = [process.env['CHROMIUM_PATH'], chromium.executablePath(), ...SYSTEM_BROWSERS];
  return candidates.find((path) => path && existsSync(path));
}

/** Debian's Chromium without a window system, which Playwright prefers for headless tests. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/**
 * Returns the browser for headless specs. The shell needs a quarter less processor time than the browser; if it
 * is missing or another browser is configured, the browser is used.
 * @returns {Promise<string | undefined>} path of the executable
 */
export async function findHeadlessBrowser() {
  return !process.env['CHROMIUM_PATH'] && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : findBrowser();
}

/**
 * Installs a browser if there is none: Debian's as root, otherwise Playwright's own.
 * @returns {Promise<boolean>} whether there is a browser now
 */
export async function ensureBrowser() {
  if (canInstallPackages() && !existsSync(HEADLESS_SHELL)) await installPackages(['chromium-headless-shell']);
  if (await findBrowser()) return true;
  if (canInstallPackages()) await installPackages(['chromium', 'chromium-sandbox', 'fonts-dejavu-core']);
  else await downloadBrowser();
  if (await findBrowser()) return true;
  printLine(
    'no Chromium for the end-to-end tests. Install it with "apt-get install chromium fonts-dejavu-core", ' +
      '"npx playwright install chromium", or set CHROMIUM_PATH.',
  );
  return false;
}

async function downloadBrowser() {
  printLine("downloading Playwright's Chromium");
  const { ok } = await runNode(['node_modules/playwright/cli.js', 'install', 'chromium'], {
    timeoutMs: 300_000,
    quiet: true,
  });
  if (!ok) printLine('the download failed');
}
