import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  checkedLookup,
  checkHost,
  isPrivateAddress,
  type ResolveAll,
} from '../../../core/webhooks/address-check.ts';

describe('private addresses', () => {
  it.each([
    ...[
      '127.0.0.1',
      '127.8.8.8',
      '10.1.2.3',
      '172.31.255.255',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
    ],
    ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1', '203.0.113.9'],
    ...['::1', '::', 'fe80::1', 'fe80::1%eth0', 'fd00::1', 'ff02::1', '2001:db8::1', '64:ff9b::7f00:1'],
    ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', 'not an address'],
  ])('%s', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:1.1.1.1'])(
    'not %s',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );

  it('are rejected as hosts, too, including brackets', () => {
    expect(checkHost('127.0.0.1')?.message).toMatch(
      /^127\.0\.0\.1 is a loopback or private network address\. Allow private addresses for this webhook if intended\./,
    );
    expect(checkHost('[::1]')?.message).toMatch(/^::1 is a loopback or private network address/);
    expect(checkHost('1.1.1.1')).toBeUndefined();
    expect(checkHost('localhost')).toBeUndefined();
  });
});

describe('looking up a name', () => {
  const resolving = (...addresses: string[]): { resolve: ResolveAll; asked: string[] } => {
    const asked: string[] = [];
    return {
      asked,
      resolve: (hostname, _options, done) => {
        asked.push(hostname);
        done(
          null,
          addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      },
    };
  };

  const get = (port: number, resolve: ResolveAll): Promise<string> =>
    new Promise((settle) => {
      const asking = request({ host: 'hooks.test', port, lookup: checkedLookup({ resolve }), timeout: 5000 });
      asking.on('response', (response) => settle(`answered ${response.statusCode}`));
      asking.on('error', (error) => settle(error.message));
      asking.end();
    });

  it('rejects a name with one private address among several, without connecting', async () => {
    const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const { resolve, asked } = resolving('1.1.1.1', '127.0.0.1');
      expect(await get(port, resolve)).toMatch(
        /^hooks\.test \(127\.0\.0\.1\) is a loopback or private network address\. Allow private addresses for this webhook if intended\./,
      );
      expect(asked).toEqual(['hooks.test']);
    } finally {
      server.close();
    }
  });

  it('returns exactly the address that was checked', () => {
    const { resolve } = resolving('1.1.1.1', '2606:4700::1111');
    const answers: unknown[] = [];
    checkedLookup({ resolve })('hooks.test', { all: true }, (...answer) => answers.push(answer));
    checkedLookup({ resolve })('hooks.test', {}, (...answer) => answers.push(answer));
    expect(answers).toEqual([
      [
        null,
        [
          { address: '1.1.1.1', family: 4 },
          { address: '2606:4700::1111', family: 6 },
        ],
      ],
      [null, '1.1.1.1', 4],
    ]);
  });

  it('passes on that a name is unknown, and reports when it has no address', () => {
    const answers: string[] = [];
    const unknown: ResolveAll = (_, __, done) => done(new Error('getaddrinfo ENOTFOUND hooks.test'), []);
    checkedLookup({ resolve: unknown })('hooks.test', {}, (error) => answers.push(error!.message));
    checkedLookup({ resolve: resolving().resolve })('hooks.test', {}, (error) =>
      answers.push(error!.message),
    );
    expect(answers).toEqual(['getaddrinfo ENOTFOUND hooks.test', 'Host name hooks.test not found.']);
  });
});
