import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { test } from './rig/editor-ui.ts';

test('outline and code share one history, with a label for each edit', async ({ page, editor }) => {
  await expect(editor.step('fetch')).toBeVisible();
  await editor.step('fetch').click();
  await page.keyboard.press('F2');
  const dialog = page.getByRole('dialog', { name: 'Rename fetch' });
  await dialog.getByLabel('Name').fill('extract');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(editor.code).toContainText('depends: [extract]');
  await expect(editor.step('extract')).toBeVisible();
  await editor.placeCursorAfter('# quick');
  await page.keyboard.type('!');
  await expect(page.getByRole('button', { name: 'Undo typing' })).toBeEnabled();
  await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: 'Undo rename fetch to extract' }).click();
  await expect(editor.dirtyMark).toBeHidden();
  await expect(editor.step('fetch')).toBeVisible();
  await page.getByRole('button', { name: 'Redo rename fetch to extract' }).click();
  await expect(editor.step('extract')).toBeVisible();
});

test('adds, moves and deletes steps in the outline by keyboard', async ({ page, editor, workflow }) => {
  await editor.step('load').click();
  await page.keyboard.press('+');
  await expect(editor.step('new-step')).toBeVisible();
  await editor.step('new-step').click();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(editor.code).toContainText(/name: new-step[\s\S]*name: load/);
  await editor.step('new-step').click();
  await page.keyboard.press('Delete');
  await expect(editor.step('new-step')).toBeHidden();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(editor.dirtyMark).toBeHidden();
  expect(workflow.read()).toBe(workflow.text);
});

test('a step selected in one view is selected in all', async ({ page, editor }) => {
  await editor.card('load').click();
  await expect(editor.step('load')).toHaveAttribute('aria-selected', 'true');
  await editor.placeCursorAfter('# quick');
  await expect(editor.step('fetch')).toHaveAttribute('aria-selected', 'true');
  await expect(editor.card('fetch')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Control+Shift+O');
  await page.getByRole('dialog', { name: 'Go to step' }).getByRole('searchbox').fill('loa');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(editor.step('load')).toHaveAttribute('aria-selected', 'true');
});

test('invalid YAML keeps the last valid canvas and outline, and is reported when restored as a draft', async ({
  page,
  editor,
  workflow,
  testHome,
}) => {
  await expect(editor.card('fetch')).toBeVisible();
  await editor.placeCursorAfter('# quick');
  await page.keyboard.press('Enter');
  await page.keyboard.type(']: [');
  await expect(page.getByText('Invalid YAML. Showing the last valid version.')).toBeVisible();
  await editor.choose('Code');
  await editor.choose('Split');
  await expect(editor.card('fetch')).toBeVisible();
  const draft = path.join(testHome.home, 'data/editor/drafts', `${workflow.name}.json`);
  await expect.poll(() => existsSync(draft) && readFileSync(draft, 'utf8').includes(']: [')).toBe(true);
  await page.reload();
  await expect(page.getByText('Unsaved changes restored.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Invalid YAML' })).toBeVisible();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(editor.card('fetch')).toBeVisible();
});

test('completes keys from the schema', async ({ page, editor }) => {
  await editor.placeCursorAfter('# quick');
  await page.keyboard.press('Enter');
  await page.keyboard.type('retryP');
  await expect(page.getByRole('option', { name: /retryPolicy/ })).toBeVisible();
  // A newly opened completion ignores Enter for 75 ms, to prevent accidents.
  const shown = Date.now();
  await expect.poll(() => Date.now() - shown).toBeGreaterThan(75);
  await page.keyboard.press('Enter');
  await expect(editor.code).toContainText('retryPolicy:');
});

test('a change on disk is loaded, or merged with local changes', async ({
  page,
  editor,
  workflow,
  testHome,
}) => {
  const { name, text } = workflow;
  testHome.saveWorkflow(name, text.replace("echo 'load'", "echo 'LOAD'"));
  await expect(editor.code).toContainText("echo 'LOAD'");
  await expect(editor.dirtyMark).toBeHidden();
  await editor.placeCursorAfter('# quick');
  await page.keyboard.type('er');
  testHome.saveWorkflow(
    name,
    text.replace('of the day', 'of the week').replace("echo 'load'", "echo 'LOAD'"),
  );
  await expect(page.getByText('The file has changed on disk')).toBeVisible();
  await page.getByRole('button', { name: 'Merge…' }).click();
  await page.getByRole('button', { name: 'Use merged version' }).click();
  await expect(editor.code).toContainText('of the week');
  await editor.save();
  expect(workflow.read()).toBe(
    text
      .replace('of the day', 'of the week')
      .replace("echo 'load'", "echo 'LOAD'")
      .replace('# quick', '# quicker'),
  );
});

test('reviews changes before saving', async ({ page, editor, workflow }) => {
  await editor.placeCursorAfter('# quick');
  await page.keyboard.type('er');
  await page.getByRole('button', { name: 'Review changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Review changes' });
  await expect(dialog.getByText('# quicker')).toBeVisible();
  // The old and the new line are shown one above the other.
  const beginOf = (kind: string): Promise<number> =>
    dialog.locator(kind).evaluate((line) => {
      const words = document.createRange();
      words.selectNodeContents(line);
      return words.getBoundingClientRect().left;
    });
  expect(await beginOf('.cm-deletedLine')).toBe(await beginOf('.cm-changedLine'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(editor.savedMark).toBeVisible();
  expect(workflow.read()).toContain('# quicker\n');
});

test('leaving asks, and a draft is restored', async ({ page, editor, workflow }) => {
  await editor.placeCursorAfter('# quick');
  await page.keyboard.type('er');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as a draft?' });
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(editor.code).toContainText('# quicker');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
  await dialog.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await editor.open(workflow.name);
  await expect(page.getByText('Unsaved changes restored.')).toBeVisible();
  await expect(editor.code).toContainText('# quicker');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(editor.dirtyMark).toBeHidden();
  await expect(editor.code).not.toContainText('# quicker');
});

test('restores an older version', async ({ page, editor, workflow }) => {
  await editor.placeCursorAfter('# quick');
  await page.keyboard.type('er');
  await editor.save();
  await page.getByRole('button', { name: 'Versions' }).click();
  const dialog = page.getByRole('dialog', { name: `Versions of ${workflow.name}` });
  await dialog.getByRole('option').last().click();
  await dialog.getByRole('button', { name: 'Restore version' }).click();
  await editor.save();
  expect(workflow.read()).toBe(workflow.text);
});
