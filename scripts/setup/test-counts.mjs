import { existsSync, readFileSync } from 'node:fs';

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
