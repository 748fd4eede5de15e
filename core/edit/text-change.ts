/** Characters `from` to `to` of a text give way to `insert`. Offsets are UTF-16 code units, as everywhere in JavaScript. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/**
 * What one edit does to a text (DESIGN D9). Ordered, without overlap; all offsets are those of the text before. What lies
 * outside of the ranges stays as it is, byte for byte.
 */
export type ChangeSet = readonly TextChange[];

/** The text after the changes. */
export function applyChanges(text: string, changes: ChangeSet): string {
  let result = '';
  let at = 0;
  for (const { from, to, insert } of changes) {
    result += text.slice(at, from) + insert;
    at = to;
  }
  return result + text.slice(at);
}

/** The changes that lead back from the text after to the text before. */
export function invertChanges(text: string, changes: ChangeSet): ChangeSet {
  let shift = 0;
  return changes.map(({ from, to, insert }) => {
    const start = from + shift;
    shift += insert.length - (to - from);
    return { from: start, to: start + insert.length, insert: text.slice(from, to) };
  });
}
