import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { ensureBuilt } from './setup/built-output.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { ensureElectron } from './setup/electron.mjs';
import { NODE_24, OUTPUT_FOLDER, ROOT } from './setup/paths.mjs';
import { fail, readNodeEnvironment, say } from './setup/run-command.mjs';

/** Signals that ask the app to end; Ctrl-C may arrive twice, from the terminal and through npm. */
const END_SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const DUPLICATE_WITHIN_MS = 1000;

/** What `engine server` listens on when it is not told otherwise. */
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
    say(`${reason}, so the app runs in the browser at ${url} (Ctrl-C ends it)`);
    openBrowser(url);
  });
}

/**
 * The server's usual port keeps bookmarks valid; when another program has it, any free one will do.
 * @returns {Promise<string[]>} options for `engine server`; those of the user come after and win
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
  // Without a browser on this machine the printed address is all there is.
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
 * Hands end signals to the app once each and ends as the app ended. The app runs in a process group of its own,
 * because a second Ctrl-C means "force" to it and the terminal would deliver every one twice.
 * @param {import('node:child_process').ChildProcess} child
 */
function endTogether(child) {
  let asked = false;
  let lastSignalAt = -Infinity;
  for (const signal of END_SIGNALS) {
    process.on(signal, () => {
      const now = performance.now();
      if (now - lastSignalAt < DUPLICATE_WITHIN_MS) return;
      lastSignalAt = now;
      asked = true;
      child.kill(signal);
    });
  }
  child.on('error', (error) => fail(`the app could not be started: ${error.message}`));
  child.on('exit', (code) => {
    process.exitCode = asked ? 0 : (code ?? 1);
  });
}

function readEnvironment() {
  return { ...process.env, ...readNodeEnvironment() };
}
