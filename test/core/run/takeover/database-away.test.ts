import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { TakeOvers } from '../../../../core/run/takeover/take-overs.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { FakeClock } from '../../../rig/fake-clock.ts';
import { makeDatabasePath } from '../../store/store-rig.ts';

/** Only what looking for hosts needs: nothing is taken over here. */
function openLooker() {
  const store = openStore({ file: makeDatabasePath() });
  const clock = new FakeClock();
  const warnings: string[] = [];
  const logger = { info() {}, error() {}, warn: (message: string) => void warnings.push(message) };
  const parts = { store, clock, logger, watch: { keepOnly() {}, findDeath: () => undefined } };
  onTestFinished(() => store.close());
  return { store, clock, warnings, takeOvers: new TakeOvers(parts as never) };
}

/** Lets a look, which is asynchronous, come to its end. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('hosts are looked for again after a look at which the database was away', async () => {
  const { store, clock, warnings, takeOvers } = openLooker();
  const looks = vi.spyOn(store, 'listDrivingHosts').mockImplementation(() => {
    throw new AppError('unavailable', 'the server has ended the connection');
  });
  const stop = takeOvers.keepLooking(5000);
  await settle();
  expect(warnings).toEqual(['Looking for runs without a host failed', 'Other hosts could not be looked at']);
  looks.mockRestore();
  const later = vi.spyOn(store, 'listDrivingHosts');
  clock.advance(5000);
  await settle();
  expect(later).toHaveBeenCalled();
  expect(warnings).toHaveLength(2);
  stop();
});
