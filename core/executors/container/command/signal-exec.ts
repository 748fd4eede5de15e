import { readFileSync } from 'node:fs';
import type Docker from 'dockerode';
import { copyFrames } from '../engine/copy-frames.ts';
import type { ContainerEngine } from '../engine/open-engine.ts';

/** A running command in a container and what identifies its processes. */
export interface ExecTarget {
  readonly engine: Pick<ContainerEngine, 'isLocal'>;
  readonly container: Docker.Container;
  readonly exec: Docker.Exec;
  /** `NAME=value` in the environment of this command only. */
  readonly tag: string;
  readonly user: string | undefined;
}

/** Signals all processes that have the tag in their environment: the command and its child processes. */
const program = [
  'for entry in /proc/[0-9]*; do',
  `if tr '\\0' '\\n' <"$entry/environ" | grep -qxF -- "$1"; then kill -s "$2" "\${entry#/proc/}"; fi`,
  'done 2>/dev/null; true',
].join('\n');

/**
 * Signals a command in a container, which the Docker Engine API does not support: by a second command in the container
 * or, if the container has no shell, from the host. Rejects if neither works.
 * @param signal without `SIG`
 */
export async function signalExec(target: ExecTarget, signal: string): Promise<void> {
  if (await signalInside(target, signal)) return;
  if (await signalOutside(target, signal)) return;
  throw new Error(
    'cannot stop the command: the container has no shell, and the container engine is remote. The command stops with the container',
  );
}

/** Signals from inside the container, as the same user, who may inspect and signal the processes. */
async function signalInside({ container, tag, user }: ExecTarget, signal: string): Promise<boolean> {
  try {
    const killer = await container.exec({
      Cmd: ['sh', '-c', program, 'sh', tag, signal],
      AttachStdout: true,
      AttachStderr: true,
      ...(user === undefined ? {} : { User: user }),
    });
    const stream = await killer.start({});
    await copyFrames(stream, { write: () => Promise.resolve() });
    return (await killer.inspect()).ExitCode === 0;
  } catch {
    return false;
  }
}

/**
 * Signals from the host. The process id that the container engine reports is only valid on its own machine; the tag
 * verifies the process.
 */
async function signalOutside({ engine, exec, tag }: ExecTarget, signal: string): Promise<boolean> {
  if (!engine.isLocal || process.platform !== 'linux') return false;
  try {
    const { Pid } = await exec.inspect();
    const environment = readFileSync(`/proc/${Pid}/environ`, 'utf8').split('\0');
    return environment.includes(tag) && process.kill(Pid, `SIG${signal}` as NodeJS.Signals);
  } catch {
    return false;
  }
}
