import type Docker from 'dockerode';
import type { PullPolicy } from '../../../model/executors/container.ts';
import type { StepContext, StepTask } from '../../executor.ts';
import { engineFailure, isMissing, statusOf } from '../engine/explain-error.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';
import { findFault, readMessages } from './engine-messages.ts';
import { findRegistry, withTag } from './image-reference.ts';
import { PullProgress } from './pull-progress.ts';
import { findLogin } from './registry-auths.ts';

/** An image and how it is pulled. */
export interface WantedImage {
  readonly image: string;
  readonly pull: PullPolicy;
  /** For example `linux/arm64`. Default: the platform of the container engine. */
  readonly platform?: string | undefined;
}

/** Dependencies of pulling an image. */
export type PullSurroundings = Pick<StepContext, 'clock' | 'expand' | 'hide' | 'registryAuths'> & {
  readonly task: Pick<StepTask, 'signal' | 'output'>;
};

/**
 * Ensures that the container engine has an image, and pulls it if the pull policy requires it. Progress is written to
 * stderr of the log.
 */
export async function ensureImage(
  { docker, name }: ContainerEngine,
  wanted: WantedImage,
  around: PullSurroundings,
): Promise<void> {
  const { image, pull, platform } = wanted;
  if (pull !== 'always' && (await isHere(docker, wanted))) return;
  if (pull === 'never')
    throw new Error(
      `Image ${image}${platform === undefined ? '' : ` for ${platform}`} not found on the container engine ${name}, and the pull policy is "never". Pull or build the image, or change the pull policy.`,
    );
  await pullImage(docker, wanted, around);
}

/** Whether the image exists for the requested platform. */
async function isHere(docker: Docker, { image, platform }: WantedImage): Promise<boolean> {
  try {
    const { Os, Architecture } = await docker.getImage(image).inspect();
    return platform === undefined || platform.startsWith(`${Os}/${Architecture}`);
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw engineFailure(`Cannot inspect the image ${image}`, thrown);
  }
}

async function pullImage(
  docker: Docker,
  { image, platform }: WantedImage,
  { clock, expand, hide, registryAuths, task: { signal, output } }: PullSurroundings,
): Promise<void> {
  const say = (line: string): void => output.stderr(`${line}\n`);
  const authconfig = await findLogin(registryAuths, image, expand);
  if (authconfig?.password) hide(authconfig.password);
  say(`Pulling ${image}${authconfig === undefined ? '' : ` as ${authconfig.username}`}`);
  const progress = new PullProgress(say, () => clock.monotonic());
  try {
    const stream = await docker.pull(withTag(image), {
      ...(platform === undefined ? {} : { platform }),
      ...(authconfig === undefined ? {} : { authconfig }),
      abortSignal: signal,
    });
    for await (const message of readMessages(stream as AsyncIterable<Buffer>)) {
      const fault = findFault(message);
      if (fault !== undefined) throw new Error(fault);
      progress.add(message);
    }
  } catch (thrown) {
    if (signal.aborted) throw new Error(`stopped while pulling ${image}`, { cause: thrown });
    throw describePullFailure(image, authconfig !== undefined, thrown);
  }
}

function describePullFailure(image: string, hasLogin: boolean, thrown: unknown): Error {
  const failure = engineFailure(`Cannot pull the image ${image}`, thrown);
  const isRefused =
    [401, 403].includes(statusOf(thrown) ?? 0) || /unauthorized|denied|authenticat/i.test(failure.message);
  if (!isRefused) return failure;
  const registry = findRegistry(image);
  const hint = hasLogin
    ? `Check the credentials for ${registry} in "registryAuths".`
    : `If the image is private, add credentials for ${registry} to "registryAuths".`;
  return new Error(`${failure.message.replace(/\.?$/, '.')} ${hint}`, { cause: thrown });
}
