import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadEngineConfig } from '../../../../core/home/config/engine-config.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

function load(text: string, environment: Record<string, string> = {}) {
  const home = makeTemporaryFolder();
  writeFileSync(path.join(home, 'config.yaml'), text);
  return loadEngineConfig({ home, environment }).config.worker;
}

test('labels are a map in the file, and pairs in variables, which win', () => {
  const text = 'worker: {labels: {gpu: "true", region: eu}, coordinators: [https://a:1, https://b:1]}';

  expect(load(text)).toMatchObject({
    labels: { gpu: 'true', region: 'eu' },
    coordinators: ['https://a:1', 'https://b:1'],
    drainTimeout: 600,
    keepLostDays: 7,
  });
  expect(load(text, { ENGINE_WORKER_LABELS: 'zone=a, url=x=y' }).labels).toEqual({ zone: 'a', url: 'x=y' });
});

test.each(['worker: {labels: [a]}', 'worker: {labels: "gpu"}', 'worker: {labels: {gpu: [1]}}'])(
  'rejects %s',
  (text) => {
    expect(() => load(text)).toThrow('must be labels, such as');
  },
);
