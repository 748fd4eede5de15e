import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, test as base, type Page, type Locator } from '@playwright/test';
import type { TestHooks } from '../../../main/desktop.ts';
import { buildEnvironment } from '../../electron-standin/launch-electron.ts';
import { launchApp, type DesktopApp } from './launch-app.ts';
import { WebUi } from './web-ui.ts';
import { ROOT, TestHome } from './test-home.ts';
import { settle } from './check-page.ts';

declare global {
  /** In the main process, for functions passed to `app.evaluate`. */
  var stepwrightTest: TestHooks;
  /** In the main process: what `answerQuestions` has recorded. */
  var questionsAsked: string[];
}

interface DesktopFixtures {
  readonly testHome: TestHome;
  /** Starts the app on the workspace's home; apps still open at the end are closed. */
  readonly launch: (env?: Readonly<Record<string, string>>) => Promise<DesktopApp>;
  readonly desktop: DesktopApp;
  readonly ui: WebUi;
}

/** A test of the desktop app, on whichever Electron is installed. */
export const test = base.extend<DesktopFixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names from the pattern
  testHome: async ({}, use) => {
    const testHome = new TestHome();
    await use(testHome);
    testHome.remove();
  },
  launch: async ({ testHome }, use) => {
    const launched: DesktopApp[] = [];
    await use(async (env = {}) => {
      const desktop = await launchApp({ home: testHome.home, env });
      launched.push(desktop);
      await waitForChrome(desktop);
      return desktop;
    });
    for (const desktop of launched) {
      // A failed test may have left a run, which would prompt on quit.
      if (!desktop.hasExited()) await answerQuestions(desktop, 'stop').catch(() => undefined);
      await desktop.close();
    }
  },
  desktop: async ({ launch }, use) => {
    await use(await launch());
  },
  ui: async ({ desktop }, use) => {
    const ui = new WebUi(desktop.window);
    await ui.waitUntilLoaded();
    await ui.goTo('Workflows');
    await use(ui);
  },
});

/** The window exists before its chrome. */
const waitForChrome = ({ app }: DesktopApp): Promise<void> =>
  expect.poll(() => app.evaluate(() => 'stepwrightTest' in globalThis)).toBe(true);

/** An app of one worker. */
interface SharedApp {
  readonly testHome: TestHome;
  readonly desktop: DesktopApp;
  /** The names of the workflow files that the app began with. */
  readonly samples: ReadonlySet<string>;
}

/**
 * A test that shares its app with the other tests of its worker, since most of its time is the start of one. It
 * closes no window, and changes no setting of the app.
 */
export const sharedTest = test.extend<object, { readonly shared: SharedApp }>({
  shared: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names from the pattern
    async ({}, use) => {
      const testHome = new TestHome();
      const desktop = await launchApp({ home: testHome.home });
      await waitForChrome(desktop);
      await new WebUi(desktop.window).waitUntilLoaded();
      await use({ testHome, desktop, samples: new Set(testHome.listWorkflowFiles()) });
      await desktop.close();
      testHome.remove();
    },
    { scope: 'worker' },
  ],
  testHome: async ({ shared: { testHome, samples } }, use) => {
    await use(testHome);
    testHome.removeFilesExcept(samples);
  },
  // Depends on the home, so that the page is left before its workflows are removed.
  desktop: async ({ shared: { desktop }, testHome: _testHome }, use) => {
    await use(desktop);
    await new WebUi(desktop.window).leave();
  },
});

const buttons = { keep: 0, stop: 1, cancel: 2 };

/** Makes the app's dialogs answer themselves; `readQuestions` returns them. */
export async function answerQuestions({ app }: DesktopApp, answer: keyof typeof buttons): Promise<void> {
  await app.evaluate(({ dialog }, response) => {
    globalThis.questionsAsked ??= [];
    dialog.showMessageBox = (...args: unknown[]) => {
      globalThis.questionsAsked.push((args.at(-1) as Electron.MessageBoxOptions).message);
      return Promise.resolve({ response, checkboxChecked: false });
    };
  }, buttons[answer]);
}

export const readQuestions = ({ app }: DesktopApp): Promise<string[]> =>
  app.evaluate(() => globalThis.questionsAsked ?? []);

/** Quits through the menu; does not wait for the end. */
export const quit = ({ app }: DesktopApp): Promise<void> =>
  app.evaluate(({ app: electronApp }) => void setImmediate(() => electronApp.quit()));

/** Closes the window with its close button. */
export const closeWindow = ({ app }: DesktopApp): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => void setImmediate(() => BrowserWindow.getAllWindows()[0]?.close()));

export const countWindows = ({ app }: DesktopApp): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

/** The labels of the tray menu. */
export const readTray = ({ app }: DesktopApp): Promise<string[]> =>
  app.evaluate(() => globalThis.stepwrightTest.trayMenu()?.items.map(({ label }) => label) ?? []);

/** Selects an item of the tray menu and returns the window that it opens. */
export async function openFromTray({ app }: DesktopApp, label: string): Promise<Page> {
  const opened = app.waitForEvent('window');
  await app.evaluate((_electron, choice) => {
    const item = globalThis.stepwrightTest.trayMenu()?.items.find((each) => each.label === choice);
    if (!item) throw new Error(`the tray has no item "${choice}"`);
    item.click();
  }, label);
  return opened;
}

/** Starts the app again on the same home, as a user who has forgotten that it runs. Returns the exit code. */
export const startAgain = async ({ app, home }: DesktopApp): Promise<number> =>
  (await startHeadless(app.process().spawnfile, home)).code;

/** Starts the app without Playwright and waits for its exit. */
export async function startHeadless(
  executable: string,
  home: string,
): Promise<{ code: number; output: string }> {
  const environment = await buildEnvironment({ ENGINE_HOME: home });
  const words = process.getuid?.() === 0 ? ['--no-sandbox', ROOT] : [ROOT];
  return new Promise((resolve) => {
    const child = execFile(executable, words, { env: environment }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

/** The terminal panel of the window. */
export interface TerminalPanel {
  readonly panel: Locator;
  readonly text: Locator;
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a terminal from the page of a run. */
export async function openTerminal(window: Page): Promise<TerminalPanel> {
  await window.getByRole('button', { name: 'Open terminal' }).click();
  const panel = window.getByRole('region', { name: 'Terminal' });
  await panel.locator('.xterm-rows').waitFor();
  return {
    panel,
    text: panel.locator('.xterm-rows'),
    async type(text) {
      await panel.locator('.xterm-helper-textarea').focus();
      await window.keyboard.type(text);
    },
    close: () => panel.getByRole('button', { name: /^Close terminal/ }).click(),
  };
}

const screenSizes = [
  ['light', 1280, 800],
  ['dark', 1920, 1080],
] as const;

/** Saves screenshots of the window in both themes and two sizes to the folder `DESKTOP_PICTURES`, if set. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  const folder = process.env['DESKTOP_PICTURES'];
  if (folder === undefined) return;
  for (const [theme, width, height] of screenSizes) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height });
    await settle(page);
    await page.screenshot({ path: path.join(folder, `${name}-${theme}.png`) });
  }
}
