/** A text without the mark of the byte order that some programs write first, and that is no part of it. */
export const stripMark = (text: string): string => text.replace(/^\uFEFF/, '');
