import { paths, withQuery } from '../../app/paths.ts';

/** Returns the address of a line in the editor. */
export const editorLineUrl = (fileName: string, line: number): string =>
  withQuery(paths.editor(fileName), { line: String(line) });
