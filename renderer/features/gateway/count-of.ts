/** A number with what it counts: `1 table`, `2 tables`. */
export const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
