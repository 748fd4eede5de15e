import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { StepTask } from '../../executor.ts';
import { engineFailure } from '../engine/explain-error.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';
import { findErrorMessage, readMessages } from './engine-messages.ts';

/** An image that is built from a folder. */
export interface ImageBuild {
  /** Absolute path of the folder; its `.dockerignore` applies. */
  readonly folder: string;
  /** Path of the Dockerfile in the folder. Default: `Dockerfile`. */
  readonly dockerfile?: string;
  /** Name of the image. Generated if absent. */
  readonly tag?: string;
  /** Network of the commands in the Dockerfile. Default: the default network of the container engine. */
  readonly network?: string;
  /** Ignores the build cache and pulls current base images. Default: false. */
  readonly fresh?: boolean;
}

/**
 * Builds an image and writes the build output to stderr of the log. Rejects with the error of the builder.
 * @returns the name of the image
 */
export async function buildImage(
  { docker }: ContainerEngine,
  {
    folder,
    dockerfile = 'Dockerfile',
    tag = `stepwright-build-${randomUUID()}:latest`,
    network,
    fresh = false,
  }: ImageBuild,
  { signal, output }: Pick<StepTask, 'signal' | 'output'>,
): Promise<string> {
  if (!existsSync(path.join(folder, dockerfile)))
    throw new Error(`Cannot build an image: ${dockerfile} not found in ${folder}.`);
  try {
    const stream = await docker.buildImage(
      { context: folder, src: ['.'] },
      {
        t: tag,
        dockerfile,
        rm: true,
        forcerm: true,
        nocache: fresh,
        pull: fresh,
        ...(network === undefined ? {} : { networkmode: network }),
        abortSignal: signal,
      },
    );
    for await (const message of readMessages(stream as AsyncIterable<Buffer>)) {
      const problem = findErrorMessage(message);
      if (problem !== undefined) throw new Error(problem);
      if (typeof message['stream'] === 'string') output.stderr(message['stream']);
    }
    return tag;
  } catch (error) {
    if (signal.aborted) throw new Error(`stopped while building an image from ${folder}`, { cause: error });
    throw engineFailure(`Cannot build an image from ${folder}`, error);
  }
}
