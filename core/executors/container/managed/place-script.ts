import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import { engineFailure } from '../engine/explain-error.ts';

/** A script and its path in the container. */
export interface ContainerScript {
  readonly text: string;
  /** Absolute path in the container. */
  readonly path: string;
}

/** Plans a script in the root folder, which exists in every image and is never a mount point. */
export const planScript = (text: string): ContainerScript => ({ text, path: `/.step-${randomUUID()}` });

/** Writes a script into a container, readable by all users. */
export async function copyScript(
  container: Docker.Container,
  { text, path }: ContainerScript,
): Promise<void> {
  const archive = pack();
  archive.entry({ name: path.slice(1), mode: 0o755 }, text);
  archive.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of archive) pieces.push(piece as Buffer);
  try {
    await container.putArchive(Buffer.concat(pieces), { path: '/' });
  } catch (error) {
    throw engineFailure('Cannot write the script into the container', error);
  }
}
