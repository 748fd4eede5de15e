import type { RunResources } from '../executors/resources.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { RunTrace, RunRef } from '../model/run.ts';
import type { SubRunPort } from '../executors/executor.ts';
import type { OtelSettings } from './telemetry/settings.ts';
import { type RunInput, type RunHost, findNode } from './run-input.ts';
import type { ApprovalRequests } from './approval-requests.ts';
import type { RemoteCommandSpec } from './remote-work.ts';
import type { StepRunContext } from './steps/step-context.ts';
import type { OpenedScope } from './values/open-scope.ts';

/** Properties of a run's driver that its steps need. */
interface StepContextInput {
  readonly host: RunHost;
  readonly run: RunInput;
  /** Absolute. */
  readonly runDir: string;
  readonly trace: RunTrace;
  readonly telemetry: { readonly settings: OtelSettings | undefined };
  readonly remote: RemoteCommandSpec;
  readonly resources: RunResources;
  readonly approvalRequests: ApprovalRequests;
  emit(event: RunEvent): void;
  durable(): Promise<void>;
}

/** Opens the resources of the steps or handlers of a run. */
export function openStepContext(
  { host, run, telemetry, ...remaining }: StepContextInput,
  { scope, inheritance }: OpenedScope,
  ending: Pick<StepRunContext, 'stopping' | 'endsEarly'>,
): StepRunContext {
  const { cacheDir, databases, clock, startLimiter, launcher, files } = host;
  return {
    ...remaining,
    workflow: run.workflow,
    ...ending,
    scope: scope.until(ending.stopping),
    cacheDir,
    databases,
    clock,
    startLimiter,
    launcher,
    files,
    subRuns: (node, caller) => {
      const workerSelector = remaining.remote.inheritedSelector(findNode(run.workflow, node));
      const { trace, item } = caller;
      const handedOn = { ...inheritance, workerSelector, trace, telemetry: telemetry.settings };
      return announceSubRuns(host.subRuns(run, node, handedOn, caller), (started) =>
        remaining.emit({ type: 'step.sub_run', node, ...started, item }),
      );
    },
    forgetSubRuns: (node) => host.forgetSubRuns(run, node),
  };
}

/** Returns the same port, which also reports each run that a step starts, so that the step can find it. */
const announceSubRuns = (port: SubRunPort, notify: (started: RunRef) => void): SubRunPort => ({
  async start(dag, params) {
    const subRun = await port.start(dag, params);
    const { name, dagRunId } = subRun.ref;
    notify({ name, dagRunId });
    return subRun;
  },
});
