import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadEngineConfig } from '../../../../core/home/config/engine-config.ts';
import { readGatewaySettings } from '../../../../core/gateway/gateway-settings.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { defaultConfig } from '../../../harness/engine.ts';

function load(text: string, environment: Record<string, string> = {}) {
  const home = makeTemporaryFolder();
  writeFileSync(path.join(home, 'config.yaml'), text);
  return readGatewaySettings(loadEngineConfig({ home, environment }).config);
}

test('by default the gateway exposes schema public of the embedded database', () => {
  expect(readGatewaySettings(defaultConfig)).toEqual({
    isEnabled: true,
    schemas: ['public'],
    extraSearchPath: ['public'],
    poolSize: 10,
    poolTimeoutMs: 10_000,
    statementTimeoutMs: 30_000,
    preparesStatements: true,
    maxBodyBytes: 16_777_216,
    allowsUnfiltered: false,
    allowsAggregates: false,
    allowsTxOverride: false,
    privilegedRoles: [],
    jwtRoleClaim: '.role',
    corsOrigins: [],
  });
});

test('accepts every setting', () => {
  const settings = load(`
gateway:
  enabled: false
  databaseUrl: postgres://joe:s%40fe@db.example.com/app?sslmode=require
  schemas: [api, public, api]
  extraSearchPath: [extensions]
  poolSize: 3
  poolTimeout: 2s
  statementTimeout: 500ms
  prepareStatements: false
  maxRows: 1000
  maxBodyBytes: 4096
  allowUnfiltered: true
  allowAggregates: true
  allowTxOverride: true
  anonymousRole: web_anon
  privilegedRoles: [admin]
  jwtKey: abcdefghijklmnopqrstuvwxyz012345
  jwtAudience: shop
  jwtRoleClaim: .realm_access.roles[0]
  preRequest: auth.check
  corsOrigins: ['https://a.example.com']
`);
  expect(settings).toEqual({
    isEnabled: false,
    databaseUrl: 'postgres://joe:s%40fe@db.example.com/app?sslmode=require',
    schemas: ['api', 'public'],
    extraSearchPath: ['extensions'],
    poolSize: 3,
    poolTimeoutMs: 2000,
    statementTimeoutMs: 500,
    preparesStatements: false,
    maxRows: 1000,
    maxBodyBytes: 4096,
    allowsUnfiltered: true,
    allowsAggregates: true,
    allowsTxOverride: true,
    anonymousRole: 'web_anon',
    privilegedRoles: ['admin'],
    jwtKey: 'abcdefghijklmnopqrstuvwxyz012345',
    jwtAudience: 'shop',
    jwtRoleClaim: '.realm_access.roles[0]',
    preRequest: 'auth.check',
    corsOrigins: ['https://a.example.com'],
  });
});

test('variables override the file', () => {
  const settings = load('gateway: {schemas: [api], enabled: true}', {
    ENGINE_GATEWAY_DATABASE_URL: 'postgresql://localhost/app',
    ENGINE_GATEWAY_SCHEMAS: 'shop, public',
    ENGINE_GATEWAY_ENABLED: 'false',
    ENGINE_GATEWAY_JWT_KEY: '{"kty":"oct","k":"YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU"}',
  });
  expect(settings).toMatchObject({
    databaseUrl: 'postgresql://localhost/app',
    schemas: ['shop', 'public'],
    isEnabled: false,
    jwtKey: '{"kty":"oct","k":"YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU"}',
  });
});

describe('rejects', () => {
  test.each([
    ['databaseUrl: mysql://localhost/app', '"gateway.databaseUrl" must be a PostgreSQL URL'],
    ['databaseUrl: localhost:5432', '"gateway.databaseUrl" must be a PostgreSQL URL'],
    ['schemas: []', 'has no schemas'],
    [
      'schemas: [public, pg_catalog]',
      `"gateway.schemas" contains "pg_catalog", a PostgreSQL system schema that cannot be exposed.`,
    ],
    [
      'schemas: information_schema',
      `"gateway.schemas" contains "information_schema", a PostgreSQL system schema that cannot be exposed.`,
    ],
    ['jwtKey: short', '"gateway.jwtKey" is a secret of 5 characters. Use at least 32.'],
    ['jwtKey: []', '"gateway.jwtKey" is a secret of 0 characters'],
    ['jwtKey: \'{"kty"\'', '"gateway.jwtKey" starts with "{" but is not JSON. Use a JWK or a JWK set.'],
    ['jwtKey: "-----BEGIN PRIVATE KEY-----"', '"gateway.jwtKey" is a private key'],
    [
      'jwtKey: "-----BEGIN PUBLIC KEY-----"',
      '"gateway.jwtKey" looks like PEM but contains no readable public key or certificate (error:1E08010C:DECODER routines::unsupported).',
    ],
    ['anonymousRole: none', '"gateway.anonymousRole" cannot be "none"'],
    ['jwtRoleClaim: role', 'the path of a claim'],
    ['preRequest: check', 'a function with its schema'],
    ['poolSize: 0', 'a whole number from 1 to 1000'],
  ])('%s', (line, message) => {
    expect(() => load(`gateway: {${line}}`)).toThrow(message);
  });

  test('without repeating a password', () => {
    const place = {
      home: makeTemporaryFolder(),
      environment: { ENGINE_GATEWAY_DATABASE_URL: 'pg://u:hunter2@h' },
    };
    expect(() => loadEngineConfig(place)).toThrow(/^(?!.*hunter2)/s);
  });
});

test('never shows URLs and keys', () => {
  const environment = {
    ENGINE_GATEWAY_DATABASE_URL: 'postgres://u:p@localhost/app',
    ENGINE_GATEWAY_JWT_KEY: 'x'.repeat(32),
  };
  const { values } = loadEngineConfig({ home: makeTemporaryFolder(), environment });
  const secret = values.filter(({ isSecret }) => isSecret).map(({ path: key }) => key);
  expect(secret).toEqual(expect.arrayContaining(['gateway.databaseUrl', 'gateway.jwtKey']));
});
