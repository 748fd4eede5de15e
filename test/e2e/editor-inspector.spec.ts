import { expect, type Page } from '@playwright/test';
import { test } from './rig/editor-test.ts';

const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' });

test('a field of the selected step is a splice of one line', async ({ page, editor }) => {
  await editor.step('fetch').click();
  const pane = inspector(page);
  await expect(pane.getByRole('heading', { name: 'fetch' })).toBeVisible();
  const command = pane.getByRole('textbox', { name: 'Command' });
  await command.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' --all');
  await expect(editor.code).toContainText('command: echo "fetch" --all   # quick');
  await expect(editor.code).toContainText('name: sales   # as the reports call it');
  await page.getByRole('button', { name: 'Undo set command' }).click();
  await expect(command).toHaveText('echo "fetch"');
  await expect(editor.dirtyMark).toBeHidden();
});
