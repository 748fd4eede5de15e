/** Names of the interfaces where no login is required. */
const actorSources: Readonly<Record<string, string>> = {
  http: 'over HTTP',
  window: 'in the window',
  cli: 'on the command line',
  schedule: 'by the schedule',
};

/** Whether the name is that of a user or a token. */
export const isNamedActor = (name: string | undefined): name is string =>
  name !== undefined && !Object.hasOwn(actorSources, name);

/** Describes the actor, `by anna`, or the interface, `over HTTP`. */
export const formatActor = (name: string): string =>
  isNamedActor(name) ? `by ${name}` : actorSources[name]!;
