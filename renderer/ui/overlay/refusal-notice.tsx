import { faultText, refusalText } from '../../format/refusal-text.ts';
import { useOtherFaults } from '../controls/refusal-scope.tsx';
import { Notice } from '../state/notice.tsx';

/** Why the engine has refused a form, as far as none of its fields shows it. */
export function RefusalNotice({ error }: { readonly error: unknown }) {
  const { others, hasFaults } = useOtherFaults();
  if (!error || (hasFaults && others.length === 0)) return null;
  return <Notice tone="error">{hasFaults ? others.map(faultText).join(' ') : refusalText(error)}</Notice>;
}
