import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { VaultSettings } from '../../../../core/process/secrets/provider.ts';
import { resolveSecrets } from '../../../../core/process/secrets/resolve-secrets.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder, onTestCleanup } from '../../../harness/resources.ts';
import { makeCertificate } from '../../../harness/servers/certificates.ts';

/** Answers as the documentation of the API of Vault describes it: KV version 2 and AppRole. */
function answer(request: IncomingMessage, body: string): [status: number, content: unknown] {
  const { 'x-vault-token': token, 'x-vault-namespace': namespace = '' } = request.headers;
  const { url } = request;
  if (url === '/v1/auth/approle/login' && request.method === 'POST') {
    const { role_id: role, secret_id: secret } = JSON.parse(body) as Record<string, string>;
    if (role === 'role' && secret === 'sid')
      return [200, { auth: { client_token: 'hvs.role', lease_duration: 60 } }];
    return [400, { errors: ['invalid role or secret ID'] }];
  }
  if (url === '/v1/secret/data/sealed') return [503, { errors: ['Vault is sealed'] }];
  if (url === '/v1/secret/data/deleted')
    return [404, { data: { data: null, metadata: { deletion_time: '2026-01-01T00:00:00Z', version: 2 } } }];
  if (token !== 'hvs.good' && token !== 'hvs.role') return [403, { errors: ['permission denied'] }];
  const secrets: Readonly<Record<string, unknown>> = {
    '/v1/secret/data/sales': { token: 'hunter2-value', port: 5432 },
    '/v1/secret/data/one': { password: 'only' },
    '/v1/team/data/a%20b/c': { token: 'in a mount' },
    'eu/v1/secret/data/sales': { token: 'of eu' },
  };
  const data = secrets[`${String(namespace)}${url}`];
  return data === undefined ? [404, { errors: [] }] : [200, { data: { data, metadata: { version: 3 } } }];
}

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void, tls?: object) {
  const server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const startVault = (tls?: object): Promise<string> =>
  serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [status, content] = answer(request, Buffer.concat(chunks).toString());
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
    });
  }, tls);

async function read(key: string, vault: Partial<VaultSettings>, options: Record<string, string> = {}) {
  const context = {
    ...{ variables: {}, workingDir: '/', fileDir: '/' },
    clock: new FakeClock(),
    vault: { mount: 'secret', token: 'hvs.good', ...vault },
  };
  return (await resolveSecrets([{ name: 'TOKEN', provider: 'vault', key, options }], context))['TOKEN'];
}

describe('a secret from Vault', () => {
  it('is a field of a secret, in the mount and namespace that are set', async () => {
    const address = await startVault();
    expect(await read('sales#token', { address })).toBe('hunter2-value');
    expect(await read('sales#port', { address: `${address}/` })).toBe('5432');
    expect(await read('secret/data/sales', { address }, { field: 'token' })).toBe('hunter2-value');
    expect(await read('a b/c#token', { address, mount: 'team' })).toBe('in a mount');
    expect(await read('a b/c#token', { address }, { mount: 'team' })).toBe('in a mount');
    expect(await read('sales#token', { address, namespace: 'eu' })).toBe('of eu');
    expect(await read('one', { address })).toBe('only');
  });

  it('can be read with a token file or AppRole', async () => {
    const address = await startVault();
    const tokenFile = path.join(makeTemporaryFolder(), 'token');
    writeFileSync(tokenFile, 'hvs.good\n');
    expect(await read('one', { address, token: undefined, tokenFile })).toBe('only');
    expect(await read('one', { address, token: undefined, roleId: 'role', secretId: 'sid' })).toBe('only');
    await expect(read('one', { address, token: undefined, roleId: 'role', secretId: 'no' })).rejects.toThrow(
      'Vault answered with status 400: invalid role or secret ID',
    );
  });

  it('can be read from a server whose certificate has a CA of its own', async () => {
    const certificate = makeCertificate();
    const address = await startVault(certificate);
    const caFile = path.join(makeTemporaryFolder(), 'ca.pem');
    writeFileSync(caFile, certificate.cert);
    expect(await read('one', { address, caFile })).toBe('only');
    await expect(read('one', { address })).rejects.toThrow(/cannot reach .*self-signed certificate/);
  });

  it.each([
    ['sales', {}, 'secret/data/sales has the fields token, port; add the field to the key: PATH#FIELD'],
    ['sales#user', {}, 'secret/data/sales has no field "user"; it has the fields token, port'],
    ['none#a', {}, 'secret/data/none not found in Vault; check the path, the mount and the namespace'],
    ['sealed#a', {}, 'Vault is sealed or in maintenance: Vault is sealed'],
    ['deleted#a', {}, 'the latest version of secret/data/deleted was deleted in Vault; write it again'],
    [
      'one',
      { token: 'hvs.bad' },
      'Vault denied access to secret/data/one: permission denied; check the token',
    ],
    ['one', { token: undefined }, 'no Vault token; set VAULT_TOKEN'],
    ['one', { address: undefined }, 'no Vault server; set "secrets.vault.address"'],
    ['one', { address: 'http://127.0.0.1:1' }, 'cannot reach http://127.0.0.1:1'],
    ['#a', {}, 'the key has no path'],
  ])('%s with %j is rejected with a hint and no value', async (key, settings, message) => {
    const address = await startVault();
    const error: unknown = await read(key, { address, ...settings }).catch((cause: unknown) => cause);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('hunter2');
  });

  it('is not part of the message about another server', async () => {
    const address = await serve((_request, response) => response.end('<html>hunter2-value</html>'));
    await expect(read('one', { address })).rejects.toThrow(
      /did not answer with JSON; check "secrets.vault.address"$/,
    );
  });

  it('must arrive within ten seconds', async () => {
    const clock = new FakeClock();
    let arrived = (): void => {};
    const asked = new Promise<void>((resolve) => (arrived = resolve));
    const address = await serve(() => arrived());
    const vault = { address, mount: 'secret', token: 'x' };
    const secret = { name: 'TOKEN', provider: 'vault', key: 'one', options: {} };
    const context = { variables: {}, workingDir: '/', fileDir: '/', clock, vault };
    const result = resolveSecrets([secret], context).catch(String);
    await asked;
    clock.advance(10_000);
    expect(await result).toContain(`${address} did not answer in 10 s`);
  });
});
