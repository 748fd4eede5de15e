import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { toAppError } from '../../../core/base/errors.ts';
import { isFinal } from '../../../core/model/run.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useReferences } from '../../api/workflow-queries.ts';
import { errorText } from '../../format/error-text.ts';
import { paths } from '../../navigation/address.ts';
import { Checkbox } from '../../ui/choices.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/state.tsx';
import {
  closeOrganizeDialog,
  formatTargets,
  type WorkflowTarget,
  offerUndo,
  useOrganize,
  type OrganizeFailure,
} from './use-organize.ts';

const isActive = ({ latestRun }: WorkflowTarget): boolean =>
  latestRun !== undefined && !isFinal(latestRun.status);

const getCode = ({ error }: OrganizeFailure): string => toAppError(error).code;

/** Deletes workflows, on request with their runs. */
export function DeleteDialog({ dags }: { readonly dags: readonly WorkflowTarget[] }) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const [location, navigate] = useLocation();
  const [withRuns, setWithRuns] = useState(false);
  const [stopRuns, setStopRuns] = useState(false);
  const { apply, isPending, failures, remaining } = useOrganize(dags);
  const references = useReferences(dags.length === 1 ? dags[0]!.fileName : undefined).data?.references ?? [];
  const submit = (): void =>
    void apply(
      ({ fileName, hash: baseHash }) => bridge.call('dags.delete', { fileName, stopRuns, baseHash }),
      (done) => {
        if (done.some(({ fileName }) => location.startsWith(paths.workflow(fileName))))
          navigate(paths.workflows);
        offerUndo(done, {
          bridge,
          runs: withRuns ? done.map(({ name }) => name) : [],
          onRestored: () => void cache.invalidateQueries({ queryKey: queryKeys.dags }),
        });
      },
    );
  return (
    <FormDialog
      title={`Delete ${formatTargets(remaining)}?`}
      submit={{ label: 'Delete', icon: Trash2, isDanger: true, isPending }}
      error={undefined}
      onSubmit={submit}
      onClose={closeOrganizeDialog}
    >
      <p>You can undo this for 10 seconds. After that, the file can be restored from its versions.</p>
      <Checkbox label="Delete runs and logs, too" isSelected={withRuns} onChange={setWithRuns} />
      {(dags.some(isActive) || failures.some((each) => getCode(each) === 'still_running')) && (
        <Checkbox label="Stop active and queued runs" isSelected={stopRuns} onChange={setStopRuns} />
      )}
      {references.length > 0 && (
        <Notice tone="warning">
          Steps of {references.map(({ name }) => name).join(', ')} run this workflow and will fail.
        </Notice>
      )}
      <OrganizeFailures failures={failures} action="Delete" />
    </FormDialog>
  );
}

/** Why workflows were not changed. */
export function OrganizeFailures({
  failures,
  action,
}: {
  readonly failures: readonly OrganizeFailure[];
  /** Label of the button that tries again. */
  readonly action: string;
}) {
  if (failures.length === 0) return null;
  return (
    <Notice tone="error">
      {failures.map((failure) => (
        <div key={failure.dag.fileName}>
          {getCode(failure) === 'conflict' && toAppError(failure.error).details?.['hash'] !== undefined
            ? `${failure.dag.fileName} has changed on disk. Press ${action} again to change it anyway.`
            : errorText(failure.error)}
        </div>
      ))}
    </Notice>
  );
}
