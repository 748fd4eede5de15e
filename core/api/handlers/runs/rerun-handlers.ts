import type { RerunPlanView } from '../../../contract/runs/reruns.ts';
import type { RerunPlan, RerunOptions } from '../../../plan/rerun.ts';
import { originOf, triggerOf, type HandlersFor } from '../handlers.ts';

/** Operations that run something again. */
export const rerunHandlers: HandlersFor<
  'runs.retryPlan' | 'runs.retry' | 'runs.reschedule' | 'runs.restart'
> = {
  'runs.retryPlan': async (input, { reruns }) =>
    toPlanView(await reruns.planRetry(input, toRerunOptions(input))),
  'runs.retry': async (input, { reruns }, { name: by, trace }) => {
    const { name, dagRunId, plan } = await reruns.retry(input, toRerunOptions(input), { by, trace });
    return { name, dagRunId, plan: toPlanView(plan) };
  },
  'runs.reschedule': ({ name, fromRunId, dagName, singleton = true, ...options }, context, caller) =>
    context.startRun({
      ...options,
      source: { run: { name, dagRunId: fromRunId } },
      ...originOf(caller),
      name: dagName,
      singleton,
      trace: caller.trace,
    }),
  'runs.restart': (input, { reruns }, caller) =>
    reruns.restart(input, caller.name, triggerOf(caller), caller.trace),
};

const toRerunOptions = (input: { stepName?: string; downstream?: boolean }): RerunOptions => ({
  step: input.stepName,
  downstream: input.downstream,
});

const toPlanView = ({ steps, handlers }: RerunPlan): RerunPlanView => ({
  steps: steps.map((step) => ({ ...step })),
  handlers: [...handlers],
});
