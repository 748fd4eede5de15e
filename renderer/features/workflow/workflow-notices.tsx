import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
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

/** Shown for a workflow that does not exist. */
export const MissingWorkflow = ({ fileName }: { readonly fileName: string }) => (
  <MissingState
    what={`Workflow "${fileName}"`}
    explanation="It may have been deleted or renamed, or the link is wrong."
    list={{ href: paths.workflows, label: 'All workflows' }}
  />
);
