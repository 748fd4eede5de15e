import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './setup/browser.mjs';
import { ensureBuilt } from './setup/built-output.mjs';
import { ensureTestServices, createMemoryFolder, removeMemoryFolder } from './setup/test-environment.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { OUTPUT_FOLDER, ROOT, fail, runCommand, runNode, printLine } from './setup/run-command.mjs';
import {
  parseTestArguments,
  readProjects,
  findRepeatingFiles,
  isFidelityDue,
  LONG_RUN,
  recordFidelity,
  VERIFIED_FILE,
} from './setup/test-selection.mjs';
import {
  addCounts,
  formatCounts,
  readPlaywrightCounts,
  readVitestCounts,
  readPlaywrightProblems,
  readVitestProblems,
} from './setup/test-report.mjs';
import {
  formatSlowestFiles,
  checkTimes,
  readPlaywrightTimes,
  readReasons,
  readVitestTimes,
  startMeasuring,
} from './setup/test-times.mjs';

/**
 * `npm test [-- PATH... --project NAME]`: runs unit and integration tests, and the end-to-end specs. Ends with
 * "N passed, N failed". With `--checks`, lint and type check run beside them and count as one test each. With
 * `--long` (`npm run test:long`), only randomized tests run, with many seeds. With CI=true, a skipped test
 * counts as failed: a test is skipped only when a part of the machine is missing, and CI has them all.
 */
const REPORTS = join(ROOT, 'test-results/reports');
const FIDELITY = 'test/electron-standin/fidelity/';

/**
 * Vitest projects that run in parallel to the others and before the browser specs. Containers add network
 * interfaces, and Chromium aborts its requests whenever an interface appears or disappears. Fault tests mostly
 * wait, for leases and for killed processes.
 */
const BEFORE_BROWSER = ['containers', 'faults'];

const isCi = process.env['CI'] === 'true';

const finishMeasuring = startMeasuring();
await ensureDependencies();
const asked = await parseTestArguments(process.argv.slice(2)).catch((error) => fail(error.message));
if (asked.long) process.env = { ...LONG_RUN, ...process.env };
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

/** @type {string[]} */
const problems = [];
/** @type {import('./setup/test-times.mjs').TimedCase[]} */
const cases = [];
// Lint and type check use the time in which tests wait.
const checks = runChecks();
// Neither uses all processors. For a filtered run, Vitest builds and installs what its projects need.
await Promise.all([(asked.all || asked.playwright) && ensureBuilt(), asked.all && ensureTestServices()]);
const tested = await (asked.all ? runAll() : runRequested());
const counts = [...(await checks), ...tested];
const { load, text: effort } = finishMeasuring();
const notes = asked.long ? [] : judge();
const total = addCounts(counts, isCi);
const slowest = asked.all ? ['Slowest files:', ...formatSlowestFiles(cases)] : [];
console.log(['', ...slowest, ...notes, ...problems, effort, formatCounts(total)].join('\n'));
process.exitCode = total.failed > 0 ? 1 : 0;

async function runChecks() {
  return asked.checks ? [await runCheck('lint'), await runCheck('typecheck')] : [];
}

/** @param {string} script a script of package.json */
async function runCheck(script) {
  const { ok, output } = await runCommand('npm', ['run', '--silent', script], { quiet: true, yields: true });
  if (!ok) problems.push(`failed: npm run ${script}\n${output}`);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

/** Runs two lanes in parallel: CPU-bound tests, and tests that mostly wait for other processes. */
async function runAll() {
  const repeating = asked.long ? findRepeatingFiles() : [];
  const units = repeating.filter((file) => !file.endsWith('.spec.ts'));
  const specs = repeating.filter((file) => file.endsWith('.spec.ts'));
  const others = readProjects().vitest.filter((name) => !BEFORE_BROWSER.includes(name));
  // The other lane uses the time in which these wait: one worker per processor is enough.
  const workers = `--maxWorkers=${availableParallelism()}`;
  const [computed, waited] = await Promise.all([
    runVitest('vitest', [...units, workers, ...others.map((name) => `--project=${name}`)]),
    runInParallel(units, specs),
  ]);
  return [computed, ...waited];
}

/**
 * @param {readonly string[]} units files for Vitest; all when empty
 * @param {readonly string[]} specs files for Playwright; all when empty
 */
async function runInParallel(units, specs) {
  const words = [...units, ...BEFORE_BROWSER.map((name) => `--project=${name}`)];
  const early = await runVitest('vitest-beside', words, true);
  const withFidelity = asked.long || isFidelityDue();
  if (!withFidelity)
    printLine(
      'skipping the fidelity specs of the Electron stand-in: it has not changed since they last passed',
    );
  const chosen = asked.long ? specs : ['test/e2e/'];
  return [early, await runSpecs(withFidelity ? [...chosen, FIDELITY] : chosen, true)];
}

async function runRequested() {
  const { vitest, playwright } = asked;
  return [
    ...(vitest === undefined ? [] : [await runVitest('vitest', vitest)]),
    ...(playwright === undefined ? [] : [await runSpecs(playwright)]),
  ];
}

/**
 * @param {string} name name of the report
 * @param {readonly string[]} words command line arguments
 * @param {boolean} [isBeside] prints its output at the end, in one piece
 */
async function runVitest(name, words, isBeside = false) {
  const report = join(REPORTS, `${name}.json`);
  const standstill = join(REPORTS, `${name}-standstill.txt`);
  const reporters = ['default', 'json', './test/harness/setup/hang-reporter.ts'].map(
    (one) => `--reporter=${one}`,
  );
  const options = [...reporters, `--outputFile.json=${report}`];
  const { ok, output } = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...options, ...words], {
    quiet: isBeside,
    env: { STANDSTILL_FILE: standstill },
  });
  if (isBeside) console.log(output);
  problems.push(...readVitestProblems(report));
  if (existsSync(standstill)) problems.push(readFileSync(standstill, 'utf8').trim());
  cases.push(...readVitestTimes(report));
  return readVitestCounts(report, ok);
}

/**
 * @param {readonly string[]} words command line arguments
 * @param {boolean} [isBeside] prints its output at the end, in one piece
 */
async function runSpecs(words, isBeside = false) {
  const report = join(REPORTS, 'playwright.json');
  if (!(await ensureBrowser())) {
    problems.push('skipped: the end-to-end specs, for want of a browser');
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const folder = createMemoryFolder();
  const { ok, output } = await runNode(['node_modules/@playwright/test/cli.js', 'test', ...words], {
    quiet: isBeside,
    env: {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      STEPWRIGHT_OUTPUT: OUTPUT_FOLDER,
      // Otherwise compiled specs would be deleted with the temporary folder.
      PWTEST_CACHE_DIR: join(ROOT, 'node_modules/.cache/playwright'),
      ...(folder === undefined ? {} : { TMPDIR: folder }),
    },
  });
  removeMemoryFolder(folder);
  if (isBeside) console.log(output);
  problems.push(...readPlaywrightProblems(report));
  cases.push(...readPlaywrightTimes(report));
  if (ok && words.includes(FIDELITY)) saveFidelity();
  return readPlaywrightCounts(report, ok);
}

/**
 * Records that the fidelity specs passed on the stand-in, except in CI, where the file would not be committed.
 */
function saveFidelity() {
  if (isCi || !isFidelityDue() || existsSync(join(ROOT, 'node_modules/electron/path.txt'))) return;
  recordFidelity();
  printLine(`the fidelity specs of the Electron stand-in passed; commit ${VERIFIED_FILE}`);
}

/** Counts slow cases without a reason as failed. @returns {string[]} reasons that are no longer needed */
function judge() {
  const { failures, notes: spare } = checkTimes(cases, readReasons(), { load, all: asked.all });
  problems.push(...failures);
  counts.push({ passed: 0, failed: failures.length, skipped: 0 });
  return spare;
}
