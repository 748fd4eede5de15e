import type { MessageBoxOptions } from 'electron';
import { beforeEach, describe, expect, test } from 'vitest';
import { QuitFlow } from '../../main/quit.ts';

/** The app around the flow: recorded calls, and responses controlled by the test. */
class FakeApp {
  readonly done: string[] = [];
  readonly questions: MessageBoxOptions[] = [];
  active = 0;
  service = false;
  closing: () => Promise<void> = () => Promise.resolve();
  answer: (button: number) => void = () => {};
  failToAsk: (error: Error) => void = () => {};
  endRuns: () => void = () => {};
  readonly flow = new QuitFlow({
    activeRuns: () => this.active,
    ask: (options) => {
      this.questions.push(options);
      const { promise, resolve, reject } = Promise.withResolvers<{ response: number }>();
      this.answer = (response) => resolve({ response });
      this.failToAsk = reject;
      return promise;
    },
    runsEnded: () => new Promise((resolve) => (this.endRuns = resolve)),
    closeEngine: () => {
      this.done.push('close engine');
      return this.closing();
    },
    hasService: () => Promise.resolve(this.service),
    handOver: () => {
      this.done.push('hand over');
      return Promise.resolve();
    },
    pauseServices: () => {
      this.done.push('stand down');
      return Promise.resolve();
    },
    serve: () => this.done.push('serve'),
    closeWindow: () => this.done.push('close window'),
    quit: () => {
      this.done.push(this.quit() ? 'leave' : 'refused');
    },
    reportFailure: (error) => this.done.push(`report ${String(error)}`),
  });

  /** As Electron does on `app.quit()`. Returns whether the app may exit. */
  quit(): boolean {
    let prevented = false;
    this.flow.onBeforeQuit({ preventDefault: () => (prevented = true) });
    return !prevented;
  }
}

/** Runs everything that is ready. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const [keep, stop, cancel] = [0, 1, 2];
let app: FakeApp;
beforeEach(() => {
  app = new FakeApp();
});

describe('without active runs', () => {
  test('closes the engine first and exits without asking', async () => {
    expect(app.quit()).toBe(false);
    await settle();
    expect(app.questions).toEqual([]);
    expect(app.done).toEqual(['close engine', 'leave']);
  });

  test('a second request while the engine closes changes nothing', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    app.closing = () => promise;
    app.quit();
    expect(app.quit()).toBe(false);
    resolve();
    await settle();
    expect(app.done).toEqual(['close engine', 'leave']);
  });

  test('an engine that fails to close does not block the user', async () => {
    app.closing = () => Promise.reject(new Error('disk full'));
    app.quit();
    await settle();
    expect(app.done).toEqual(['close engine', 'report Error: disk full', 'leave']);
  });
});

describe('with active runs', () => {
  beforeEach(async () => {
    app.active = 2;
    app.quit();
    await settle();
  });

  test('asks once, whatever is pressed meanwhile, and Escape stays', async () => {
    app.quit();
    await settle();
    expect(app.questions).toHaveLength(1);
    expect(app.questions[0]).toMatchObject({ message: '2 runs are still active', cancelId: cancel });
    expect(app.questions[0]?.buttons).toHaveLength(3);
    expect(app.done).toEqual([]);
  });

  test('cancel stays, and the next request asks again', async () => {
    app.answer(cancel);
    await settle();
    expect(app.done).toEqual([]);
    app.active = 1;
    app.quit();
    await settle();
    expect(app.questions).toHaveLength(2);
    expect(app.questions[1]?.message).toBe('1 run is still active');
  });

  test('a response without a button counts as cancel', async () => {
    app.answer(7);
    await settle();
    expect(app.done).toEqual([]);
  });

  test('stop closes the engine, which stops them, and exits', async () => {
    app.answer(stop);
    await settle();
    expect(app.done).toEqual(['close engine', 'leave']);
  });

  test('a dialog that fails to open stays and is reported', async () => {
    app.failToAsk(new Error('no display'));
    await settle();
    expect(app.done).toEqual(['report Error: no display']);
    app.quit();
    await settle();
    expect(app.questions).toHaveLength(2);
  });
});

const kept = ['close window', 'stand down'];

describe('waiting for the runs', () => {
  beforeEach(async () => {
    app.active = 1;
    app.quit();
    await settle();
    app.answer(keep);
    await settle();
  });

  test('closes the window, starts nothing new, and exits when they have finished', async () => {
    expect(app.done).toEqual(kept);
    app.endRuns();
    await settle();
    expect(app.done).toEqual([...kept, 'close engine', 'leave']);
  });

  test('is cancelled by reopening the window: schedules and queues are served again', async () => {
    app.flow.onWindowOpened();
    app.endRuns();
    await settle();
    expect(app.done).toEqual([...kept, 'serve']);
    app.active = 0;
    app.quit();
    await settle();
    expect(app.done).toEqual([...kept, 'serve', 'close engine', 'leave']);
  });

  test('asks again on the next request, and stop is applied', async () => {
    app.quit();
    await settle();
    expect(app.questions).toHaveLength(2);
    app.answer(stop);
    await settle();
    expect(app.done).toEqual([...kept, 'close engine', 'leave']);
  });

  test('cancel reverts the earlier response', async () => {
    const endRuns = app.endRuns;
    app.quit();
    await settle();
    app.answer(cancel);
    endRuns();
    await settle();
    expect(app.done).toEqual([...kept, 'serve']);
  });

  test('an earlier wait does not decide while the second dialog is open', async () => {
    const endRuns = app.endRuns;
    app.quit();
    await settle();
    endRuns();
    await settle();
    expect(app.done).toEqual(kept);
    app.answer(keep);
    await settle();
    app.endRuns();
    await settle();
    expect(app.done).toEqual([...kept, ...kept, 'close engine', 'leave']);
  });
});

describe('with a background service', () => {
  beforeEach(async () => {
    [app.active, app.service] = [1, true];
    app.quit();
    await settle();
  });

  test('the runs can be left to it: the engine is closed, and they continue', async () => {
    expect(app.questions[0]?.buttons?.[0]).toBe('Continue in the background service');
    app.answer(0);
    await settle();
    expect(app.done).toEqual(['hand over', 'leave']);
    expect(app.flow.isLeaving).toBe(true);
  });

  test('they can be stopped, or the request cancelled', async () => {
    app.answer(cancel);
    await settle();
    expect(app.done).toEqual([]);
    app.quit();
    await settle();
    app.answer(stop);
    await settle();
    expect(app.done).toEqual(['close engine', 'leave']);
  });
});

describe('a termination signal', () => {
  test('stops the runs gracefully without asking', async () => {
    app.active = 1;
    app.flow.onSignal();
    app.flow.onSignal();
    await settle();
    expect(app.questions).toEqual([]);
    expect(app.done).toEqual(['close engine', 'leave']);
  });

  test('overrides an open dialog', async () => {
    app.active = 1;
    app.quit();
    await settle();
    app.flow.onSignal();
    app.answer(cancel);
    await settle();
    expect(app.done).toEqual(['close engine', 'leave']);
  });

  test('ends the wait for the runs', async () => {
    app.active = 1;
    app.quit();
    await settle();
    app.answer(keep);
    await settle();
    app.flow.onSignal();
    app.endRuns();
    await settle();
    expect(app.done).toEqual([...kept, 'close engine', 'leave']);
  });
});
