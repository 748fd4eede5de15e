import type { Page, Route } from 'playwright';

/** Waits for an open dialog. */
export const seesDialog = (page: Page): Promise<void> => page.getByRole('dialog').waitFor();

/** Returns a step that presses a button to open a dialog. */
export const pressesButton =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).first().click();
    await seesDialog(page);
  };

/** Returns a step that opens a dialog from a menu. */
export const choosesFrom =
  (menu: string | RegExp, item: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: menu }).first().click();
    await page.getByRole('menuitem', { name: item }).click();
    await seesDialog(page);
  };

/** Returns a step that mocks the engine's responses for URLs with this ending. */
export const answers =
  (address: RegExp, answer: (route: Route) => unknown) =>
  async (page: Page): Promise<void> => {
    await page.route(address, async (route) => {
      await answer(route);
    });
  };
