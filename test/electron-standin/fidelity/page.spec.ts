import { expect, launchFixture, test } from './fixture-app.ts';

test.describe('page of a custom scheme', () => {
  test('has its own URL in the main process', async ({ shared }) => {
    const url = await shared.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
    );
    expect(url).toBe('app://bundle/index.html');
  });

  test('is a secure context with its own origin and can fetch its files', async ({ shared }) => {
    const seen = await shared.page.evaluate(async () => [
      window.isSecureContext,
      (await fetch('page.js')).status,
      (await fetch('missing.js')).status,
    ]);
    expect(seen).toEqual([true, 200, 404]);
  });

  test('has workers that load modules and fetch from it', async ({ shared }) => {
    const answer = await shared.page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker('worker.js', { type: 'module' });
          worker.addEventListener('message', ({ data }) => resolve(data));
          worker.addEventListener('error', () => reject(new Error('the worker did not start')));
          worker.postMessage('question');
        }),
    );
    expect(answer).toEqual({ data: 'question', answer: 42, status: 200 });
  });

  test('enforces its content security policy', async ({ shared }) => {
    const ran = await shared.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.intruder = true';
      document.body.append(script);
      return Reflect.has(window, 'intruder');
    });
    expect(ran).toBe(false);
  });

  test('sets the window title from the document title', async ({ fixture }) => {
    const readTitle = (): Promise<string | undefined> =>
      fixture.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle());
    await expect.poll(readTitle).toBe('Fixture page');
    await fixture.page.evaluate(() => {
      document.title = '2 running';
    });
    await expect.poll(readTitle).toBe('2 running');
  });

  test('forwards its console to the main process', async ({ shared }) => {
    expect(shared.readEvents()).toContain('console warning page started');
  });

  test('has persistent storage', async () => {
    const first = await launchFixture();
    await first.page.evaluate(() => localStorage.setItem('kept', 'yes'));
    await first.app.evaluate(({ app }) => void setImmediate(() => app.quit()));
    await first.waitForExit();
    const second = await launchFixture(first.userData);
    try {
      expect(await second.page.evaluate(() => localStorage.getItem('kept'))).toBe('yes');
    } finally {
      await second.close();
    }
  });
});

test.describe('leaving the page', () => {
  test('a navigation prevented by the application does not happen', async ({ fixture }) => {
    await fixture.page.evaluate(() => {
      location.href = 'https://example.com/';
    });
    await expect.poll(() => fixture.readEvents()).toContain('will-navigate https://example.com/');
    const url = await fixture.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
    );
    expect(url).toBe('app://bundle/index.html');
    expect(await fixture.page.evaluate(() => window.fixture.add(1, 1))).toBe(2);
  });

  test('window.open and links to new windows call the handler and open nothing', async ({ fixture }) => {
    const { app, page } = fixture;
    await app.evaluate(({ shell }) => {
      shell.openExternal = async (url) => void globalThis.seen.push(`external ${url}`);
    });
    expect(await page.evaluate(() => window.open('https://example.com/opened'))).toBeNull();
    await page.getByRole('link', { name: 'Docs' }).click();
    const readOpened = (): Promise<string[]> =>
      app.evaluate(() => globalThis.seen.filter((each) => each.startsWith('external ')));
    await expect
      .poll(readOpened)
      .toEqual(['external https://example.com/opened', 'external https://example.com/docs']);
    expect(app.windows()).toHaveLength(1);
  });

  test('a crashed page is reported and can be reloaded', async ({ fixture }) => {
    const { app } = fixture;
    await app.evaluate(({ app: electronApp, BrowserWindow }) => {
      electronApp.on('render-process-gone', (_event, _contents, { reason }) =>
        globalThis.seen.push(`gone ${reason}`),
      );
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
    });
    await expect.poll(() => app.evaluate(() => globalThis.seen.at(-1))).toMatch(/^gone /);
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());
    const greet = (): Promise<unknown> =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('typeof fixture'),
      );
    await expect.poll(greet).toBe('object');
  });
});

test('permissions follow the handlers: clipboard access is granted, geolocation is not', async ({
  shared,
}) => {
  const states = await shared.page.evaluate(async () => {
    const names = ['clipboard-write', 'geolocation', 'notifications'] as PermissionName[];
    return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state));
  });
  expect(states).toEqual(['granted', 'denied', 'denied']);
});

test('an insecure window is rejected', async ({ shared }) => {
  test.skip(shared.choice.kind === 'electron', 'real Electron obeys');
  const message = await shared.app.evaluate(({ BrowserWindow }) => {
    try {
      return `window ${new BrowserWindow({ webPreferences: { nodeIntegration: true } }).id}`;
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect(message).toContain('only sandboxed, context-isolated windows are supported');
});
