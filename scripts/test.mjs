import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './setup/browser.mjs';
import { ensureBuilt } from './setup/built-output.mjs';
import { ensureContainerEngine } from './setup/container-engine.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { makeMemoryFolder, removeMemoryFolder } from './setup/memory-folder.mjs';
import { OUTPUT_FOLDER, ROOT } from './setup/paths.mjs';
import { ensureNetworks } from './setup/network.mjs';
import { runCommand, runNode } from './setup/run-command.mjs';
import { ensureObjectServer } from './setup/object-server.mjs';
import { ensurePostgres } from './setup/postgres.mjs';
import { ensureShells } from './setup/shells.mjs';
import { ensureSshServer } from './setup/ssh-server.mjs';
import { addCounts, formatCounts, readPlaywrightCounts, readVitestCounts } from './setup/test-counts.mjs';
import { readPlaywrightTroubles, readVitestTroubles } from './setup/test-troubles.mjs';

/**
 * `npm test [-- paths]`: unit and integration tests, then the end-to-end specs. Ends with "N passed, N failed".
 * With `--checks` lint and typecheck run first and count as a test each. With CI=true a skipped test counts as
 * failed: a test is skipped only when a part of the machine is missing, and CI has them all.
 */
const REPORTS = join(ROOT, 'test-results/reports');
const withChecks = process.argv.includes('--checks');
const paths = process.argv.slice(2).filter((argument) => argument !== '--checks');
const specs = paths.filter((path) => /(^|\/)(e2e|electron-standin)(\/|$)|\.spec\.ts/.test(path));
const units = paths.filter((path) => !specs.includes(path));

const withUnits = paths.length === 0 || units.length > 0;
const withSpecs = paths.length === 0 || specs.length > 0;

await ensureDependencies();
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

/** @type {string[]} */
const troubles = [];
// None of the three keeps all processors busy.
const [checked] = await Promise.all([runChecks(), ensureBuilt(), withUnits && ensureCounterparts()]);
const counts = [...checked];
if (withUnits) counts.push(...(await runUnits()));
if (withSpecs) counts.push(await runSpecs());
const total = addCounts(counts, process.env['CI'] === 'true');
console.log(['', ...troubles, formatCounts(total)].join('\n'));
process.exitCode = total.failed > 0 ? 1 : 0;

async function runChecks() {
  return withChecks ? [await runCheck('lint'), await runCheck('typecheck')] : [];
}

/** @param {string} script a script of package.json */
async function runCheck(script) {
  const { ok } = await runCommand('npm', ['run', '--silent', script]);
  if (!ok) troubles.push(`failed: npm run ${script}`);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

/** What the tests work with: most of it is installed, one after the other, where it is missing. */
async function ensureCounterparts() {
  // Tests of the packed app and of the icons open one, long before the specs do.
  await ensureBrowser();
  await ensureSshServer();
  await ensureContainerEngine();
  await ensureShells();
  await ensurePostgres();
  await ensureObjectServer();
  await ensureNetworks();
}

/**
 * The faults wait most of their time, for leases and for processes that they have killed: what computes runs beside them.
 * Paths that are named are a matter of one run.
 */
async function runUnits() {
  if (units.length > 0) return [await runVitest('vitest', units)];
  return Promise.all([
    runVitest('vitest', ['--project=!faults']),
    runVitest('vitest-faults', ['--project=faults'], true),
  ]);
}

/**
 * @param {string} name of the report
 * @param {readonly string[]} words of the command line
 * @param {boolean} [isBeside] writes at its end only, in one piece
 */
async function runVitest(name, words, isBeside = false) {
  const report = join(REPORTS, `${name}.json`);
  const standstill = join(REPORTS, `${name}-standstill.txt`);
  const reporters = ['default', 'json', './test/rig/standstill-reporter.ts'].map(
    (one) => `--reporter=${one}`,
  );
  const options = [...reporters, `--outputFile.json=${report}`];
  const { ok, output } = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...options, ...words], {
    quiet: isBeside,
    env: { STANDSTILL_FILE: standstill },
  });
  if (isBeside) console.log(output);
  troubles.push(...readVitestTroubles(report));
  if (existsSync(standstill)) troubles.push(readFileSync(standstill, 'utf8').trim());
  return readVitestCounts(report, ok);
}

async function runSpecs() {
  const report = join(REPORTS, 'playwright.json');
  if (!(await ensureBrowser())) {
    troubles.push('skipped: the end-to-end specs, for want of a browser');
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const folder = makeMemoryFolder();
  const { ok } = await runNode(['node_modules/@playwright/test/cli.js', 'test', ...specs], {
    env: {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      STEPWRIGHT_OUTPUT: OUTPUT_FOLDER,
      ...(folder === undefined ? {} : { TMPDIR: folder }),
    },
  });
  removeMemoryFolder(folder);
  troubles.push(...readPlaywrightTroubles(report));
  return readPlaywrightCounts(report, ok);
}
