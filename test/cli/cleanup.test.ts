import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeTestHome, runEngine, saveDag, type TestHome } from '../harness/home-and-command.ts';

const countListeners = (): number[] =>
  ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal));

const countDescriptors = (): number => readdirSync('/proc/self/fd').length;

async function runCommands(place: TestHome): Promise<void> {
  for (const args of [['start', 'etl', '-q'], ['exec', '-q', '--', 'true'], ['recover'], ['history']])
    expect(await runEngine(place, args)).toMatchObject({ code: 0 });
}

if (process.platform === 'linux') {
  it('commands close what they open and remove their signal handlers', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', 'steps:\n  - echo\n');
    const listeners = countListeners();
    await runCommands(place);
    const descriptors = countDescriptors();
    await runCommands(place);
    expect(countListeners()).toEqual(listeners);
    await expect.poll(countDescriptors).toBeLessThanOrEqual(descriptors);
  });
}
