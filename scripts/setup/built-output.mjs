import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync, readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { CACHE_FOLDER, OUTPUT_FOLDER, ROOT, fail, runNode, printLine } from './run-command.mjs';

/**
 * Takes a lock: a directory that contains the process id of its owner. Waits while the owner is alive.
 * @param {string} folder
 * @throws when the directory cannot be created
 */
export async function acquireLock(folder) {
  mkdirSync(dirname(folder), { recursive: true });
  for (;;) {
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
      if (!isHeld(folder)) rmSync(folder, { recursive: true, force: true });
      await sleep(100);
    }
  }
}

/**
 * Whether the lock's owner is alive; an owner that has not written its id yet counts as alive for five seconds.
 * @param {string} folder
 */
function isHeld(folder) {
  try {
    const written = readFileSync(join(folder, 'pid'), 'utf8');
    if (written) return process.kill(Number(written), 0);
  } catch (error) {
    if (isCode(error, 'ESRCH')) return false;
  }
  return existsSync(folder) && Date.now() - statSync(folder).mtimeMs < 5000;
}

/**
 * @param {unknown} error
 * @param {string} code
 */
const isCode = (error, code) => error instanceof Error && 'code' in error && error.code === code;

/** All inputs of a build. */
const SOURCES = [
  'core',
  'main',
  'preload',
  'renderer',
  'scripts',
  'vite.config.ts',
  'package-lock.json',
  'package.json',
];
const STAMP = join(OUTPUT_FOLDER, '.sources');
const LOCK_FOLDER = join(CACHE_FOLDER, 'build.lock');

/** Builds `out/` unless it is up to date with the sources. Waits for a concurrent build. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await acquireLock(LOCK_FOLDER).catch((error) =>
    fail(
      `this clone cannot be written to (${error.message}): give yourself the right to, or make a clone of your own.`,
    ),
  );
  try {
    if (!isBuilt()) await build();
  } finally {
    rmSync(LOCK_FOLDER, { recursive: true, force: true });
  }
}

async function build() {
  const sources = hashSources();
  printLine('building the app');
  rmSync(STAMP, { force: true });
  const { ok, output } = await runNode(['scripts/build.ts'], { quiet: true });
  if (!ok) fail(`the build failed:\n${output}`);
  writeFileSync(STAMP, sources);
}

function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashSources();
}

/** Returns one hash of the paths and contents of all sources. */
function hashSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(listFiles)) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]} files at or below `path`, sorted, relative to the root
 */
function listFiles(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .split(sep)
        .join('/'),
    )
    .sort();
}
