import type { Page, Route } from 'playwright';

/** Waits for an open dialog. */
export const waitForDialog = (page: Page): Promise<void> => page.getByRole('dialog').waitFor();

/** Returns a step that presses a button to open a dialog. */
export const clickButton =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).first().click();
    await waitForDialog(page);
  };

/** Returns a step that opens a dialog from a menu. */
export const chooseFromMenu =
  (menu: string | RegExp, item: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: menu }).first().click();
    await page.getByRole('menuitem', { name: item }).click();
    await waitForDialog(page);
  };

/** Returns a step that mocks the engine's responses for URLs with this ending. */
export const mockResponse =
  (address: RegExp, answer: (route: Route) => unknown) =>
  async (page: Page): Promise<void> => {
    await page.route(address, async (route) => {
      await answer(route);
    });
  };
