import { homedir } from 'node:os';
import path from 'node:path';
import type { ContainerCreateOptions, ExecCreateOptions } from 'dockerode';
import type { Pattern } from '../../base/pattern.ts';
import type { ContainerSpec } from '../../model/step.ts';
import type { PullPolicy, ContainerConfig } from '../../model/executor-tables.ts';
import { makeFolder } from '../../process/output-files.ts';
import {
  readLogPattern,
  readPullPolicy,
  readPort,
  splitVolume,
  type ParsedVolume,
} from '../../spec/container.ts';
import type { JsonValue } from '../../base/json.ts';
import { isJsonObject } from '../../spec/expand.ts';
import type { StepContext } from '../executor.ts';
import type { ContainerSettings } from './run-container.ts';

/** The field `container` of a workflow or step with its values expanded. */
export interface EvaluatedSpec extends Omit<ContainerSettings, 'image' | 'args' | 'entrypoint'> {
  /** Absent for an existing container, which `name` identifies. */
  readonly image: string | undefined;
  readonly pull: PullPolicy;
  readonly command: readonly string[] | undefined;
  readonly logPattern: Pattern | undefined;
}

/**
 * Expands the values of a container's settings. Creates missing relative folders of volumes. Rejects with the value
 * that is invalid.
 */
export async function evaluateSpec(
  spec: ContainerSpec,
  context: Pick<StepContext, 'env' | 'expand' | 'workingDir'>,
): Promise<EvaluatedSpec> {
  const expand = async (text: string | undefined): Promise<string | undefined> =>
    text === undefined ? undefined : (await context.expand(text)).trim() || undefined;
  const expandAll = (texts: readonly string[]): Promise<string[]> =>
    Promise.all(texts.map((text) => context.expand(text)));
  const logPattern = await expand(spec.logPattern);
  return {
    name: await expand(spec.containerName),
    image: await expand(spec.image),
    pull: readPullPolicy(await expand(spec.pullPolicy)),
    platform: await expand(spec.platform),
    user: await expand(spec.user),
    workingDir: await expand(spec.workingDir),
    network: await expand(spec.network),
    env: await evaluateEnv(spec, context),
    command: spec.command && (await expandAll(spec.command)),
    logPattern: logPattern === undefined ? undefined : readLogPattern(logPattern),
    raw: toRaw({
      volumes: await expandAll(spec.volumes),
      ports: await expandAll(spec.ports),
      restartPolicy: spec.restartPolicy,
      workingDir: context.workingDir,
    }),
  };
}

async function evaluateEnv(
  { env }: ContainerSpec,
  { expand }: Pick<StepContext, 'expand'>,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, value } of env) values[name] = await expand(value);
  return values;
}

interface RawContainerSpec {
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly restartPolicy: ContainerSpec['restartPolicy'];
  /** Working directory of the step. */
  readonly workingDir: string;
}

function toRaw({ volumes, ports, restartPolicy, workingDir }: RawContainerSpec): ContainerCreateOptions {
  const published = ports.map(readPort);
  const bindings = Object.groupBy(published, ({ port }) => port);
  return {
    ...(published.length === 0
      ? {}
      : { ExposedPorts: Object.fromEntries(published.map(({ port }) => [port, {}])) }),
    HostConfig: {
      ...(volumes.length === 0 ? {} : { Binds: volumes.map((volume) => toBind(volume, workingDir)) }),
      ...(published.length === 0
        ? {}
        : {
            PortBindings: Object.fromEntries(
              Object.entries(bindings).map(([port, all = []]) => [port, all.map(({ host }) => host)]),
            ),
          }),
      ...(restartPolicy === undefined ? {} : { RestartPolicy: { Name: restartPolicy } }),
    },
  };
}

function toBind(text: string, workingDir: string): string {
  const { source, target, options, isRelative } = readVolume(text, workingDir);
  if (isRelative) makeFolder(source);
  return `${source}:${target}${options === undefined || options === '' ? '' : `:${options}`}`;
}

/** Engine options in `config`, and the options among them that the executor handles itself. */
export interface RawOptions {
  readonly create: ContainerCreateOptions;
  readonly exec: ExecCreateOptions;
  /** The container engine must not delete the container before its exit code is read, so the executor deletes it. */
  readonly autoRemove: boolean | undefined;
}

/**
 * Reads `container`, `host`, `network` and `exec` of `config`.
 * @throws if one of them is not a map
 */
export function readRawOptions({ container, host, network, exec }: Partial<ContainerConfig>): RawOptions {
  const { AutoRemove, ...hostConfig } = readMap(host, 'host');
  const networking = readMap(network, 'network');
  return {
    create: {
      ...readMap(container, 'container'),
      HostConfig: hostConfig,
      ...(network === undefined ? {} : { NetworkingConfig: networking }),
    },
    exec: readMap(exec, 'exec'),
    autoRemove: AutoRemove === undefined ? undefined : AutoRemove === true || AutoRemove === 'true',
  };
}

/** The container engine accepts both `env` and `Env`; the keys are normalized to one spelling. */
function readMap(value: JsonValue | undefined, field: string): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value))
    throw new Error(`config.${field} must be a map, such as "${field}: {${examples[field] ?? ''}}".`);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.slice(0, 1).toUpperCase() + key.slice(1), item]),
  );
}

const examples: Readonly<Record<string, string>> = {
  container: 'Env: [MODE=fast]',
  host: 'NetworkMode: none',
  network: 'EndpointsConfig: {backend: {}}',
  exec: 'User: root',
};

/** A volume with a resolved source. */
export interface Volume extends ParsedVolume {
  /** The source is a path relative to the working directory, so it may be created there. */
  readonly isRelative: boolean;
}

/**
 * Parses a volume. A source that starts with `.` or `~`, or contains a `/`, is a path, as in Dagu; relative paths are
 * resolved from the working directory.
 * @throws if the string is not a volume
 */
function readVolume(text: string, workingDir: string): Volume {
  const { source, ...options } = splitVolume(text);
  const isPath = /^[.~]|[\\/]/.test(source);
  const isRelative = isPath && !path.isAbsolute(source) && !source.startsWith('~');
  return { ...options, source: isPath ? resolveSource(source, workingDir) : source, isRelative };
}

function resolveSource(source: string, workingDir: string): string {
  if (source === '~' || source.startsWith('~/')) return path.join(homedir(), source.slice(1));
  return path.resolve(workingDir, source);
}
