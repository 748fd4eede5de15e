import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './run-command.mjs';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * Reads Vitest's JSON report.
 * @param {string} file
 * @param {boolean} ok whether the runner ended with exit code 0
 * @returns {Counts}
 */
export function readVitestCounts(file, ok) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  // A file that cannot be loaded has failed although none of its tests ran.
  const brokenFiles = report.testResults.filter(
    (/** @type {{status: string, assertionResults: {status: string}[]}} */ result) =>
      result.status === 'failed' && result.assertionResults.every(({ status }) => status !== 'failed'),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  return correctByExitCode(
    { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests },
    ok,
  );
}

/**
 * Reads Playwright's JSON report.
 * @param {string} file
 * @param {boolean} ok whether the runner ended with exit code 0
 * @returns {Counts}
 */
export function readPlaywrightCounts(file, ok) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const { stats, errors } = JSON.parse(readFileSync(file, 'utf8'));
  // A test that only passes on retry is a bug in the test or in the app.
  const failed = stats.unexpected + stats.flaky + (stats.unexpected === 0 ? errors.length : 0);
  return correctByExitCode({ passed: stats.expected, failed, skipped: stats.skipped }, ok);
}

/**
 * A runner that reports failure has failed, regardless of its counts (an unhandled rejection, a crashed
 * worker).
 * @param {Counts} counts
 * @param {boolean} ok
 * @returns {Counts}
 */
function correctByExitCode(counts, ok) {
  return !ok && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/**
 * @param {readonly Counts[]} counts
 * @param {boolean} skippedFails whether a skipped test counts as failed
 * @returns {Counts}
 */
export function addCounts(counts, skippedFails) {
  const sum = (/** @type {keyof Counts} */ key) => counts.reduce((total, count) => total + count[key], 0);
  const skipped = sum('skipped');
  return skippedFails
    ? { passed: sum('passed'), failed: sum('failed') + skipped, skipped: 0 }
    : { passed: sum('passed'), failed: sum('failed'), skipped };
}

/**
 * The closing line of `npm test`.
 * @param {Counts} counts
 */
export function formatCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * Lists failed and skipped tests: file, test name, and the beginning of the message. They are printed again at
 * the end, because often only the end of a long output is stored.
 * @param {string} file a JSON report of Vitest
 * @returns {string[]}
 */
export function readVitestProblems(file) {
  if (!existsSync(file)) return ['Vitest left no report'];
  return readReport(file).testResults.flatMap((/** @type {any} */ result) => {
    const path = relative(ROOT, result.name);
    const tests = result.assertionResults.flatMap((/** @type {any} */ test) =>
      test.status === 'passed'
        ? []
        : [formatResult(test.status, path, test.fullName, test.failureMessages?.[0])],
    );
    const isBroken = result.status === 'failed' && tests.length === 0;
    return isBroken ? [formatResult('failed', path, 'the whole file', result.message)] : tests;
  });
}

/**
 * Lists failed and skipped specs of a Playwright report.
 * @param {string} file
 * @returns {string[]}
 */
export function readPlaywrightProblems(file) {
  if (!existsSync(file)) return ['Playwright left no report'];
  const { suites = [], errors } = readReport(file);
  const listSuiteProblems = (/** @type {any} */ suite) => [
    ...(suite.specs ?? []).flatMap(listSpecProblems),
    ...(suite.suites ?? []).flatMap(listSuiteProblems),
  ];
  const outside = errors.map((/** @type {any} */ error) =>
    formatResult('failed', '', 'outside any spec', error.message),
  );
  return [...suites.flatMap(listSuiteProblems), ...outside];
}

/** @param {any} spec */
function listSpecProblems(spec) {
  return spec.tests.flatMap((/** @type {any} */ test) => {
    if (test.status === 'expected') return [];
    const failure = test.results.find((/** @type {any} */ result) => result.error !== undefined);
    return [formatResult(test.status, `${spec.file}:${spec.line}`, spec.title, failure?.error.message)];
  });
}

/**
 * @param {string} status
 * @param {string} location
 * @param {string} name
 * @param {string} [message]
 */
function formatResult(status, location, name, message = '') {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, 6);
  return [
    `${status}: ${location} ${name}`,
    ...lines.filter((line) => line !== '').map((line) => `    ${line}`),
  ].join('\n');
}

/** @param {string} file */
const readReport = (file) => JSON.parse(readFileSync(file, 'utf8'));
