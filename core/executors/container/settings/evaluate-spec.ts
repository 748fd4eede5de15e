import type { ContainerCreateOptions } from 'dockerode';
import type { Pattern } from '../../../base/text/pattern.ts';
import type { ContainerSpec } from '../../../model/executors/container-shape.ts';
import type { PullPolicy } from '../../../model/executors/container.ts';
import { makeFolder } from '../../../process/launch/make-folder.ts';
import type { StepContext } from '../../executor.ts';
import type { ContainerSettings } from '../managed/create-options.ts';
import { readLogPattern } from '../../../spec/container/read-container.ts';
import { readPullPolicy } from '../../../spec/container/pull-policy.ts';
import { readPort } from '../../../spec/container/port.ts';
import { readVolume } from './read-volume.ts';

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
