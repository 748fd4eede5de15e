import { expect } from '@playwright/test';
import { test as base } from './rig/desktop-test.ts';
import type { Latch } from './rig/test-home.ts';

/** Two thousand lines, then a wait for the gate; at most one active run. */
const workflow = (wait: string): string => `params:
  - WHO: you
steps:
  - name: flood
    script: |
      i=0
      while [ $i -lt 2000 ]; do i=$((i+1)); echo "line $i for $WHO"; done
      ${wait}
      echo "the needle is last"
  - name: after
    command: test "$WHO" != nobody
`;

/** The list is read when the app starts, so the workflow must exist before. */
const test = base.extend<{ readonly gate: Latch }>({
  gate: async ({ testHome }, use) => {
    const latch = testHome.gate('gate');
    testHome.saveWorkflow('watched', workflow(latch.wait));
    await use(latch);
  },
  desktop: async ({ gate: _gate, launch }, use) => {
    await use(await launch());
  },
});

test('the window shows and operates runs over its own streams', async ({ gate: latch, ui }) => {
  test.setTimeout(120_000);
  const { page } = ui;

  // A live run: its card, and its log, which is followed and searched while it is written.
  await ui.run('watched', { WHO: 'me' });
  await ui.expectCard('flood', 'Running');
  await ui.openLog('flood');
  await expect(ui.log).toContainText('line 2000 for me');
  await ui.log.focus();
  await page.keyboard.press('Control+f');
  const search = page.getByRole('search', { name: 'Log' });
  await page.keyboard.insertText('line 1999 for');
  await expect(search.getByRole('status')).toHaveText('1 line');
  await page.getByRole('button', { name: 'Close search' }).click();
  await page.keyboard.press('End');

  // Queued runs are shown everywhere, live.
  await ui.goTo('Workflows');
  await page.getByRole('button', { name: 'Run watched' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run watched' });
  await dialog.getByLabel('WHO').fill('nobody');
  await dialog.getByRole('button', { name: 'Queue' }).click();
  await expect(dialog).toBeHidden();
  await ui.goTo('Queues');
  const waiting = page.getByRole('table', { name: 'Queued runs in watched' });
  await expect(waiting.getByRole('row')).toHaveCount(2);
  await ui.goTo('Dashboard');
  await expect(page.getByRole('region', { name: /^Active runs/ })).toContainText('watched');
  await ui.goTo('Runs');
  await expect(ui.row('watched')).toHaveCount(2);
  await expect(ui.row('Running')).toHaveCount(1);
  await expect(ui.row('Queued')).toHaveCount(1);

  // The first run ends, the second starts and fails: the list updates live.
  latch.open();
  await expect(ui.row('Succeeded')).toHaveCount(1, { timeout: 20_000 });
  await expect(ui.row('Failed')).toHaveCount(1, { timeout: 20_000 });
  await ui.row('Failed').getByRole('link').click();
  await ui.expectCard('after', 'Failed');

  // A mark and its undo, then a retry from there.
  await ui.openLog('after');
  await page.getByRole('button', { name: 'Mark after as…' }).click();
  await page.getByRole('button', { name: 'Mark as succeeded' }).click();
  await ui.expectCard('after', 'Succeeded');
  await page.getByRole('button', { name: 'Undo' }).click();
  await ui.expectCard('after', 'Failed');
  await page.getByRole('button', { name: 'Retry…' }).click();
  await page.getByRole('button', { name: 'Run 1 step' }).click();
  await expect(page.getByText('2×')).toBeVisible({ timeout: 20_000 });
  await ui.expectRunStatus('Failed');
  await ui.goTo('Queues');
  await expect(page.getByText('No active queues')).toBeVisible();
});
