import { expect } from '@playwright/test';
import { test } from './rig/browser-test.ts';
import { checkPage } from './rig/check-page.ts';

test('queues, schedule, search, system and audit show and change the current state', async ({
  page,
  server,
  ui,
  testHome,
}) => {
  test.setTimeout(150_000);
  testHome.saveWorkflow('later', 'queue: night\nsteps:\n  - echo later\n');
  const many = Array.from(
    { length: 90 },
    (_, index) => `  - name: step-${index}\n    command: echo ${index}\n`,
  );
  testHome.saveWorkflow('long', `steps:\n${many.join('')}`);
  testHome.saveWorkflow('daily', 'schedule: "30 4 * * *"\nsteps:\n  - echo daily\n');
  const post = async (path: string, data: object): Promise<void> => {
    expect((await page.request.post(`${server.url}/api/v2${path}`, { data })).ok()).toBe(true);
  };
  for (const dagRunId of ['first', 'second', 'third']) await post('/dags/later/enqueue', { dagRunId });

  await ui.goTo('Queues');
  const waiting = page.getByRole('table', { name: 'Queued runs in night' });
  await expect(waiting.getByRole('row').nth(1)).toContainText('first');
  await expect(waiting.getByRole('row').nth(1)).toContainText('no scheduler is running');
  await page.getByRole('button', { name: 'Move later third to the front' }).click();
  await expect(waiting.getByRole('row').nth(1)).toContainText('third');
  await page.getByRole('button', { name: 'Remove later first from the queue' }).click();
  await expect(waiting.getByRole('row')).toHaveCount(3);
  // Also on the page of a queued run, which shows why it waits.
  await post('/dags/later/enqueue', { dagRunId: 'fourth' });
  await waiting.getByRole('link', { name: 'later fourth' }).click();
  await expect(page.getByRole('note').filter({ hasText: 'no scheduler is running' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove from queue' }).click();
  await ui.expectRunStatus('Aborted');
  await ui.goTo('Queues');
  await expect(waiting.getByRole('row')).toHaveCount(3);
  // Changes by others are shown immediately, long before the page would poll again.
  await post('/queues/night/pause', {});
  await expect(page.getByText('Paused over HTTP. Queued')).toBeVisible({ timeout: 10_000 });
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText('Paused over HTTP. Queued')).toBeVisible();
  await checkPage(page, 'queues');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Clear queue night?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Remove 2 runs' }).click();
  await expect(page.getByText('No queued runs')).toBeVisible();

  await ui.goTo('Schedule');
  // On the last day of a week, the time may be over.
  await page.getByRole('button', { name: 'Next week' }).click();
  await expect(page.getByRole('button', { name: /04:00: 1 upcoming daily$/ }).first()).toBeVisible();
  await checkPage(page, 'schedule');

  await ui.goTo('Search');
  await page.keyboard.press('/');
  await page.keyboard.type('echo LATER');
  const hit = page.getByRole('link', { name: /echo later/ });
  await expect(hit).toBeVisible();
  await expect(hit).toHaveAttribute('href', '/dags/later/edit?line=3');
  await checkPage(page, 'search');
  await page.getByRole('searchbox').fill('echo 79');
  await page.getByRole('link', { name: /command: echo 79/ }).click();
  const code = page.getByRole('textbox', { name: 'Workflow file' });
  await expect(code.locator('.cm-activeLine')).toContainText('command: echo 79');
  await expect(code.locator('.cm-activeLine')).toBeInViewport();
  await expect(code).toBeFocused();
  const card = page.getByRole('button', { name: /^step step-79,/ });
  await expect(card).toHaveAttribute('aria-pressed', 'true');
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('echo 79');

  await ui.goTo('System');
  await expect(page.getByRole('img', { name: /^Memory: now/ })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Check database' }).click();
  await expect(page.getByText(/^No problems \(/)).toBeVisible();
  await checkPage(page, 'system');
  for (const tab of ['Scheduler', 'Hosts', 'Workers']) {
    await page.getByRole('tab', { name: tab }).click();
    expect(await ui.place()).toBe(`/system?tab=${tab.toLowerCase()}`);
    await expect(page.getByRole('tabpanel')).not.toBeEmpty();
  }

  await ui.goTo('Audit');
  await expect(ui.row('Clear a queue')).toContainText('queue night');
  await expect(ui.row('Queue a run of a workflow')).toHaveCount(4);
  await page.getByRole('searchbox', { name: 'Search targets' }).fill('later/first');
  await expect(ui.row('Remove a run from its queue')).toBeVisible();
  await expect(ui.row('Clear a queue')).toBeHidden();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toBe('audit.csv');
  await checkPage(page, 'audit');
});
