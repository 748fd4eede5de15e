import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { findNearest, pluralize } from '../../base/text.ts';
import type { RuleView } from '../../contract/notifications.ts';
import { formatSelection } from '../../model/notification.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../command-context.ts';
import { formatTable, oneLine } from '../format.ts';
import type { EngineClient } from '../host/engine-client.ts';
import { findChannel, formatTest, listChannels } from './notify.ts';

/** Options of a rule; absent ones stay unchanged or get the default. */
interface RuleOptions {
  readonly to?: string[];
  readonly on?: RuleView['events'];
  readonly workflows?: string[];
  readonly tags?: string[];
  readonly groups?: string[];
  readonly folders?: string[];
  readonly after?: number;
  readonly once?: boolean;
  readonly quietHours?: string;
  readonly digestSec?: number;
}

export interface RuleCreateInput extends ResultFormat, RuleOptions {
  readonly name: string;
  readonly to: string[];
}

export interface RuleInput extends ResultFormat {
  /** Name or ID. */
  readonly rule: string;
}

export interface RuleUpdateInput extends RuleInput, RuleOptions {
  readonly enabled?: boolean;
}

/** Lists notification rules by name. */
export function runRules(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async (host) => {
    const rules = await listRules(context, host);
    if (format === 'json') await printJson(context, { rules });
    else if (rules.length === 0)
      await context.terminal.stderr.write(
        'No rules. Create the first with: engine notify rules create NAME --to CHANNEL\n',
      );
    else
      await printLines(
        context,
        formatTable(
          ['NAME', 'STATE', 'WORKFLOWS', 'EVENTS', 'CHANNELS', 'WHEN'],
          rules.map((rule) => [
            oneLine(rule.name),
            rule.enabled ? 'on' : 'off',
            oneLine(formatSelection(rule.workflows, 'all')),
            rule.events.join(', '),
            rule.channels.join(', '),
            oneLine(formatWhen(rule)),
          ]),
        ),
      );
    return exitCodes.success;
  });
}

const formatWhen = ({ after, once, quiet, digestSec }: RuleView): string =>
  [
    ...(after > 1 ? [`after ${after} failures`] : []),
    ...(once ? ['once'] : []),
    ...(quiet === undefined ? [] : [`quiet ${quiet}`]),
    ...(digestSec === undefined ? [] : [`digest ${pluralize(digestSec, 'second')}`]),
  ].join(', ');

/** Creates a rule. */
export function runRuleCreate(context: CommandContext, input: RuleCreateInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const options = { name: input.name, ...getFields(input), channels: input.to };
    const rule = await api.call('rules.create', options, context.caller);
    if (input.format === 'json') await printJson(context, rule);
    else
      await printLines(context, [
        `Created rule ${oneLine(rule.name)}: ${rule.events.join(', ')} of ${oneLine(formatSelection(rule.workflows, 'all'))} to ${rule.channels.join(', ')}`,
      ]);
    return exitCodes.success;
  });
}

/** Changes a rule. */
export function runRuleUpdate(context: CommandContext, input: RuleUpdateInput): Promise<number> {
  const { enabled, format } = input;
  return withHost(context, async (host) => {
    const { id } = findRule(await listRules(context, host), input.rule);
    const change = { ruleId: id, ...getFields(input), ...(enabled !== undefined && { enabled }) };
    const rule = await host.api.call('rules.update', change, context.caller);
    if (format === 'json') await printJson(context, rule);
    else await printLines(context, [`Updated rule ${oneLine(rule.name)} (${rule.enabled ? 'on' : 'off'}).`]);
    return exitCodes.success;
  });
}

/** Sends a test to each channel of a rule. Exit code 1 if one was not accepted. */
export function runRuleTest(context: CommandContext, input: RuleInput): Promise<number> {
  return withHost(context, async (host) => {
    const { channels } = findRule(await listRules(context, host), input.rule);
    const known = await listChannels(context, host);
    const results: { channel: string; delivered: boolean; status: string; durationMs: number }[] = [];
    for (const name of channels) {
      const { id } = findChannel(known, name);
      const result = await host.api.call('channels.test', { channelId: id }, context.caller);
      results.push({ channel: name, ...result });
      if (input.format === 'text') await printLines(context, [formatTest(name, result)]);
    }
    if (input.format === 'json') await printJson(context, { results });
    return results.every(({ delivered }) => delivered) ? exitCodes.success : exitCodes.runFailed;
  });
}

/** Deletes a rule. */
export function runRuleDelete(context: CommandContext, input: RuleInput): Promise<number> {
  return withHost(context, async (host) => {
    const { id } = findRule(await listRules(context, host), input.rule);
    const rule = await host.api.call('rules.delete', { ruleId: id }, context.caller);
    if (input.format === 'json') await printJson(context, rule);
    else await printLines(context, [`Deleted rule ${oneLine(rule.name)}.`]);
    return exitCodes.success;
  });
}

const listRules = async (context: CommandContext, { api }: EngineClient): Promise<RuleView[]> =>
  (await api.call('rules.list', {}, context.caller)).rules;

/** Throws `not_found`. */
function findRule(rules: readonly RuleView[], query: string): RuleView {
  const found = rules.find(({ id, name }) => name === query || String(id) === query);
  if (found !== undefined) return found;
  const nearest = findNearest(
    query,
    rules.map(({ name }) => name),
  );
  throw new AppError('not_found', `Rule "${query}" not found.`, {
    details: nearest === undefined ? { hint: 'Run "engine notify rules" to see all rules.' } : { nearest },
  });
}

function getFields(options: RuleOptions) {
  const { to, on, workflows: names, tags, groups, folders, after, once, quietHours, digestSec } = options;
  const selection = {
    ...(names !== undefined && { names }),
    ...(tags !== undefined && { tags }),
    ...(groups !== undefined && { groups }),
    ...(folders !== undefined && { folders }),
  };
  return {
    ...(to !== undefined && { channels: to }),
    ...(on !== undefined && { events: on }),
    ...(Object.keys(selection).length > 0 && { workflows: selection }),
    ...(after !== undefined && { after }),
    ...(once !== undefined && { once }),
    ...(quietHours !== undefined && { quiet: quietHours }),
    ...(digestSec !== undefined && { digestSec }),
  };
}
