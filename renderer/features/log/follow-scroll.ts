/** Where a scrolled area stands, pixels. */
export interface ScrollPlace {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Whether the log keeps to its end, and how long it was when the user looked away. */
export interface Following {
  readonly following: boolean;
  /** Lines there were when following stopped; meaningless while following. */
  readonly seenLines: number;
  readonly lastTop: number;
}

/** Nearer to the end than this counts as being there. */
const slackPx = 12;

export const initialFollowing: Following = { following: true, seenLines: 0, lastTop: 0 };

/**
 * What a scroll means for following: moving up lets go of the end, reaching the end takes hold of it again.
 * A log that grows below, or a view that is made larger, moves nothing up and so changes nothing.
 */
export function afterScroll(state: Following, place: ScrollPlace, totalLines: number): Following {
  const toEnd = place.scrollHeight - place.clientHeight - place.scrollTop;
  const movedUp = place.scrollTop < state.lastTop - 1;
  if (toEnd <= slackPx) return { ...state, following: true, lastTop: place.scrollTop };
  if (state.following && movedUp)
    return { following: false, seenLines: totalLines, lastTop: place.scrollTop };
  return { ...state, lastTop: place.scrollTop };
}

/** How many lines have been written since the user looked away. */
export const countNewLines = ({ following, seenLines }: Following, totalLines: number): number =>
  following ? 0 : Math.max(0, totalLines - seenLines);
