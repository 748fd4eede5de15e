import { List, SearchX } from 'lucide-react';
import { toAppError } from '../../../core/base/errors.ts';
import { LinkButton } from '../controls/link-button.tsx';
import { EmptyState } from './empty-state.tsx';

interface MissingStateProps {
  /** The missing object with its name: `workflow “etl”`. */
  readonly what: string;
  /** A possible reason, in one sentence. */
  readonly explanation: string;
  /** The list that would contain it. */
  readonly list: { readonly href: string; readonly label: string };
}

/** Shown for an address of an object that does not exist. */
export function MissingState({ what, explanation, list }: MissingStateProps) {
  return (
    <EmptyState icon={SearchX} title={`Not found: ${what}`}>
      <p>{explanation}</p>
      <LinkButton href={list.href} icon={List}>
        {list.label}
      </LinkButton>
    </EmptyState>
  );
}

/** Whether a request failed because the object does not exist, so that retrying is pointless. */
export const isMissing = (error: unknown): boolean =>
  error !== null && ['not_found', 'gone'].includes(toAppError(error).code);
