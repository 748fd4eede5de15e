import { createServer } from 'node:http';
import { expect } from '@playwright/test';
import type { PreloadApi } from '../../core/contract/transport.ts';
import { listenOnLoopback } from '../harness/servers/ports.ts';
import { sharedTest as test } from './rig/desktop-test.ts';
import type { DesktopApp } from './rig/launch-app.ts';

declare global {
  interface Window {
    readonly stepwright: PreloadApi;
  }
  /** In the main process: arguments of `shell.openExternal`. */
  var openedOutside: string[];
}

const readAddress = ({ app }: DesktopApp): Promise<string | undefined> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL());

test('the page has no Node access and only a few frozen preload functions', async ({ ui }) => {
  const seen = await ui.page.evaluate(() => {
    const api = window.stepwright as unknown as Record<string, unknown>;
    let changed = true;
    try {
      api['call'] = () => 'mine';
    } catch {
      changed = false;
    }
    return {
      node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in window),
      api: Object.keys(api).sort(),
      changed: changed && (api['call'] as () => unknown)() === 'mine',
    };
  });
  expect(seen).toEqual({
    node: [],
    api: ['call', 'desktop', 'follow', 'noteFiles', 'onDesktop', 'openLogFile'],
    changed: false,
  });
});

test('the engine rejects forged calls of the page, without harm', async ({ ui }) => {
  const codes = await ui.page.evaluate(async () => {
    const call = window.stepwright.call as (name: unknown, input: unknown) => ReturnType<PreloadApi['call']>;
    const replies = await Promise.all([
      call('no.such.operation', {}),
      call('toString', {}),
      call('runs.get', { name: '../../etc', dagRunId: 'x' }),
      call('dags.get', { fileName: '..%2f..%2fetc%2fpasswd' }),
      call('runs.list', null),
      call(undefined, undefined),
      call('system.info', {}),
    ]);
    return replies.map((reply) => (reply.ok ? 'ok' : reply.error.code));
  });
  expect(codes).toEqual([
    'not_found',
    'not_found',
    'bad_request',
    'bad_request',
    'bad_request',
    'not_found',
    'ok',
  ]);
});

test('no file is opened except the log of an existing run', async ({ desktop, ui }) => {
  await desktop.app.evaluate(({ shell }) => {
    globalThis.openedOutside = [];
    shell.openPath = (file) => {
      globalThis.openedOutside.push(file);
      return Promise.resolve('');
    };
    shell.showItemInFolder = (file) => void globalThis.openedOutside.push(file);
  });
  const codes = await ui.page.evaluate(async () => {
    const open = window.stepwright.openLogFile as (
      address: unknown,
      place: unknown,
    ) => ReturnType<PreloadApi['openLogFile']>;
    const replies = await Promise.all([
      open('/etc/passwd', 'file'),
      open({ name: '../../etc', dagRunId: 'x', step: 'passwd' }, 'file'),
      open({ name: 'sales-etl', dagRunId: 'x', step: 'report', stdoutFile: '/etc/passwd' }, 'folder'),
      open(undefined, undefined),
    ]);
    return replies.map((reply) => (reply.ok ? 'ok' : reply.error.code));
  });
  expect(codes).toEqual(['bad_request', 'bad_request', 'bad_request', 'bad_request']);
  expect(await desktop.app.evaluate(() => globalThis.openedOutside)).toEqual([]);
});

test('the policy blocks inline scripts, eval and every connection elsewhere', async ({ ui }) => {
  const server = createServer((_request, response) => response.end('reached'));
  const port = await listenOnLoopback(server);
  const address = `http://127.0.0.1:${port}/`;
  let reached = false;
  server.on('request', () => (reached = true));
  const result = await ui.page.evaluate(async (url) => {
    const violated: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => violated.push(event.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.body.append(script);
    // In its own task: the debugger that runs this function is exempt from the policy.
    const evaluated = await new Promise((resolve) =>
      requestAnimationFrame(() => {
        try {
          // oxlint-disable-next-line eslint/no-eval -- that it is refused is the point
          resolve(eval('1 + 1'));
        } catch {
          resolve('refused');
        }
      }),
    );
    const fetched = await fetch(url).then(
      () => 'reached',
      () => 'refused',
    );
    const image = await new Promise((resolve) => {
      const picture = new Image();
      picture.addEventListener('load', () => resolve('loaded'));
      picture.addEventListener('error', () => resolve('refused'));
      picture.src = `${url}x.png`;
    });
    return { injected: 'injected' in window, evaluated, fetched, image, violated: violated.sort() };
  }, address);
  server.close();
  expect(result).toEqual({
    injected: false,
    evaluated: 'refused',
    fetched: 'refused',
    image: 'refused',
    violated: ['connect-src', 'img-src', 'script-src', 'script-src-elem'],
  });
  expect(reached).toBe(false);
});

test('the page stays in the app; only web links open the browser', async ({ desktop, ui }) => {
  const { app } = desktop;
  await app.evaluate(({ shell }) => {
    globalThis.openedOutside = [];
    shell.openExternal = (url) => {
      globalThis.openedOutside.push(url);
      return Promise.resolve();
    };
  });
  // The first page replaces the empty address with its own.
  await expect.poll(() => readAddress(desktop)).toContain('#/');
  const before = await readAddress(desktop);
  const opened = await ui.page.evaluate(() => {
    const addresses = ['https://example.com/docs', 'file:///etc/passwd', 'http://example.com/'];
    return addresses.map((address) => window.open(address));
  });
  expect(opened).toEqual([null, null, null]);
  await expect.poll(() => app.evaluate(() => globalThis.openedOutside)).toEqual(['https://example.com/docs']);

  const refused = app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<boolean>((resolve) => {
        const contents = BrowserWindow.getAllWindows()[0]!.webContents;
        contents.once('will-navigate', (event) => setImmediate(() => resolve(event.defaultPrevented)));
        void contents.executeJavaScript("location.href = 'https://example.com/'").catch(() => undefined);
      }),
  );
  expect(await refused).toBe(true);
  expect(await readAddress(desktop)).toBe(before);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('a foreign page cannot call the engine and receives no events', async ({ desktop }) => {
  const reply = await desktop.app.evaluate(async ({ BrowserWindow }) => {
    const own = BrowserWindow.getAllWindows()[0]!;
    const foreign = new BrowserWindow({
      show: false,
      webPreferences: { preload: globalThis.stepwrightTest.preload, sandbox: true, contextIsolation: true },
    });
    // A trusted page would get an error for an unknown stream.
    const sent: unknown[] = [];
    foreign.webContents.send = (...given: unknown[]) => void sent.push(given);
    await foreign.loadURL('data:text/html,<title>foreign</title>');
    const answer: unknown = await foreign.webContents.executeJavaScript(`(async () => {
      stepwright.follow('no.such.stream', {}, () => undefined);
      return Promise.all([
        stepwright.call('system.info', {}),
        stepwright.openLogFile({ name: 'sales-etl', dagRunId: 'x', step: 'report' }, 'folder'),
      ]);
    })()`);
    const trusted: unknown = await own.webContents.executeJavaScript(`stepwright.call('system.info', {})`);
    foreign.destroy();
    return { answer, trusted, sent };
  });
  expect(reply).toMatchObject({
    answer: [
      { ok: false, error: { code: 'forbidden' } },
      { ok: false, error: { code: 'forbidden' } },
    ],
    trusted: { ok: true },
    sent: [],
  });
});
