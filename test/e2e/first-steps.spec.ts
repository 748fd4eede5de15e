import { expect } from '@playwright/test';
import { sharedTest as test } from './rig/browser-test.ts';
import { goToHash } from './rig/check-page.ts';
import { CanvasUi } from './rig/editor-ui.ts';

test.use({ viewport: { width: 1280, height: 800 } });

test('a new workflow has a second step, is saved and run after five actions', async ({
  page,
  ui,
  testHome,
}) => {
  await ui.waitUntilLoaded();
  const canvas = new CanvasUi(page);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('my-workflow');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Inspector' })).toBeVisible();
  await canvas.snippet('Command').click();
  await expect(canvas.card('command')).toBeVisible();
  await canvas.snippet('Script').click();
  await expect(canvas.line('command', 'script')).toBeAttached();
  await page.getByRole('button', { name: 'Save and run' }).click();

  await expect(page.getByRole('region', { name: 'Run', exact: true })).toContainText('Succeeded');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(await testHome.readHistory()).toMatchObject([{ name: 'my-workflow', status: 'succeeded' }]);
});

test('shows the connection of a dragged step before it is dropped, and pickers next to the form', async ({
  page,
  testHome,
}) => {
  testHome.saveWorkflow('etl', 'steps:\n  - name: fetch\n    command: echo fetch\n');
  await goToHash(page, '#/dags/etl/edit');
  const canvas = new CanvasUi(page);
  const card = await canvas.getMiddle(canvas.card('fetch'));
  await canvas.drag(await canvas.getMiddle(canvas.snippet('Command')), { x: card.x, y: card.y - 160 }, true);
  await expect(page.getByText('after fetch', { exact: true })).toBeVisible();
  await expect(canvas.canvas.locator('svg > g > rect + path, svg > g > path + rect')).toHaveCount(1);
  await page.mouse.up();
  await expect(canvas.line('fetch', 'command')).toBeAttached();
  await canvas.card('command').focus();
  await page.keyboard.press('Tab');
  const picker = (await canvas.picker.boundingBox())!;
  const form = (await page.getByRole('region', { name: 'Inspector' }).boundingBox())!;
  expect(picker.x + picker.width).toBeLessThanOrEqual(form.x);
});
