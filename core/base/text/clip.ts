/** Truncates a string for display, with an ellipsis. */
export const clip = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;
