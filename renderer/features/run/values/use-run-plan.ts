import { useQuery } from '@tanstack/react-query';
import type { DryPlanView, DryStepView } from '../../../../core/contract/runs/dry.ts';
import type { RunDetailView } from '../../../../core/contract/runs/run-views.ts';
import { formatParamText, isParamName } from '../../../../core/spec/params.ts';
import { useBridge } from '../../../api/bridge.ts';
import { useDags } from '../../../api/queries/workflows/workflow-queries.ts';
import { useMay } from '../../../api/session/permissions.ts';

/**
 * What the text and the parameters of a run come to on this machine: variables, folders, commands. Secrets are masked
 * by the engine. Undefined while it is not known, or cannot be.
 */
export function useRunPlan(run: RunDetailView, enabled = true) {
  const bridge = useBridge();
  const may = useMay('runs.dry').allowed;
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

/** A run may be of another document of its file than the first one. */
function findPlan(plans: readonly DryPlanView[], run: RunDetailView): DryPlanView | undefined {
  const names = new Set(run.workflow.steps.map(({ name }) => name));
  return plans.find(({ steps }) => steps.length === names.size && steps.every(({ name }) => names.has(name)));
}

/** The plan of one step or handler. */
export const findPlannedStep = (
  plan: DryPlanView | undefined,
  { section, name }: { readonly section: 'step' | 'handler'; readonly name: string },
): DryStepView | undefined =>
  (section === 'step' ? plan?.steps : plan?.handlers)?.find((step) => step.name === name);
