import type { ContainerCreateOptions, ExecCreateOptions } from 'dockerode';
import type { JsonValue } from '../../../base/json.ts';
import type { ContainerConfig } from '../../../model/executors/container.ts';
import { isJsonObject } from '../../../spec/expand/exact-json.ts';

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
