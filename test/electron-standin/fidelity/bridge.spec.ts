import { expect, test } from './fixture-app.ts';

test.describe('contextBridge', () => {
  test('the API exists before the first script of the page runs', async ({ shared }) => {
    expect(await shared.page.evaluate(() => [window.earlyType, window.earlyNumber])).toEqual(['object', 7]);
  });

  test('functions return synchronously', async ({ shared }) => {
    expect(await shared.page.evaluate(() => window.fixture.add(2, 3))).toBe(5);
  });

  test('a thrown error keeps its name and message', async ({ shared }) => {
    const caught = await shared.page.evaluate(() => {
      try {
        return window.fixture.throwTypeError();
      } catch (error) {
        return [error instanceof Error, (error as Error).message];
      }
    });
    expect(caught).toEqual([true, expect.stringContaining('boom')]);
  });

  test('fulfilled and rejected promises are passed through', async ({ shared }) => {
    expect(await shared.page.evaluate(() => window.fixture.double(4))).toBe(8);
    await expect(shared.page.evaluate(() => window.fixture.reject())).rejects.toThrow('nope');
  });

  test('the page may pass callbacks', async ({ shared }) => {
    const received = await shared.page.evaluate(() => {
      let seen: unknown;
      window.fixture.keep((value) => {
        seen = value;
      });
      window.fixture.callKept({ list: [1] });
      return seen;
    });
    expect(received).toEqual({ list: [1] });
  });

  test('calls may be nested', async ({ shared }) => {
    const sum = await shared.page.evaluate(() => {
      window.fixture.keep((value) => window.fixture.add(Number(value), 1));
      return window.fixture.add(Number(window.fixture.callKept(1)), 10);
    });
    expect(sum).toBe(12);
  });

  test('exposed objects are deeply frozen and cannot be replaced', async ({ shared }) => {
    const state = await shared.page.evaluate(() => {
      const { fixture } = window;
      try {
        Reflect.set(window, 'fixture', 1);
      } catch {
        // A frozen property may throw in strict code.
      }
      return [
        Object.isFrozen(fixture),
        Object.isFrozen(fixture.nested),
        Object.isFrozen(fixture.nested.list),
        window.fixture === fixture,
        Reflect.deleteProperty(window, 'fixture'),
      ];
    });
    expect(state).toEqual([true, true, true, true, false]);
  });

  test('dates, bytes and maps keep their class, instances lose theirs', async ({ shared }) => {
    const kinds = await shared.page.evaluate(() => [
      window.fixture.date() instanceof Date,
      window.fixture.bytes() instanceof Uint8Array,
      window.fixture.map() instanceof Map,
      JSON.stringify(window.fixture.instance()),
    ]);
    expect(kinds).toEqual([true, true, true, '{"field":1}']);
  });

  test('a key can be exposed only once', async ({ shared }) => {
    expect(shared.readEvents()).toContain(
      'page Cannot bind an API on top of an existing property on the window object',
    );
  });
});

test.describe('the preload world', () => {
  test('can require only the modules of a sandboxed preload', async ({ shared }) => {
    expect(await shared.page.evaluate(() => window.fixture.requireFs())).toBe('module not found: node:fs');
  });

  test('has the process of a sandboxed renderer', async ({ shared }) => {
    expect(await shared.page.evaluate(() => window.fixture.world())).toEqual({
      type: 'renderer',
      sandboxed: true,
      isolated: true,
      electron: expect.stringMatching(/^45\./),
      argument: '--fixture',
      emitter: 'function',
    });
  });

  test('is invisible to the page', async ({ shared }) => {
    const types = await shared.page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'ipcRenderer', '__standinToHost', '__standinInbox'].map(
        (name) => typeof Reflect.get(globalThis, name),
      ),
    );
    expect(new Set(types)).toEqual(new Set(['undefined']));
  });
});
