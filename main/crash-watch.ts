import type { BrowserWindow } from 'electron';
import { type Clock, toIso } from '../core/base/clock.ts';
import { escapeMarkup } from '../core/base/text.ts';
import { appOrigin, crashedPath } from './app-scheme.ts';

/** Crashes within this time count as one series. */
const crashWindowMs = 60_000;
/** After this many crashes in a series, the page is not reloaded automatically. */
const maxReloads = 3;

/**
 * Reloads a crashed page at its address. If it keeps crashing, it is replaced by a static page with a report
 * and a link back.
 */
export class CrashWatch {
  readonly #clock: Pick<Clock, 'now'>;
  /** One line: program, version, system. */
  readonly #about: string;
  readonly #reportFailure: (what: string, error: unknown) => void;
  #crashes: { readonly at: number; readonly reason: string; readonly address: string }[] = [];

  constructor(
    clock: Pick<Clock, 'now'>,
    about: string,
    reportFailure: (what: string, error: unknown) => void,
  ) {
    this.#clock = clock;
    this.#about = about;
    this.#reportFailure = reportFailure;
  }

  follow(window: BrowserWindow): void {
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit' || window.isDestroyed()) return;
      const address = window.webContents.getURL();
      const crashReason = `${reason}, exit code ${exitCode}`;
      this.#reportFailure('The page crashed', `${crashReason}, at ${address}`);
      const at = this.#clock.now();
      this.#crashes = [
        ...this.#crashes.filter((crash) => at - crash.at < crashWindowMs),
        { at, reason: crashReason, address },
      ];
      this.#load(window, this.#crashes.length <= maxReloads ? address : `${appOrigin}${crashedPath}`);
    });
  }

  /** Returns the page that replaces one that keeps crashing; static, so that it cannot crash itself. */
  page(): string {
    const last = this.#crashes.at(-1);
    const hash = last === undefined ? '' : new URL(last.address).hash;
    const report = [
      this.#about,
      ...this.#crashes.map(({ at, reason, address }) => `${toIso(at)} ${reason}: ${address}`),
    ].join('\n');
    return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Stepwright</title>
    <style>
      :root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
      body { max-width: 44rem; margin: 12vh auto; padding: 0 1.5rem; }
      pre { padding: 1rem; border: 1px solid; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
      a { margin-right: 1rem; }
    </style>
  </head>
  <body>
    <h1>This page keeps crashing</h1>
    <p>Runs, schedules and queues continue in the background. The report below is also in the app log.</p>
    <pre>${escapeMarkup(report)}</pre>
    <p><a href="index.html${escapeMarkup(hash)}">Reload page</a> <a href="index.html">Go to dashboard</a></p>
  </body>
</html>
`;
  }

  /**
   * Loads the address instead of reloading: reloading a crashed page may return to the window's first address.
   */
  #load(window: BrowserWindow, address: string): void {
    window
      .loadURL(address)
      .catch((error: unknown) => this.#reportFailure('Could not restore the page', error));
  }
}
