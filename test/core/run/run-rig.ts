import { readFileSync } from 'node:fs';
import type { EventView } from '../../../core/contract/runs/events.ts';
import type { RunRef } from '../../../core/model/run/run.ts';
import type { ItemOf } from '../../../core/contract/operation.ts';
import { testCaller, type RunView, type TestEngine } from '../../rig/test-engine.ts';

export type RunEventView = ItemOf<{ item: typeof EventView }>;

/** Every event of an ended run, in order, as a client that resumes from the beginning gets them. */
export function eventsOf(engine: TestEngine, { name, dagRunId }: RunRef): Promise<RunEventView[]> {
  return new Promise((resolve, reject) => {
    const events: RunEventView[] = [];
    const dispose = engine.host.api.follow(
      'events.follow',
      { name, dagRunId, after: 0 },
      {
        item: (event) => {
          events.push(event);
          // The first ones arrive before `follow` has returned.
          if (event.event.type === 'run.finished') setImmediate(() => (dispose(), resolve(events)));
        },
        end: reject,
      },
      testCaller,
    );
  });
}

/** What an attempt has printed. */
export function printed(
  view: RunView,
  name: string,
  stream: 'stdoutFile' | 'stderrFile' = 'stdoutFile',
): string {
  const step = [...view.steps, ...view.handlers].find((each) => each.name === name);
  const file = step?.attempts.at(-1)?.[stream];
  if (file === undefined) throw new Error(`${name} has no attempt`);
  return readFileSync(file, 'utf8');
}

/** The variables that `print-env.sh` or `env` has printed; values must be of one line. */
export const variablesOf = (view: RunView, name: string): Record<string, string> =>
  Object.fromEntries(
    printed(view, name)
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
