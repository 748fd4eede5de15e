import type { ContainerCreateOptions } from 'dockerode';

/** A folder of this machine in a container. */
export interface ContainerMount {
  /** Absolute path of an existing folder or file. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  readonly readOnly?: boolean;
}

/** A container, by what most of them need; what is absent is as the image has it. */
export interface ContainerSettings {
  /** Made up by the engine when absent. */
  readonly name?: string | undefined;
  readonly image: string;
  readonly platform?: string | undefined;
  readonly entrypoint?: readonly string[] | undefined;
  /** What the entry point is given; program and arguments when there is none. */
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly mounts?: readonly ContainerMount[] | undefined;
  readonly user?: string | undefined;
  /** Absolute path in the container. */
  readonly workingDir?: string | undefined;
  /** Name of a network, or `host`, `none`, `bridge`. */
  readonly network?: string | undefined;
  /** More of it, in the engine's own words. The fields above count before it; of lists and maps both do. */
  readonly raw?: ContainerCreateOptions | undefined;
}

/** In the words of the Docker Engine API. */
export function toCreateOptions(settings: ContainerSettings): ContainerCreateOptions {
  const { name, platform, image, entrypoint, args, user, workingDir, raw = {} } = settings;
  return {
    ...raw,
    ...given('name', name),
    ...given('platform', platform),
    Image: image,
    ...given('Entrypoint', entrypoint && [...entrypoint]),
    ...given('Cmd', args && [...args]),
    ...given('User', user),
    ...given('WorkingDir', workingDir),
    Env: [...(raw.Env ?? []), ...toAssignments(settings.env)],
    HostConfig: toHostConfig(settings),
  };
}

function toHostConfig({
  mounts = [],
  network,
  raw,
}: ContainerSettings): ContainerCreateOptions['HostConfig'] {
  const host = raw?.HostConfig ?? {};
  const made = mounts.map(({ source, target, readOnly = false }) => ({
    Type: 'bind' as const,
    Source: source,
    Target: target,
    ReadOnly: readOnly,
  }));
  return {
    ...host,
    ...given('Mounts', made.length === 0 ? host.Mounts : [...(host.Mounts ?? []), ...made]),
    ...given('NetworkMode', network),
  };
}

/** `KEY=value`, as the engine takes variables. */
export const toAssignments = (env: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);

/** Absent rather than undefined. */
function given<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [name in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [name in Key]: Value });
}
