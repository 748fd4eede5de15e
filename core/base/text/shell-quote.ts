/** Quotes a string as one word for a POSIX shell: within single quotes no character is special. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
