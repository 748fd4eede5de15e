/** Scroll position and sizes, in pixels. */
export interface ScrollPlace {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Whether the log follows its end, and how long it was when following stopped. */
export interface Following {
  readonly following: boolean;
  /** Number of lines when following stopped; unused while following. */
  readonly seenLines: number;
  readonly lastTop: number;
}

/** Distance from the end, in pixels, that counts as the end. */
const slackPx = 12;

export const initialFollowing: Following = { following: true, seenLines: 0, lastTop: 0 };

/**
 * Updates following after a scroll: scrolling up stops it, reaching the end resumes it. When the log grows or
 * the view is enlarged, nothing scrolls up, so nothing changes.
 */
export function afterScroll(state: Following, place: ScrollPlace, totalLines: number): Following {
  const toEnd = place.scrollHeight - place.clientHeight - place.scrollTop;
  const movedUp = place.scrollTop < state.lastTop - 1;
  if (toEnd <= slackPx) return { ...state, following: true, lastTop: place.scrollTop };
  if (state.following && movedUp)
    return { following: false, seenLines: totalLines, lastTop: place.scrollTop };
  return { ...state, lastTop: place.scrollTop };
}

/** Returns the number of lines written since following stopped. */
export const countNewLines = ({ following, seenLines }: Following, totalLines: number): number =>
  following ? 0 : Math.max(0, totalLines - seenLines);
