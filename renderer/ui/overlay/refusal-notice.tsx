import { faultText, refusalText } from '../../format/refusal-text.ts';
import { useOtherFaults } from '../controls/refusal-scope.tsx';
import { Notice } from '../state/notice.tsx';

/** The engine's messages about a form that none of its fields shows. */
export function RefusalNotice({ error }: { readonly error: unknown }) {
  const { others, hasFaults } = useOtherFaults();
  if (!error || (hasFaults && others.length === 0)) return null;
  return <Notice tone="error">{hasFaults ? others.map(faultText).join(' ') : refusalText(error)}</Notice>;
}
