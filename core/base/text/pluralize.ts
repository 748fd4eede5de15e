/** Formats a count with its noun: `1 step`, `3 steps`. */
export const pluralize = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
