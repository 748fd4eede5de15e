import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { test } from './rig/editor-test.ts';
import { salesWorkflow as text } from './rig/editor-ui.ts';

test('typing and Ctrl+S change one line of the file', async ({ page, editor, testHome }) => {
  await editor.placeCursorAfter('# quick');
  await page.keyboard.type(' enough');
  await expect(editor.dirtyMark).toBeVisible();
  await editor.save();
  const file = path.join(testHome.home, 'dags/sales.yaml');
  expect(readFileSync(file, 'utf8')).toBe(text.replace('# quick', '# quick enough'));
});

test('counts problems, and undoing to the saved version is clean', async ({ page, editor }) => {
  await expect(editor.problems).toHaveAccessibleName('Problems: 0 errors, 0 warnings');
  await editor.placeCursorAfter('# quick');
  await page.keyboard.press('Enter');
  await page.keyboard.type('comand: no');
  await expect(editor.problems).toHaveAccessibleName(/^Problems: [1-9]/);
  // Typing with a pause on a busy machine takes two undos.
  await expect(async () => {
    await page.keyboard.press('Control+z');
    await expect(editor.dirtyMark).toBeHidden({ timeout: 1000 });
  }).toPass();
  await expect(editor.problems).toHaveAccessibleName('Problems: 0 errors, 0 warnings');
});

test('preserves the line endings of the file', async ({ page, editor, testHome, ui }) => {
  const file = path.join(testHome.home, 'dags/windows.yaml');
  const windows = text.replaceAll('\n', '\r\n').replace('sales   #', 'windows   #');
  writeFileSync(file, windows);
  await page.reload();
  await ui.waitUntilLoaded();
  await editor.open('windows');
  await editor.placeCursorAfter('# quick');
  await page.keyboard.press('Enter');
  await page.keyboard.type('shell: sh');
  await editor.save();
  expect(readFileSync(file, 'utf8')).toBe(windows.replace('# quick', '# quick\r\n    shell: sh'));
});
