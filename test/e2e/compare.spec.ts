import { expect } from '@playwright/test';
import { sharedTest as test } from './rig/browser-test.ts';
import { checkPage, goToHash } from './rig/check-page.ts';

const workflow = `params: WORD=hello CODE=0
steps:
  - name: greet
    command: echo "$WORD"
    output: SAID
  - { name: leave, command: exit $CODE }
`;

test('compares two runs: step results, values, definition and logs', async ({ ui, server, testHome }) => {
  test.setTimeout(120_000);
  const { page } = ui;
  const start = async (params: string): Promise<string> => {
    const answer = await page.request.post(`${server.url}/api/v2/dags/greeting/start`, { data: { params } });
    return ((await answer.json()) as { dagRunId: string }).dagRunId;
  };
  const read = async (id: string): Promise<string> =>
    (
      (await (await page.request.get(`${server.url}/api/v2/dag-runs/greeting/${id}`)).json()) as {
        status: string;
      }
    ).status;
  testHome.saveWorkflow('greeting', workflow);
  const first = await start('');
  await expect.poll(() => read(first)).toBe('succeeded');
  testHome.saveWorkflow('greeting', `description: Says hello\n${workflow}`);
  const second = await start('WORD=goodbye CODE=4');

  await goToHash(page, `#/runs/greeting/${second}`);
  await ui.expectRunStatus('Failed');
  await page.getByRole('button', { name: 'More rerun options' }).click();
  await page.getByRole('menuitem', { name: 'Compare with previous' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Compare runs of greeting' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Run A' })).toContainText('Succeeded');
  await expect(page.getByRole('region', { name: 'Run B' })).toContainText('Failed');
  await expect(ui.row('leave')).toContainText('exit 4');
  await checkPage(page, 'compare-steps');

  await page.getByRole('tab', { name: /^Parameters and outputs/ }).click();
  await expect(ui.row('WORD')).toContainText('different');
  await expect(ui.row('SAID')).toContainText('goodbye');
  await checkPage(page, 'compare-values');
  await page.getByRole('tab', { name: 'YAML' }).click();
  await expect(page.getByRole('textbox', { name: 'Changes' })).toContainText('Says hello');

  // By keyboard: from the steps to both logs of one of them.
  await page.getByRole('tab', { name: /^Steps/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Logs of greet' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Log of run A' })).toContainText('hello');
  await expect(page.getByRole('region', { name: 'Log of run B' })).toContainText('goodbye');
  expect(await ui.place()).toContain('view=logs&step=greet');
  await checkPage(page, 'compare-logs');
});
