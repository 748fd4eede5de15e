import { fail, succeed, type Result } from '../../../../core/base/result.ts';

/** A text from a file, or typed. */
export interface SourceText {
  /** File name; empty for pasted or typed text. */
  readonly fileName: string;
  readonly text: string;
}

export const emptySource: SourceText = { fileName: '', text: '' };

/** A larger file is not a workflow and would block the window. */
const maxBytes = 2 * 1_048_576;

/** Reads a file unchanged: a byte order mark and line breaks stay in the text. */
export async function readTextFile(file: File): Promise<Result<SourceText, string>> {
  if (file.size > maxBytes)
    return fail(`${file.name} is too large (${Math.ceil(file.size / 1_048_576)} MB). Maximum: 2 MB.`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
    if (text.includes('\0')) return fail(`${file.name} is not a text file.`);
    return succeed({ fileName: file.name, text });
  } catch (failure) {
    const reason =
      failure instanceof TypeError
        ? 'is not UTF-8 text. Save it as UTF-8.'
        : 'could not be read. Folders are not supported.';
    return fail(`${file.name} ${reason}`);
  }
}

/**
 * Restores the line breaks and the byte order mark of a text edited in a text area, which only supports `\n`.
 */
export function preserveLineBreaks(before: string, edited: string): string {
  const isWide = /\r\n/.test(before) && !/(?:^|[^\r])\n/.test(before);
  const mark = before.startsWith('\uFEFF') && edited !== '' && !edited.startsWith('\uFEFF') ? '\uFEFF' : '';
  const breaks = edited.replaceAll(/\r\n?/g, '\n');
  return mark + (isWide ? breaks.replaceAll('\n', '\r\n') : breaks);
}
