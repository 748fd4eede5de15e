import type Docker from 'dockerode';
import type { PullPolicy } from '../../../model/executors/container.ts';
import type { StepContext, StepTask } from '../../executor.ts';
import { engineFailure, isMissing, statusOf } from '../engine/explain-error.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';
import { findErrorMessage, readMessages } from './engine-messages.ts';
import { findRegistry, withDefaultTag } from './image-reference.ts';
import { PullProgress } from './pull-progress.ts';
import { findLogin } from './registry-auths.ts';

/** An image and how it is pulled. */
export interface ImageRequest {
  readonly image: string;
  readonly pull: PullPolicy;
  /** For example `linux/arm64`. Default: the platform of the container engine. */
  readonly platform?: string | undefined;
}

/** Dependencies of pulling an image. */
export type PullContext = Pick<StepContext, 'clock' | 'expand' | 'maskSecrets' | 'registryAuths'> & {
  readonly task: Pick<StepTask, 'signal' | 'output'>;
};

/**
 * Ensures that the container engine has an image, and pulls it if the pull policy requires it. Progress is written to
 * stderr of the log.
 */
export async function ensureImage(
  { docker, name }: ContainerEngine,
  wanted: ImageRequest,
  context: PullContext,
): Promise<void> {
  const { image, pull, platform } = wanted;
  if (pull !== 'always' && (await hasImage(docker, wanted))) return;
  if (pull === 'never')
    throw new Error(
      `Image ${image}${platform === undefined ? '' : ` for ${platform}`} not found on the container engine ${name}, and the pull policy is "never". Pull or build the image, or change the pull policy.`,
    );
  await pullImage(docker, wanted, context);
}

/** Whether the image exists for the requested platform. */
async function hasImage(docker: Docker, { image, platform }: ImageRequest): Promise<boolean> {
  try {
    const { Os, Architecture } = await docker.getImage(image).inspect();
    return platform === undefined || platform.startsWith(`${Os}/${Architecture}`);
  } catch (error) {
    if (isMissing(error)) return false;
    throw engineFailure(`Cannot inspect the image ${image}`, error);
  }
}

async function pullImage(
  docker: Docker,
  { image, platform }: ImageRequest,
  { clock, expand, maskSecrets, registryAuths, task: { signal, output } }: PullContext,
): Promise<void> {
  const say = (line: string): void => output.stderr(`${line}\n`);
  const authconfig = await findLogin(registryAuths, image, expand);
  if (authconfig?.password) maskSecrets(authconfig.password);
  say(`Pulling ${image}${authconfig === undefined ? '' : ` as ${authconfig.username}`}`);
  const progress = new PullProgress(say, () => clock.monotonic());
  try {
    const stream = await docker.pull(withDefaultTag(image), {
      ...(platform === undefined ? {} : { platform }),
      ...(authconfig === undefined ? {} : { authconfig }),
      abortSignal: signal,
    });
    for await (const message of readMessages(stream as AsyncIterable<Buffer>)) {
      const problem = findErrorMessage(message);
      if (problem !== undefined) throw new Error(problem);
      progress.add(message);
    }
  } catch (error) {
    if (signal.aborted) throw new Error(`stopped while pulling ${image}`, { cause: error });
    throw describePullFailure(image, authconfig !== undefined, error);
  }
}

function describePullFailure(image: string, hasLogin: boolean, error: unknown): Error {
  const failure = engineFailure(`Cannot pull the image ${image}`, error);
  const isRefused =
    [401, 403].includes(statusOf(error) ?? 0) || /unauthorized|denied|authenticat/i.test(failure.message);
  if (!isRefused) return failure;
  const registry = findRegistry(image);
  const hint = hasLogin
    ? `Check the credentials for ${registry} in "registryAuths".`
    : `If the image is private, add credentials for ${registry} to "registryAuths".`;
  return new Error(`${failure.message.replace(/\.?$/, '.')} ${hint}`, { cause: error });
}
