import { watchFailPoints } from '../base/fail-point.ts';
import { failPoints, type FailPointName } from '../base/fail-points.ts';
import { overrideTimings, timings, type Timings } from '../base/timings.ts';

/** Effect on the process at an armed fail point. */
const actions = {
  kill: () => process.kill(process.pid, 'SIGKILL'),
  stop: () => process.kill(process.pid, 'SIGSTOP'),
  block: blockEventLoop,
} as const;

interface ArmedPoint {
  readonly action: () => void;
  /** How many more times to pass the point first. */
  remaining: number;
}

/**
 * Arms the fail points of `ENGINE_FAILPOINT`: `name:kill`, `name:stop` or `name:block` (blocks the event loop forever),
 * separated by commas, `name@3:kill` for the third time the point is reached (core/base/fail-points.ts has the names);
 * or `none`. `ENGINE_TEST_TIMINGS` is only read when it is set: `name=milliseconds`, separated by commas
 * (core/base/timings.ts has the names). Throws an `Error` for unknown input, because a fault test that tests nothing
 * must not pass.
 */
export function armFailPoints(environment: Readonly<Record<string, string | undefined>>): void {
  const { ENGINE_FAILPOINT: text, ENGINE_TEST_TIMINGS: times } = environment;
  if (!text) return;
  overrideTimings(times ? Object.fromEntries(times.split(',').map(readTiming)) : {});
  const requests = new Map(text === 'none' ? [] : text.split(',').map(readArmedPoint));
  watchFailPoints((name) => {
    const options = requests.get(name);
    if (options === undefined) return;
    options.remaining -= 1;
    if (options.remaining === 0) options.action();
  });
}

function readArmedPoint(text: string): [FailPointName, ArmedPoint] {
  const [, name = '', times = '1', actionText = ''] =
    /^([a-z_.]+)(?:@([1-9]\d*))?:([a-z]+)$/.exec(text.trim()) ?? [];
  if (!isName(name) || !isAction(actionText)) {
    throw new Error(
      `ENGINE_FAILPOINT: "${text}" is not NAME:kill, NAME:stop or NAME:block with a name of core/base/fail-points.ts`,
    );
  }
  return [name, { action: actions[actionText], remaining: Number(times) }];
}

function readTiming(text: string): [keyof Timings, number] {
  const [, name = '', value] = /^([a-z]+)=([1-9]\d*)$/i.exec(text.trim()) ?? [];
  if (!isTiming(name))
    throw new Error(
      `ENGINE_TEST_TIMINGS: "${text}" is not NAME=MILLISECONDS with a name of core/base/timings.ts`,
    );
  return [name, Number(value)];
}

const isTiming = (text: string): text is keyof Timings => Object.hasOwn(timings, text);
const isName = (text: string): text is FailPointName => Object.hasOwn(failPoints, text);
const isAction = (text: string): text is keyof typeof actions => Object.hasOwn(actions, text);

/** Blocks like a regular expression that backtracks without end. */
function blockEventLoop(): never {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  // In slices, between which the stack can be read; a busy loop would take a processor from the other tests.
  for (;;) Atomics.wait(cell, 0, 0, 20);
}
