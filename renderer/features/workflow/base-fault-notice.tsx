import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Notice } from '../../ui/state/notice.tsx';

/** Notice about an error in the base configuration of the home directory, with the path of its file. */
export const BaseConfigErrorNotice = ({ diagnostic }: { readonly diagnostic: Diagnostic }) => (
  <Notice tone="error" action={<CopyButton label="Copy path of base configuration" text={diagnostic.file} />}>
    <strong>Workflows cannot run until the base configuration is fixed.</strong>
    {` ${formatDiagnostic(diagnostic)}`}
  </Notice>
);
