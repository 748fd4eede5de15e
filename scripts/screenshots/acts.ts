import type { Page, Route } from 'playwright';

/** A dialog is open. */
export const seesDialog = (page: Page): Promise<void> => page.getByRole('dialog').waitFor();

/** Presses a button that opens a dialog. */
export const pressesButton =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).first().click();
    await seesDialog(page);
  };

/** Chooses from a menu what opens a dialog. */
export const choosesFrom =
  (menu: string | RegExp, item: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: menu }).first().click();
    await page.getByRole('menuitem', { name: item }).click();
    await seesDialog(page);
  };

/** Takes the place of the answers of the engine whose address ends like this. */
export const answers =
  (address: RegExp, answer: (route: Route) => unknown) =>
  async (page: Page): Promise<void> => {
    await page.route(address, async (route) => {
      await answer(route);
    });
  };
