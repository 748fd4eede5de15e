import { useQuery } from '@tanstack/react-query';
import type { DryPlanView, DryStepView } from '../../../../core/contract/runs/dry.ts';
import type { RunDetailView } from '../../../../core/contract/runs/run-views.ts';
import { formatParamText, isParamName } from '../../../../core/spec/params.ts';
import { useBridge } from '../../../api/bridge.ts';
import { useDags } from '../../../api/queries/workflows/workflow-queries.ts';
import { useCan } from '../../../api/session/permissions.ts';

/**
 * Resolves the variables, directories and commands of a run on this machine. The engine masks secrets.
 * Undefined while loading or after a failure.
 */
export function useRunPlan(run: RunDetailView, enabled = true) {
  const bridge = useBridge();
  const may = useCan('runs.dry').allowed;
  const base = run.file === undefined ? undefined : /([^/\\]+?)\.[^.]*$/.exec(run.file)?.[1];
  const fileName = useDags().data?.find((dag) => dag.fileName === base)?.fileName;
  const params = formatParamText(run.params.filter(({ name }) => isParamName(name)));
  const plan = useQuery({
    queryKey: ['run-plan', run.name, run.dagRunId],
    queryFn: () =>
      bridge.call('runs.dry', {
        spec: run.spec,
        ...(run.parent === undefined && { name: run.name }),
        ...(params !== '' && { params }),
        ...(fileName !== undefined && { fileName }),
      }),
    enabled: enabled && may,
    staleTime: Infinity,
    retry: false,
  });
  return { plan: plan.data && findPlan(plan.data.plans, run), error: plan.error, isAllowed: may };
}

/** A run may belong to a document other than the first one in its file. */
function findPlan(plans: readonly DryPlanView[], run: RunDetailView): DryPlanView | undefined {
  const names = new Set(run.workflow.steps.map(({ name }) => name));
  return plans.find(({ steps }) => steps.length === names.size && steps.every(({ name }) => names.has(name)));
}

/** Finds the plan of a step or handler. */
export const findPlannedStep = (
  plan: DryPlanView | undefined,
  { section, name }: { readonly section: 'step' | 'handler'; readonly name: string },
): DryStepView | undefined =>
  (section === 'step' ? plan?.steps : plan?.handlers)?.find((step) => step.name === name);
