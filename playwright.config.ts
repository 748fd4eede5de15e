import { defineConfig } from '@playwright/test';
import { findHeadlessBrowser } from './scripts/setup/browser.mjs';

const executablePath = await findHeadlessBrowser();

/** Specs of the desktop app, and of what stands for Electron. */
const DESKTOP = ['e2e/{desktop,desktop-*,editor-desktop}.spec.ts', 'electron-standin/**/*.spec.ts'];

/** To optimize the code of a page that is gone after some seconds takes a sixth of the processor time of its process. */
const SHORT_PAGES = '--js-flags=--no-opt,--no-maglev';

/** End-to-end specs: the web UI in a browser, and the desktop app through Playwright's Electron driver. */
export default defineConfig({
  testDir: 'test',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  // With three on two processors, a browser has hung as one of its tabs was closed.
  workers: 2,
  projects: [
    // First, since one at a time takes long; with several on a busy machine, the launch of an app by its driver has hung.
    { name: 'desktop', testMatch: DESKTOP, workers: 1 },
    { name: 'browser', testMatch: 'e2e/**/*.spec.ts', testIgnore: DESKTOP },
  ],
  retries: 0,
  timeout: 60_000,
  // For what hangs where no other limit is kept.
  globalTimeout: 40 * 60_000,
  // The layout of a graph is a large program, and a busy machine takes seconds to load it.
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] === 'true',
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ? [['list'], ['json']] : [['list']],
  use: {
    browserName: 'chromium',
    // It takes processor time for each action, and more with a film and copies of the page; here, add `--trace on`.
    trace:
      process.env['CI'] === 'true'
        ? { mode: 'retain-on-failure', screenshots: false, snapshots: false }
        : 'off',
    screenshot: 'only-on-failure',
    // Nothing is drawn sixty times a second that nobody looks at; specs about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        SHORT_PAGES,
      ],
    },
  },
});
