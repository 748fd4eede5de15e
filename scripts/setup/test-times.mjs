import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from './paths.mjs';
import { openProcessorAccount, readMachineSeconds } from './processor-account.mjs';

/**
 * @typedef {object} TimedCase
 * @property {string} file relative to the root, with slashes
 * @property {string} name `file > title`
 * @property {number} seconds
 */

/** A case that takes longer on an idle machine needs a reason. */
const LIMIT_SECONDS = 5;

/** The reasons: a text for each beginning of a name `file > title`. */
export const SLOW_TESTS = 'test/slow-tests.json';

/**
 * Reads how long each case took that has passed, from a JSON report of Vitest.
 * @param {string} file
 * @returns {TimedCase[]}
 */
export function readVitestTimes(file) {
  if (!existsSync(file)) return [];
  return readJson(file).testResults.flatMap((/** @type {any} */ result) => {
    const path = relative(ROOT, result.name).replaceAll('\\', '/');
    return result.assertionResults
      .filter((/** @type {any} */ test) => test.status === 'passed')
      .map((/** @type {any} */ test) => timed(path, test.fullName, test.duration ?? 0));
  });
}

/**
 * The same from a report of Playwright.
 * @param {string} file
 * @returns {TimedCase[]}
 */
export function readPlaywrightTimes(file) {
  if (!existsSync(file)) return [];
  /** @returns {TimedCase[]} */
  const ofSuite = (/** @type {any} */ suite) => [
    ...(suite.specs ?? []).flatMap((/** @type {any} */ spec) =>
      spec.tests
        .filter((/** @type {any} */ test) => test.status === 'expected')
        .map((/** @type {any} */ test) =>
          timed(`test/${spec.file}`, spec.title, test.results.at(-1)?.duration ?? 0),
        ),
    ),
    ...(suite.suites ?? []).flatMap(ofSuite),
  ];
  return (readJson(file).suites ?? []).flatMap(ofSuite);
}

/**
 * @param {string} file
 * @param {string} title
 * @param {number} ms
 * @returns {TimedCase}
 */
const timed = (file, title, ms) => ({ file, name: `${file} > ${title}`, seconds: ms / 1000 });

/**
 * The files whose cases took longest, as lines of text.
 * @param {readonly TimedCase[]} cases
 */
export function formatSlowestFiles(cases) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { file, seconds } of cases) sums.set(file, (sums.get(file) ?? 0) + seconds);
  const slowest = [...sums].sort(([, left], [, right]) => right - left).slice(0, 10);
  return slowest.map(([file, seconds]) => `${seconds.toFixed(1).padStart(8)} s  ${file}`);
}

/**
 * Compares the cases with the list of those that may be slow.
 *
 * The limit grows with the load of the machine, since a case on a busy one waits for a processor most of its time: with
 * twice as many processes that want to run as there are processors, it is twice as long.
 * @param {readonly TimedCase[]} cases
 * @param {Record<string, string>} reasons
 * @param {object} run
 * @param {number} run.load mean of the run, for each processor
 * @param {boolean} run.all whether every case has been run
 * @returns {{failures: string[], notes: string[]}} cases that are too slow; entries of the list that can go
 */
export function judgeTimes(cases, reasons, { load, all }) {
  const limit = LIMIT_SECONDS * Math.max(1, load);
  const entries = Object.keys(reasons);
  const failures = cases
    .filter(({ name, seconds }) => seconds > limit && !entries.some((entry) => name.startsWith(entry)))
    .map(
      ({ name, seconds }) =>
        `too slow: ${name}\n    took ${seconds.toFixed(1)} s, the limit is ${limit.toFixed(1)} s ` +
        `(${LIMIT_SECONDS} s times the load). Make it faster, or give a reason in ${SLOW_TESTS}`,
    );
  const notes = entries.flatMap((entry) => {
    const own = cases.filter(({ name }) => name.startsWith(entry));
    if (own.length === 0)
      return all ? [`not needed in ${SLOW_TESTS}: no test that passed begins with "${entry}"`] : [];
    const longest = Math.max(...own.map(({ seconds }) => seconds));
    // A case that is near the limit stays in the list, so that nobody removes it and adds it in turn.
    if (longest > LIMIT_SECONDS / 2) return [];
    return [`not needed in ${SLOW_TESTS}: ${entry}\n    took ${longest.toFixed(1)} s at most`];
  });
  return { failures, notes };
}

/** The reasons as they are in the repository. */
export const readReasons = () => /** @type {Record<string, string>} */ (readJson(join(ROOT, SLOW_TESTS)));

/** Measures a run from now on: its time, its load and its work. */
export function startMeasuring() {
  const begin = performance.now();
  const machine = readMachineSeconds();
  const closeAccount = openProcessorAccount();
  const processors = availableParallelism();
  /** @type {number[]} */
  const loads = [];
  const timer = setInterval(() => loads.push(loadavg()[0] ?? 0), 2_000).unref();
  return () => {
    clearInterval(timer);
    const load = loads.reduce((sum, one) => sum + one, 0) / Math.max(1, loads.length);
    const own = closeAccount === undefined ? '' : `${closeAccount().toFixed(0)} processor seconds, `;
    const work = `${own}${(readMachineSeconds() - machine).toFixed(0)} of the whole machine`;
    const wall = formatDuration((performance.now() - begin) / 1000);
    return {
      load: load / processors,
      text: `Took ${wall}: ${work} (${processors} processors, mean load ${load.toFixed(1)})`,
    };
  };
}

/** @param {number} seconds */
function formatDuration(seconds) {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
