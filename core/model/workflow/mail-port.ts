/** The port that a text names; undefined when it names none. */
export function readMailPort(text: string): number | undefined {
  const port = Number(text);
  return /^[0-9]{1,5}$/.test(text) && port > 0 && port < 65_536 ? port : undefined;
}
