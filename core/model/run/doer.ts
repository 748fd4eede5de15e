/** Names of the interfaces where no login is required. */
const waysIn: Readonly<Record<string, string>> = {
  http: 'over HTTP',
  window: 'in the window',
  cli: 'on the command line',
  schedule: 'by the schedule',
};

/** Whether the name is that of a user or a token. */
export const isSomebody = (name: string | undefined): name is string =>
  name !== undefined && !Object.hasOwn(waysIn, name);

/** Describes the actor, `by anna`, or the interface, `over HTTP`. */
export const describeDoer = (name: string): string => (isSomebody(name) ? `by ${name}` : waysIn[name]!);
