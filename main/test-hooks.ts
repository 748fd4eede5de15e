import type { Menu } from 'electron';

/** Parts of the app that no Electron API gives back to an end-to-end test. */
export interface TestHooks {
  trayMenu(): Menu | undefined;
  trayState(): string;
  /** How many streams the window follows. */
  liveStreams(): number;
  /** Path of the preload script, for a page that is not to be trusted with it. */
  readonly preload: string;
}

/** Puts the hooks at `globalThis.stepwrightTest` when `STEPWRIGHT_TEST` is set, and only then. */
export function setTestHooks(hooks: TestHooks): void {
  if (process.env['STEPWRIGHT_TEST'] === '1') Object.assign(globalThis, { stepwrightTest: hooks });
}
