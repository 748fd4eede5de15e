import { expect, type Browser, type Page } from '@playwright/test';
import { WebUi } from './web-ui.ts';

/** The password of every user in these tests. */
export const password = 'correct horse';

/** User actions for the account in the window. */
export class Account {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Fills in the sign-in form, wherever it is shown. */
  async signIn(name: string, secret = password): Promise<void> {
    await this.page.getByLabel('Username').fill(name);
    await this.page.getByLabel('Password', { exact: true }).fill(secret);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Selects an entry of the user menu. */
  async choose(entry: string): Promise<void> {
    await this.page.getByRole('button', { name: /account menu$/ }).click();
    await this.page.getByRole('menuitem', { name: entry }).click();
  }

  /** Navigates to an account page. */
  async goTo(linkName: 'Users' | 'API tokens'): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: linkName }).click();
  }
}

/** A separate browser context with a signed-in user. */
export async function signInAs(browser: Browser, url: string, name: string): Promise<WebUi> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${url}/#/dags`);
  await new Account(page).signIn(name);
  const ui = new WebUi(page);
  await expect(page.getByRole('button', { name: /account menu$/ })).toBeVisible();
  return ui;
}
