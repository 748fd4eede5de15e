import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test as base, type Page } from '@playwright/test';
import { launchElectron, type LaunchedElectron } from '../launch-electron.ts';

export const FIXTURE_FOLDER = path.resolve(import.meta.dirname, '../fixture');

/** The API of the fixture's preload, and what its page observed. */
export interface FixtureGlobals {
  fixture: {
    readonly number: number;
    readonly nested: { readonly list: readonly number[] };
    add(left: number, right: number): number;
    throwTypeError(): never;
    double(value: number): Promise<number>;
    reject(): Promise<never>;
    keep(callback: (value: unknown) => unknown): void;
    callKept(value: unknown): unknown;
    date(): Date;
    bytes(): Uint8Array;
    map(): Map<string, number>;
    instance(): object;
    requireFs(): string;
    world(): Record<string, unknown>;
    invoke(channel: string, value?: unknown): Promise<unknown>;
    note(value: unknown): void;
    onPush(listener: (...values: unknown[]) => void): void;
  };
  earlyType: string;
  earlyNumber: number;
}

declare global {
  interface Window extends FixtureGlobals {}
  /** Globals of the fixture's main process, for functions passed to `app.evaluate`. */
  var seen: string[];
  var stayInTray: boolean;
  var openWindow: () => void;
  var forkUtility: () => Electron.UtilityProcess;
}

/** A running fixture with its own user data. */
export interface Fixture extends LaunchedElectron {
  readonly page: Page;
  readonly userData: string;
  /** Its events so far, also after the process has exited. */
  readEvents(): string[];
}

/** Starts the fixture. @param userData of an earlier one, to share it */
export async function launchFixture(userData?: string): Promise<Fixture> {
  const folder = userData ?? mkdtempSync(path.join(os.tmpdir(), 'standin-fixture-'));
  const launched = await launchElectron({
    application: FIXTURE_FOLDER,
    env: { FIXTURE_USER_DATA: folder },
  });
  const page = await launched.app.firstWindow();
  await page.waitForFunction(() => document.readyState === 'complete' && window.earlyType !== undefined);
  return {
    ...launched,
    page,
    userData: folder,
    readEvents() {
      const file = path.join(folder, 'events.txt');
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    },
    async close() {
      await launched.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/**
 * `fixture` is a separate application per test; `shared` is one for all tests of a worker that leave it
 * unchanged.
 */
export const test = base.extend<{ fixture: Fixture }, { shared: Fixture }>({
  /* oxlint-disable eslint/no-empty-pattern -- Playwright reads the names of what a fixture needs from a pattern */
  fixture: async ({}, use) => {
    const fixture = await launchFixture();
    await use(fixture);
    await fixture.close();
  },
  shared: [
    async ({}, use) => {
      const fixture = await launchFixture();
      await use(fixture);
      await fixture.close();
    },
    { scope: 'worker' },
  ],
  /* oxlint-enable eslint/no-empty-pattern */
});

export { expect };
