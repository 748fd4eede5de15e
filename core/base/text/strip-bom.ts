/** Removes the byte order mark that some programs write, and that is not part of the content. */
export const stripBom = (text: string): string => text.replace(/^\uFEFF/, '');
