import { dirname, join, delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** The repository root. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Node 24 as installed with the dependencies; the system's Node only runs the scripts in this directory. */
export const NODE_24 = join(
  ROOT,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/** State of the setup that must not survive a new `npm ci`. */
export const CACHE_FOLDER = join(ROOT, 'node_modules/.cache/stepwright');

/** Output directory of the builds. */
export const OUTPUT_FOLDER = join(ROOT, 'out');

/**
 * @typedef {object} CommandOptions
 * @property {NodeJS.ProcessEnv} [env] added to the environment
 * @property {number} [timeoutMs] after which the command is killed
 * @property {boolean} [quiet] drops the output unless the command fails
 * @property {boolean} [yields] gives other processes precedence
 */

/** Prints a message about the setup. */
export const printLine = (/** @type {string} */ text) => console.log(`stepwright: ${text}`);

/**
 * Runs a command in the repository root and waits for it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<{ok: boolean, output: string}>} `output` is empty unless `quiet`
 */
export function runCommand(command, args, { env, timeoutMs, quiet = false, yields = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      // npm is a script on Windows, which needs a shell.
      shell: process.platform === 'win32' && command === 'npm',
      timeout: timeoutMs,
    });
    if (yields && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    let output = '';
    const collect = (/** @type {Buffer} */ chunk) => (output += chunk.toString());
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (error) => resolve({ ok: false, output: `${output}${error.message}` }));
    const end = (/** @type {number | null} */ code) => resolve({ ok: code === 0, output });
    child.on('close', end);
    // A background process that it started may keep its output open forever.
    child.on('exit', (code) => setTimeout(end, 10_000, code).unref());
  });
}

/**
 * Runs a file or options with the project's own Node.
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 */
export function runNode(args, options = {}) {
  return runCommand(NODE_24, args, { ...options, env: { ...readNodeEnvironment(), ...options.env } });
}

/** Returns an environment in which `node` and the installed tools are the project's own, as under `npm run`. */
export function readNodeEnvironment() {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return { [name]: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env[name] ?? ''}` };
}

/**
 * Exits the script with a message for the user.
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(`stepwright: ${message}`);
  process.exit(1);
}
