import { join } from 'node:path';
import { findHeadlessBrowser } from '../../../scripts/setup/browser.mjs';
import type { FaultTestHome, Host } from './fault-home.ts';

const root = join(import.meta.dirname, '../../..');

/** The browser that renders the app's windows; without one this machine has no desktop host. */
export const browser = await findHeadlessBrowser();

/** Starts the built desktop app on the stand-in for Electron; it soon serves queues and schedules. */
export const startDesktop = (home: FaultTestHome): Host =>
  home.startProgram([join(root, 'test/electron-standin/dist/electron'), '--no-sandbox', root], {
    STANDIN_NODE: process.execPath,
    CHROMIUM_PATH: browser,
    XDG_CONFIG_HOME: home.file('config'),
  });
