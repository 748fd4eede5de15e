import type { OperationInput, OperationName, OperationOutput } from '../../contract/operations.ts';

/** Calls an operation of the API. */
type Call = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
) => Promise<OperationOutput<Name>>;

/** A created workflow, and whom cron mailed. */
export interface MailedWorkflow {
  readonly name: string;
  /** Email addresses. */
  readonly mailTo?: readonly string[] | undefined;
}

/**
 * Creates a mail channel and a notification rule for each `MAILTO` of imported jobs, or extends those of an earlier
 * import. Returns a sentence for each rule, and one about a missing mail server.
 */
export async function createMailRules(call: Call, workflows: readonly MailedWorkflow[]): Promise<string[]> {
  const mailed = workflows.filter(({ mailTo = [] }) => mailTo.length > 0);
  const sentences: string[] = [];
  for (const [recipients, group] of Map.groupBy(mailed, ({ mailTo = [] }) => mailTo.join(', '))) {
    const to = recipients.split(', ');
    const channel = await findChannel(call, to);
    await extendRule(
      call,
      `Crontab mail to ${recipients}`.slice(0, maxRuleName),
      channel,
      group.map(({ name }) => name),
    );
    sentences.push(`${recipients} is notified when ${describe(group)} fails or recovers.`);
  }
  if (sentences.length > 0 && !(await hasMailServer(call)))
    sentences.push('There is no mail server yet. Set it in Settings › Installation.');
  return sentences;
}

/** A server that only the base configuration can change counts as one. */
async function hasMailServer(call: Call): Promise<boolean> {
  const { host, locked } = await call('config.mail', {});
  return host !== '' || locked !== undefined;
}

const maxRuleName = 100;

/** The names of a few workflows, or the number of many. */
function describe(workflows: readonly MailedWorkflow[]): string {
  if (workflows.length > 5) return `one of ${workflows.length} workflows`;
  return workflows.map(({ name }) => name).join(', ');
}

/** Returns the name of the mail channel with these recipients, which is created if necessary. */
async function findChannel(call: Call, to: readonly string[]): Promise<string> {
  const { channels } = await call('channels.list', {});
  const known = channels.find((channel) => channel.kind === 'mail' && channel.to?.join() === to.join());
  if (known !== undefined) return known.name;
  const taken = new Set(channels.map(({ name }) => name));
  const base = `mail-${to[0]!.split('@')[0]!.replaceAll(/[^A-Za-z0-9._-]/g, '-')}`.slice(0, 60);
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  return (await call('channels.create', { name, kind: 'mail', to: [...to] })).name;
}

async function extendRule(
  call: Call,
  name: string,
  channel: string,
  names: readonly string[],
): Promise<void> {
  const { rules } = await call('rules.list', {});
  const known = rules.find((rule) => rule.name === name);
  if (known === undefined) {
    await call('rules.create', { name, channels: [channel], workflows: { names: [...names] } });
    return;
  }
  const all = new Set([...(known.workflows.names ?? []), ...names]);
  await call('rules.update', { ruleId: known.id, workflows: { ...known.workflows, names: [...all] } });
}
