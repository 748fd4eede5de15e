import { expect, test } from './fixture-app.ts';

test('a window is shown when ready, and focused', async ({ shared }) => {
  const { app } = shared;
  const state = await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0];
    return [window?.isVisible(), window?.isFocused(), BrowserWindow.getFocusedWindow()?.id === window?.id];
  });
  expect(shared.readEvents()).toContain('ready-to-show');
  expect(state).toEqual([true, true, true]);
});

test('Playwright finds the window of a page', async ({ shared }) => {
  const window = await shared.app.browserWindow(shared.page);
  expect(await window.evaluate((each: Electron.BrowserWindow) => each.getBounds().width)).toBe(900);
});

test('size and position change with events, and the page follows', async ({ fixture }) => {
  const { app, page } = fixture;
  const seen = await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0] as Electron.BrowserWindow;
    const events: string[] = [];
    window.on('resize', () => events.push('resize'));
    window.on('move', () => events.push('move'));
    window.setBounds({ x: 40, y: 50, width: 1000, height: 700 });
    window.setSize(100, 100);
    return { events: new Set(events).size, bounds: window.getBounds(), minimum: window.getMinimumSize() };
  });
  expect(seen).toEqual({
    events: 2,
    // The window's own minimum applies.
    bounds: { x: 40, y: 50, width: 400, height: 300 },
    minimum: [400, 300],
  });
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(400);
});

test('maximizing preserves the normal bounds', async ({ fixture }) => {
  test.skip(fixture.choice.kind === 'electron', 'needs a window manager there');
  const seen = await fixture.app.evaluate(({ BrowserWindow, screen }) => {
    const window = BrowserWindow.getAllWindows()[0] as Electron.BrowserWindow;
    const events: string[] = [];
    window.on('maximize', () => events.push('maximize'));
    window.on('unmaximize', () => events.push('unmaximize'));
    window.on('minimize', () => events.push('minimize'));
    window.on('restore', () => events.push('restore'));
    window.on('enter-full-screen', () => events.push('enter-full-screen'));
    window.on('leave-full-screen', () => events.push('leave-full-screen'));
    const before = window.getBounds();
    window.maximize();
    const { width } = window.getBounds();
    const normal = window.getNormalBounds();
    window.unmaximize();
    window.minimize();
    window.restore();
    window.setFullScreen(true);
    window.setFullScreen(false);
    return {
      events,
      fills: width === screen.getPrimaryDisplay().workArea.width,
      kept: JSON.stringify(normal) === JSON.stringify(before),
      back: JSON.stringify(window.getBounds()) === JSON.stringify(before),
    };
  });
  expect(seen).toEqual({
    events: ['maximize', 'unmaximize', 'minimize', 'restore', 'enter-full-screen', 'leave-full-screen'],
    fills: true,
    kept: true,
    back: true,
  });
});

test('hiding and showing move the focus, between windows too', async ({ fixture }) => {
  const { app } = fixture;
  await app.evaluate(({ app: electronApp, BrowserWindow }) => {
    electronApp.on('browser-window-focus', () => globalThis.seen.push('focus'));
    electronApp.on('browser-window-blur', () => globalThis.seen.push('blur'));
    globalThis.seen.length = 0;
    BrowserWindow.getAllWindows()[0]?.hide();
  });
  const readFocus = (): Promise<string[]> =>
    app.evaluate(() => globalThis.seen.filter((each) => each === 'focus' || each === 'blur'));
  await expect.poll(readFocus).toEqual(['blur']);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show());
  await expect.poll(readFocus).toEqual(['blur', 'focus']);
  const opened = app.waitForEvent('window');
  await app.evaluate(() => globalThis.openWindow());
  await (await opened).waitForFunction(() => window.earlyType === 'object');
  await expect.poll(readFocus).toEqual(['blur', 'focus', 'blur', 'focus']);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(2);
});

test('developer tools open and close', async ({ fixture }) => {
  test.skip(fixture.choice.kind === 'electron', 'they open late there');
  const seen = await fixture.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.openDevTools({ mode: 'detach' });
    const opened = contents?.isDevToolsOpened();
    contents?.closeDevTools();
    return [opened, contents?.isDevToolsOpened()];
  });
  expect(seen).toEqual([true, false]);
});

test('a screenshot of the page has its size', async ({ shared }) => {
  const size = await shared.app.evaluate(async ({ BrowserWindow }) =>
    (await BrowserWindow.getAllWindows()[0]?.webContents.capturePage())?.getSize(),
  );
  expect(size?.width).toBeGreaterThan(0);
});
