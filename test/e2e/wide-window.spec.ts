import { expect, type Locator } from '@playwright/test';
import { sharedTest as test } from './rig/browser-test.ts';
import { goToHash } from './rig/check-page.ts';

test.use({ viewport: { width: 1920, height: 1080 } });

/** Whether none of its text is truncated. */
const isWhole = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => element.scrollWidth <= element.clientWidth);

const getBarX = async (place: Locator): Promise<number> => (await place.boundingBox())!.x;

test('the list of workflows shows a long schedule in full', async ({ page, ui, testHome }) => {
  testHome.saveWorkflow(
    'warm',
    'schedule: "0 8-18/2 * * 1-5"\ndescription: Keep the cache of the shop warm\nsteps: [echo warm]\n',
  );
  await expect(ui.row('warm')).toBeVisible();
  const words = page.getByText('On the hour, every 2 hours, between 08:00 and 18:00, Monday through Friday');
  await expect(words).toBeVisible();
  await expect.poll(() => isWhole(words)).toBe(true);
});

test('related fields in the panel of a step stay together', async ({ page, ui }) => {
  await ui.run('sales-etl', { PACE: '0' });
  await ui.expectRunStatus('Succeeded');
  await ui.openLog('report');
  const panel = page.getByRole('region', { name: 'Step report' });
  // The header starts with the icon of the step type.
  const head = panel.locator('header svg').first();
  await expect(panel.getByRole('tab', { name: 'Log' })).toBeVisible();
  expect(await getBarX(panel.getByRole('tab', { name: 'Log' }))).toBe(await getBarX(head));

  await page.getByRole('tab', { name: 'Values' }).click();
  for (const name of ['PACE', 'REVENUE', 'Working directory', 'Logs', 'File'])
    await expect(page.getByRole('button', { name: `Copy ${name}` })).toBeVisible();

  await panel.getByRole('button', { name: 'Full screen' }).click();
  await page.getByRole('button', { name: 'Go to line or time' }).click();
  const field = page.getByRole('textbox', { name: 'Line or time' });
  await expect(field).toBeVisible();
  const { x, width } = (await field.boundingBox())!;
  expect(width).toBeLessThanOrEqual(560);
  expect((await getBarX(page.getByRole('button', { name: 'Go', exact: true }))) - x - width).toBeLessThan(60);
});

test('a focused text area has a single border, as fields do', async ({ page }) => {
  await goToHash(page, '#/new');
  await page.getByRole('tab', { name: 'Shell script' }).click();
  const area = page.getByRole('textbox', { name: 'Script' });
  const name = page.getByRole('textbox', { name: 'Name' });
  const outlineOf = async (field: Locator): Promise<string> => {
    await field.focus();
    return field.evaluate((element) => {
      const { outlineWidth, outlineOffset } = getComputedStyle(element);
      return `${outlineWidth} ${outlineOffset}`;
    });
  };
  expect(await outlineOf(area)).toBe(await outlineOf(name));
});

test('the palette truncates no line that has enough space', async ({ page }) => {
  await goToHash(page, '#/runs');
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  const edgeOf = async (place: Locator): Promise<number> => {
    const { x, width } = (await place.boundingBox())!;
    return x + width;
  };
  // Shortcuts are aligned to the edge, whatever precedes them.
  const search = palette.getByRole('option', { name: /^Search/ });
  expect((await edgeOf(search)) - (await edgeOf(search.locator('kbd').last()))).toBeLessThan(24);
  await palette.getByRole('combobox').fill('creates a sales');
  const found = page.getByRole('option', { name: /^# Creates a sales report/ });
  await expect(found).toBeVisible();
  expect((await edgeOf(found)) - (await edgeOf(found.getByText('sales-etl, line 1')))).toBeLessThan(24);
  await page.keyboard.press('Escape');
});

test('the outline numbers the steps as the run page does, and aligns shortcuts in columns', async ({
  page,
}) => {
  await goToHash(page, '#/dags/sales-etl/edit');
  await page.getByRole('radio', { name: 'Canvas' }).click();
  const outline = page.getByRole('region', { name: 'Outline' });
  await expect(outline.getByRole('row', { name: /report/ })).toBeVisible();
  await expect(outline.locator('h2 + span')).toHaveText('7');

  await page.locator('[data-canvas]').press('?');
  const group = page.getByRole('dialog').getByRole('region', { name: 'Run', exact: true });
  await expect(group).toBeVisible();
  const lefts = await group
    .getByRole('definition')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
  expect(new Set(lefts).size).toBe(1);
});
