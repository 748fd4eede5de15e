/** Quotes a string as one word for a POSIX shell: within single quotes no character is special. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
