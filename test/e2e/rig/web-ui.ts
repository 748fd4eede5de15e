import { expect, type Locator, type Page, type Browser } from '@playwright/test';

/** Whether the form of the editor is open. */
export const inspectorKey = 'stepwright.editor.inspector';

/** The smallest page, where tests that share a page begin and end. */
export const emptyHash = '#/nowhere';

/** User actions in the window, in a browser or the app. */
export class WebUi {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Waits for the first page; before it, the document may still be replaced. */
  async waitUntilLoaded(): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1 })).toBeVisible();
  }

  /** Navigates to an entry of the navigation rail. */
  async goTo(place: string): Promise<void> {
    await this.openMenu();
    await this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();
    await expect(this.page.getByRole('heading', { level: 1, name: place })).toBeVisible();
  }

  /**
   * Opens the smallest page without unsaved changes, and resets what the page stores and what the browser emulates,
   * for the next test that shares the page.
   */
  async leave(): Promise<void> {
    const { page } = this;
    await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' });
    await page.evaluate((hash) => {
      location.hash = hash;
    }, emptyHash);
    const discard = page.getByRole('dialog').getByRole('button', { name: /^Discard/ });
    const empty = page.getByRole('heading', { level: 1, name: 'Page not found' });
    await expect(discard.or(empty)).toBeVisible();
    if (await discard.isVisible()) await discard.click();
    await expect(empty).toBeVisible();
    // The editor reads its view when it opens, and everything else when the page is loaded.
    const isChanged = await page.evaluate((key) => {
      localStorage.removeItem('stepwright.editor.view');
      const isSame = localStorage.length === (localStorage.getItem(key) === 'closed' ? 1 : 0);
      if (!isSame) localStorage.clear();
      return !isSame;
    }, inspectorKey);
    const toast = page.getByRole('region', { name: 'Notifications' }).getByRole('alert');
    if (isChanged || (await toast.count()) > 0) await page.reload();
  }

  /** Opens the navigation of a narrow window. */
  async openMenu(): Promise<void> {
    const menu = this.page.getByRole('button', { name: 'Menu', exact: true });
    if (await menu.isVisible()) await menu.click();
  }

  /** The row of a workflow or of a run. */
  row(name: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: name });
  }

  /**
   * Starts a workflow from the list. @param params values for its parameters; by default it must have none
   */
  async run(name: string, params?: Readonly<Record<string, string>>): Promise<void> {
    await this.goTo('Workflows');
    await this.page.getByRole('button', { name: `Run ${name}` }).click();
    if (params) await this.answerStartDialog(name, params);
    await expect(this.page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(this.page.getByRole('group', { name: `Graph of ${name}` })).toBeVisible();
  }

  async answerStartDialog(name: string, params: Readonly<Record<string, string>>): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: `Run ${name}` });
    for (const [label, value] of Object.entries(params)) await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(dialog).toBeHidden();
  }

  /** The card of a step or handler in the graph. */
  card(name: string): Locator {
    return this.page.getByRole('group', { name: /^Graph of/ }).getByRole('button', {
      name: new RegExp(`^(step|handler) ${name},`),
    });
  }

  /** Waits until the card shows this status, as in `Succeeded`. */
  async expectCard(name: string, status: string): Promise<void> {
    const token = status.toLowerCase().replaceAll(' ', '_');
    await expect(this.card(name).locator('..')).toHaveAttribute('data-status', token);
    await expect(this.card(name)).toHaveAccessibleName(new RegExp(`, ${status.toLowerCase()},`));
  }

  /** Waits until the run on the page has this status, as in `Succeeded`. */
  async expectRunStatus(status: string): Promise<void> {
    const head = this.page.locator('header').filter({ has: this.page.getByRole('heading', { level: 1 }) });
    await expect(head.getByText(status, { exact: true })).toBeVisible({ timeout: 20_000 });
  }

  /** The visible lines of the log. */
  get log(): Locator {
    return this.page.getByRole('log', { name: 'Output' });
  }

  /** Shows the log of a step. */
  async openLog(step: string): Promise<void> {
    await this.card(step).click();
    await expect(this.page.getByRole('region', { name: `Step ${step}` })).toBeVisible();
  }

  /** The status colour of the card, as rendered. */
  cardColour(name: string): Promise<string> {
    return this.card(name)
      .locator('..')
      .evaluate((card) => getComputedStyle(card).borderInlineStartColor);
  }

  /** The address of the current page with its query; in the desktop app, it is after `#`. */
  place(): Promise<string> {
    return this.page.evaluate(() => location.hash.slice(1) || location.pathname + location.search);
  }
}

/** A dropped file. */
export interface DroppedFile {
  readonly name: string;
  readonly text: string;
}

/** User actions on the page for new workflows. */
export class NewWorkflowUi {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens it from the list of workflows. */
  async open(method?: string): Promise<void> {
    await this.page.getByRole('button', { name: 'New workflow' }).first().click();
    await expect(this.page.getByRole('heading', { level: 1, name: 'New workflow' })).toBeVisible();
    if (method !== undefined) await this.switchTo(method);
  }

  async switchTo(method: string): Promise<void> {
    await this.page.getByRole('tab', { name: method }).click();
    await expect(this.page.getByRole('tab', { name: method })).toHaveAttribute('aria-selected', 'true');
  }

  get name(): Locator {
    return this.page.getByRole('textbox', { name: 'Name', exact: true });
  }

  /** The source text of the new workflow. */
  source(label: string): Locator {
    return this.page.getByRole('textbox', { name: label, exact: true });
  }

  get preview(): Locator {
    return this.page.getByRole('region', { name: 'Preview' });
  }

  get create(): Locator {
    return this.page.getByRole('button', { name: /^Create( \d+ workflows)?$/ });
  }

  /** Creates it and waits for its editor. */
  async createAndOpen(name: string): Promise<void> {
    await this.create.click();
    await expect(this.page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(this.page.getByRole('application', { name: /^Graph with/ })).toBeVisible();
  }

  /** Drags files over the page, as from a file manager. */
  async drop(...files: readonly DroppedFile[]): Promise<void> {
    const data = await this.page.evaluateHandle((given) => {
      const transfer = new DataTransfer();
      for (const { name, text } of given) transfer.items.add(new File([text], name));
      return transfer;
    }, files);
    const heading = this.page.getByRole('heading', { level: 1 });
    for (const type of ['dragenter', 'dragover', 'drop'])
      await heading.dispatchEvent(type, { dataTransfer: data });
  }
}

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
