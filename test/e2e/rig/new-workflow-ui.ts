import { expect, type Locator, type Page } from '@playwright/test';

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
