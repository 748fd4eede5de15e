/** Parses a port; returns undefined when the string is not a port. */
export function readMailPort(text: string): number | undefined {
  const port = Number(text);
  return /^[0-9]{1,5}$/.test(text) && port > 0 && port < 65_536 ? port : undefined;
}
