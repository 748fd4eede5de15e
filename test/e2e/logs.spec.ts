import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { sharedTest as test } from './rig/browser-test.ts';
import { checkPage, goToHash } from './rig/check-page.ts';
import { WebUi } from './rig/web-ui.ts';

const workflow = (latch: string): string => `steps:
  - name: words
    script: |
      printf '\\033[31mred alert\\033[0m at https://example.invalid/x\\n'
      printf '10 %%\\r50 %%\\r100 %%\\n'
      echo '::group::Install'
      echo inside one
      echo inside two
      echo '::endgroup::'
      sleep 0.5
      echo problem >&2
      sleep 0.5
      echo afterwards
  - name: japanese
    script: printf '\\223\\372\\226\\173\\n'
  - name: bytes
    script: printf 'PK\\000\\001\\002'
  - name: large
    command: echo small
  - name: fast
    script: |
      i=0
      while [ $i -lt 20000 ]; do i=$((i+1)); echo "line $i of the flood"; done
      ${latch}
      echo the end
`;

/** Opens the log of a step by URL, with the controls of the log as they are at first. */
async function openLog(page: Page, dagRunId: string, step: string, more = ''): Promise<void> {
  await goToHash(page, `#/runs/logs/${dagRunId}?step=${step}${more}`);
  await page.reload();
  await expect(page.getByRole('region', { name: `Step ${step}` })).toBeVisible();
}

/** Replaces the log of the step with one of this many megabytes. */
function fill(file: string, megabytes: number): void {
  const block = Buffer.from(
    `${'x'.repeat(120)} row of region north, 42 columns, none refused\n`.repeat(10_000),
  );
  const descriptor = openSync(file, 'w');
  for (let written = 0; written < megabytes * 1_000_000; written += block.length)
    writeSync(descriptor, block);
  writeSync(descriptor, 'the last line of all\n');
  closeSync(descriptor);
}

test('reads, searches, folds and copies logs of every kind, by pointer and by keyboard', async ({
  page,
  server,
  testHome,
}) => {
  test.setTimeout(240_000);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const latch = testHome.gate('gate');
  testHome.saveWorkflow('logs', workflow(latch.wait));
  const base = server.url;
  const reply = await page.request.post(`${base}/api/v2/dags/logs/start`, { data: {} });
  const { dagRunId } = (await reply.json()) as { dagRunId: string };
  const ui = new WebUi(page);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());

  // Live: fast output is complete, and scrolling up stops following.
  await openLog(page, dagRunId, 'fast');
  await expect(ui.log).toContainText('line 20000 of the flood', { timeout: 60_000 });
  await ui.log.focus();
  await page.keyboard.press('Home');
  await expect(ui.log).toContainText('line 1 of the flood');
  latch.open();
  await expect(page.getByText('20,001 lines')).toBeVisible();
  await page.keyboard.press('End');
  await expect(ui.log).toContainText('the end');
  await openLog(page, dagRunId, 'fast', '&line=10000-10002');
  await expect(ui.log).toContainText('line 10001 of the flood');
  await page.getByRole('button', { name: 'Copy lines' }).click();
  await expect.poll(copied).toBe('line 10000 of the flood\nline 10001 of the flood\nline 10002 of the flood');
  await page.getByRole('button', { name: 'Line 10004', exact: true }).click();
  await expect.poll(() => ui.place()).toContain('line=10004');
  await page.getByRole('button', { name: 'Copy reference' }).click();
  await expect.poll(copied).toBe(`${dagRunId}/fast:10004`);

  // A selection whose ends are both out of view is copied completely.
  await openLog(page, dagRunId, 'fast', '&line=5');
  await expect(ui.log).toContainText('line 5 of the flood');
  await ui.log.evaluate((list) => {
    const row = list.querySelector('[data-row="1"] code span')!.firstChild!;
    document.getSelection()!.setBaseAndExtent(row, 5, row, 6);
  });
  await page.getByRole('button', { name: 'Line 5', exact: true }).hover();
  await page.mouse.wheel(0, 30_000);
  await expect(ui.log).toContainText('line 1500 of the flood');
  await ui.log.evaluate((list) => {
    const row = list.querySelector('[data-row="1499"] code span')!.firstChild!;
    document.getSelection()!.extend(row, 9);
  });
  await ui.log.focus();
  await page.keyboard.press('End');
  await expect(ui.log).toContainText('the end');
  await page.keyboard.press('Control+c');
  await expect.poll(async () => (await copied()).split('\n').length).toBe(1499);
  const copy = (await copied()).split('\n');
  expect([copy[0], copy[1], copy.at(-1)]).toEqual(['2 of the flood', 'line 3 of the flood', 'line 1500']);

  // Colours, progress displays, groups, links, both streams, times.
  await openLog(page, dagRunId, 'words');
  await expect(ui.log.getByRole('link', { name: 'https://example.invalid/x' })).toBeVisible();
  await expect(ui.log).toContainText('100 %');
  await expect(ui.log).not.toContainText('50 %');
  const group = ui.log.getByRole('button', { name: 'Install' });
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await expect(ui.log).not.toContainText('inside two');
  await expect(ui.log).toContainText('afterwards');
  await page.getByRole('radio', { name: 'both' }).click();
  await expect(ui.log).toContainText(/inside two.*endgroup.*problem.*afterwards/s);
  await expect(ui.log).not.toContainText('50 %');
  await group.click();
  await expect(group).toHaveText('Install3 lines');
  await expect(ui.log).not.toContainText('inside two');
  await expect(ui.log).toContainText(/problem.*afterwards/s);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('inside two');
  await expect(page.getByRole('search', { name: 'Log' }).getByRole('status')).toContainText('1 line');
  await page.keyboard.press('Enter');
  await expect(ui.log.locator('mark')).toHaveText('inside two');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show elapsed times' }).click();
  await expect(ui.log).toContainText(/\+0:0[01]\.\d/);
  await checkPage(page, 'log-both');

  // Downloads: the rendered text, and the raw bytes of the file.
  const download = async (item: string): Promise<string> => {
    await page.getByRole('button', { name: 'More log actions' }).click();
    const arriving = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: item }).click();
    return readFileSync(await (await arriving).path(), 'utf8');
  };
  const shown = await download('Download as shown');
  expect(shown).toMatch(/\+0:0[01]\.\d.*red alert.*problem.*afterwards\n$/s);
  expect(shown).not.toContain('\u001B');
  await page.getByRole('radio', { name: 'stdout' }).click();
  const file = await download('Download the file');
  expect(file.startsWith('\u001B[31mred alert')).toBe(true);
  expect(file).toContain('50 %\r100 %');

  // Bytes, and another encoding.
  await openLog(page, dagRunId, 'bytes');
  await expect(page.getByRole('log', { name: 'Bytes' })).toContainText('50 4b 00 01 02');
  await openLog(page, dagRunId, 'japanese');
  await page.getByRole('button', { name: 'More log actions' }).click();
  await page.getByRole('menuitem', { name: /^Encoding/ }).click();
  await page
    .getByRole('button', { name: /Encoding/ })
    .last()
    .click();
  await page.getByRole('option', { name: 'Shift_JIS' }).click();
  await expect(ui.log).toContainText('日本');

  // A large log, by keyboard alone.
  const view = await page.request.get(`${base}/api/v2/dag-runs/logs/${dagRunId}`);
  const detail = (await view.json()) as { steps: { name: string; attempts: { stdoutFile: string }[] }[] };
  const { stdoutFile } = detail.steps.find(({ name }) => name === 'large')!.attempts[0]!;
  fill(stdoutFile, 200);
  await openLog(page, dagRunId, 'large');
  await expect(ui.log).toContainText('the last line of all');
  await ui.log.focus();
  await page.keyboard.press('Home');
  await expect(page.getByRole('button', { name: 'Line 1', exact: true })).toBeVisible();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('LAST line');
  const search = page.getByRole('search', { name: 'Log' });
  await expect(search.getByRole('status')).toContainText('1 line');
  await page.keyboard.press('Enter');
  await expect(ui.log.locator('mark')).toHaveText('last line');
  await expect(search.getByRole('status')).toHaveText('1 of 1 line');
  await checkPage(page, 'log-search');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+g');
  await page.keyboard.type('1000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Line 1000000', exact: true })).toBeVisible();

  // Wrapping keeps the current line, and any other line is reachable.
  await page.getByRole('button', { name: 'Wrap lines' }).click();
  const getLine = (line: number) => page.getByRole('button', { name: `Line ${line}`, exact: true });
  await expect(getLine(1_000_000)).toBeInViewport();
  await ui.log.hover();
  await page.mouse.wheel(0, -400);
  await expect(getLine(1_000_000 - 8)).toBeInViewport();
  await ui.log.focus();
  await page.keyboard.press('Home');
  await expect(getLine(1)).toBeInViewport();
  expect((await getLine(2).boundingBox())!.y - (await getLine(1).boundingBox())!.y).toBeGreaterThan(20);
  await page.keyboard.press('End');
  await expect(ui.log).toContainText('the last line of all');
  await page.getByRole('button', { name: 'Wrap lines' }).click();
  writeFileSync(stdoutFile, 'small again\n');
});
