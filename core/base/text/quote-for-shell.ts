/** A text as one word of a POSIX shell: within single quotes nothing has a meaning. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
