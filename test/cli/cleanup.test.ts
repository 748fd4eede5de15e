import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeWorkplace, runEngine, saveDag, type Workplace } from '../harness/engine-command.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What a command could leave behind in its process. */
const readLeftovers = () => ({
  descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
  listeners: signals.map((signal) => process.listenerCount(signal)),
  // `expect.poll` has a timer of its own.
  resources: process
    .getActiveResourcesInfo()
    .filter((name) => name !== 'Timeout')
    .sort(),
});

async function runCommands(place: Workplace): Promise<void> {
  for (const words of [
    ['start', 'etl', '-q'],
    ['exec', '-q', '--', 'true'],
    ['dry', 'etl'],
    ['recover'],
    ['history'],
    ['validate', 'etl'],
  ])
    expect(await runEngine(place, words)).toMatchObject({ code: 0 });
}

it('commands close what they open and remove their signal handlers', async () => {
  const place = makeWorkplace();
  saveDag(place, 'etl', 'steps:\n  - echo\n');
  await runCommands(place);
  const before = readLeftovers();
  await runCommands(place);
  await expect.poll(readLeftovers).toEqual(before);
});
