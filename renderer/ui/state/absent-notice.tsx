import { Notice } from './notice.tsx';

interface NotInListNoticeProps {
  /** Noun for the object in the address: `webhook`. */
  readonly what: string;
  /** Its name or id in the address; null if the address has none. */
  readonly requested: string | null;
  /** Name or id of the object shown instead. */
  readonly shown: string;
  /** Whether the list is being refetched, so that the object may still appear. */
  readonly isFetching: boolean;
  /** A possible reason other than deletion. */
  readonly explanation?: string;
}

/** Notice that the object in the address is not in the list, shown above another one that replaces it. */
export function NotInListNotice({ what, requested, shown, isFetching, explanation }: NotInListNoticeProps) {
  if (requested === null || requested === shown || isFetching) return null;
  return (
    <Notice tone="warning">
      <strong>{`No ${what} “${requested}” found.`}</strong>{' '}
      {explanation ?? 'It may have been deleted, or the link is wrong.'}
    </Notice>
  );
}
