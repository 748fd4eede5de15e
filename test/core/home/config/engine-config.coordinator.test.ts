import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadEngineConfig, type EngineConfig } from '../../../../core/home/config/engine-config.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { defaultConfig } from '../../../harness/engine.ts';

function load(
  text: string,
  environment: Record<string, string> = {},
): Pick<EngineConfig, 'coordinator' | 'objectStore'> & { readonly home: string } {
  const home = makeTemporaryFolder();
  writeFileSync(path.join(home, 'config.yaml'), text);
  const { coordinator, objectStore } = loadEngineConfig({ home, environment }).config;
  return { coordinator, objectStore, home };
}

test('by default a coordinator listens locally, and files are in the run directories', () => {
  expect(defaultConfig.coordinator).toEqual({
    host: '127.0.0.1',
    port: 8190,
    publicUrl: undefined,
    maxConnections: 20_000,
    syncLogs: true,
    tls: {
      enabled: true,
      certFile: undefined,
      keyFile: undefined,
      clientCaFile: undefined,
      crlFile: undefined,
    },
  });
  expect(defaultConfig.objectStore).toEqual({ url: undefined });
});

test('certificate paths are relative to the configuration, and variables win', () => {
  const { coordinator, objectStore, home } = load(
    `coordinator:
  host: 0.0.0.0
  port: 9000
  publicUrl: https://work.example.com/
  tls: {certFile: tls/a.crt, keyFile: tls/a.key, clientCaFile: tls/ca.crt, crlFile: tls/ca.crl}
objectStore: {url: "s3://logs/stepwright?region=eu-central-1"}
`,
    { ENGINE_COORDINATOR_PORT: '9001', ENGINE_COORDINATOR_TLS_CRL: '/etc/revoked.crl' },
  );
  const tls = (name: string): string => path.join(home, 'tls', name);
  expect(coordinator).toMatchObject({
    host: '0.0.0.0',
    port: 9001,
    publicUrl: 'https://work.example.com',
    tls: {
      certFile: tls('a.crt'),
      keyFile: tls('a.key'),
      clientCaFile: tls('ca.crt'),
      crlFile: '/etc/revoked.crl',
    },
  });
  expect(objectStore.url).toBe('s3://logs/stepwright?region=eu-central-1');
});

test('reports a key that Dagu spells differently', () => {
  const home = makeTemporaryFolder();
  writeFileSync(path.join(home, 'config.yaml'), 'coordinator: {host: 127.0.0.1, advertise: host-1}\n');
  const { warnings } = loadEngineConfig({ home, environment: {} });
  expect(warnings).toMatchObject([{ message: expect.stringContaining('coordinator.publicUrl') }]);
});

test.each([
  ['coordinator: {tls: {certFile: a.crt}}', '"coordinator.tls.certFile" requires "coordinator.tls.keyFile".'],
  [
    'coordinator: {tls: {crlFile: a.crl}}',
    '"coordinator.tls.crlFile" requires "coordinator.tls.clientCaFile".',
  ],
  ['coordinator: {port: 70000}', '"coordinator.port"'],
  ['objectStore: {url: "https://bucket"}', '"objectStore.url" must be a bucket'],
  ['objectStore: {url: "s3://key:secret@bucket"}', '"objectStore.url" must be a bucket'],
  ['objectStore: {url: "s3://bucket?endpoint=minio"}', '"objectStore.url" must be a bucket'],
])('rejects %s', (text, message) => {
  expect(() => load(text)).toThrow(message);
});
