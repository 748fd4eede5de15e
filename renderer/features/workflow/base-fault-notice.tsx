import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Notice } from '../../ui/state/notice.tsx';

/** Says what is wrong with the base configuration of the home, and where its file is. */
export const BaseFaultNotice = ({ fault }: { readonly fault: Diagnostic }) => (
  <Notice tone="error" action={<CopyButton label="Copy path of base configuration" text={fault.file} />}>
    <strong>Workflows cannot run until the base configuration is fixed.</strong>
    {` ${formatDiagnostic(fault)}`}
  </Notice>
);
