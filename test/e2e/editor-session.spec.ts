import { expect } from '@playwright/test';
import { test, salesWorkflow } from './rig/editor-ui.ts';

test('typing and Ctrl+S change one line of the file', async ({ page, editor, workflow }) => {
  await editor.placeCursorAfter('# quick');
  await page.keyboard.type(' enough');
  await expect(editor.dirtyMark).toBeVisible();
  await editor.save();
  expect(workflow.read()).toBe(workflow.text.replace('# quick', '# quick enough'));
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

test.describe(() => {
  test.use({ template: salesWorkflow.replaceAll('\n', '\r\n') });

  test('preserves the line endings of the file', async ({ page, editor, workflow }) => {
    await editor.placeCursorAfter('# quick');
    await page.keyboard.press('Enter');
    await page.keyboard.type('shell: sh');
    await editor.save();
    expect(workflow.read()).toBe(workflow.text.replace('# quick', '# quick\r\n    shell: sh'));
  });
});
