// The `postinstall` script of the npm package, and part of the launcher of `engine`. It must parse on Node 20.
'use strict';

const { spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, rmSync } = require('node:fs');
const path = require('node:path');

/** The oldest Node that the native SQLite driver runs on; it crashes on Node 20, which has an older Node-API. */
const OLDEST_MAJOR = 22;

const ROOT = path.join(__dirname, '../..');
const isWindows = process.platform === 'win32';
const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
/** Not below `node_modules`, where npm removes what it does not know. */
const FOLDER = path.join(ROOT, 'out/node-24');

const isOldNode = () => Number.parseInt(process.versions.node, 10) < OLDEST_MAJOR;

/** Returns Node 24 of a clone, or the one that was downloaded for the installed package. */
function findNode24() {
  const file = isWindows ? 'bin/node.exe' : 'bin/node';
  const places = [path.join(ROOT, 'node_modules/node'), path.join(FOLDER, 'node_modules', name)];
  return places.map((place) => path.join(place, file)).find((place) => existsSync(place));
}

/**
 * Downloads Node 24 from the npm registry, when the package is installed, or at the first start if npm runs no
 * scripts. Prints to stderr; a failure does not fail the installation.
 */
function downloadNode24() {
  const { devDependencies } = require('../../package.json');
  const spec = `${name}@${devDependencies.node}`;
  process.stderr.write(`stepwright: downloading ${spec}, because this is Node ${process.versions.node}\n`);
  try {
    mkdirSync(FOLDER, { recursive: true });
    // Settings of an outer npm, such as `global`, are environment variables.
    const target = ['--global=false', '--prefix', FOLDER, '--no-save', '--no-package-lock'];
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const args = ['install', ...target, ...quiet, spec];
    const stdio = /** @type {const} */ (['ignore', 2, 2]);
    const { status } = spawnSync('npm', args, { cwd: FOLDER, stdio: [...stdio], shell: isWindows });
    if (status !== 0) rmSync(FOLDER, { recursive: true, force: true });
  } catch {
    // The folder belongs to another user.
  }
  return findNode24();
}

module.exports = { downloadNode24, findNode24, isOldNode };

if (require.main === module && isOldNode() && findNode24() === undefined) downloadNode24();
