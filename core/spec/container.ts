import type { JsonValue } from '../base/json.ts';
import { getErrorMessage } from '../base/errors.ts';
import { compilePattern, type Pattern } from '../base/pattern.ts';
import type { ContainerSpec } from '../model/step.ts';
import { restartPolicies, startups, pullPolicies, type PullPolicy } from '../model/executor-tables.ts';
import type { RegistryAuths } from '../model/settings.ts';
import { readEnv } from './rules/env.ts';
import { type Report, findField, getField, getText, toValue, type SourceRef } from './source.ts';
import { hasReference } from './parse-template.ts';

/**
 * Reads `container` of a workflow or step that matches the authored schema. Values without references are validated
 * now, the others when the container is created.
 */
export function readContainer(source: SourceRef, report: Report): ContainerSpec {
  const text = (key: string): string | undefined => {
    const field = findField(source, key);
    return field === undefined ? undefined : getText(field.node).trim() || undefined;
  };
  const spec: ContainerSpec = {
    image: text('image'),
    containerName: text('containerName'),
    pullPolicy: text('pullPolicy'),
    env: readEnv(findField(source, 'env'), report),
    volumes: readTexts(findField(source, 'volumes'), splitVolume, report),
    user: text('user'),
    workingDir: text('workingDir'),
    platform: text('platform'),
    ports: readTexts(findField(source, 'ports'), readPort, report),
    network: text('network'),
    keepContainer: readValue(source, 'keepContainer') === true ? true : undefined,
    startup: startups.find((each) => each === text('startup')),
    command: findField(source, 'command') && readTexts(findField(source, 'command'), undefined, report),
    waitFor: (['running', 'healthy'] as const).find((each) => each === text('waitFor')),
    logPattern: text('logPattern'),
    restartPolicy: restartPolicies.find((each) => each === text('restartPolicy')),
  };
  checkContainer(spec, source, report);
  return spec;
}

const readValue = (source: SourceRef, key: string): JsonValue | undefined => {
  const field = findField(source, key);
  return field && toValue(field.node);
};

function readTexts(
  source: SourceRef | undefined,
  read: ((text: string) => unknown) | undefined,
  report: Report,
): string[] {
  if (source === undefined || source.node.kind !== 'list') return [];
  return source.node.items.map((item, index) => {
    const text = getText(item);
    if (read !== undefined && !hasReference(text))
      reportIfInvalid(text, read, getField(source, index), report);
    return text;
  });
}

function reportIfInvalid(
  text: string,
  read: (text: string) => unknown,
  source: SourceRef,
  report: Report,
): void {
  try {
    read(text);
  } catch (error) {
    report.error(source, getErrorMessage(error));
  }
}

function checkContainer(spec: ContainerSpec, source: SourceRef, report: Report): void {
  const { pullPolicy, logPattern, startup, command, image } = spec;
  const at = (key: string): SourceRef => getField(source, key);
  if (pullPolicy !== undefined && !hasReference(pullPolicy))
    reportIfInvalid(pullPolicy, readPullPolicy, at('pullPolicy'), report);
  if (logPattern !== undefined && !logPattern.includes('${'))
    reportIfInvalid(logPattern, readLogPattern, at('logPattern'), report);
  const restart = findField(source, 'restartPolicy');
  if (restart !== undefined && spec.restartPolicy === undefined)
    report.error(
      restart,
      `"restartPolicy" must be one of ${restartPolicies.map((each) => `"${each}"`).join(', ')}.`,
    );
  if (startup === 'command' && (command ?? []).length === 0)
    report.error(source, '"startup: command" requires "command". Add the program and its arguments.');
  if (command !== undefined && startup !== 'command')
    report.error(
      at('command'),
      '"command" only has an effect with "startup: command". Set "startup: command", or remove "command".',
    );
  if (image === undefined && spec.containerName !== undefined)
    for (const key of madeOnly)
      if (findField(source, key) !== undefined)
        report.error(
          at(key),
          `"${key}" requires "image", because commands otherwise run in an existing container. Add "image", or remove "${key}".`,
        );
}

/** Fields that cannot be changed for an existing container. */
const madeOnly = [
  'pullPolicy',
  'volumes',
  'platform',
  'ports',
  'network',
  'keepContainer',
  'startup',
  'waitFor',
  'logPattern',
  'restartPolicy',
] as const;

/** @throws `bad_request` for an invalid pattern */
export const readLogPattern = (source: string): Pattern => compilePattern(source, { multiline: true });

/** A port of a container and where it is published. */
export interface PublishedPort {
  /** `80/tcp`, as the container engine writes it. */
  readonly port: string;
  readonly host: { readonly HostIp?: string; readonly HostPort: string };
}

const form = /^(?:(?:(\[[0-9a-fA-F:]+\]|[0-9.]+):)?([0-9]*):)?([0-9]+)(?:\/(tcp|udp|sctp))?$/;

/**
 * Parses `CONTAINER`, `HOST:CONTAINER` or `ADDRESS:HOST:CONTAINER`, with an optional `/udp`.
 * @throws for anything else
 */
export function readPort(text: string): PublishedPort {
  const match = form.exec(text.trim());
  const [, address, host = '', port = '', protocol = 'tcp'] = match ?? [];
  const isInRange = [host, port].every(
    (number) => number === '' || (Number(number) > 0 && Number(number) < 65_536),
  );
  if (match === null || !isInRange)
    throw new Error(
      `Invalid port "${text}". Use HOST:CONTAINER with numbers from 1 to 65535, such as "8080:80" or "127.0.0.1:8080:80/udp".`,
    );
  return {
    port: `${Number(port)}/${protocol}`,
    host: {
      ...(address === undefined ? {} : { HostIp: address.replace(/^\[(.*)\]$/, '$1') }),
      HostPort: host,
    },
  };
}

/** The parts of a volume as written. */
export interface ParsedVolume {
  /** Path on this machine, or the name of a volume. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  /** For example `ro`. */
  readonly options: string | undefined;
}

/**
 * Splits `SOURCE:TARGET` or `SOURCE:TARGET:OPTIONS`.
 * @throws if the string is not a volume
 */
export function splitVolume(text: string): ParsedVolume {
  const match = /^((?:[A-Za-z]:[\\/])?[^:]+):([^:]+)(?::([^:]*))?$/.exec(text.trim());
  const [, source = '', target = '', options] = match ?? [];
  if (!target.startsWith('/'))
    throw new Error(
      `Invalid volume "${text}". Use SOURCE:TARGET with an absolute TARGET in the container, such as "./data:/data" or "cache:/cache:ro".`,
    );
  return { source, target, options };
}

/** Reads when an image is pulled. Default: `missing`; true and false mean always and never. */
export function readPullPolicy(text: string | undefined): PullPolicy {
  const word = (text ?? '').trim().toLowerCase();
  if (word === '') return 'missing';
  if (word === 'true') return 'always';
  if (word === 'false') return 'never';
  const policy = pullPolicies.find((each) => each === word);
  if (policy !== undefined) return policy;
  throw new Error(`Unknown pull policy "${text}". Use ${pullPolicies.join(', ')}, true or false.`);
}

/**
 * Reads `registryAuths` that matches the authored schema: one JSON string, or a map from hosts to maps or JSON
 * strings.
 */
export function readRegistryAuths(source: SourceRef, report: Report): RegistryAuths | undefined {
  if (source.node.kind === 'scalar')
    return getText(source.node).trim() === '' ? undefined : getText(source.node);
  if (source.node.kind === 'list') return undefined;
  const logins: Exclude<RegistryAuths, string> = {};
  for (const host of source.node.entries.keys()) {
    const at = getField(source, host);
    const login = readLogin(at);
    if (typeof login !== 'string' && !login.auth && !login.password && !login.token)
      report.error(
        at,
        `Missing credentials for "${host}". Add "username" and "password", "token" or "auth".`,
      );
    Object.defineProperty(logins, host, {
      value: login,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return logins;
}

function readLogin({ node }: SourceRef): Exclude<RegistryAuths, string>[string] {
  if (node.kind !== 'map') return getText(node);
  return Object.fromEntries([...node.entries].map(([key, entry]) => [key, getText(entry.node)]));
}
