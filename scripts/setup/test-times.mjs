import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { cpus, availableParallelism, loadavg } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from './run-command.mjs';

/** Control group hierarchies that account for processor time: version 1, then version 2. */
const HIERARCHIES = [
  { line: /^\d+:cpuacct:(.*)$/m, root: '/sys/fs/cgroup/cpuacct', file: 'cpuacct.usage', scale: 1e9 },
  { line: /^0::(.*)$/m, root: '/sys/fs/cgroup', file: 'cpu.stat', scale: 1e6 },
];

/**
 * Moves this process into a new control group, which accounts for the processor time of the process and its descendants.
 * The child times in /proc/PID/stat lack nearly half: processes that are killed with their parent, such as browsers.
 * @returns {(() => number) | undefined} returns the seconds and removes the group; undefined without the necessary
 *   rights, and on systems other than Linux
 */
export function trackProcessorTime() {
  for (const { line, root, file, scale } of HIERARCHIES) {
    try {
      const cgroup = line.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
      const parent = join(root, cgroup ?? '');
      if (cgroup === undefined || !existsSync(join(parent, 'cgroup.procs'))) continue;
      const group = join(parent, `stepwright-tests-${process.pid}`);
      mkdirSync(group);
      writeFileSync(join(group, 'cgroup.procs'), String(process.pid));
      return () => {
        const seconds = Number(/\d+/.exec(readFileSync(join(group, file), 'utf8'))?.[0]) / scale;
        close(parent, group);
        return seconds;
      };
    } catch {
      // Not writable for this process.
    }
  }
  return undefined;
}

/**
 * @param {string} parent
 * @param {string} group
 */
function close(parent, group) {
  try {
    writeFileSync(join(parent, 'cgroup.procs'), String(process.pid));
    rmdirSync(group);
  } catch {
    // A process that outlived its test is still in the group.
  }
}

/** Reads the processor seconds of the whole machine since it started. */
export const readMachineSeconds = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;

/**
 * @typedef {object} TimedCase
 * @property {string} file relative to the root, with slashes
 * @property {string} name `file > title`
 * @property {number} seconds
 */

/** A test case that takes longer on an idle machine needs a reason. */
const LIMIT_SECONDS = 5;

/** Maps prefixes of `file > title` to the reason why these cases are slow. */
export const SLOW_TESTS = 'test/slow-tests.json';

/**
 * Reads the durations of passed cases from a JSON report of Vitest.
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
 * Reads the durations of passed specs from a JSON report of Playwright.
 * @param {string} file
 * @returns {TimedCase[]}
 */
export function readPlaywrightTimes(file) {
  if (!existsSync(file)) return [];
  /** @returns {TimedCase[]} */
  const listSuiteTimes = (/** @type {any} */ suite) => [
    ...(suite.specs ?? []).flatMap((/** @type {any} */ spec) =>
      spec.tests
        .filter((/** @type {any} */ test) => test.status === 'expected')
        .map((/** @type {any} */ test) =>
          timed(`test/${spec.file}`, spec.title, test.results.at(-1)?.duration ?? 0),
        ),
    ),
    ...(suite.suites ?? []).flatMap(listSuiteTimes),
  ];
  return (readJson(file).suites ?? []).flatMap(listSuiteTimes);
}

/**
 * @param {string} file
 * @param {string} title
 * @param {number} ms
 * @returns {TimedCase}
 */
const timed = (file, title, ms) => ({ file, name: `${file} > ${title}`, seconds: ms / 1000 });

/**
 * Formats the ten files whose cases took longest.
 * @param {readonly TimedCase[]} cases
 */
export function formatSlowestFiles(cases) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { file, seconds } of cases) sums.set(file, (sums.get(file) ?? 0) + seconds);
  const slowest = [...sums].sort(([, a], [, b]) => b - a).slice(0, 10);
  return slowest.map(([file, seconds]) => `${seconds.toFixed(1).padStart(8)} s  ${file}`);
}

/**
 * Compares cases with the time limit and the list of slow tests.
 *
 * On a busy machine a case spends most of its time waiting for a processor, so the limit is multiplied by the load: with
 * twice as many runnable processes as processors, it is twice as long. Not every part of a run has the same load, so the
 * highest one counts.
 * @param {readonly TimedCase[]} cases
 * @param {Record<string, string>} reasons
 * @param {object} run
 * @param {number} run.load highest load per processor during the run
 * @param {boolean} run.all whether all cases were run
 * @returns {{failures: string[], notes: string[]}} `failures`: cases over the limit without a reason; `notes`: reasons that
 *   are no longer needed
 */
export function checkTimes(cases, reasons, { load, all }) {
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
    const matching = cases.filter(({ name }) => name.startsWith(entry));
    if (matching.length === 0)
      return all ? [`no longer needed in ${SLOW_TESTS}: no passed test starts with "${entry}"`] : [];
    const maxLength = Math.max(...matching.map(({ seconds }) => seconds));
    // Hysteresis: an entry near the limit stays, so that it is not removed and added in turn.
    if (maxLength > LIMIT_SECONDS / 2) return [];
    return [`no longer needed in ${SLOW_TESTS}: ${entry}\n    took ${maxLength.toFixed(1)} s at most`];
  });
  return { failures, notes };
}

/** Reads the list of slow tests. */
export const readReasons = () => /** @type {Record<string, string>} */ (readJson(join(ROOT, SLOW_TESTS)));

/** Starts measuring wall time, load and processor time; returns a function that stops. */
export function startMeasuring() {
  const begin = performance.now();
  const machine = readMachineSeconds();
  const closeAccount = trackProcessorTime();
  const processors = availableParallelism();
  /** @type {number[]} */
  const loads = [];
  const timer = setInterval(() => loads.push(loadavg()[0] ?? 0), 2_000).unref();
  return () => {
    clearInterval(timer);
    const mean = loads.reduce((sum, one) => sum + one, 0) / Math.max(1, loads.length);
    const highest = Math.max(0, ...loads);
    const cpu = closeAccount === undefined ? '' : `${closeAccount().toFixed(0)} processor seconds, `;
    const work = `${cpu}${(readMachineSeconds() - machine).toFixed(0)} of the whole machine`;
    const wall = formatDuration((performance.now() - begin) / 1000);
    return {
      load: highest / processors,
      text: `Took ${wall}: ${work} (${processors} processors, load ${mean.toFixed(1)} on average, ${highest.toFixed(1)} at most)`,
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
