/** Scroll position and sizes, in pixels. */
export interface ScrollPosition {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Whether the log follows its end, and how long it was when following stopped. */
export interface FollowState {
  readonly following: boolean;
  /** Number of lines when following stopped; unused while following. */
  readonly seenLines: number;
  readonly lastTop: number;
}

/** Distance from the end, in pixels, that counts as the end. */
const slackPx = 12;

export const initialFollowing: FollowState = { following: true, seenLines: 0, lastTop: 0 };

/**
 * Updates following after a scroll: scrolling up stops it, reaching the end resumes it. When the log grows or
 * the view is enlarged, nothing scrolls up, so nothing changes.
 */
export function followAfterScroll(
  state: FollowState,
  position: ScrollPosition,
  totalLines: number,
): FollowState {
  const toEnd = position.scrollHeight - position.clientHeight - position.scrollTop;
  const movedUp = position.scrollTop < state.lastTop - 1;
  if (toEnd <= slackPx) return { ...state, following: true, lastTop: position.scrollTop };
  if (state.following && movedUp)
    return { following: false, seenLines: totalLines, lastTop: position.scrollTop };
  return { ...state, lastTop: position.scrollTop };
}

/** Returns the number of lines written since following stopped. */
export const countNewLines = ({ following, seenLines }: FollowState, totalLines: number): number =>
  following ? 0 : Math.max(0, totalLines - seenLines);
