import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { useCan } from '../../api/session/permissions.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import type { FileView } from '../save/file-sync.ts';
import type { OpenFile } from './opening/use-open-session.ts';

export interface SaveControl {
  readonly file: FileView;
  /** Shows the changes for review, then writes the file; without review if that is turned off. */
  readonly begin: () => void;
  /** Shows what would be written. */
  readonly review: () => void;
  readonly isReviewing: boolean;
  readonly closeReview: () => void;
  /** Writes the file without a review. */
  readonly write: () => void;
  /** Whether each save shows the changes first. */
  readonly reviewsFirst: boolean;
  readonly setReviewsFirst: (reviews: boolean) => void;
}

const reviewKey = 'stepwright.editor.review';

/** Saves the file and notifies the rest of the window. */
export function useSave({ session, sync, drafts }: OpenFile): SaveControl {
  const cache = useQueryClient();
  const file = useSyncExternalStore(sync.subscribe, () => sync.view);
  const may = useCan('dags.updateSpec').allowed;
  const [isReviewing, setIsReviewing] = useState(false);
  const [reviewsFirst, setReviewsFirst] = useState(() => localStorage.getItem(reviewKey) !== 'no');
  const write = useCallback(async () => {
    const isWritten = await sync.save();
    // If saving failed, at least the draft is stored.
    await drafts.flush();
    if (!isWritten) return;
    if (sync.view.errors === 0) showToast('info', 'Saved.');
    await Promise.all([
      cache.invalidateQueries({ queryKey: queryKeys.dag(session.fileName) }),
      cache.invalidateQueries({ queryKey: queryKeys.dags }),
    ]);
  }, [cache, session, sync, drafts]);
  const review = useCallback(() => setIsReviewing(session.view.isDirty), [session]);
  const begin = useCallback(() => {
    if (!session.view.isDirty || !may) return;
    if (sync.view.theirs)
      return showToast('error', 'The file has changed on disk. Merge, take theirs or keep mine, then save.');
    if (reviewsFirst && !isReviewing) return review();
    setIsReviewing(false);
    void write();
  }, [session, sync, may, reviewsFirst, isReviewing, review, write]);
  return {
    ...{ file, begin, review, isReviewing, reviewsFirst },
    closeReview: useCallback(() => setIsReviewing(false), []),
    write: useCallback(() => void write(), [write]),
    setReviewsFirst: useCallback((reviews: boolean) => {
      localStorage.setItem(reviewKey, reviews ? 'yes' : 'no');
      setReviewsFirst(reviews);
    }, []),
  };
}
