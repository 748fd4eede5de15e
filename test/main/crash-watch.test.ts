import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test } from 'vitest';
import { CrashWatch } from '../../main/crash-watch.ts';
import { FakeClock } from '../harness/fakes.ts';

class FakeContents extends EventEmitter {
  url = 'app://stepwright/index.html#/runs/etl/7?step=%3Cb%3E"x';
  getURL(): string {
    return this.url;
  }
}

class FakeWindow {
  readonly webContents = new FakeContents();
  readonly loaded: string[] = [];
  destroyed = false;
  isDestroyed(): boolean {
    return this.destroyed;
  }
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
  }
}

let clock: FakeClock;
let window: FakeWindow;
let watch: CrashWatch;
let reports: string[];
const crash = (reason = 'crashed'): boolean =>
  window.webContents.emit('render-process-gone', {}, { reason, exitCode: 5 });

beforeEach(() => {
  clock = new FakeClock();
  window = new FakeWindow();
  reports = [];
  watch = new CrashWatch(clock, 'Stepwright 1 <test>', (what, error) =>
    reports.push(`${what}: ${String(error)}`),
  );
  watch.follow(window as unknown as BrowserWindow);
});

test('a crashed page is reloaded where it was, and reported', () => {
  crash();
  expect(window.loaded).toEqual([window.webContents.url]);
  expect(reports).toEqual([expect.stringMatching(/^The page crashed: crashed, exit code 5, at app:.*etl/)]);
});

test('a page that keeps crashing is replaced by a report with a way back, without a loop', () => {
  for (let count = 0; count < 4; count += 1) crash('oom');
  const { url } = window.webContents;
  expect(window.loaded).toEqual([url, url, url, 'app://stepwright/crashed.html']);
  const page = watch.page();
  expect(page.match(/oom, exit code 5/g)).toHaveLength(4);
  expect(page).toContain('Stepwright 1 &lt;test&gt;');
  expect(page).toContain('href="index.html#/runs/etl/7?step=%3Cb%3E');
  expect(page).not.toMatch(/<b>|<script|"x/);
});

test('crashes that are far apart count separately', () => {
  for (let count = 0; count < 6; count += 1) {
    crash();
    clock.advance(61_000);
  }
  expect(window.loaded).toHaveLength(6);
  expect(window.loaded).not.toContain('app://stepwright/crashed.html');
});

test('a page that closed normally, or with its window, is ignored', () => {
  crash('clean-exit');
  window.destroyed = true;
  crash('killed');
  expect(window.loaded).toEqual([]);
  expect(reports).toEqual([]);
});
