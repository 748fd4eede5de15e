import { Notice } from './notice.tsx';

interface AbsentNoticeProps {
  /** What the address names: `webhook`. */
  readonly what: string;
  /** Its name or id in the address; null for an address that names none. */
  readonly wanted: string | null;
  /** What is shown, by the same name or id. */
  readonly shown: string;
  /** Whether the list is being asked for again, so that it may come yet. */
  readonly isFetching: boolean;
  /** What may have become of it, when not that it was deleted. */
  readonly why?: string;
}

/** Says that what an address names is not in the list, above another one that is shown in its place. */
export function AbsentNotice({ what, wanted, shown, isFetching, why }: AbsentNoticeProps) {
  if (wanted === null || wanted === shown || isFetching) return null;
  return (
    <Notice tone="warning">
      <strong>{`No ${what} “${wanted}” found.`}</strong>{' '}
      {why ?? 'It may have been deleted, or the link is wrong.'}
    </Notice>
  );
}
