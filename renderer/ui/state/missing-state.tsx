import { List, SearchX } from 'lucide-react';
import { toAppError } from '../../../core/base/errors.ts';
import { LinkButton } from '../controls/link-button.tsx';
import { EmptyState } from './empty-state.tsx';

interface MissingStateProps {
  /** What there is none of, with its name: `workflow “etl”`. */
  readonly what: string;
  /** What may have become of it, in one sentence. */
  readonly why: string;
  /** The list that it would be in. */
  readonly list: { readonly href: string; readonly label: string };
}

/** Stands where an address leads to something that does not exist, or not any more. */
export function MissingState({ what, why, list }: MissingStateProps) {
  return (
    <EmptyState icon={SearchX} title={`Not found: ${what}`}>
      <p>{why}</p>
      <LinkButton href={list.href} icon={List}>
        {list.label}
      </LinkButton>
    </EmptyState>
  );
}

/** Whether a question failed because there is nothing of that name: asking again would not help. */
export const isMissing = (error: unknown): boolean =>
  error !== null && ['not_found', 'gone'].includes(toAppError(error).code);
