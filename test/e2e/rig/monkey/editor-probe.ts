import { expect, type Page } from '@playwright/test';
import { drawn } from './monkey.ts';
import { analyzeEditable } from '../../../../core/edit/build-outline.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';

/** The complete text of the code pane, byte for byte; the pane itself renders only what is visible. */
export function readCode(page: Page): Promise<string> {
  return page.getByRole('textbox', { name: 'Workflow file' }).evaluate((element) => {
    const { cmTile } = element as unknown as {
      cmTile: { view: { state: { doc: { toString(): string } } } };
    };
    return cmTile.view.state.doc.toString();
  });
}

/** Shows canvas and code. */
export async function showCanvasAndCode(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.getByRole('textbox', { name: 'Workflow file' })).toBeVisible();
}

/** Closes what is open above the page with Escape or a button. */
export async function closeOverlays(page: Page): Promise<void> {
  const open = page.locator('[role="dialog"], [role="menu"]');
  for (let tries = 0; tries < 6 && (await open.count()) > 0; tries += 1) {
    await page.keyboard.press('Escape');
    await drawn(page);
    const closeButton = open.getByRole('button', { name: /^(Cancel|Keep editing|Close)$/ }).last();
    if ((await closeButton.count()) > 0) await closeButton.click({ timeout: 2000 }).catch(() => undefined);
  }
  await expect(open, 'what is open can be closed').toHaveCount(0);
}

/** The cards that the main workflow of a text has, once each; undefined if the text is invalid YAML. */
function listExpected(text: string): string[] | undefined {
  const { outline } = analyzeEditable(readEditable(text), 'monkey.yaml');
  const [main] = outline.documents;
  if (!main) return text.trim() === '' ? [] : undefined;
  return [
    ...new Set([...main.steps, ...main.handlers].map(({ section, name }) => `${section}:${name}`)),
  ].sort();
}

/** Waits until the canvas shows the steps of the text, or the last valid version. */
export async function expectSameSteps(page: Page, text: string): Promise<void> {
  await leaveSubWorkflow(page);
  const expected = listExpected(text);
  if (!expected) {
    await expect(page.locator('[data-canvas], main').getByText('Invalid YAML').first()).toBeVisible();
    return;
  }
  const folded = await page
    .locator('[data-canvas] [aria-expanded="false"][aria-label*="side by side"]')
    .count();
  if (folded > 0) return;
  const read = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-canvas] [data-node-id]')]
        .map((card) => card.dataset['nodeId'] ?? '')
        .sort(),
    );
  await expect.poll(read, { message: `cards of\n${text}` }).toEqual(expected);
}

async function leaveSubWorkflow(page: Page): Promise<void> {
  const breadcrumbs = page.getByRole('navigation', { name: 'Workflows in this file' }).getByRole('button');
  if ((await breadcrumbs.count()) > 0) await breadcrumbs.first().click();
}

/** Undoes everything. @returns the number of edits */
export async function undoAll(page: Page): Promise<number> {
  const undo = page.getByRole('group', { name: 'History' }).getByRole('button').first();
  await page.getByRole('heading', { level: 1 }).click();
  for (let count = 0; count < 5000; count += 1) {
    if (await undo.isDisabled()) return count;
    await page.keyboard.press('Control+z');
  }
  throw new Error('Undoing has no end.');
}

/** Undoes until the text is a valid workflow. */
export async function undoToValid(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).click();
  for (let tries = 0; tries < 2000 && !isValid(await readCode(page)); tries += 1)
    await page.keyboard.press('Control+z');
  expect(isValid(await readCode(page))).toBe(true);
}

const isValid = (text: string): boolean =>
  analyzeEditable(readEditable(text), 'monkey.yaml').diagnostics.every(
    ({ severity }) => severity !== 'error',
  );
