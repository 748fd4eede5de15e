import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import {
  answerQuestions,
  closeWindow,
  countWindows,
  openFromTray,
  quit,
  readQuestions,
  sharedTest,
  readTray,
  startAgain,
  startHeadless,
  test,
} from './rig/desktop-test.ts';
import { chooseElectron, STANDIN_DIST } from '../electron-standin/launch-electron.ts';
import { WebUi } from './rig/web-ui.ts';
import type { Latch, TestHome } from './rig/test-home.ts';

const samples = ['monthly-summary', 'nightly-backup', 'sales-etl'];

/** Saves a workflow that blocks until the test opens its gate, and records how it ended. */
function saveGated(testHome: TestHome): Latch {
  const latch = testHome.gate('gate');
  testHome.saveWorkflow(
    'gated',
    `steps:
  - name: first
    command: echo before
  - name: wait
    script: |
      echo "the gate is closed"
      ${latch.wait}
      echo "the gate is open"
  - name: last
    command: echo after
handlerOn:
  abort: touch '${testHome.file('aborted')}'
  exit: touch '${testHome.file('exited')}'
`,
  );
  return latch;
}

/** The app on a home with only that workflow. */
const gatedTest = test.extend<{ readonly gate: Latch }>({
  gate: async ({ testHome }, use) => use(saveGated(testHome)),
  // The list is read when the app starts, so the workflow must exist before.
  desktop: async ({ gate: _gate, launch }, use) => {
    await use(await launch());
  },
});

test('a new installation shows the samples, and a click runs one; a restart restores the history and the window', async ({
  desktop,
  launch,
  ui,
}) => {
  for (const name of samples) await expect(ui.row(name)).toContainText('Never run');
  await ui.run('sales-etl', { PACE: '0.01' });
  await ui.expectRunStatus('Succeeded');
  for (const step of ['validate', 'split north', 'split west', 'aggregate', 'report', 'onExit']) {
    await ui.expectCard(step, 'Succeeded');
  }
  await ui.openLog('report');
  await expect(ui.log).toContainText('# Sales report');
  const place = await ui.place();
  const bounds = { x: 120, y: 90, width: 1010, height: 700 };
  await desktop.app.evaluate(({ BrowserWindow }, rectangle) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(rectangle);
  }, bounds);
  await quit(desktop);
  expect(await desktop.waitForExit()).toBe(0);

  const again = await launch();
  const readBounds = (): Promise<unknown> =>
    again.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
  expect(await readBounds()).toEqual(bounds);
  const later = new WebUi(again.window);
  await later.goTo('Workflows');
  await expect(later.row('sales-etl')).toContainText('Succeeded');
  await later.goTo('Runs');
  await later.row('sales-etl').getByRole('link').click();
  await later.openLog('report');
  expect(await later.place()).toBe(place);
  await later.openLog('split east');
  await expect(later.log).toContainText('2063 of 2063 orders');
});

sharedTest('a run colours its graph and its log is shown while it is written', async ({ testHome, ui }) => {
  const latch = saveGated(testHome);
  await ui.run('gated');
  await ui.expectCard('first', 'Succeeded');
  await ui.expectCard('wait', 'Running');
  await ui.expectCard('last', 'Not started');
  const steps = ['first', 'wait', 'last'];
  await expect
    .poll(async () => new Set(await Promise.all(steps.map((step) => ui.cardColour(step)))).size)
    .toBe(3);
  await expect(ui.log).toContainText('the gate is closed');
  await expect(ui.log).not.toContainText('the gate is open');
  await ui.openLog('wait');
  latch.open();
  await expect(ui.log).toContainText('the gate is open');
  await ui.expectRunStatus('Succeeded');
  await ui.expectCard('last', 'Succeeded');
  await expect.poll(async () => (await ui.cardColour('wait')) === (await ui.cardColour('first'))).toBe(true);
});

gatedTest(
  'closing the window keeps the engine running in the tray, which reopens it',
  async ({ desktop, gate: latch, ui }) => {
    await ui.run('gated');
    await ui.expectCard('wait', 'Running');
    await closeWindow(desktop);
    await expect.poll(() => countWindows(desktop)).toBe(0);
    await expect
      .poll(() => readTray(desktop))
      .toEqual(expect.arrayContaining(['1 running', 'gated: 1 of 3 steps']));
    latch.open();
    await expect
      .poll(() => readTray(desktop))
      .toEqual(expect.arrayContaining(['No active runs', 'gated: succeeded']));

    const list = new WebUi(await openFromTray(desktop, 'Open Stepwright'));
    await list.goTo('Workflows');
    await expect(list.row('gated')).toContainText('Succeeded');
    await closeWindow(desktop);
    await expect.poll(() => countWindows(desktop)).toBe(0);
    const run = new WebUi(await openFromTray(desktop, 'gated: succeeded'));
    await run.expectRunStatus('Succeeded');
    await run.expectCard('wait', 'Succeeded');
  },
);

sharedTest('a second start focuses the window of the first and exits', async ({ desktop }) => {
  expect(await startAgain(desktop)).toBe(0);
  expect(await countWindows(desktop)).toBe(1);
  expect(desktop.hasExited()).toBe(false);
});

gatedTest(
  'quitting during a run asks: cancel stays, stop runs the handlers and exits',
  async ({ desktop, testHome, ui }) => {
    await ui.run('gated');
    await ui.expectCard('wait', 'Running');
    await answerQuestions(desktop, 'cancel');
    await quit(desktop);
    await expect.poll(() => readQuestions(desktop)).toEqual(['1 run is still active']);
    await ui.expectCard('wait', 'Running');
    await ui.expectRunStatus('Running');

    await answerQuestions(desktop, 'stop');
    await quit(desktop);
    expect(await desktop.waitForExit()).toBe(0);
    expect(testHome.has('aborted')).toBe(true);
    expect(testHome.has('exited')).toBe(true);
    expect(await testHome.readHistory()).toMatchObject([{ name: 'gated', status: 'aborted' }]);
  },
);

gatedTest(
  'quitting can wait for the runs without a window',
  async ({ desktop, gate: latch, testHome, ui }) => {
    await ui.run('gated');
    await ui.expectCard('wait', 'Running');
    await answerQuestions(desktop, 'keep');
    await quit(desktop);
    await expect.poll(() => countWindows(desktop)).toBe(0);
    await expect.poll(() => readTray(desktop)).toContain('1 running');
    expect(desktop.hasExited()).toBe(false);
    latch.open();
    expect(await desktop.waitForExit()).toBe(0);
    expect(await testHome.readHistory()).toMatchObject([{ name: 'gated', status: 'succeeded' }]);
  },
);

test.describe('an app that cannot start reports why, exits, and changes nothing', () => {
  test.skip(chooseElectron().kind === 'electron', 'a real dialog waits for a person');
  const start = (home: string): ReturnType<typeof startHeadless> =>
    startHeadless(path.join(STANDIN_DIST, 'electron'), home);

  test('when its home is a file', async ({ testHome }) => {
    writeFileSync(testHome.home, 'mine');
    const { code, output } = await start(testHome.home);
    expect(code).toBe(1);
    expect(output).toContain('Stepwright cannot start');
    expect(output).toContain(testHome.home);
    expect(readFileSync(testHome.home, 'utf8')).toBe('mine');
  });

  test('when its database is damaged', async ({ testHome }) => {
    const database = path.join(testHome.home, 'data', 'engine.db');
    mkdirSync(path.dirname(database), { recursive: true });
    writeFileSync(database, 'not a database, but long enough to be looked at as one'.repeat(100));
    const before = readFileSync(database, 'utf8');
    const { code, output } = await start(testHome.home);
    expect(code).toBe(1);
    expect(output).toContain('Stepwright cannot start');
    expect(output).toContain(database);
    expect(readFileSync(database, 'utf8')).toBe(before);
  });
});
