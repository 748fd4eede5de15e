import { writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { sharedTest, test } from './rig/browser-test.ts';
import { WebUi } from './rig/web-ui.ts';

const gatedWorkflow = (wait: string): string => `steps:
  - name: first
    command: echo before
  - name: wait
    script: |
      echo "the gate is closed"
      ${wait}
      echo "the gate is open"
`;

test('runs a sample with a click and shows it in the history of the next server', async ({
  ui,
  serve,
  server,
}) => {
  for (const name of ['monthly-summary', 'nightly-backup', 'sales-etl']) {
    await expect(ui.row(name)).toContainText('Never run');
  }
  await ui.run('sales-etl', { PACE: '0.01' });
  await ui.expectRunStatus('Succeeded');
  for (const step of ['validate', 'split east', 'aggregate', 'report', 'onExit']) {
    await ui.expectCard(step, 'Succeeded');
  }
  await ui.openLog('report');
  await expect(ui.log).toContainText('# Sales report');

  await ui.page.goto('about:blank');
  await server.stop();
  const next = await serve();
  await ui.page.goto(next.url);
  await ui.goTo('Runs');
  await expect(ui.row('sales-etl')).toContainText('Succeeded');
  await ui.row('sales-etl').getByRole('link').click();
  await ui.openLog('report');
  await expect(ui.log).toContainText('# Sales report');
});

sharedTest('links a workflow with sub-workflows to their runs and back', async ({ ui }) => {
  await ui.run('monthly-summary', { MONTH: '2026-02' });
  await ui.expectRunStatus('Succeeded');
  await ui.openLog('south');
  await ui.page.getByRole('region', { name: 'Step south' }).getByRole('link').click();
  await expect(ui.page.getByRole('heading', { level: 1, name: 'region-month' })).toBeVisible();
  await ui.expectCard('sum', 'Succeeded');
  await ui.page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('monthly-summary').click();
  await expect(ui.page.getByRole('heading', { level: 1, name: 'monthly-summary' })).toBeVisible();
});

sharedTest('a page reloaded during a run continues where it was', async ({ ui, testHome }) => {
  const latch = testHome.gate('gate');
  testHome.saveWorkflow('gated', gatedWorkflow(latch.wait));
  await ui.run('gated');
  await ui.expectCard('wait', 'Running');
  await ui.page.reload();
  await ui.expectCard('first', 'Succeeded');
  await ui.expectCard('wait', 'Running');
  await expect(ui.log).toContainText('the gate is closed');
  await ui.openLog('wait');
  latch.open();
  await expect(ui.log).toContainText('the gate is open');
  await ui.expectRunStatus('Succeeded');
});

sharedTest(
  'two pages show the same run, and stopping it in one shows in the other',
  async ({ ui, server, testHome, context }) => {
    testHome.saveWorkflow('gated', gatedWorkflow(testHome.gate('never').wait));
    const other = new WebUi(await context.newPage());
    await other.page.goto(`${server.url}/#/dags`);
    await other.waitUntilLoaded();
    await ui.run('gated');
    await ui.expectCard('wait', 'Running');
    await expect(other.row('gated')).toContainText('Running');
    await ui.page.getByRole('button', { name: 'Stop', exact: true }).click();
    await ui.expectRunStatus('Aborted');
    await ui.expectCard('wait', 'Aborted');
    await expect(other.row('gated')).toContainText('Aborted');
  },
);

test('a lost engine is reported; the page reconnects and shows subsequent events', async ({
  ui,
  serve,
  server,
  pageErrors,
}) => {
  const status = ui.page.getByRole('status').filter({ hasText: /Connected|Reconnecting/ });
  await expect(status).toHaveText('Connected');
  const theme = ui.page.getByRole('radiogroup', { name: 'Theme' });
  const measure = async (): Promise<(number | undefined)[]> =>
    Promise.all([status, theme].map(async (part) => (await part.boundingBox())?.y));
  const places = await measure();
  await server.stop();
  await expect(status).toHaveText('Reconnecting');
  const notice = ui.page.getByText('Disconnected from the engine.');
  await expect(notice).toBeVisible();
  expect(await measure()).toEqual(places);
  const next = await serve({ port: Number(new URL(server.url).port) });
  await expect(ui.page.getByRole('status').filter({ hasText: 'Reconnected after' })).toBeVisible({
    timeout: 20_000,
  });
  await expect(status).toHaveText('Connected', { timeout: 15_000 });
  await expect(notice).toHaveCount(0);
  // The browser itself reports each failed connection.
  pageErrors.splice(0);
  const started = await ui.page.request.post(`${next.url}/api/v2/dags/sales-etl/start`, {
    data: { params: 'PACE=0' },
  });
  expect(started.ok()).toBe(true);
  await expect(ui.row('sales-etl')).toContainText('Succeeded', { timeout: 15_000 });
});

sharedTest('a failed run shows why, where, and the output of the step', async ({ ui }) => {
  await ui.run('nightly-backup', { OUTAGES: '0', FAIL: 'yes' });
  await ui.expectRunStatus('Failed');
  await ui.expectCard('verify', 'Failed');
  await ui.expectCard('onFailure', 'Succeeded');
  await expect(ui.page.getByRole('region', { name: 'Step verify' })).toContainText('exit 1');
  await expect(ui.log).toContainText('the copy differs from the original');
});

sharedTest('shows each attempt of a retried step', async ({ ui, testHome }) => {
  testHome.saveWorkflow(
    'flaky',
    `steps:
  - name: connect
    script: |
      if [ -e '${testHome.file('tried')}' ]; then echo "there it is"; exit 0; fi
      touch '${testHome.file('tried')}'
      echo "nobody answers" >&2
      exit 75
    retryPolicy: { limit: 2, intervalSec: 0 }
`,
  );
  await ui.run('flaky');
  await ui.expectRunStatus('Succeeded');
  await expect(ui.log).toContainText('there it is');
  await ui.page.getByRole('radio', { name: 'Attempt 1' }).click();
  await expect(ui.log).toContainText('nobody answers');
});

sharedTest(
  'shows an invalid workflow with its first error and disables starting it',
  async ({ ui, testHome }) => {
    testHome.saveWorkflow(
      'broken',
      'steps:\n  - name: one\n    comand: echo hello\n  - name: two\n    depends: three\n    command: "true"\n',
    );
    await expect(ui.row('broken')).toContainText('Line 3');
    await expect(ui.page.getByRole('button', { name: 'Run broken' })).toBeDisabled();
    await ui.row('broken').getByRole('link', { name: 'broken' }).click();
    await expect(ui.page.getByText('Fix the errors to run this workflow.')).toBeVisible();
    await expect(ui.page.getByText(/comand/).first()).toBeVisible();
    await expect(ui.page.getByText(/did you mean|command/i).first()).toBeVisible();
    await expect(ui.page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  },
);

sharedTest('offers parameter defaults, and the parameters of the run for a rerun', async ({ ui }) => {
  await ui.row('sales-etl').getByRole('link', { name: 'sales-etl' }).click();
  await ui.page.getByRole('button', { name: 'Run…' }).click();
  const dialog = ui.page.getByRole('dialog', { name: 'Run sales-etl' });
  await expect(dialog.getByLabel('PACE')).toHaveValue('0.15');
  await expect(dialog.getByLabel('PACE')).toBeFocused();
  await ui.page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await ui.page.getByRole('button', { name: 'Run…' }).click();
  await ui.answerStartDialog('sales-etl', { PACE: '0', MIN_AMOUNT: '1e9' });
  await ui.expectRunStatus('Succeeded');
  await ui.page.getByRole('button', { name: 'Rerun…' }).click();
  await expect(dialog.getByLabel('MIN_AMOUNT')).toHaveValue('1e9');
});

sharedTest('retries a failed run after its cause is fixed, as planned', async ({ ui, testHome }) => {
  const ready = testHome.file('ready');
  testHome.saveWorkflow(
    'brittle',
    `steps:
  - { name: load, command: echo rows }
  - { name: send, command: test -e '${ready}' }
  - { name: report, command: echo sent }
`,
  );
  await ui.run('brittle');
  await ui.expectRunStatus('Failed');
  writeFileSync(ready, '');
  await ui.page.getByRole('button', { name: 'Retry…' }).click();
  const dialog = ui.page.getByRole('dialog', { name: 'Retry brittle' });
  await expect(dialog.getByRole('region', { name: 'Keep (1)' })).toContainText('load');
  await dialog.getByRole('button', { name: 'Run 2 steps' }).click();
  await ui.expectRunStatus('Succeeded');
  await ui.expectCard('report', 'Succeeded');
});

sharedTest('reaches every page and starts a workflow with the keyboard alone', async ({ ui, testHome }) => {
  testHome.saveWorkflow('hello', 'steps:\n  - echo hello\n');
  await ui.page.reload();
  await ui.waitUntilLoaded();
  const focusOn = async (name: string): Promise<void> => {
    for (let presses = 0; presses < 60; presses += 1) {
      await ui.page.keyboard.press('Tab');
      const found = await ui.page.evaluate(
        (wanted) => (document.activeElement?.ariaLabel ?? document.activeElement?.textContent) === wanted,
        name,
      );
      if (found) return;
    }
    throw new Error(`Tab never reaches "${name}"`);
  };
  await focusOn('Run hello');
  await ui.page.keyboard.press('Enter');
  await ui.expectRunStatus('Succeeded');
  await focusOn('Workflows');
  await ui.page.keyboard.press('Enter');
  await expect(ui.page.getByRole('heading', { level: 1, name: 'Workflows' })).toBeVisible();
});
