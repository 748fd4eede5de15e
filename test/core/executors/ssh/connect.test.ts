import { describe, expect, it } from 'vitest';
import { knownHostName, findHostKey, parseKnownHosts } from '../../../../core/executors/ssh/connect.ts';

/** A key in wire format with made-up content. */
function makeKey(type: string, fill: number): Buffer {
  const name = Buffer.from(type);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(name.length);
  return Buffer.concat([length, name, Buffer.alloc(32, fill)]);
}

const one = makeKey('ssh-ed25519', 1);
const two = makeKey('ssh-ed25519', 2);
const encoded = `ssh-ed25519 ${one.toString('base64')}`;
const ask = (text: string, name: string, key = one): string =>
  findHostKey(parseKnownHosts(text), name, key).kind;

describe('known_hosts file', () => {
  it.each([
    ['a.example.com', 'a.example.com', 'known'],
    ['A.Example.com', 'a.example.com', 'known'],
    ['b,a.example.com,192.0.2.1', '192.0.2.1', 'known'],
    ['*.example.com', 'a.example.com', 'known'],
    ['*.example.com', 'example.com', 'unknown'],
    ['*.example.com,!a.example.com', 'a.example.com', 'unknown'],
    ['?.example.com', 'a.example.com', 'known'],
    ['a*b*c', 'aXbXbXc', 'known'],
    ['a*b*c', 'aXbXbX', 'unknown'],
    ['a.example.com', '[a.example.com]:2222', 'unknown'],
    ['[a.example.com]:2222', '[a.example.com]:2222', 'known'],
    ['@cert-authority *', 'a.example.com', 'unknown'],
    ['@strange *', 'a.example.com', 'unknown'],
    ['# a.example.com', 'a.example.com', 'unknown'],
  ])('%s: %s is %s', (hosts, name, expected) => {
    expect(ask(`\n# comment\n${hosts} ${encoded} comment\r\n`, name)).toBe(expected);
  });

  it('reports a changed key of a host, with its line', () => {
    expect(findHostKey(parseKnownHosts(`\na ${encoded}\n`), 'a', two)).toMatchObject({
      kind: 'other',
      lines: [{ line: 2, keyType: 'ssh-ed25519' }],
    });
  });

  it('accepts any of the keys of a host, except revoked ones', () => {
    const both = `a ${encoded}\na ssh-ed25519 ${two.toString('base64')}\n`;
    expect(ask(both, 'a', two)).toBe('known');
    expect(ask(`${both}@revoked * ${encoded}`, 'a', one)).toBe('revoked');
  });

  it.each([
    'a',
    'a ssh-ed25519',
    'a ssh-ed25519 !!!',
    `a ssh-rsa ${one.toString('base64')}`,
    '|1|x a b',
    '@',
  ])('skips lines without a key: %s', (text) => expect(parseKnownHosts(text)).toEqual([]));

  it('is parsed in linear time', () => {
    const pattern = `${'*a'.repeat(2000)}b`;
    expect(ask(`${pattern} ${encoded}`, 'a'.repeat(5000))).toBe('unknown');
  });

  it('names a host with its port unless it is the default', () => {
    expect([knownHostName('Host', 22), knownHostName('Host', 23)]).toEqual(['host', '[host]:23']);
  });
});
