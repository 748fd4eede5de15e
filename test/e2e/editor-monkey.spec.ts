import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { test } from './rig/browser-test.ts';
import { EditorUi } from './rig/editor-ui.ts';
import { readCode, undoToValid, Random } from './rig/monkey/monkey.ts';
import { expectUndoRestores, walk } from './rig/monkey/walk.ts';
import { ENGINE_FILE } from './rig/test-home.ts';

/**
 * `EDITOR_MONKEY_SECONDS=120` for a long walk, `EDITOR_MONKEY_SEED` for another one. The length of a walk is
 * counted in moves, so that a seed does the same on every machine; about three per second.
 */
const seconds = Number(process.env['EDITOR_MONKEY_SECONDS'] ?? 10);
const seed = Number(process.env['EDITOR_MONKEY_SEED'] ?? 7);
const moves = Math.round(seconds * 3);

const graph = `# Loads the sales of the day
name: monkey   # as the reports call it
type: graph
schedule: '30 6 * * 1-5'
env: &env
  - REGION: eu   # or us

params: {DAY: mon, LIMIT: "3"}
steps:
  - name: fetch
    command: echo "fetch"   # quick
    retryPolicy: &often {limit: 3, intervalSec: 5}

  - name: check
    id: check
    script: |
      # a comment of the script
      echo "checking"

    depends: [fetch]
    output: ROWS
  - {name: load, command: "echo \${ROWS}", depends: check, retryPolicy: *often}
  - name: 'region'
    run: inner
    parallel: [eu, us]
    depends:
      - check
  - name: report
    type: http
    command: GET https://example.com/
    config: {timeout: 30}
    preconditions:
      - condition: "\${ROWS}"
        expected: "re:[1-9]"
    depends: [load, region]
  - name: tidy
    command: [rm, -rf, "tmp"]
    continueOn:
      failure: true
handlerOn:
  failure: echo failed
  exit:
    command: echo bye
---
name: inner
steps:
  - echo one
  - [echo two, echo three]
  - name: last
    command: echo four
`;
const chain = graph
  .replace('type: graph\n', '')
  .replaceAll(/^ +depends:( .*\n|\n +- .*\n)/gm, '')
  .replace(', depends: check', '')
  .replace('  - name: tidy', '  - - echo left\n    - name: right\n      command: echo right\n  - name: tidy');

/** What the browser reports itself when a save is rejected on purpose. */
const isRefusal = (text: string): boolean =>
  /Failed to load resource.*status of (400|409|412|422)/.test(text);

function listenTo(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isRefusal(message.text()))
      problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.stack ?? String(error)));
  page.on('dialog', (dialog) => void dialog.accept());
  return problems;
}

/** Odd seeds have a graph, even ones a chain. */
const [kind, text] = seed % 2 === 1 ? ['graph', graph] : ['chain', chain];

test(`random edits keep a ${kind} consistent and savable (seed ${seed}, ${moves} moves)`, async ({
  page,
  ui,
  testHome,
  pageErrors,
}) => {
  test.setTimeout(120_000 + seconds * 6000);
  page.setDefaultTimeout(10_000);
  const problems = listenTo(page);
  testHome.saveWorkflow('monkey', text);
  const file = path.join(testHome.home, 'dags/monkey.yaml');
  await ui.waitUntilLoaded();
  const editor = new EditorUi(page);
  await editor.open('monkey');
  const log: string[] = [];
  try {
    const { started } = await walk({ page, random: new Random(seed), file }, moves, log);
    await expectUndoRestores(page, started);
    await saveWhatIsValid(page);
    const written = readFileSync(file, 'utf8');
    expect(written).toBe(await readCode(page));
    await promisify(execFile)(process.execPath, [
      ENGINE_FILE,
      'validate',
      file,
      '--engine-home',
      testHome.home,
    ]);
    expect(problems).toEqual([]);
    const missed = log.filter((line) => line.startsWith('-')).length;
    expect(missed, 'moves without an occasion').toBeLessThan(moves / 2);
  } finally {
    await test.info().attach('moves', { body: log.join('\n') });
    console.log(`${kind}, seed ${seed}: ${log.slice(-8).join(' | ')}`, problems);
    pageErrors.length = 0;
  }
});

/** Undoes until the text is valid and saves it, whatever is on disk. */
async function saveWhatIsValid(page: Page): Promise<void> {
  await undoToValid(page);
  if ((await page.getByText('Unsaved changes', { exact: true }).count()) === 0) return;
  // The second time with the diff shown.
  await page.keyboard.press('Control+s');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
}
