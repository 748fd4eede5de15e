/** Names of ways in, where nobody has to log in. */
const waysIn: Readonly<Record<string, string>> = {
  http: 'over HTTP',
  window: 'in the window',
  cli: 'on the command line',
  schedule: 'by the schedule',
};

/** Whether the name is that of a user or a token. */
export const isSomebody = (name: string | undefined): name is string =>
  name !== undefined && !Object.hasOwn(waysIn, name);

/** Who has done something, `by anna`; else the way that was taken, `over HTTP`. */
export const describeDoer = (name: string): string => (isSomebody(name) ? `by ${name}` : waysIn[name]!);
