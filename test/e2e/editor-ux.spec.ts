import { expect } from '@playwright/test';
import { test, CanvasUi } from './rig/editor-ui.ts';

test.use({ viewport: { width: 1280, height: 800 } });

test('the changes can be reviewed before saving, also of invalid text, with a warning', async ({
  page,
  editor,
  workflow,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Review changes' });
  await editor.placeCursorAfter('# quick');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('comand: no');
  await page.keyboard.press('Control+Shift+s');
  await expect(dialog.getByText('1 error.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Review changes before saving' }).check();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(workflow.read()).toBe(workflow.text);
  await editor.saveButton.click();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Saved with 1 error.')).toBeVisible();
  await expect(editor.savedMark).toBeVisible();
  expect(workflow.read()).toContain('# quick\n    comand: no\n');
  await page.getByRole('button', { name: 'Show problem', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('comand');
});

test('in a narrow window the form is above the canvas, and leaves the code free', async ({
  page,
  editor,
}) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  const form = page.getByRole('region', { name: 'Inspector' });
  await expect(form).toBeHidden();
  await editor.card('load').dblclick();
  await expect(form.getByRole('heading', { name: 'load' })).toBeVisible();
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type('er');
  await page.keyboard.press('Enter');
  await expect(editor.code).toContainText('- name: loader');
  await editor.placeCursorAfter('# quick');
  await expect(form.getByRole('heading', { name: 'fetch' })).toBeVisible();
  await page.getByRole('button', { name: 'Close inspector' }).click();
  await expect(form).toBeHidden();
  await page.getByRole('button', { name: 'Close outline' }).click();
  await expect(page.getByRole('treegrid', { name: 'Steps' })).toBeHidden();
  await page.getByRole('button', { name: 'Open outline' }).click();
  await expect(editor.step('loader')).toBeVisible();
});

test('a click on the empty canvas shows the settings of the workflow, another one closes them', async ({
  page,
  editor,
}) => {
  await page.setViewportSize({ width: 900, height: 800 });
  await new CanvasUi(page).openStandalone();
  await editor.card('load').click();
  const form = page.getByRole('region', { name: 'Inspector' });
  await expect(form.getByRole('heading', { name: 'load' })).toBeVisible();
  const free = page.locator('.react-flow__pane');
  await free.click({ position: { x: 40, y: 40 } });
  await expect(form.getByRole('heading', { name: 'Workflow' })).toBeVisible();
  await free.click({ position: { x: 40, y: 40 } });
  await expect(form).toBeHidden();
});

test('the graph stays visible when the window shrinks after an edit', async ({ page, editor }) => {
  await editor.placeCursorAfter('# quick');
  await page.keyboard.insertText('er');
  await expect(editor.savedMark).toBeHidden();
  await page.setViewportSize({ width: 640, height: 400 });
  await expect(page.locator('[data-canvas] [data-node-id]').first()).toBeInViewport();
});

test('moves a card by its menu and a click, or by keys, and announces both', async ({ page, editor }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  const canvas = new CanvasUi(page);
  await canvas.openStandalone();
  // The form opens with the selected step, above the graph, until it is closed.
  await editor.card('load').click();
  await expect(page.getByRole('region', { name: 'Inspector' })).toBeVisible();
  await page.getByRole('button', { name: 'Close inspector' }).click();
  await editor.card('fetch').click();
  await expect(page.getByRole('region', { name: 'Inspector' })).toBeHidden();
  const before = await canvas.getMiddle(editor.card('load'));
  await editor.card('load').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Move to…' }).click();
  await expect(page.getByText('Click to place the card.')).toBeVisible();
  await page.mouse.click(before.x + 40, before.y + 120);
  await expect(page.getByRole('status', { name: 'Moved steps' })).toHaveText(/^load moved to/);
  const after = await canvas.getMiddle(editor.card('load'));
  expect(Math.abs(after.x - before.x - 40) + Math.abs(after.y - before.y - 120)).toBeLessThan(8);
  const said = await page.getByRole('status', { name: 'Moved steps' }).textContent();
  await expect(editor.card('load')).toBeFocused();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(page.getByRole('status', { name: 'Moved steps' })).not.toHaveText(said ?? '');
});

test('leaving a new workflow asks after input', async ({ page }) => {
  await page.evaluate(() => {
    location.hash = '#/new/yaml';
  });
  await page.locator('textarea').fill('steps: [echo one]\n');
  await page.getByRole('link', { name: 'Runs' }).click();
  const dialog = page.getByRole('dialog', { name: 'Discard this workflow?' });
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.locator('textarea')).toHaveValue('steps: [echo one]\n');
  await page.getByRole('link', { name: 'Runs' }).click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
});
