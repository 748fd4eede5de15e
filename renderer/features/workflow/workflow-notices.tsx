// A file of its own: the editor and the page of new workflows load it without the page of a workflow.
import type { DagDetailView } from '../../../core/contract/dags.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
import { lacksValue } from '../../../core/spec/param-form.ts';
import { CopyButton } from '../../ui/toasts.tsx';
import { Notice, MissingState } from '../../ui/state.tsx';
import { paths } from '../../navigation/address.ts';

/** Notice about an error in the base configuration of the home directory, with the path of its file. */
export const BaseConfigErrorNotice = ({ diagnostic }: { readonly diagnostic: Diagnostic }) => (
  <Notice tone="error" action={<CopyButton label="Copy path of base configuration" text={diagnostic.file} />}>
    <strong>Workflows cannot run until the base configuration is fixed.</strong>
    {` ${formatDiagnostic(diagnostic)}`}
  </Notice>
);

/** Says that scheduled runs cannot start, if a required parameter has no default. */
export function ScheduledParamsNotice({ dag }: { readonly dag: DagDetailView }) {
  const names = (dag.paramForm?.fields ?? []).filter(lacksValue).map(({ title, name }) => title ?? name);
  if (dag.schedule.start.length === 0 || names.length === 0) return null;
  return (
    <Notice tone="warning">
      <strong>Scheduled runs cannot start.</strong>
      {` Add defaults for required parameters: ${names.join(', ')}.`}
    </Notice>
  );
}

/** Shown for a workflow that does not exist. */
export const MissingWorkflow = ({ fileName }: { readonly fileName: string }) => (
  <MissingState
    what={`Workflow "${fileName}"`}
    explanation="It may have been deleted or renamed, or the link is wrong."
    list={{ href: paths.workflows, label: 'All workflows' }}
  />
);
