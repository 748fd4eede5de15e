import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Notice } from '../../ui/state/notice.tsx';

/** Notice about an error in the base configuration of the home directory, with the path of its file. */
export const BaseFaultNotice = ({ fault }: { readonly fault: Diagnostic }) => (
  <Notice tone="error" action={<CopyButton label="Copy path of base configuration" text={fault.file} />}>
    <strong>Workflows cannot run until the base configuration is fixed.</strong>
    {` ${formatDiagnostic(fault)}`}
  </Notice>
);
