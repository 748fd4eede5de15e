import { faultText, errorText } from '../../format/error-text.ts';
import { useUnclaimedErrors } from '../controls/field-error-scope.tsx';
import { Notice } from '../state/notice.tsx';

/** The engine's messages about a form that none of its fields shows. */
export function FormErrorNotice({ error }: { readonly error: unknown }) {
  const { others, hasFaults } = useUnclaimedErrors();
  if (!error || (hasFaults && others.length === 0)) return null;
  return <Notice tone="error">{hasFaults ? others.map(faultText).join(' ') : errorText(error)}</Notice>;
}
