import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { acquireLock } from './folder-lock.mjs';
import { CACHE_FOLDER, OUTPUT_FOLDER, ROOT } from './paths.mjs';
import { fail, runNode, printLine } from './run-command.mjs';

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
