import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import manifest from '../../../package.json' with { type: 'json' };
import { launchElectron, type LaunchedElectron } from '../../electron-standin/launch-electron.ts';

export interface LaunchAppOptions {
  /**
   * The engine's home, preserved when the app is closed; by default a new one that is removed with the app.
   */
  readonly home?: string;
  readonly args?: readonly string[];
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The desktop app under test. */
export interface DesktopApp extends LaunchedElectron {
  /** Its first window, open from the start. */
  readonly window: Page;
  /** `ENGINE_HOME` of this app, which contains its user data as well. */
  readonly home: string;
}

const ROOT = path.resolve(import.meta.dirname, '../../..');

/**
 * Starts the built desktop app on real Electron where that can run, otherwise on the stand-in, with its own
 * home and the test hooks enabled. Always close it: that takes bounded time, and removes a home created here.
 * @throws Error if the app has not been built; `npm test` builds it
 */
export async function launchApp(options: LaunchAppOptions = {}): Promise<DesktopApp> {
  if (!existsSync(path.join(ROOT, manifest.main))) {
    throw new Error(
      `${manifest.main} is missing: run "npm run build" first, or start the specs with "npm test"`,
    );
  }
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'stepwright-app-'));
  const home = options.home ?? path.join(temporary, 'home');
  const removeTemporary = (): void => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  try {
    const launched = await launchElectron({
      application: ROOT,
      args: options.args ?? [],
      env: {
        ENGINE_HOME: home,
        // Desktop settings such as autostart do not touch the user's own.
        XDG_CONFIG_HOME: path.join(temporary, 'config'),
        STEPWRIGHT_TEST: '1',
        ...options.env,
      },
    });
    return {
      ...launched,
      home,
      window: await openFirstWindow(launched),
      async close() {
        await launched.close();
        removeTemporary();
      },
    };
  } catch (error) {
    removeTemporary();
    throw error;
  }
}

/** @throws Error with the output of the app, if it exits instead of opening a window */
async function openFirstWindow(launched: LaunchedElectron): Promise<Page> {
  try {
    return await launched.app.firstWindow();
  } catch (error) {
    await launched.close();
    throw new Error(`the app opened no window; it wrote:\n${launched.output()}`, { cause: error });
  }
}
