import type { Parameter } from '../../../core/model/workflow/workflow.ts';
import { Notice } from '../../ui/state/notice.tsx';

/** Says why a changed parameter cannot be passed on, when there is one that cannot. */
export const UnsendableNotice = ({ param }: { readonly param: Parameter | undefined }) =>
  param && (
    <Notice tone="error">{`${param.name} cannot be passed on: its name has characters other than letters, digits, "_", "." and "-".`}</Notice>
  );
