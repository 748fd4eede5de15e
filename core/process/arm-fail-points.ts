import { watchFailPoints } from '../base/fail-point.ts';
import { failPoints, type FailPointName } from '../base/fail-points.ts';
import { shortenTimings, timings, type Timings } from '../base/timings.ts';

/** What happens to the process when it gets there. */
const actions = {
  kill: () => process.kill(process.pid, 'SIGKILL'),
  stop: () => process.kill(process.pid, 'SIGSTOP'),
  block: blockEventLoop,
} as const;

interface Wish {
  readonly act: () => void;
  /** How many more times the moment is to be passed before. */
  left: number;
}

/**
 * Arms what `ENGINE_FAILPOINT` names: `name:kill`, `name:stop` or `name:block` (the event loop stands still for ever),
 * several separated by commas, `name@3:kill` for the third time the moment is reached (core/base/fail-points.ts has the
 * names); or `none`. Only then `ENGINE_TEST_TIMINGS` counts: `name=milliseconds`, several separated by commas
 * (core/base/timings.ts has the names). Throws an `Error` that names what it does not understand: a fault test that
 * tests nothing must not pass.
 */
export function armFailPoints(environment: Readonly<Record<string, string | undefined>>): void {
  const { ENGINE_FAILPOINT: text, ENGINE_TEST_TIMINGS: times } = environment;
  if (!text) return;
  shortenTimings(times ? Object.fromEntries(times.split(',').map(readTiming)) : {});
  const wishes = new Map(text === 'none' ? [] : text.split(',').map(readWish));
  watchFailPoints((name) => {
    const wish = wishes.get(name);
    if (wish === undefined) return;
    wish.left -= 1;
    if (wish.left === 0) wish.act();
  });
}

function readWish(text: string): [FailPointName, Wish] {
  const [, name = '', times = '1', what = ''] =
    /^([a-z_.]+)(?:@([1-9]\d*))?:([a-z]+)$/.exec(text.trim()) ?? [];
  if (!isName(name) || !isAction(what)) {
    throw new Error(
      `ENGINE_FAILPOINT: "${text}" is not NAME:kill, NAME:stop or NAME:block with a name of core/base/fail-points.ts`,
    );
  }
  return [name, { act: actions[what], left: Number(times) }];
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

/** As a regular expression does that backtracks without end. */
function blockEventLoop(): never {
  for (;;) Math.sqrt(2);
}
