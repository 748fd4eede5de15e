import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadEngineConfig, type ConfigLocation } from '../../../../core/home/config/engine-config.ts';
import { listKeys } from '../../../../core/home/config/config-key.ts';
import { configTable } from '../../../../core/home/config/config-table.ts';
import { readServerSettings } from '../../../../core/http/server.ts';
import { filterEnvironment } from '../../../../core/process/environment.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { defaultConfig } from '../../../harness/engine.ts';

interface Given extends Partial<Pick<ConfigLocation, 'environment' | 'flags' | 'cwd'>> {
  readonly text?: string;
}

function load({ text = '', environment = {}, ...rest }: Given) {
  const home = makeTemporaryFolder();
  const file = path.join(home, 'config.yaml');
  writeFileSync(file, text);
  const loaded = loadEngineConfig({ home, environment, ...rest });
  const getOrigin = (key: string) => loaded.values.find((value) => value.path === key)?.origin;
  return { ...loaded, home, file, getOrigin };
}

describe('a value comes from an option, else a variable, else the file, else the default', () => {
  const text = 'server:\n  port: 1\n';
  const environment = { ENGINE_PORT: '2' };
  const flags = { 'server.port': { name: '--port', text: '3' } };

  test.each([
    [{}, 8080, { kind: 'default' }],
    [{ text }, 1, { kind: 'file', line: 2, column: 3 }],
    [{ text, environment }, 2, { kind: 'variable', name: 'ENGINE_PORT' }],
    [{ text, environment, flags }, 3, { kind: 'flag', name: '--port' }],
    [{ text, environment: { ENGINE_PORT: '' } }, 1, { kind: 'file' }],
  ])('%o', (given: Given, port, origin) => {
    const { config, getOrigin, file } = load(given);
    expect(config.server.port).toBe(port);
    expect(getOrigin('server.port')).toMatchObject(origin);
    if (origin.kind === 'file') expect(getOrigin('server.port')).toMatchObject({ file });
  });

  test('and names the invalid one', () => {
    const port = (typed: string) => ({ 'server.port': { name: '--port', text: typed } });
    expect(() => load({ flags: port('x') })).toThrow(
      /flag --port: "server\.port" must be a whole number from 0 to 65535/,
    );
    expect(() => load({ environment: { ENGINE_PORT: '-1' } })).toThrow(
      /variable ENGINE_PORT: "server\.port" must be a whole number from 0 to 65535\./,
    );
  });
});

describe('paths become absolute', () => {
  test("relative to the file's directory, for its own values", () => {
    const { config, home } = load({ text: 'server: {tls: {certFile: tls/a.crt, keyFile: ../a.key}}' });
    expect(config.server.tls).toEqual({
      certFile: path.join(home, 'tls', 'a.crt'),
      keyFile: path.join(path.dirname(home), 'a.key'),
    });
  });

  test('relative to the current directory, for variables', () => {
    const cwd = makeTemporaryFolder();
    const environment = { ENGINE_CERT_FILE: 'a.crt', ENGINE_KEY_FILE: '~/a.key' };
    const { config } = load({ environment, cwd });
    expect(config.server.tls).toEqual({
      certFile: path.join(cwd, 'a.crt'),
      keyFile: path.join(homedir(), 'a.key'),
    });
  });

  test('including the path of the file itself', () => {
    const cwd = makeTemporaryFolder();
    mkdirSync(path.join(cwd, 'etc'));
    writeFileSync(path.join(cwd, 'etc', 'e.yaml'), 'server: {tls: {certFile: a.crt, keyFile: a.key}}');
    const environment = { ENGINE_CONFIG: path.join('etc', 'e.yaml') };
    const { config } = loadEngineConfig({ home: makeTemporaryFolder(), environment, cwd });
    expect(config.server.tls.certFile).toBe(path.join(cwd, 'etc', 'a.crt'));
  });
});

test('rejects an incomplete pair at its location, naming both', () => {
  expect(() => load({ text: '\nserver:\n  tls:\n    certFile: a.crt\n' })).toThrow(
    /"server\.tls\.certFile" requires "server\.tls\.keyFile"\. Set both.*ENGINE_CERT_FILE and ENGINE_KEY_FILE/,
  );
  expect(() => load({ environment: { AUTH_BASIC_PASSWORD: 'x' } })).toThrow(
    /variable AUTH_BASIC_PASSWORD: "auth\.basic\.password" requires "auth\.basic\.username"\./,
  );
});

describe('auth mode', () => {
  test('is none by default; AUTH_MODE comes first', () => {
    expect(defaultConfig.auth.mode).toBe('none');
    expect(load({ environment: { ENGINE_AUTH_MODE: 'builtin' } }).config.auth.mode).toBe('builtin');
    const both = { AUTH_MODE: 'builtin', ENGINE_AUTH_MODE: 'none' };
    const { config, getOrigin } = load({ environment: both });
    expect(config.auth.mode).toBe('builtin');
    expect(getOrigin('auth.mode')).toEqual({ kind: 'variable', name: 'AUTH_MODE' });
    expect(() => load({ environment: { AUTH_MODE: 'ldap' } })).toThrow('one of none, builtin, oidc');
  });

  test('oidc requires a provider with a secure URL', () => {
    const issuer = (address: string) => ({ AUTH_MODE: 'oidc', ENGINE_AUTH_OIDC_ISSUER: address });
    const client = { ENGINE_AUTH_OIDC_CLIENT_ID: 'engine' };
    expect(() => load({ environment: { AUTH_MODE: 'oidc' } })).toThrow(
      'variable AUTH_MODE: Mode oidc requires "auth.oidc.issuer" and "auth.oidc.clientId".',
    );
    expect(() => load({ environment: issuer('https://id.example') })).toThrow(
      'variable AUTH_MODE: Mode oidc requires "auth.oidc.clientId".',
    );
    expect(() => load({ environment: { ...issuer('http://id.example'), ...client } })).toThrow(
      'variable ENGINE_AUTH_OIDC_ISSUER: The issuer must use https, unless it is on this machine.',
    );
    const local = load({ environment: { ...issuer('http://127.0.0.1:9000/realm/'), ...client } });
    expect(local.config.auth.oidc.issuer).toBe('http://127.0.0.1:9000/realm/');
  });

  test('warns when it is none although there is a provider', () => {
    const text = 'auth: {oidc: {issuer: https://id.example, clientId: engine}}';
    expect(load({ text }).warnings).toMatchObject([
      {
        message: expect.stringContaining(
          'A provider is set, but sign-in is off. Set "auth.mode" or AUTH_MODE to oidc.',
        ),
      },
    ]);
    expect(load({ text, environment: { AUTH_MODE: 'none' } }).warnings).toEqual([]);
  });
});

test('reads roles by claim from a map, or from pairs in a variable', () => {
  const text = 'auth:\n  oidc:\n    roleMapping:\n      "flow admins": admin\n      staff: operator\n';
  const roles = new Map([
    ['flow admins', 'admin'],
    ['staff', 'operator'],
  ]);
  expect(load({ text }).config.auth.oidc.roleMapping).toEqual(roles);
  const environment = { ENGINE_AUTH_OIDC_ROLE_MAPPING: 'flow admins=admin, staff = operator' };
  expect(load({ environment }).config.auth.oidc.roleMapping).toEqual(roles);
  expect(() => load({ environment: { ENGINE_AUTH_OIDC_ROLE_MAPPING: 'staff' } })).toThrow('map of claim');
  expect(() => load({ text: 'auth: {oidc: {roleMapping: {staff: boss}}}' })).toThrow('one of viewer');
});

test('reads lists from lists, or from words of a variable', () => {
  const { config } = load({
    text: 'auth: {oidc: {allowedDomains: [example.com, example.org]}}',
    environment: { ENGINE_AUTH_OIDC_SCOPES: 'openid, email groups' },
  });
  expect(config.auth.oidc.allowedDomains).toEqual(['example.com', 'example.org']);
  expect(config.auth.oidc.scopes).toEqual(['openid', 'email', 'groups']);
});

test.each([
  ['/flows/', '/flows'],
  ['tools/flows', '/tools/flows'],
  ['/', ''],
])('the base path %s becomes %j', (written, basePath) => {
  expect(load({ environment: { ENGINE_BASE_PATH: written } }).config.server.basePath).toBe(basePath);
});

test.each(['/a b', '/../x', '/a//b', '/a?b', '/%2e', 'https://x'])('rejects the base path %s', (written) => {
  expect(() => load({ environment: { ENGINE_BASE_PATH: written } })).toThrow('a path such as /flows');
});

test('accepts a Dagu configuration, with a warning about settings without effect', () => {
  const { config, warnings } = load({
    text: `
host: 0.0.0.0
port: 9000
base_path: flows
debug: true
logFormat: json
tls: {certFile: /etc/a.crt, keyFile: /etc/a.key}
permissions: {writeDAGs: true, runDAGs: true}
paths: {dagsDir: /srv/dags}
ui: {navbarTitle: Mine}
auth:
  mode: oidc
  basic: {username: script, password: 0123}
  token: {value: abc}
  builtin: {token: {ttl: 8h, secret: x}}
  oidc:
    clientId: engine
    clientSecret: hush
    clientUrl: https://flows.example/
    issuer: https://id.example
    whitelist: [ada@example.com]
`,
  });
  expect(config.server).toMatchObject({
    host: '0.0.0.0',
    port: 9000,
    basePath: '/flows',
    publicUrl: 'https://flows.example',
    tls: { certFile: path.resolve('/etc/a.crt') },
  });
  expect(config.auth).toMatchObject({
    mode: 'oidc',
    basic: { username: 'script', password: '0123' },
    token: { value: 'abc' },
    builtin: { tokenTtl: 8 * 3600 },
    oidc: { clientSecret: 'hush', allowedEmails: ['ada@example.com'] },
  });
  expect(warnings.map((warning) => warning.path)).toEqual(['debug', 'auth.builtin.token.secret']);
});

test('a server gets its connection limit from the configuration', () => {
  const { config } = load({ text: '', environment: { ENGINE_SERVER_MAX_CONNECTIONS: '50' } });
  expect(readServerSettings(config)).toMatchObject({ limits: { connections: 50 } });
  expect(readServerSettings(load({ text: '' }).config)).toMatchObject({ limits: { connections: 2000 } });
  expect(() => load({ text: 'server: {maxConnections: 0}' })).toThrow('from 1 to 1000000');
});

test('rejects a lock of Dagu that Stepwright lacks', () => {
  expect(() => load({ text: 'permissions: {runDAGs: false}' })).toThrow(
    'Use roles instead: set AUTH_MODE, and give callers the role operator or viewer.',
  );
});

test('rejects a key together with its old location', () => {
  expect(() => load({ text: 'server: {port: 1}\nport: 2' })).toThrow(
    'Duplicate key "server.port". Remove one.',
  );
});

test('secrets of variables reach no step', () => {
  const names = listKeys(configTable).flatMap(({ key }) => (key.isSecret ? key.variables : []));
  expect(names.length).toBeGreaterThanOrEqual(6);
  const environment = Object.fromEntries(names.map((name) => [name, 'hush']));
  expect(filterEnvironment({ ...environment, ENGINE_X: '1' })).toEqual({ ENGINE_X: '1' });
});
