import type { ContainerCreateOptions, ExecCreateOptions } from 'dockerode';
import type { JsonValue } from '../../../base/json.ts';
import type { ContainerConfig } from '../../../model/executors/container.ts';
import { isJsonObject } from '../../../spec/expand/exact-json.ts';

/** What `config` says in the engine's own words, and what it says there that the executor sees to itself. */
export interface RawOptions {
  readonly create: ContainerCreateOptions;
  readonly exec: ExecCreateOptions;
  /** The engine must not remove the container before its exit code is known, so that the executor does it. */
  readonly autoRemove: boolean | undefined;
}

/** Reads `container`, `host`, `network` and `exec` of `config`. Throws when one of them is no map. */
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

/** The engine reads `env` and `Env` alike; here they must be one. */
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
