import type { NodeRef } from '../edit-result.ts';
import type { Outline, OutlineDocument } from '../outline.ts';

/** The document that an offset lies in or behind; the first one before all of them. */
export function documentAt({ documents }: Outline, offset: number): OutlineDocument | undefined {
  return documents.findLast(({ from }) => from <= offset) ?? documents[0];
}

/** The name by which edits and selections know a step or handler. */
export const refOf = ({ section, name, document }: NodeRef): NodeRef => ({
  section,
  name,
  ...(document !== undefined && { document }),
});
