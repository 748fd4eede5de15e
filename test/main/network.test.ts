import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { defaultSettings } from '../../core/contract/desktop-settings.ts';
import { NetworkSettingsApplier, runVariables, toProxyConfig } from '../../main/network.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';

const { network } = defaultSettings;
const manual = { ...network, proxyMode: 'manual', proxy: 'http://p:3128', proxyBypass: 'localhost' } as const;
let problems: string[];
let trusted: readonly string[];
let proxies: unknown[];
let changes: unknown[];
let choice: NetworkSettingsApplier;

beforeEach(() => {
  [problems, trusted, proxies, changes] = [[], [], [], []];
  choice = new NetworkSettingsApplier({
    session: { setProxy: (config) => Promise.resolve(void proxies.push(config)) },
    trust: (certificates) => void (trusted = certificates),
    changeVariables: (...given) => void changes.push(given),
    reportProblem: (text) => void problems.push(text),
  });
});

const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];

it('passes only the proxy of the settings to runs', async () => {
  expect(runVariables(network)).toEqual([{}, []]);
  const none = Object.fromEntries(names.map((name) => [name, '']));
  expect(runVariables({ ...network, proxyMode: 'none' })).toEqual([none, []]);
  const both = (name: string, value: string) => ({ [name]: value, [name.toLowerCase()]: value });
  const variables = {
    ...both('HTTP_PROXY', 'http://p:3128'),
    ...both('HTTPS_PROXY', 'http://p:3128'),
    ...both('NO_PROXY', 'localhost'),
  };
  expect(runVariables(manual)).toEqual([variables, names]);
  const apart = { ...manual, forSteps: false };
  expect(runVariables(apart)).toEqual([variables, []]);
  await choice.apply(manual);
  await choice.apply(apart);
  expect(changes).toEqual([runVariables(manual), runVariables(apart)]);
});

it('uses the same proxy for the updater', async () => {
  expect(toProxyConfig(network)).toEqual({ mode: 'system' });
  expect(toProxyConfig({ ...network, proxyMode: 'none' })).toEqual({ mode: 'direct' });
  await choice.apply(manual);
  await choice.apply({ ...manual });
  expect(proxies).toEqual([
    { mode: 'fixed_servers', proxyRules: 'http://p:3128', proxyBypassRules: 'localhost' },
  ]);
});

it('reports an invalid proxy, and uses none', async () => {
  await choice.apply({ ...manual, proxy: 'p:3128' });
  expect(problems.join()).toContain('Invalid proxy URL "p:3128"');
  expect(proxies).toEqual([{ mode: 'direct' }]);
});

it('reports nothing while none is set', async () => {
  await choice.apply({ ...manual, proxy: '' });
  expect(problems).toEqual([]);
  expect(proxies).toEqual([{ mode: 'direct' }]);
});

it('trusts the certificates of a file, or reports what is wrong with it', async () => {
  const file = path.join(makeTemporaryFolder(), 'ca.pem');
  const pem = '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----';
  writeFileSync(file, `# ours\n${pem}\n${pem}\n`);
  await choice.apply({ ...network, caFile: file });
  expect(trusted).toEqual([pem, pem]);
  writeFileSync(file, 'nothing');
  await choice.apply({ ...network, proxyMode: 'none', caFile: file });
  await choice.apply({ ...network, caFile: `${file}.gone` });
  expect(problems).toEqual([
    expect.stringContaining('contains no PEM certificate'),
    expect.stringContaining('Could not read'),
  ]);
});
