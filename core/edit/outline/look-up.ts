import type { NodeRef } from '../edit-result.ts';
import type { Outline, OutlineDocument } from '../outline.ts';

/** Returns the document at or before an offset; the first document for an offset before all of them. */
export function documentAt({ documents }: Outline, offset: number): OutlineDocument | undefined {
  return documents.findLast(({ from }) => from <= offset) ?? documents[0];
}

/** Returns the reference that edits and selections use for a step or handler. */
export const toNodeRef = ({ section, name, document }: NodeRef): NodeRef => ({
  section,
  name,
  ...(document !== undefined && { document }),
});
