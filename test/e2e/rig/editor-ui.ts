import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { sharedTest } from './browser-test.ts';

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

  /** Opens the editor by URL, from another page of the window; `split` is canvas and code. */
  async open(fileName: string, view: 'split' | 'canvas' = 'split'): Promise<void> {
    await this.page.evaluate(
      ([chosen, hash]) => {
        localStorage.setItem('stepwright.editor.view', chosen);
        location.hash = hash;
      },
      [view, `#/dags/${fileName}/edit`] as const,
    );
    await this.#waitUntilOpen(fileName, view === 'split' ? this.code : new CanvasUi(this.page).canvas);
  }

  /** Opens the editor as the first page of the window. @param url of the server */
  async load(url: string, fileName: string): Promise<void> {
    await this.page.addInitScript(() => localStorage.setItem('stepwright.editor.view', 'split'));
    await this.page.goto(`${url}/#/dags/${fileName}/edit`);
    await this.#waitUntilOpen(fileName, this.code);
  }

  async #waitUntilOpen(fileName: string, part: Locator): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name: fileName })).toBeVisible();
    await expect(part).toBeVisible();
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

/** User actions on the canvas of the editor. */
export class CanvasUi {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The card of a step or handler. */
  card(name: string, section: 'step' | 'handler' = 'step'): Locator {
    return this.canvas.getByRole('button', { name: new RegExp(`^${section} ${name},`) });
  }

  get canvas(): Locator {
    return this.page.getByRole('application', { name: /^Graph with/ });
  }

  /** The edge from one step to another. */
  line(source: string, target: string): Locator {
    return this.canvas.getByLabel(`${source} to ${target}`, { exact: true });
  }

  /** A snippet of the palette. */
  snippet(label: string): Locator {
    return this.page
      .getByRole('region', { name: 'Palette' })
      .getByRole('button', { name: label, exact: true });
  }

  get picker(): Locator {
    return this.page.getByRole('dialog', { name: 'Add step' });
  }

  /** Shows only the canvas, which has room for the palette, and waits for its cards. */
  async openStandalone(): Promise<void> {
    await this.page.getByRole('radio', { name: 'Canvas' }).click();
    await expect(this.canvas).toBeVisible();
  }

  /** Drags an element to a position in the window. */
  async drag(from: { x: number; y: number }, to: { x: number; y: number }, isHeld = false): Promise<void> {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x + 8, from.y + 8, { steps: 2 });
    await mouse.move(to.x, to.y, { steps: 8 });
    if (!isHeld) await mouse.up();
  }

  async getMiddle(locator: Locator): Promise<{ x: number; y: number }> {
    await expect(locator).toBeVisible();
    const box = await locator.boundingBox();
    if (!box) throw new Error('It is not drawn.');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Where an edge is dragged from: the handle on the right of a card. */
  async outOf(name: string): Promise<{ x: number; y: number }> {
    await this.card(name).hover();
    const box = await this.card(name).boundingBox();
    if (!box) throw new Error(`${name} is not drawn.`);
    return { x: box.x + box.width, y: box.y + box.height / 2 };
  }
}

/** The workflow of one test. */
interface EditedWorkflow {
  readonly name: string;
  readonly text: string;
  /** Reads the file. */
  read(): string;
}

interface EditorFixtures {
  /** Option: the text of the workflow, whose name is `sales`; each test gets another name. */
  readonly template: string;
  /** Option: canvas and code, or only the canvas, which has room for the palette. */
  readonly view: 'split' | 'canvas';
  readonly workflow: EditedWorkflow;
  readonly editor: EditorUi;
}

/** How many workflows this worker has opened. */
let count = 0;

/** A test of the editor with a workflow open, whose name no other test of the worker uses. */
export const test = sharedTest.extend<EditorFixtures>({
  template: [salesWorkflow, { option: true }],
  view: ['split', { option: true }],
  // Tests of the form open it.
  isFormClosed: true,
  workflow: async ({ template, testHome }, use) => {
    count += 1;
    const name = `sales-${count}`;
    const text = template.replace('name: sales', `name: ${name}`);
    testHome.saveWorkflow(name, text);
    const read = (): string => readFileSync(path.join(testHome.home, 'dags', `${name}.yaml`), 'utf8');
    await use({ name, text, read });
  },
  editor: async ({ page, workflow, view }, use) => {
    const editor = new EditorUi(page);
    await editor.open(workflow.name, view);
    await use(editor);
  },
});
