import { readFileSync } from 'node:fs';
import type { Session } from 'electron';
import { getErrorMessage } from '../core/base/errors.ts';
import type { DesktopSettings } from '../core/contract/desktop-settings.ts';

type NetworkSettings = DesktopSettings['network'];

/** Targets of network settings. */
export interface NetworkDeps {
  /** Session of the updater; pages load nothing from the network. */
  readonly session: Pick<Session, 'setProxy'>;
  /** Trusts additional certificates, PEM; none for an empty list. */
  trust(certificates: readonly string[]): void;
  /** Sets variables of runs that start from now on; see `EngineHost`. */
  changeVariables(variables: Readonly<Record<string, string>>, passed: readonly string[]): void;
  reportProblem(text: string): void;
}

/** Applies proxy and certificate settings to the updater, the engine and runs. */
export class NetworkSettingsApplier {
  readonly #deps: NetworkDeps;
  #applied: NetworkSettings | undefined;

  constructor(deps: NetworkDeps) {
    this.#deps = deps;
  }

  async apply(settings: NetworkSettings): Promise<void> {
    if (JSON.stringify(settings) === JSON.stringify(this.#applied)) return;
    this.#applied = settings;
    const problem = findProblem(settings);
    if (problem !== undefined) this.#deps.reportProblem(problem);
    this.#deps.changeVariables(...runVariables(settings));
    this.#deps.trust(readCertificates(settings.caFile));
    try {
      await this.#deps.session.setProxy(toProxyConfig(settings));
    } catch (error) {
      this.#deps.reportProblem(`Could not apply the proxy: ${getErrorMessage(error)}`);
    }
  }
}

/** Programs differ in whether they read upper-case or lower-case names. */
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]);

/** Returns the variables of runs from the settings, as for `EngineHost.changeVariables`. */
export const runVariables = (
  settings: NetworkSettings,
): [variables: Readonly<Record<string, string>>, passed: readonly string[]] => [
  toVariables(settings),
  settings.proxyMode === 'manual' && settings.forSteps ? proxyNames : [],
];

/** Returns the variables that the settings determine; an empty string removes a variable. */
function toVariables({ proxyMode, proxy, proxyBypass, caFile }: NetworkSettings): Record<string, string> {
  const ca: Record<string, string> = caFile === '' ? {} : { NODE_EXTRA_CA_CERTS: caFile };
  if (proxyMode === 'system') return ca;
  const address = proxyMode === 'manual' && isProxyAddress(proxy) ? proxy : '';
  const values = { HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: address === '' ? '' : proxyBypass };
  const both = Object.entries(values).flatMap(([name, value]) => [
    [name, value],
    [name.toLowerCase(), value],
  ]);
  return { ...Object.fromEntries(both), ...ca };
}

/** Converts the settings to a Chromium proxy configuration. */
export function toProxyConfig({ proxyMode, proxy, proxyBypass }: NetworkSettings): Electron.ProxyConfig {
  if (proxyMode === 'system') return { mode: 'system' };
  if (proxyMode === 'none' || !isProxyAddress(proxy)) return { mode: 'direct' };
  return { mode: 'fixed_servers', proxyRules: proxy, proxyBypassRules: proxyBypass };
}

/** Returns what is wrong with the settings, and what to do. */
function findProblem({ proxyMode, proxy, caFile }: NetworkSettings): string | undefined {
  // The user is about to enter an address.
  if (proxyMode === 'manual' && proxy !== '' && !isProxyAddress(proxy))
    return `Invalid proxy URL "${proxy}". Use a URL such as http://proxy.example:3128. No proxy is used.`;
  if (caFile === '') return undefined;
  try {
    if (readFileSync(caFile, 'utf8').includes('-----BEGIN CERTIFICATE-----')) return undefined;
    return `${caFile} contains no PEM certificate.`;
  } catch (error) {
    return `Could not read the certificate file: ${getErrorMessage(error)}`;
  }
}

function readCertificates(file: string): string[] {
  if (file === '') return [];
  try {
    return [
      ...readFileSync(file, 'utf8').matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g),
    ].map(([pem]) => pem);
  } catch {
    // Reported already.
    return [];
  }
}

function isProxyAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '';
}
