/** The beginning of a text that is too long to be shown, with a sign that there is more. */
export const clip = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;
