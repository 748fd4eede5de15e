import type { Parameter } from '../../../core/model/workflow/workflow.ts';
import { Notice } from '../../ui/state/notice.tsx';

/** Explains why a changed parameter cannot be sent, if there is one. */
export const UnsendableNotice = ({ param }: { readonly param: Parameter | undefined }) =>
  param && (
    <Notice tone="error">{`Parameter ${param.name} cannot be passed. Use only letters, digits, "_", "." and "-" in its name.`}</Notice>
  );
