import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { launchElectron } from '../electron-standin/launch-electron.ts';
import {
  closeWindow,
  countWindows,
  openFromTray,
  readTray,
  sharedTest,
  startAgain,
  test,
  takeScreenshots,
} from './rig/desktop-test.ts';
import type { DesktopApp } from './rig/launch-app.ts';
import { WebUi } from './rig/web-ui.ts';
import { ROOT } from './rig/test-home.ts';

declare global {
  /** In the main process: notifications shown. */
  var shownNotifications: Electron.Notification[];
}

const readState = ({ app }: Pick<DesktopApp, 'app'>): Promise<string> =>
  app.evaluate(() =>
    // Nothing is asked before the app has started.
    'stepwrightTest' in globalThis ? globalThis.stepwrightTest.trayState() : '',
  );

/** Selects an item by its id, anywhere in the tray menu. */
const choose = ({ app }: Pick<DesktopApp, 'app'>, id: string): Promise<void> =>
  app.evaluate((_electron, wanted) => {
    const item = globalThis.stepwrightTest.trayMenu()?.getMenuItemById(wanted);
    if (!item) throw new Error(`the tray has no item "${wanted}"`);
    item.click();
  }, id);

/** Records notifications instead of showing them. */
const keepNotifications = ({ app }: DesktopApp): Promise<void> =>
  app.evaluate(({ Notification }) => {
    globalThis.shownNotifications = [];
    Notification.prototype.show = function show(this: Electron.Notification) {
      globalThis.shownNotifications.push(this);
    };
  });

const readNotifications = ({ app }: DesktopApp): Promise<string[]> =>
  app.evaluate(() => globalThis.shownNotifications.map(({ title }) => title));

const openAddress = ({ app }: DesktopApp, hash: string): Promise<void> =>
  app.evaluate(({ BrowserWindow }, wanted) => {
    const [window] = BrowserWindow.getAllWindows();
    return window!.webContents.executeJavaScript(
      `location.hash = ${JSON.stringify(wanted)}`,
    ) as Promise<void>;
  }, hash);

const readAddress = ({ app }: DesktopApp): Promise<string | undefined> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL());

sharedTest(
  'the tray starts, shows and stops runs, pauses schedules, and opens search in the window',
  async ({ testHome, desktop, ui }) => {
    const latch = testHome.gate('gate');
    testHome.saveWorkflow(
      'held',
      `steps:\n  - name: wait\n    script: |\n      ${latch.wait}\n  - name: last\n    command: echo\n`,
    );
    await expect(ui.row('held')).toBeVisible();
    await expect.poll(() => readState(desktop)).toBe('idle');
    await desktop.app.evaluate(() =>
      globalThis.stepwrightTest.trayMenu()?.getMenuItemById('search')?.click(),
    );
    await expect(desktop.window.getByRole('dialog')).toBeVisible();
    await desktop.window.keyboard.press('Escape');

    await ui.run('held');
    await expect.poll(() => readTray(desktop)).toContain('held: 0 of 2 steps');
    expect(await readState(desktop)).toBe('running');
    const stop = await desktop.app.evaluate(({ dialog }) => {
      dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
      const items = globalThis.stepwrightTest
        .trayMenu()!
        .items.flatMap(({ submenu }) => submenu?.items ?? []);
      return items.find(({ id }) => id.startsWith('stop:'))!.id;
    });
    await choose(desktop, stop);
    await expect.poll(() => readTray(desktop)).toContain('held: aborted');
    latch.open();
    await expect.poll(() => readTray(desktop)).toContain('No active runs');
    await choose(desktop, 'started:held');
    await expect.poll(() => readTray(desktop)).toContain('held: succeeded');

    await choose(desktop, 'pause-hour');
    await expect.poll(() => readState(desktop)).toBe('paused');
    await ui.goTo('Schedule');
    await expect(ui.page.getByText('All schedules paused until')).toBeVisible();
    // A pause can be changed where it is shown, including the dashboard.
    await ui.goTo('Dashboard');
    await ui.page.getByRole('button', { name: 'Change…' }).click();
    await ui.page.getByRole('menuitem', { name: 'Until…' }).click();
    const dialog = ui.page.getByRole('dialog', { name: 'Pause all schedules until…' });
    await dialog.getByLabel('Resume at').fill('2001-01-01T00:00');
    await expect(dialog.getByRole('button', { name: 'Pause' })).toBeDisabled();
    await dialog.getByLabel('Resume at').fill('2099-12-24T18:00');
    await takeScreenshots(ui.page, 'pause-dialog');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await expect(ui.page.getByText(/All schedules paused until .*2099/)).toBeVisible();
    await takeScreenshots(ui.page, 'paused');
    await ui.page.getByRole('button', { name: 'Resume schedules' }).click();
    await expect(ui.page.getByText('All schedules paused until')).toBeHidden();
    await ui.goTo('Schedule');
    await ui.page.getByRole('button', { name: 'Pause…' }).click();
    await ui.page.getByRole('menuitem', { name: 'Until resumed' }).click();
    await expect(ui.page.getByText('All schedules paused')).toBeVisible();
    await expect.poll(() => readState(desktop), { timeout: 20_000 }).toBe('paused');
    await ui.page.getByRole('button', { name: 'Resume schedules' }).click();
    await expect.poll(() => readState(desktop), { timeout: 20_000 }).toBe('idle');
  },
);

test('closing says once that the app keeps running, closes the window’s streams, and opens at links', async ({
  desktop,
  ui,
}) => {
  await keepNotifications(desktop);
  const count = (): Promise<number> => desktop.app.evaluate(() => globalThis.stepwrightTest.liveStreams());
  expect(await count()).toBeGreaterThan(0);
  await ui.goTo('Runs');
  await closeWindow(desktop);
  await expect.poll(() => countWindows(desktop)).toBe(0);
  await expect.poll(count).toBe(0);
  await expect.poll(() => readNotifications(desktop)).toEqual(['Stepwright is still running']);
  const again = new WebUi(await openFromTray(desktop, 'Open Stepwright'));
  await again.goTo('Runs');
  await closeWindow(desktop);
  await expect.poll(() => countWindows(desktop)).toBe(0);
  expect(await readNotifications(desktop)).toHaveLength(1);
});

sharedTest(
  'a failure shows a notification: a click opens the run, Retry retries, and without notifications the window shows them',
  async ({ testHome, desktop, ui }) => {
    testHome.saveWorkflow('broken', 'steps:\n  - name: bad\n    command: exit 3\n');
    await keepNotifications(desktop);
    await ui.run('broken');
    await expect.poll(() => readNotifications(desktop)).toEqual(['broken failed']);
    await openAddress(desktop, '#/settings');
    await desktop.app.evaluate(() => void globalThis.shownNotifications[0]!.emit('click', {}));
    await expect.poll(() => readAddress(desktop)).toContain('#/runs/broken/');
    await desktop.app.evaluate(
      () => void globalThis.shownNotifications[0]!.emit('action', { actionIndex: 1 }),
    );
    await expect.poll(() => readNotifications(desktop)).toEqual(['broken failed', 'broken failed']);
    await desktop.app.evaluate(() => void globalThis.shownNotifications[1]!.emit('failed', {}, 'refused'));
    await expect(ui.page.getByRole('alert').filter({ hasText: 'broken failed' })).toBeVisible();
  },
);

test('a crashed page is restored where it was; one that keeps crashing is replaced with a report', async ({
  desktop,
  ui,
}) => {
  await ui.goTo('Settings');
  await openAddress(desktop, '#/settings');
  // Nothing above it loads later, which would move it.
  const heading = ui.page.getByRole('heading', { name: 'Workflow preferences' });
  const scroller = heading.locator('xpath=ancestor::section');
  await scroller.evaluate((element) => element.scrollIntoView());
  const readTop = (): Promise<number> =>
    desktop.app.evaluate(
      ({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(
          `Math.max(0, ...[...document.querySelectorAll('main *')].map((each) => each.scrollTop))`,
        ) as Promise<number>,
    );
  await expect.poll(readTop).toBeGreaterThan(100);
  const top = await readTop();
  // The page is notified with its next frame.
  await expect
    .poll(() => ui.page.evaluate(() => sessionStorage.getItem('stepwright.scroll')))
    .toContain(`${top}`);
  const crash = (): Promise<void> =>
    desktop.app.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((resolve) => {
          const { webContents } = BrowserWindow.getAllWindows()[0]!;
          webContents.once('did-finish-load', () => resolve());
          webContents.forcefullyCrashRenderer();
        }),
    );
  await crash();
  expect(await readAddress(desktop)).toContain('#/settings');
  await expect.poll(readTop).toBe(top);
  for (let count = 0; count < 3; count += 1) await crash();
  expect(await readAddress(desktop)).toBe('app://stepwright/crashed.html');
  const read = (script: string): Promise<unknown> =>
    desktop.app.evaluate(
      ({ BrowserWindow }, text) =>
        BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(text) as Promise<unknown>,
      script,
    );
  expect(await read('document.body.innerText')).toContain('This page keeps crashing');
  await read(`document.querySelector('a').click()`);
  await expect.poll(() => readAddress(desktop)).toContain('index.html#/settings');
});

test('a killed app loses nothing: the next start continues its run', async ({ testHome, launch }) => {
  const latch = testHome.gate('gate');
  testHome.saveWorkflow('gated', `steps:\n  - name: wait\n    script: |\n      ${latch.wait}\n`);
  const first = await launch();
  const ui = new WebUi(first.window);
  await ui.goTo('Workflows');
  await ui.run('gated');
  await ui.expectCard('wait', 'Running');
  const place = await ui.place();
  first.app.process().kill('SIGKILL');
  await expect.poll(() => first.hasExited()).toBe(true);
  const second = await launch();
  const later = new WebUi(second.window);
  await later.waitUntilLoaded();
  await openAddress(second, `#${place}`);
  await later.expectCard('wait', 'Running');
  latch.open();
  await later.expectRunStatus('Succeeded');
  const [run] = await testHome.readHistory();
  expect(run).toMatchObject({ name: 'gated', status: 'succeeded' });
});

test('started hidden at login, it opens no window until asked; it handles sleep and its settings', async ({
  testHome,
}) => {
  const launched = await launchElectron({
    application: ROOT,
    args: ['--hidden'],
    env: { ENGINE_HOME: testHome.home, STEPWRIGHT_TEST: '1' },
  });
  try {
    await expect.poll(() => readState(launched)).toBe('idle');
    expect(await launched.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
    await launched.app.evaluate(({ powerMonitor }) => {
      powerMonitor.emit('suspend');
      powerMonitor.emit('resume');
    });
    const log = path.join(testHome.home, 'logs', 'desktop.log');
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('System woke up');
    const opened = launched.app.waitForEvent('window');
    expect(await startAgain({ ...launched, home: testHome.home } as DesktopApp)).toBe(0);
    const ui = new WebUi(await opened);
    await ui.waitUntilLoaded();
  } finally {
    await launched.close();
  }
});

test('the settings page changes the desktop app, and the settings are saved', async ({
  desktop,
  ui,
  testHome,
}) => {
  await openAddress(desktop, '#/settings');
  const { page } = ui;
  const section = page.getByRole('region', { name: 'Desktop', exact: true });
  await section.getByText('Quit the app', { exact: true }).click();
  await section.getByText('Keep running in the tray').click();
  await page.getByRole('switch', { name: 'Prevent sleep while runs are active' }).press('Space');
  await page.getByRole('switch', { name: 'Quiet hours' }).press('Space');
  await page.getByLabel('Quiet hours from').fill('23:15');
  await page.getByRole('combobox', { name: 'Time zone of quiet hours' }).selectOption('Asia/Tokyo');
  await page.getByRole('combobox', { name: 'Add workflow' }).selectOption('sales-etl');
  await expect.poll(() => readTray(desktop)).toContain('Run workflow');
  const favourite = (): Promise<string | undefined> =>
    desktop.app.evaluate(
      () => globalThis.stepwrightTest.trayMenu()?.getMenuItemById('favourite:sales-etl')?.label,
    );
  await expect.poll(favourite).toBe('sales-etl');
  const file = path.join(testHome.home, 'desktop', 'desktop.json');
  await expect
    .poll(() => JSON.parse(readFileSync(file, 'utf8')) as unknown)
    .toMatchObject({
      life: { onClose: 'tray' },
      power: { keepAwake: true },
      notifications: {
        quiet: true,
        quietFrom: '23:15',
        quietZone: 'Asia/Tokyo',
        viewZone: expect.stringMatching(/./) as unknown,
      },
      tray: { favourites: ['sales-etl'] },
    });
  for (const title of ['Desktop', 'Notifications', 'Workflow preferences']) {
    await page.getByRole('region', { name: title, exact: true }).first().scrollIntoViewIfNeeded();
    await takeScreenshots(page, `settings-${title.split(' ')[0]!.toLowerCase()}`);
  }
});
