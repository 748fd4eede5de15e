import { expect, type Locator, type Page } from '@playwright/test';

/** A small workflow with its own comments and quotes. */
export const salesWorkflow = `# Loads the sales of the day
name: sales   # as the reports call it

steps:
  - name: fetch
    command: echo "fetch"   # quick
  - name: load
    command: echo 'load'
    depends: [fetch]
`;

/** User actions in the editor of a workflow. */
export class EditorUi {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the editor by URL, from another page of the window, with canvas and code. */
  async open(fileName: string): Promise<void> {
    await this.page.evaluate((hash) => {
      localStorage.setItem('stepwright.editor.view', 'split');
      location.hash = hash;
    }, `#/dags/${fileName}/edit`);
    await this.#waitUntilOpen(fileName);
  }

  /** Opens the editor as the first page of the window. @param url of the server */
  async load(url: string, fileName: string): Promise<void> {
    await this.page.addInitScript(() => localStorage.setItem('stepwright.editor.view', 'split'));
    await this.page.goto(`${url}/#/dags/${fileName}/edit`);
    await this.#waitUntilOpen(fileName);
  }

  async #waitUntilOpen(fileName: string): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name: fileName })).toBeVisible();
    await expect(this.code).toBeVisible();
    await this.openOutline();
  }

  /** In a narrow window the outline is closed initially. */
  async openOutline(): Promise<void> {
    const button = this.page.getByRole('button', { name: 'Open outline' });
    const close = this.page.getByRole('button', { name: 'Close outline' });
    await expect(button.or(close)).toBeVisible();
    if (await button.isVisible()) await button.click();
  }

  /** The code editor. */
  get code(): Locator {
    return this.page.getByRole('textbox', { name: 'Workflow file' });
  }

  get saveButton(): Locator {
    return this.page.getByRole('button', { name: 'Save', exact: true });
  }

  async save(): Promise<void> {
    await this.page.keyboard.press('Control+s');
    await expect(this.savedMark).toBeVisible();
  }

  get dirtyMark(): Locator {
    return this.page.getByText('Unsaved changes', { exact: true });
  }

  /** Asserts that the file has the text. */
  get savedMark(): Locator {
    return this.page.getByText('Saved', { exact: true });
  }

  get problems(): Locator {
    return this.page.getByRole('button', { name: /^Problems:/ });
  }

  /** Puts the cursor after a text. */
  async placeCursorAfter(text: string): Promise<void> {
    await this.code.getByText(text).first().click();
    await this.page.keyboard.press('End');
  }

  async choose(view: 'Canvas' | 'Split' | 'Code'): Promise<void> {
    await this.page.getByRole('radio', { name: view }).click();
  }

  /** The card of a step on the canvas. */
  card(name: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^step ${name},`) });
  }

  /** The row of a step in the outline. */
  step(name: string): Locator {
    return this.page
      .getByRole('treegrid', { name: 'Steps' })
      .getByRole('row', { name: new RegExp(`^${name}\\b`) });
  }
}
