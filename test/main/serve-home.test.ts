import { expect, test, vi } from 'vitest';
import type { Engine } from '../../core/index.ts';
import { BackgroundServices } from '../../main/serve-home.ts';
import { until } from '../harness/resources.ts';

function start() {
  const told: string[] = [];
  const engine = {
    monitorResources: () => told.push('monitor'),
    startRecoveryLoop: () => told.push('take over'),
    processQueues: () => told.push('queues'),
    startScheduling: () => Promise.resolve(told.push('schedules')),
    sendWebhooks: () => Promise.reject(new Error('no room')),
    pauseServices: () => Promise.resolve(told.push('stand down')),
  };
  const error = vi.fn<(message: string, facts?: object) => void>();
  const logger = { info() {}, warn() {}, error };
  return { told, error, serving: new BackgroundServices(engine as unknown as Engine, logger) };
}
const all = ['monitor', 'take over', 'queues', 'schedules'];

test('starts all services of a home once, and reports failures', async () => {
  const { told, error, serving } = start();
  serving.begin();
  serving.begin();
  serving.resume();
  expect(told).toEqual(all);
  await until(() => error.mock.calls.length > 0);
  expect(error).toHaveBeenCalledWith('Webhook delivery failed to start', { message: 'Error: no room' });
});

test('pauses until resumed, even before it has started', async () => {
  const { told, serving } = start();
  await serving.pauseServices();
  serving.begin();
  expect(told).toEqual(['stand down']);
  serving.resume();
  serving.resume();
  expect(told).toEqual(['stand down', ...all]);
});

test('starts nothing once the engine is closing', () => {
  const { told, serving } = start();
  serving.end();
  serving.begin();
  serving.resume();
  expect(told).toEqual([]);
});
