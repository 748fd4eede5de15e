import { readFileSync, readdirSync, existsSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative, dirname, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { createHash } from 'node:crypto';
import { ROOT } from './run-command.mjs';

/**
 * Parsed arguments of `npm test`.
 * @typedef {object} TestArguments
 * @property {boolean} checks run lint and type checks first
 * @property {boolean} long run randomized tests only, with many seeds
 * @property {boolean} all no path, project or pattern narrows the run
 * @property {Words} vitest
 * @property {Words} playwright
 */

/**
 * Arguments for a test runner; undefined when it has nothing to run.
 * @typedef {readonly string[] | undefined} Words
 */

const USAGE = 'npm test -- [PATH...] [--project NAME] [-t PATTERN] [--checks]';

/** Options that filter tests by name. */
const NAME_OPTION = { vitest: '-t', playwright: '-g' };

/**
 * Parses the arguments of `npm test`.
 * @param {readonly string[]} args
 * @returns {Promise<TestArguments>}
 * @throws {Error} with a message for the user, when an option, a project or a path is unknown
 */
export async function parseTestArguments(args) {
  const { values, positionals } = parse(args);
  const projects = readProjects();
  for (const name of values.project) {
    const known = [...projects.vitest, ...projects.playwright];
    if (!known.includes(name))
      throw new Error(`Unknown test project "${name}". ${await suggest(name, known)}`);
  }
  const files = listTestFiles();
  const paths = positionals.map(normalizePath);
  const matches = await Promise.all(paths.map((path) => findMatches(path, files)));
  /** @param {'vitest' | 'playwright'} runner */
  const wordsFor = (runner) => {
    const isOurs = (/** @type {string} */ file) => isSpec(file) === (runner === 'playwright');
    const matchingPaths = paths.filter((_, index) => matches[index]?.some(isOurs));
    const named = values.project.filter((name) => projects[runner].includes(name));
    const isExcluded =
      (paths.length > 0 && matchingPaths.length === 0) || (values.project.length > 0 && named.length === 0);
    if (isExcluded) return undefined;
    const pattern = values.testNamePattern === undefined ? [] : [NAME_OPTION[runner], values.testNamePattern];
    return [...matchingPaths, ...named.map((name) => `--project=${name}`), ...pattern];
  };
  return {
    checks: values.checks,
    long: values.long,
    all: paths.length === 0 && values.project.length === 0 && values.testNamePattern === undefined,
    vitest: wordsFor('vitest'),
    playwright: wordsFor('playwright'),
  };
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        checks: { type: 'boolean', default: false },
        long: { type: 'boolean', default: false },
        project: { type: 'string', multiple: true, default: [] },
        testNamePattern: { type: 'string', short: 't' },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error);
    throw new Error(
      `${reason}. Usage: ${USAGE}. For other options, run "npx vitest run" or "npx playwright test".`,
      { cause: error },
    );
  }
}

/** Reads the project names from the configuration files of the runners. */
export function readProjects() {
  /** @param {string} file */
  const read = (file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bname: '([a-z-]+)'/g)].map(([, name]) => `${name}`);
  return { vitest: read('vitest.config.ts'), playwright: read('playwright.config.ts') };
}

/** Lists all test files and specs, relative to the root, with slashes. */
function listTestFiles() {
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(test\.tsx?|spec\.ts)$/.test(file))
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .sort();
}

/** @param {string} file */
const isSpec = (file) => file.endsWith('.spec.ts');

/**
 * Makes a path relative to the root, with slashes.
 * @param {string} path
 */
function normalizePath(path) {
  const inside = isAbsolute(path) ? relative(ROOT, path) : path;
  return inside.replaceAll('\\', '/').replace(/^\.\//, '');
}

/**
 * Finds the files whose path contains `path`, like Vitest does. A line number at its end is ignored.
 * @param {string} path
 * @param {readonly string[]} files
 */
async function findMatches(path, files) {
  const filePath = path.replace(/(:\d+)+$/, '');
  const found = files.filter((file) => `/${file}`.includes(filePath));
  if (found.length > 0) return found;
  const folders = new Set(files.flatMap(listParents));
  const whole = filePath.startsWith('test/') ? filePath : `test/${filePath}`;
  throw new Error(`No test file matches "${path}". ${await suggest(whole, [...folders, ...files])}`);
}

/** @param {string} file */
function listParents(file) {
  const names = file.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Candidates per search: `findNearest` ignores the rest of a long list. */
const SHARE = 100;

/**
 * @param {string} word
 * @param {readonly string[]} candidates
 */
async function suggest(word, candidates) {
  const { findNearest } = await import('../../core/base/text.ts');
  const shares = Array.from({ length: Math.ceil(candidates.length / SHARE) }, (_, index) =>
    candidates.slice(index * SHARE, (index + 1) * SHARE),
  );
  const best = findNearest(
    word,
    shares.flatMap((share) => findNearest(word, share) ?? []),
  );
  if (best !== undefined) return `Did you mean "${best}"?`;
  return candidates.length > SHARE
    ? 'Test files are in the folder test.'
    : `Known: ${candidates.join(', ')}.`;
}

/**
 * The variables that determine how often and how long randomized tests repeat, with their values in `npm run
 * test:long`. Without them, as in `npm test`, each test runs with a few fixed seeds.
 */
export const LONG_RUN = {
  EDITOR_MONKEY_SECONDS: '120',
  FAULT_SEEDS: '20',
  FUZZ_SECONDS: '120',
  PROPERTY_ROUNDS: '10',
  PROPERTY_RUNS: '1000',
  SIMULATION_WORLDS: '10000',
  SOAK_SECONDS: '600',
};

const readsVariable = new RegExp(`\\b(${Object.keys(LONG_RUN).join('|')})\\b`);

/** Lists the test files that read one of the variables, directly or in a module of test/ that they import. */
export function findRepeatingFiles() {
  /** @type {Map<string, boolean>} */
  const known = new Map();
  /** @param {string} file */
  const reads = (file) => {
    const answer = known.get(file) ?? (existsSync(file) && readsVariable.test(readFileSync(file, 'utf8')));
    known.set(file, answer);
    return answer;
  };
  return listTestFiles().filter((file) => {
    const full = join(ROOT, file);
    const imports = readFileSync(full, 'utf8').matchAll(/ from '(\.[^']+)'/g);
    const modules = [...imports].map(([, module]) => normalize(join(dirname(full), `${module}`)));
    return reads(full) || modules.filter((module) => module.startsWith(join(ROOT, 'test'))).some(reads);
  });
}

const STANDIN = join(ROOT, 'test/electron-standin');

/** Holds the hash of the stand-in for which its fidelity specs last passed. */
export const VERIFIED_FILE = 'test/electron-standin/fidelity/verified.sha256';

/** Whether the stand-in or the version of Electron has changed since the fidelity specs last passed. */
export function isFidelityDue() {
  const file = join(ROOT, VERIFIED_FILE);
  return !existsSync(file) || readFileSync(file, 'utf8').trim() !== hashStandin();
}

/** Records that the fidelity specs passed. */
export function recordFidelity() {
  writeFileSync(join(ROOT, VERIFIED_FILE), `${hashStandin()}\n`);
}

/** Hashes the files of the stand-in, except its documentation, and the version of Electron. */
function hashStandin() {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const hash = createHash('sha256').update(lock.packages['node_modules/electron'].version);
  const files = readdirSync(STANDIN, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(md|sha256)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files)
    hash.update(file.slice(STANDIN.length).replaceAll('\\', '/')).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}
