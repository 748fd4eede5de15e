import type { MessageBoxOptions } from 'electron';
import { beforeEach, describe, expect, test } from 'vitest';
import { QuitFlow } from '../../../main/shell/quit.ts';

/** The app around the flow: what was done to it, and answers that the test gives when it wants. */
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

  /** As Electron does on `app.quit()`. Answers whether the app may leave. */
  quit(): boolean {
    let prevented = false;
    this.flow.onBeforeQuit({ preventDefault: () => (prevented = true) });
    return !prevented;
  }
}

/** Lets everything that is ready to happen do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const [keep, stop, cancel] = [0, 1, 2];
let app: FakeApp;
beforeEach(() => {
  app = new FakeApp();
});

describe('with nothing active', () => {
  test('closes the engine first and leaves without a question', async () => {
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

  test('an engine that cannot be closed does not hold the user', async () => {
    app.closing = () => Promise.reject(new Error('disk full'));
    app.quit();
    await settle();
    expect(app.done).toEqual(['close engine', 'report Error: disk full', 'leave']);
  });
});

describe('with runs active', () => {
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

  test('an answer that no button stands for counts as cancel', async () => {
    app.answer(7);
    await settle();
    expect(app.done).toEqual([]);
  });

  test('stop closes the engine, which stops them, and leaves', async () => {
    app.answer(stop);
    await settle();
    expect(app.done).toEqual(['close engine', 'leave']);
  });

  test('a question that cannot be shown stays and is reported', async () => {
    app.failToAsk(new Error('no display'));
    await settle();
    expect(app.done).toEqual(['report Error: no display']);
    app.quit();
    await settle();
    expect(app.questions).toHaveLength(2);
  });
});

const kept = ['close window', 'stand down'];

describe('keeping the runs', () => {
  beforeEach(async () => {
    app.active = 1;
    app.quit();
    await settle();
    app.answer(keep);
    await settle();
  });

  test('closes the window and begins nothing new at once, and leaves when they have ended', async () => {
    expect(app.done).toEqual(kept);
    app.endRuns();
    await settle();
    expect(app.done).toEqual([...kept, 'close engine', 'leave']);
  });

  test('is called off by opening the window again: schedules and queues are served on', async () => {
    app.flow.onWindowOpened();
    app.endRuns();
    await settle();
    expect(app.done).toEqual([...kept, 'serve']);
    app.active = 0;
    app.quit();
    await settle();
    expect(app.done).toEqual([...kept, 'serve', 'close engine', 'leave']);
  });

  test('asks again when asked to quit again, and stop is obeyed', async () => {
    app.quit();
    await settle();
    expect(app.questions).toHaveLength(2);
    app.answer(stop);
    await settle();
    expect(app.done).toEqual([...kept, 'close engine', 'leave']);
  });

  test('cancel takes the earlier answer back', async () => {
    const endRuns = app.endRuns;
    app.quit();
    await settle();
    app.answer(cancel);
    endRuns();
    await settle();
    expect(app.done).toEqual([...kept, 'serve']);
  });

  test('an earlier wait does not decide while the second question stands', async () => {
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

  test('the runs may be left to it: the engine is closed, and they go on', async () => {
    expect(app.questions[0]?.buttons?.[0]).toBe('Continue in the background service');
    app.answer(0);
    await settle();
    expect(app.done).toEqual(['hand over', 'leave']);
    expect(app.flow.isLeaving).toBe(true);
  });

  test('they may be stopped, and nothing may be done', async () => {
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

describe('a signal to end', () => {
  test('stops the runs in order without a question', async () => {
    app.active = 1;
    app.flow.onSignal();
    app.flow.onSignal();
    await settle();
    expect(app.questions).toEqual([]);
    expect(app.done).toEqual(['close engine', 'leave']);
  });

  test('decides a question that nobody has answered', async () => {
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
