import { expect, test } from './fixture-app.ts';

test.describe('invoke', () => {
  test('values of every kind survive a round trip', async ({ shared }) => {
    const result = await shared.page.evaluate(async () => {
      const value = {
        date: new Date(1),
        map: new Map([[1, new Set([2])]]),
        missing: undefined,
        bytes: new Uint8Array([1, 2, 3]),
        words: new Uint16Array([300]),
        buffer: new Uint8Array([9]).buffer,
        notANumber: Number.NaN,
        minusZero: -0,
        big: 10n,
        pattern: /x+/gi,
        $: 'dollar',
        nested: { $: 1, list: [null] },
      };
      const echoed = (await window.fixture.invoke('echo', value)) as typeof value;
      return [
        echoed.date.getTime(),
        echoed.map.get(1)?.has(2),
        'missing' in echoed && echoed.missing === undefined,
        [...echoed.bytes],
        echoed.words instanceof Uint16Array && echoed.words[0],
        echoed.buffer instanceof ArrayBuffer && echoed.buffer.byteLength,
        Number.isNaN(echoed.notANumber),
        Object.is(echoed.minusZero, -0),
        typeof echoed.big,
        String(echoed.pattern),
        echoed.$,
        JSON.stringify(echoed.nested),
      ];
    });
    expect(result).toEqual([
      1,
      true,
      true,
      [1, 2, 3],
      300,
      1,
      true,
      true,
      'bigint',
      '/x+/gi',
      'dollar',
      '{"$":1,"list":[null]}',
    ]);
  });

  test('errors keep their class and message', async ({ shared }) => {
    const seen = await shared.page.evaluate(async () => {
      const echoed = (await window.fixture.invoke('echo', [new TypeError('typed')])) as Error[];
      return [echoed[0] instanceof Error, echoed[0]?.name, echoed[0]?.message];
    });
    expect(seen).toEqual([true, 'TypeError', 'typed']);
  });

  test('an error in a handler rejects with its message', async ({ shared }) => {
    await expect(shared.page.evaluate(() => window.fixture.invoke('fail'))).rejects.toThrow(
      "Error invoking remote method 'fail': RangeError: out of range",
    );
  });

  test('a channel without a handler rejects', async ({ shared }) => {
    await expect(shared.page.evaluate(() => window.fixture.invoke('nowhere'))).rejects.toThrow(
      "Error invoking remote method 'nowhere': Error: No handler registered for 'nowhere'",
    );
  });

  test('functions cannot be sent, in either direction', async ({ shared }) => {
    await expect(shared.page.evaluate(() => window.fixture.invoke('echo', () => 1))).rejects.toThrow(
      'An object could not be cloned.',
    );
    await expect(shared.page.evaluate(() => window.fixture.invoke('unclonable'))).rejects.toThrow(
      'An object could not be cloned.',
    );
  });

  test('matches the responses of concurrent calls', async ({ shared }) => {
    const wrong = await shared.page.evaluate(async () => {
      const numbers = Array.from({ length: 500 }, (_, index) => index);
      const echoed = await Promise.all(numbers.map((each) => window.fixture.invoke('echo', each)));
      return echoed.filter((each, index) => each !== index).length;
    });
    expect(wrong).toBe(0);
  });

  test('transfers megabytes', async ({ shared }) => {
    const lengths = await shared.page.evaluate(async () => [
      ((await window.fixture.invoke('echo', 'x'.repeat(3_000_000))) as string).length,
      ((await window.fixture.invoke('echo', new Uint8Array(1_000_000))) as Uint8Array).length,
    ]);
    expect(lengths).toEqual([3_000_000, 1_000_000]);
  });

  test('identifies the sender to the handler', async ({ shared }) => {
    expect(await shared.page.evaluate(() => window.fixture.invoke('who'))).toEqual({
      origin: 'app://bundle',
      url: 'app://bundle/index.html',
      isOnlyContents: true,
    });
  });
});

test.describe('messages', () => {
  test('from the page to the main process', async ({ shared }) => {
    await shared.page.evaluate(() => window.fixture.note('hello'));
    await expect.poll(() => shared.readEvents()).toContain('page hello');
  });

  test('from the main process to the page, in order', async ({ fixture }) => {
    const { app, page } = fixture;
    await page.evaluate(() => {
      const received: unknown[] = [];
      Reflect.set(window, 'received', received);
      window.fixture.onPush((...values) => received.push(values));
    });
    await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      for (let index = 0; index < 300; index++) contents?.send('push', index, { at: new Date(index) });
    });
    await page.waitForFunction(() => (Reflect.get(window, 'received') as unknown[]).length === 300);
    const inOrder = await page.evaluate(() =>
      (Reflect.get(window, 'received') as [number, { at: Date }][]).every(
        ([index, { at }], position) => index === position && at.getTime() === position,
      ),
    );
    expect(inOrder).toBe(true);
  });

  test('a reloaded page has a working IPC again', async ({ fixture }) => {
    await fixture.page.reload();
    await fixture.page.waitForFunction(() => window.earlyType === 'object');
    expect(await fixture.page.evaluate(() => window.fixture.invoke('echo', 'again'))).toBe('again');
  });

  test('uncloneable arguments of send throw in the main process', async ({ shared }) => {
    const message = await shared.app.evaluate(({ BrowserWindow }) => {
      try {
        BrowserWindow.getAllWindows()[0]?.webContents.send('push', () => undefined);
        return 'sent';
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(message).toContain('could not be cloned');
  });

  test('a second handler for a channel is rejected', async ({ shared }) => {
    const message = await shared.app.evaluate(({ ipcMain }) => {
      try {
        ipcMain.handle('echo', () => 1);
        return 'registered';
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(message).toBe("Attempted to register a second handler for 'echo'");
  });
});
