import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from './paths.mjs';
import { listTestFiles } from './test-arguments.mjs';

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
