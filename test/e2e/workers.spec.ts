import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { test } from './rig/browser-test.ts';
import { checkPage, goToHash } from './rig/check-page.ts';
import { startCoordinator, startWorker, ENGINE_FILE } from './rig/test-home.ts';

test('connects a worker, runs a step on it, drains it and removes it', async ({ page, ui, testHome }) => {
  test.setTimeout(180_000);
  const latch = testHome.gate('far');
  testHome.saveWorkflow(
    'far',
    `steps:\n  - name: there\n    workerSelector: { gpu: "true" }\n    command: echo on its way; ${latch.wait}\n`,
  );
  await ui.goTo('System');
  await page.getByRole('tab', { name: 'Workers' }).click();
  await expect(page.getByRole('heading', { name: 'No workers' })).toBeVisible();
  await checkPage(page, 'workers-none');

  await page.getByRole('button', { name: 'Connect worker' }).click();
  await expect(page.getByRole('dialog', { name: 'Connect worker' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Labels' }).fill('gpu');
  await expect(page.getByText('Invalid label')).toBeVisible();
  await page.getByRole('textbox', { name: 'Labels' }).fill('gpu=true');
  await page.getByRole('textbox', { name: 'Note' }).fill('machines with a GPU');
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start the worker' });
  await expect(dialog).toContainText('No coordinator is running');
  const command = await dialog.locator('code').first().innerText();
  await checkPage(page, 'workers-command', '[role=dialog]');
  await dialog.getByRole('button', { name: 'Done' }).click();

  const coordinator = await startCoordinator(testHome);
  const url = coordinator.line.split(' ').at(-1)!;
  const token = command.split(' ').at(-1)!;
  const worker = await startWorker(testHome, 'box', ['--coordinator', url, '--token', token]);
  try {
    const workers = page.getByRole('table', { name: 'Workers' });
    const row = workers.getByRole('row').filter({ hasText: 'box' });
    await expect(row).toContainText('gpu=true');
    const run = promisify(execFile)(process.execPath, [
      ENGINE_FILE,
      'start',
      'far',
      '--engine-home',
      testHome.home,
    ]);
    await expect(row.getByRole('link', { name: 'far · there' })).toBeVisible({ timeout: 30_000 });
    await checkPage(page, 'workers');
    // Actions for a worker and for a token are stacked.
    const rightOf = async (name: string): Promise<number> => {
      const box = (await page.getByRole('button', { name }).boundingBox())!;
      return box.x + box.width;
    };
    expect(await rightOf('Revoke token machines with a GPU')).toBe(await rightOf('Actions on box'));
    await row.getByRole('link', { name: 'far · there' }).click();
    await expect(page.getByText('on box', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('on its way', { exact: true })).toBeVisible();

    await goToHash(page, '#/system?tab=workers');
    await row.getByRole('button', { name: 'Actions on box' }).click();
    await page.getByRole('menuitem', { name: 'Drain' }).click();
    await expect(row).toContainText('Draining');
    latch.open();
    await run;
    await row.getByRole('button', { name: 'Actions on box' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove worker' }).click();
    await expect(page.getByRole('heading', { name: 'No workers' })).toBeVisible();
  } finally {
    latch.open();
    await worker.stop();
    await coordinator.stop();
  }
});
