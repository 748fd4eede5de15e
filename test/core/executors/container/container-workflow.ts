import { stringify } from 'yaml';
import { statusesOf, stdoutOf, TestEngine, type RunView } from '../../../rig/test-engine.ts';
import { readFileSync } from 'node:fs';
import type { TestContainerEngine } from '../../../rig/servers/container-engine.ts';

/** A workflow whose steps use the container engine of the test; containers need no network there. */
export const workflowFor = (engine: TestContainerEngine, fields: Readonly<Record<string, unknown>>): string =>
  stringify({ ...fields, env: [{ DOCKER_HOST: engine.host }, ...((fields['env'] as []) ?? [])] });

/** Result of a run, as far as tests check it. */
export interface FinishedRun {
  readonly view: RunView;
  readonly statuses: Readonly<Record<string, string>>;
  stdout(step: string): string;
  stderr(step: string): string;
  /** The newest attempt's exit code and error. */
  end(step: string): { readonly exitCode?: number | undefined; readonly error?: string | undefined };
}

/** Runs a workflow to its end. */
export async function runWorkflow(
  engine: TestContainerEngine,
  fields: Readonly<Record<string, unknown>>,
  host = new TestEngine(),
): Promise<FinishedRun> {
  return toFinishedRun(await host.run(workflowFor(engine, fields)));
}

/** A run that has ended. */
export function toFinishedRun(view: RunView): FinishedRun {
  const attemptOf = (name: string) => {
    const step = [...view.steps, ...view.handlers].find((candidate) => candidate.name === name);
    return step!.attempts.at(-1)!;
  };
  return {
    view,
    statuses: statusesOf(view),
    stdout: (step) => stdoutOf(view, step),
    stderr: (step) => readFileSync(attemptOf(step).stderrFile, 'utf8'),
    end: (step) => attemptOf(step),
  };
}
