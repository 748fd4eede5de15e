import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { sharedTest as test } from './rig/browser-test.ts';
import { checkPage, goToHash } from './rig/check-page.ts';

test('lists the artifacts of a run with their step and saves them', async ({
  page,
  ui,
  server,
  testHome,
}) => {
  testHome.saveWorkflow('bare', 'steps:\n  - command: echo nothing to keep\n');
  testHome.saveWorkflow(
    'train',
    `steps:
  - name: fit
    command: mkdir -p plots; head -c 2500000 /dev/zero | tr '\\0' m > model.bin; echo a > plots/loss.png
    outputFiles: [model.bin, "plots/*.png"]
  - name: report
    command: '[ "$ENGINE_STEP_ATTEMPT" != 1 ] && echo done > "the report of the training, with all its findings.html"'
    outputFiles: "*.html"
    retryPolicy: { limit: 1, intervalSec: 0 }
`,
  );
  await ui.goTo('Runs');
  const start = async (name: string): Promise<string> => {
    const answer = await page.request.post(`${server.url}/api/v2/dags/${name}/start`, { data: {} });
    return ((await answer.json()) as { dagRunId: string }).dagRunId;
  };
  await goToHash(page, `#/runs/bare/${await start('bare')}?view=files`);
  await expect(page.getByRole('heading', { name: 'No files' })).toBeVisible();
  await expect(page.getByText('outputFiles')).toBeVisible();
  await checkPage(page, 'run-files-none');

  await goToHash(page, `#/runs/train/${await start('train')}?view=files`);
  const files = page.getByRole('table', { name: 'Run files' });
  const row = (name: string) => files.getByRole('row').filter({ hasText: name });
  await expect(row('the report of the training')).toContainText('report attempt 2', { timeout: 30_000 });
  await expect(row('plots/loss.png')).toContainText('fit');
  await expect(row('model.bin')).toContainText('2.5 MB');
  await checkPage(page, 'run-files');
  const saving = page.waitForEvent('download');
  await row('model.bin').getByRole('button', { name: 'Download model.bin' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('model.bin');
  expect(readFileSync(await download.path()).equals(Buffer.alloc(2_500_000, 'm'))).toBe(true);
});
