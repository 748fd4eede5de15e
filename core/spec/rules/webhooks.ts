import { MAX_PATTERN_CHARACTERS, MAX_PATTERNS, parseNamePattern } from '../../base/name-pattern.ts';
import { findNearest } from '../../base/text.ts';
import { webhookEventNames } from '../../model/webhook.ts';
import type { WebhookTrigger } from '../../model/workflow.ts';
import type { AuthoredWebhook } from '../authored.ts';
import { webhookContexts, findExpressionProblem } from '../expressions.ts';
import { readPayloadPath } from '../parse-template.ts';
import {
  type Report,
  findField,
  getKeyStart,
  getField,
  getText,
  toValue,
  type SourceRef,
} from '../source.ts';
import { readDuration } from './policies.ts';

/** Reads `on.webhook`: one webhook trigger or a list of them; undefined if it is absent. */
export function readWebhooks(source: SourceRef | undefined, report: Report): WebhookTrigger[] | undefined {
  if (source === undefined) return undefined;
  const { node } = source;
  if (node.kind === 'scalar') return undefined;
  const places =
    node.kind === 'list' ? [...node.items.keys()].map((index) => getField(source, index)) : [source];
  return places.map((one) => readWebhook(one, report));
}

function readWebhook(source: SourceRef, report: Report): WebhookTrigger {
  const authored = toValue(source.node) as unknown as AuthoredWebhook;
  const names = (key: 'branches' | 'tags' | 'paths') => readNames(source, key, report);
  for (const event of readTexts(findField(source, 'event'))) checkEvent(event, report);
  checkExpression(source, 'if', report);
  checkExpression(source, 'concurrencyKey', report);
  const { if: condition } = authored;
  return {
    receiver: authored.receiver?.trim() || undefined,
    events: [authored.event ?? []].flat(),
    actions: [authored.actions ?? []].flat(),
    branches: names('branches'),
    tags: names('tags'),
    paths: names('paths'),
    condition: condition === undefined ? undefined : String(condition),
    params: readParams(findField(source, 'params'), report),
    queue: authored.queue?.trim() || undefined,
    singleton: authored.singleton ?? false,
    debounceSec: readDuration(authored.debounce) || undefined,
    concurrencyKey: authored.concurrencyKey?.trim() || undefined,
  };
}

/** A field and its `Ignore` variant exclude each other, as in GitHub Actions. */
function readNames(
  webhook: SourceRef,
  key: 'branches' | 'tags' | 'paths',
  report: Report,
): WebhookTrigger['branches'] {
  const only = findField(webhook, key);
  const ignore = findField(webhook, `${key}Ignore`);
  if (only !== undefined && ignore !== undefined) {
    report.errorAt(
      getKeyStart(webhook.node, `${key}Ignore`),
      ignore.path,
      `"${key}" and "${key}Ignore" cannot be used together. Use a single list: a pattern after "!" excludes names from "${key}".`,
    );
  }
  const filter = only ?? ignore;
  if (filter === undefined) return undefined;
  const texts = readTexts(filter);
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (texts.length > MAX_PATTERNS || characters > MAX_PATTERN_CHARACTERS) {
    report.error(
      filter,
      `"${key}" has ${texts.length} patterns with ${characters} characters. The limit is ${MAX_PATTERNS} patterns with ${MAX_PATTERN_CHARACTERS} characters in total; use wildcards or "if".`,
    );
    return undefined;
  }
  const patterns = texts.map(({ text, source }) => {
    const parsed = parseNamePattern(text);
    if ('problem' in parsed)
      report.error(source, `Invalid pattern "${text.slice(0, 60)}": ${parsed.problem}`);
    return text;
  });
  if (only !== undefined && patterns.length > 0 && patterns.every((pattern) => pattern.startsWith('!')))
    report.error(
      only,
      `All patterns of "${key}" exclude names, so nothing can match. Use "${key}Ignore", or start with "**".`,
    );
  return only === undefined ? { ignore: patterns } : { only: patterns };
}

interface SourceString {
  readonly text: string;
  readonly source: SourceRef;
}

function readTexts(source: SourceRef | undefined): SourceString[] {
  if (source === undefined) return [];
  if (source.node.kind !== 'list') return [{ text: getText(source.node), source: source }];
  return [...source.node.items.keys()].map((index) => {
    const item = getField(source, index);
    return { text: getText(item.node), source: item };
  });
}

/** Warns about a probable typo, which would silently never match. Other names may be events of other senders. */
function checkEvent({ text, source }: SourceString, report: Report): void {
  if (webhookEventNames.includes(text)) return;
  const [name = '', action] = text.split('.');
  const nearest = findNearest(text, webhookEventNames);
  if (text.trim() === '')
    report.warning(source, 'The event name is empty. Remove "event" to match all events.');
  else if (text === '*')
    report.warning(source, '"*" is not an event name. Remove "event" to match all events.');
  else if (action !== undefined && webhookEventNames.includes(name))
    report.warning(
      source,
      `Unknown event "${text.slice(0, 60)}". Use "event: ${name}" and "actions: ${action.slice(0, 60)}".`,
    );
  else if (nearest !== undefined)
    report.warning(
      source,
      `Unknown event "${text.slice(0, 60)}" (not in the catalog). Did you mean "${nearest}"?`,
    );
}

/** Validates an expression. Its value is only known when a webhook arrives. */
function checkExpression(webhook: SourceRef, key: 'if' | 'concurrencyKey', report: Report): void {
  const source = findField(webhook, key);
  if (source === undefined) return;
  const mistake = findExpressionProblem(getText(source.node), webhookContexts);
  if (mistake !== undefined) report.error(source, `Invalid expression in "${key}": ${mistake}.`);
}

function readParams(params: SourceRef | undefined, report: Report): WebhookTrigger['params'] {
  if (params === undefined || params.node.kind !== 'map') return [];
  return [...params.node.entries].flatMap(([name, { keyStart }]) => {
    const source = getField(params, name);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.startsWith('WEBHOOK_')) {
      report.errorAt(
        keyStart,
        source.path,
        `Invalid parameter name "${name.slice(0, 60)}". Use letters, digits and "_", and do not start with "WEBHOOK_".`,
      );
    }
    const written = source.node.kind === 'map' ? findField(source, 'path') : source;
    const path = written && readPayloadPath(getText(written.node));
    if (path === undefined) {
      report.error(
        written ?? source,
        `"${name.slice(0, 60)}" requires a JSON path in the payload, such as "$.repository.full_name" or "$.commits[0].id".`,
      );
      return [];
    }
    const fallback = findField(source, 'default');
    return [{ name, path, ...(fallback && { default: getText(fallback.node) }) }];
  });
}
