import { execFile, type ExecFileException } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildEnvironment, STANDIN_DIST } from '../launch-electron.ts';
import { expect, FIXTURE_FOLDER, launchFixture, test, type Fixture } from './fixture-app.ts';

const ENDING = ['before-quit', 'close', 'closed', 'window-all-closed', 'will-quit', 'quit'];

function readEnding(fixture: Fixture): string[] {
  return fixture.readEvents().filter((each) => ENDING.includes(each));
}

test('quitting emits in order: before-quit, close, closed, will-quit, quit', async ({ fixture }) => {
  await fixture.app.evaluate(({ app }) => void setImmediate(() => app.quit()));
  expect(await fixture.waitForExit()).toBe(0);
  expect(readEnding(fixture)).toEqual(['before-quit', 'close', 'closed', 'will-quit', 'quit']);
});

test('closing the last window emits window-all-closed before quitting', async ({ fixture }) => {
  await fixture.app.evaluate(
    ({ BrowserWindow }) => void setImmediate(() => BrowserWindow.getAllWindows()[0]?.close()),
  );
  expect(await fixture.waitForExit()).toBe(0);
  expect(readEnding(fixture)).toEqual([
    'close',
    'closed',
    'window-all-closed',
    'before-quit',
    'will-quit',
    'quit',
  ]);
});

test('page.close() in a test closes the window', async ({ fixture }) => {
  await fixture.page.close();
  expect(await fixture.waitForExit()).toBe(0);
  expect(readEnding(fixture)).toContain('window-all-closed');
});

test('an application may stay without windows and open one again', async ({ fixture }) => {
  const { app } = fixture;
  await app.evaluate(({ BrowserWindow }) => {
    globalThis.stayInTray = true;
    BrowserWindow.getAllWindows()[0]?.close();
  });
  await expect.poll(() => readEnding(fixture)).toEqual(['close', 'closed', 'window-all-closed']);
  const opened = app.waitForEvent('window');
  await app.evaluate(() => globalThis.openWindow());
  const page = await opened;
  await page.waitForFunction(() => window.earlyType === 'object');
  expect(await page.evaluate(() => window.fixture.invoke('echo', 1))).toBe(1);
});

test('before-quit, close and will-quit can each prevent quitting', async ({ fixture }) => {
  const { app } = fixture;
  await app.evaluate(({ app: electronApp, BrowserWindow }) => {
    electronApp.once('before-quit', (event) => event.preventDefault());
    electronApp.quit();
    const window = BrowserWindow.getAllWindows()[0];
    window?.once('close', (event) => event.preventDefault());
    electronApp.quit();
  });
  expect(readEnding(fixture)).toEqual(['before-quit', 'before-quit', 'close']);
  expect(await fixture.page.evaluate(() => window.fixture.add(1, 1))).toBe(2);
  await app.evaluate(({ app: electronApp }) => {
    electronApp.once('will-quit', (event) => event.preventDefault());
    electronApp.quit();
  });
  await expect.poll(() => readEnding(fixture).at(-1)).toBe('will-quit');
  expect(fixture.hasExited()).toBe(false);
});

test('exit ends immediately with its code without asking', async ({ fixture }) => {
  await fixture.app.evaluate(({ app }) => void setImmediate(() => app.exit(3)));
  expect(await fixture.waitForExit()).toBe(3);
  expect(fixture.readEvents()).not.toContain('before-quit');
});

test('SIGTERM quits like the menu does', async ({ fixture }) => {
  process.kill(fixture.processId, 'SIGTERM');
  expect(await fixture.waitForExit()).toBe(0);
  expect(readEnding(fixture)).toContain('before-quit');
});

test.describe('stand-in only', () => {
  test.beforeEach(({ fixture }) => {
    test.skip(fixture.choice.kind === 'electron', 'started by its own executable');
  });

  test('a second instance passes its arguments to the first and exits', async ({ fixture }) => {
    const { code } = await runStandIn(fixture, [FIXTURE_FOLDER, 'fixture://run/42']);
    expect(code).toBe(0);
    await expect
      .poll(() => fixture.readEvents())
      .toContain('second-instance fixture://run/42 fixture {"from":"fixture"}');
    expect(fixture.hasExited()).toBe(false);
  });

  test.describe('searching for orphaned browsers', () => {
    test.skip(process.platform !== 'linux', 'processes are found in /proc');

    test('a killed instance leaves no Chromium, and its lock can be taken', async ({ fixture }) => {
      expect(findBrowsers(fixture.userData).length).toBeGreaterThan(0);
      process.kill(fixture.processId, 'SIGKILL');
      await expect.poll(() => findBrowsers(fixture.userData)).toEqual([]);
      const next = await launchFixture(fixture.userData);
      expect(await next.page.evaluate(() => window.fixture.add(1, 1))).toBe(2);
      await next.close();
    });

    test('an instance that quits leaves no Chromium either', async ({ fixture }) => {
      await fixture.close();
      expect(findBrowsers(fixture.userData)).toEqual([]);
    });
  });

  test('runs as Node if ELECTRON_RUN_AS_NODE is set', async ({ fixture }) => {
    const script = 'process.stdout.write(String(process.type))';
    const { output } = await runStandIn(fixture, ['-e', script], { ELECTRON_RUN_AS_NODE: '1' });
    expect(output).toBe('undefined');
  });

  test('child_process.fork runs Node, execPath itself is the application', async ({ fixture }) => {
    const seen = await fixture.app.evaluate(async ({ app }) => {
      const { fork } = process.getBuiltinModule('node:child_process');
      const child = fork('-e', ['process.send(typeof process.type)'], { execArgv: [] });
      const message = await new Promise((resolve) => child.once('message', resolve));
      return [message, process.execPath === app.getPath('exe')];
    });
    expect(seen).toEqual(['undefined', true]);
  });

  test('a top-level await of readiness is reported as an error', async ({ fixture }) => {
    const mistake = path.join(fixture.userData, 'mistake.mjs');
    writeFileSync(mistake, "import { app } from 'electron'; await app.whenReady();");
    const { code, output } = await runStandIn(fixture, [mistake], {
      STANDIN_EVALUATION_LIMIT_MS: '500',
    });
    expect(code).toBe(1);
    expect(output).toContain('a top-level `await app.whenReady()` never resolves');
  });
});

test('a utility process communicates over its parent port', async ({ shared }) => {
  const answer = await shared.app.evaluate(async () => {
    const utility = globalThis.forkUtility();
    const message = new Promise((resolve) => utility.once('message', resolve));
    utility.postMessage({ question: 1 });
    const received = await message;
    utility.kill();
    return received;
  });
  expect(answer).toEqual({ received: { question: 1 }, argument: 'argument' });
});

interface Finished {
  readonly code: number;
  readonly output: string;
}

async function runStandIn(
  fixture: Fixture,
  args: readonly string[],
  additions: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const env = { ...(await buildEnvironment({ FIXTURE_USER_DATA: fixture.userData })), ...additions };
  return new Promise((resolve) => {
    execFile(
      path.join(STANDIN_DIST, 'electron'),
      args,
      { cwd: FIXTURE_FOLDER, env },
      (error: ExecFileException | null, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

/** Pids of browsers that use a folder, found by their command lines. */
function findBrowsers(userData: string): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.map(Number).filter((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(`--user-data-dir=${userData}`);
    } catch {
      return false;
    }
  });
}
