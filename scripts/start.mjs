import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { ensureBuilt } from './setup/built-output.mjs';
import { ensureDependencies, ensureElectron } from './setup/dependencies.mjs';
import { NODE_24, OUTPUT_FOLDER, ROOT, fail, readNodeEnvironment, printLine } from './setup/run-command.mjs';

/** Signals that end the app; Ctrl-C may arrive twice, from the terminal and through npm. */
const END_SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const DUPLICATE_WITHIN_MS = 1000;

/** Default port of `engine server`. */
const USUAL_PORT = 8080;

await ensureDependencies();
await ensureBuilt();
const electron = await ensureElectron();
if (electron.ready) startDesktop();
else await startInBrowser(electron.reason);

/** Opens the desktop app. */
function startDesktop() {
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [join(ROOT, 'node_modules/electron/cli.js'), ROOT, ...sandbox, ...process.argv.slice(2)];
  const child = spawn(NODE_24, args, { cwd: ROOT, stdio: 'inherit', env: readEnvironment(), detached: true });
  endTogether(child);
}

/**
 * Starts the server and opens its address in the browser.
 * @param {string} reason why there is no desktop window
 */
async function startInBrowser(reason) {
  const args = [
    join(OUTPUT_FOLDER, 'cli/engine.js'),
    'start-all',
    ...(await choosePort()),
    ...process.argv.slice(2),
  ];
  const child = spawn(NODE_24, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: readEnvironment(),
    detached: true,
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
    printLine(`${reason}, so the app runs in the browser at ${url} (Ctrl-C ends it)`);
    openBrowser(url);
  });
}

/**
 * Chooses the default port, which keeps bookmarks valid, or any free one if it is in use.
 * @returns {Promise<string[]>} options for `engine server`; the user's own options follow and take precedence
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
 * @param {import('node:child_process').ChildProcess} child
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
  child.on('error', (error) => fail(`the app could not be started: ${error.message}`));
  child.on('exit', (code) => {
    process.exitCode = stopRequested ? 0 : (code ?? 1);
  });
}

function readEnvironment() {
  return { ...process.env, ...readNodeEnvironment() };
}
