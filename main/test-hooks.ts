import type { Menu } from 'electron';

/** Parts of the app that end-to-end tests cannot reach through Electron. */
export interface TestHooks {
  trayMenu(): Menu | undefined;
  trayState(): string;
  /** Number of streams that the window follows. */
  liveStreams(): number;
  /** Path of the preload script, for a test with an untrusted page. */
  readonly preload: string;
}

/** Sets the hooks as `globalThis.stepwrightTest`, only if `STEPWRIGHT_TEST` is set. */
export function setTestHooks(hooks: TestHooks): void {
  if (process.env['STEPWRIGHT_TEST'] === '1') Object.assign(globalThis, { stepwrightTest: hooks });
}
