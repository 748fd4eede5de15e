#!/usr/bin/env node
// Copied to out/cli/stepwright.js as it is; also the last part of `npm start`. It must parse on Node 20.
'use strict';

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { existsSync, readFileSync } = require('node:fs');
const { createServer } = require('node:net');
const path = require('node:path');
const { createInterface } = require('node:readline');

/** Signals that end the app; Ctrl-C may arrive twice, from the terminal and through npm. */
const END_SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const DUPLICATE_WITHIN_MS = 1000;

/** Default port of `engine server`. */
const USUAL_PORT = 8080;

/** The package or clone, from `scripts/build` as from `out/cli`. */
const ROOT = path.join(__dirname, '../..');

const usage = `Usage: stepwright [--browser] [options]

Opens Stepwright: in Electron if it is installed and there is a display,
otherwise in the browser, with a server on this machine. Ctrl-C ends it.

Options:
  --browser      Use the browser
  -V, --version  Show the version
  -h, --help     Show help
Other options go to the server: see "engine start-all --help".
Set BROWSER=none to only print the address.
`;

/** @param {readonly string[]} args */
async function main(args) {
  const [first] = args;
  if (first === '--help' || first === '-h') return void process.stdout.write(usage);
  if (first === '--version' || first === '-V') {
    return void process.stdout.write(`stepwright ${readVersion()}\n`);
  }
  const others = args.filter((word) => word !== '--browser');
  const electron = others.length < args.length ? { reason: '--browser is set' } : findElectron();
  await openApp({ electron, args: others, node: process.execPath, env: process.env });
}

const readVersion = () => JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version;

/**
 * Finds Electron in the packages around this one. Its package may be installed without the binary.
 * @returns {{cli: string} | {reason: string}}
 */
function findElectron() {
  const { DISPLAY, WAYLAND_DISPLAY, ELECTRON_OVERRIDE_DIST_PATH } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return { reason: 'there is no display' };
  try {
    const folder = path.dirname(require.resolve('electron/package.json'));
    const cli = path.join(folder, 'cli.js');
    if (ELECTRON_OVERRIDE_DIST_PATH) return { cli };
    const binary = readFileSync(path.join(folder, 'path.txt'), 'utf8').trim();
    if (existsSync(path.join(folder, 'dist', binary))) return { cli };
  } catch {
    // Not installed.
  }
  return { reason: 'Electron is not installed' };
}

/**
 * Opens the desktop app, or starts the server and opens the browser.
 * @param {object} options
 * @param {{cli: string} | {reason: string}} options.electron its command, or why it is not used
 * @param {readonly string[]} options.args
 * @param {string} options.node runs the engine
 * @param {NodeJS.ProcessEnv} options.env
 */
async function openApp({ electron, args, node, env }) {
  const options = { env, detached: true };
  if ('cli' in electron) {
    // Chromium's sandbox refuses to run as root.
    const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    endTogether(spawn(node, [electron.cli, ROOT, ...sandbox, ...args], { ...options, stdio: 'inherit' }));
    return;
  }
  const engine = path.join(ROOT, 'out/cli/engine.js');
  const child = spawn(node, [engine, 'start-all', ...(await choosePort()), ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endTogether(child);
  let opened = false;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const url = opened ? undefined : /https?:\/\/\S+/.exec(line)?.[0];
    if (!url) {
      console.log(line);
      return;
    }
    opened = true;
    console.log(`stepwright: ${electron.reason}, so the app runs in the browser at ${url} (Ctrl-C ends it)`);
    openBrowser(url);
  });
}

/**
 * Chooses the default port, which keeps bookmarks valid, or any free one if it is in use.
 * @returns {Promise<string[]>} options for `engine start-all`; the user's own options follow and take precedence
 */
async function choosePort() {
  const probe = createServer().listen(USUAL_PORT, '127.0.0.1');
  const taken = await once(probe, 'listening').then(
    () => false,
    () => true,
  );
  probe.close();
  return taken ? ['--port', '0'] : [];
}

/** @param {string} url */
function openBrowser(url) {
  if (process.env['CI'] || process.env['BROWSER'] === 'none') return;
  const [command, ...args] = chooseOpener();
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  // Without a browser on this machine, only the address is printed.
  child.on('error', () => undefined);
  child.unref();
}

/** @returns {[string, ...string[]]} */
function chooseOpener() {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['cmd', '/c', 'start', ''];
  return ['xdg-open'];
}

/**
 * Forwards each termination signal to the app once and exits with its exit code. The app runs in its own
 * process group, because a second Ctrl-C forces it to quit and the terminal would deliver each one twice.
 * @param {ReturnType<typeof spawn>} child the started process
 */
function endTogether(child) {
  let stopRequested = false;
  let lastSignalAt = -Infinity;
  for (const signal of END_SIGNALS) {
    process.on(signal, () => {
      const now = performance.now();
      if (now - lastSignalAt < DUPLICATE_WITHIN_MS) return;
      lastSignalAt = now;
      stopRequested = true;
      child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(`stepwright: the app could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code) => {
    process.exitCode = stopRequested ? 0 : (code ?? 1);
  });
}

module.exports = { openApp };

if (require.main === module) void main(process.argv.slice(2));
