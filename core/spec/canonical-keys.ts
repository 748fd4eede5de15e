import { findNearest } from '../base/text.ts';
import { webhookEventNames } from '../model/webhook.ts';
import { authoredKeys } from './authored-keys.ts';
import { normalizeKey, suggestField, keyAliases } from './foreign-fields.ts';
import {
  type Report,
  joinPath,
  type ListNode,
  type MapEntry,
  type MapNode,
  type SourceRef,
  type SourceNode,
} from './source.ts';

/** A kind of map: its keys, their aliases, and the shapes of its values. */
interface Shape {
  readonly keys: ReadonlySet<string>;
  /** Other names of a key, in the folded form of {@link normalizeKey}. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Kind of map whose fields in other workflow languages have a translation. */
  readonly foreign?: 'workflow' | 'step';
  /** Keys that must not be empty; if set, any other empty key counts as absent. */
  readonly needed?: readonly string[];
  /** Keys for which an empty string, list or map counts as absent, too, as in Dagu. */
  readonly blankable?: ReadonlySet<string>;
  /** Shapes of nested maps, by canonical key. */
  readonly children?: Readonly<Record<string, Child>>;
}

/** How a value with maps of a known shape is traversed; `each` is the shape of the list items or map values. */
type Child =
  | 'steps'
  | 'step'
  | { readonly each: Shape }
  /** One map, or a list of them. */
  | { readonly oneOrMore: Shape }
  /** A list in which only maps that meet the condition have the shape. */
  | { readonly items: Shape; readonly when: (node: SourceNode) => boolean }
  | Shape;

const conditionShape: Shape = { keys: new Set(authoredKeys.condition) };

const containerShape: Shape = {
  keys: new Set(authoredKeys.container),
  aliases: normalizeKeys(keyAliases.container),
};

const stepShape: Shape = {
  keys: new Set(authoredKeys.step),
  foreign: 'step',
  needed: ['command', 'script', 'run', 'parallel', 'repeatPolicy'],
  blankable: new Set('name id type shell env stdout stderr output params preconditions'.split(' ')),
  aliases: normalizeKeys(keyAliases.step),
  children: {
    continueOn: { keys: new Set(authoredKeys.continueOn) },
    retryPolicy: { keys: new Set(authoredKeys.retryPolicy) },
    repeatPolicy: { keys: new Set(authoredKeys.repeatPolicy) },
    parallel: { keys: new Set(authoredKeys.parallel) },
    tty: { keys: new Set(authoredKeys.tty) },
    preconditions: { oneOrMore: conditionShape },
    type: { keys: new Set(authoredKeys.stepType) },
    container: containerShape,
  },
};

const webhookShape: Shape = {
  keys: new Set(authoredKeys.webhook),
  needed: [],
  aliases: normalizeKeys(keyAliases.webhook),
  children: { params: { each: { keys: new Set(authoredKeys.triggerParam) } } },
};

const typedParamShape: Shape = {
  keys: new Set(authoredKeys.typedParam),
  aliases: normalizeKeys({
    min: 'minimum',
    max: 'maximum',
    options: 'enum',
    choices: 'enum',
    label: 'title',
  }),
};

const triggerShape: Shape = {
  keys: new Set(authoredKeys.on),
  children: { webhook: { oneOrMore: webhookShape } },
};

const workflowShape: Shape = {
  keys: new Set(authoredKeys.workflow),
  foreign: 'workflow',
  needed: ['steps'],
  blankable: new Set(['name', 'type', 'shell', 'env', 'preconditions']),
  aliases: normalizeKeys(keyAliases.workflow),
  children: {
    steps: 'steps',
    params: { items: typedParamShape, when: isTypedParam },
    preconditions: { oneOrMore: conditionShape },
    handlerOn: {
      keys: new Set(authoredKeys.handlers),
      needed: [],
      aliases: normalizeKeys(keyAliases.handlers),
      children: { init: 'step', success: 'step', failure: 'step', abort: 'step', exit: 'step' },
    },
    schedule: { keys: new Set(authoredKeys.schedule) },
    expect: { keys: new Set(authoredKeys.expect) },
    on: triggerShape,
    secrets: { each: { keys: new Set(authoredKeys.secret) } },
    notify: { keys: new Set(authoredKeys.notify) },
    mailOn: { keys: new Set(authoredKeys.mailOn) },
    errorMail: { keys: new Set(authoredKeys.mail) },
    infoMail: { keys: new Set(authoredKeys.mail) },
    smtp: { oneOrMore: { keys: new Set(authoredKeys.smtp) } },
    otel: { keys: new Set(authoredKeys.otel) },
    runConfig: { keys: new Set(authoredKeys.runConfig) },
    container: containerShape,
    ssh: { keys: new Set(authoredKeys.ssh) },
    registryAuths: { each: { keys: new Set(authoredKeys.registryAuth) } },
  },
};

/**
 * Renames the keys of a document to their canonical spelling: snake_case, other capitalization and aliases are
 * accepted with a warning. Unknown keys are reported and removed, so that each mistake is reported once.
 */
export function canonicaliseKeys(source: SourceRef, report: Report): SourceNode {
  return new KeyRewriter(report).rewriteMap(source, workflowShape);
}

class KeyRewriter {
  readonly #report: Report;
  /** Spellings that were already warned about, because a file that uses one uses it often. */
  readonly #warned = new Set<string>();

  constructor(report: Report) {
    this.#report = report;
  }

  rewriteMap({ node, path }: SourceRef, shape: Shape): SourceNode {
    if (node.kind !== 'map') return node;
    // Most maps need no change; the node itself is then returned.
    let entries: Map<string, MapEntry> | undefined;
    let incomplete = node.incomplete ?? false;
    for (const [written, entry] of node.entries) {
      const key = this.#resolveKey(written, entry, path, shape);
      if (key === undefined) incomplete = true;
      const isIncluded = key !== undefined && !this.#isEmptyField(key, entry, path, shape);
      const value = isIncluded ? this.#rewriteValue(key, entry, path, shape) : undefined;
      if (entries === undefined && key === written && value === entry.node) continue;
      entries ??= copyEntriesBefore(node.entries, written);
      if (isIncluded)
        this.#add(entries, key, { keyStart: entry.keyStart, node: value!, written }, { written, path });
    }
    return entries === undefined ? node : { kind: 'map', start: node.start, entries, incomplete };
  }

  #rewriteValue(key: string, { node }: MapEntry, path: string, { children }: Shape): SourceNode {
    const child = node.kind === 'scalar' ? undefined : children?.[key];
    return child === undefined ? node : this.#rewriteChild({ node, path: joinPath(path, key) }, child);
  }

  #rewriteChild(source: SourceRef, child: Child): SourceNode {
    switch (child) {
      case 'steps':
        return source.node.kind === 'map'
          ? this.#rewriteValues(source, stepShape)
          : this.#rewriteSteps(source);
      case 'step':
        return this.rewriteMap(source, stepShape);
      default:
        if ('items' in child)
          return source.node.kind !== 'list'
            ? source.node
            : this.#rewriteItems(source, (item) =>
                child.when(item.node) ? this.rewriteMap(item, child.items) : item.node,
              );
        if ('each' in child) return this.#rewriteEntries(source, child.each);
        return 'oneOrMore' in child
          ? this.#rewriteOneOrMore(source, child.oneOrMore)
          : this.rewriteMap(source, child);
    }
  }

  #rewriteOneOrMore(source: SourceRef, shape: Shape): SourceNode {
    return source.node.kind === 'list'
      ? this.#rewriteItems(source, (item) => this.rewriteMap(item, shape))
      : this.rewriteMap(source, shape);
  }

  #rewriteEntries(source: SourceRef, shape: Shape): SourceNode {
    switch (source.node.kind) {
      case 'map':
        return this.#rewriteValues(source, shape);
      case 'list':
        return this.#rewriteItems(source, (item) => this.rewriteMap(item, shape));
      case 'scalar':
        return source.node;
    }
  }

  /** Rewrites a list of steps, in which a list is a group. */
  #rewriteSteps(source: SourceRef): SourceNode {
    return source.node.kind === 'list'
      ? this.#rewriteItems(source, (item) => this.#rewriteSteps(item))
      : this.rewriteMap(source, stepShape);
  }

  /** Rewrites a map from names to maps. */
  #rewriteValues({ node, path }: SourceRef, shape: Shape): MapNode {
    const { start, entries } = node as MapNode;
    const rewritten = [...entries].map(([key, { keyStart, node: value }]) => {
      const ref = { node: value, path: joinPath(path, key) };
      return [key, { keyStart, node: this.rewriteMap(ref, shape) }] as const;
    });
    return { kind: 'map', start, entries: new Map(rewritten) };
  }

  #rewriteItems({ node, path }: SourceRef, rewrite: (item: SourceRef) => SourceNode): ListNode {
    const list = node as ListNode;
    const items = list.items.map((item, index) => rewrite({ node: item, path: joinPath(path, index) }));
    return items.every((item, index) => item === list.items[index]) ? list : { ...list, items };
  }

  /** Returns the canonical key, or undefined if the entry is removed. */
  #resolveKey(written: string, { keyStart }: MapEntry, path: string, shape: Shape): string | undefined {
    if (shape.keys.has(written)) return written;
    const key =
      findAlias(written, shape) ??
      [...shape.keys].find((known) => normalizeKey(known) === normalizeKey(written));
    if (key === undefined) {
      const message = this.#report.full ? 'Unknown field.' : formatUnknownKey(written, shape);
      this.#report.errorAt(keyStart, joinPath(path, written), message);
      return undefined;
    }
    if (this.#warned.has(written)) return key;
    this.#warned.add(written);
    this.#report.warningAt(
      keyStart,
      joinPath(path, written),
      `"${written}" is an alternative spelling of "${key}". Use "${key}".`,
    );
    return key;
  }

  /** Whether a field is empty, for example because its lines are commented out, and so counts as absent. */
  #isEmptyField(key: string, { keyStart, node }: MapEntry, path: string, shape: Shape): boolean {
    const { needed, blankable } = shape;
    const isNull = node.kind === 'scalar' && node.value === null;
    const isEmpty = isNull || (blankable?.has(key) === true && isBlank(node));
    if (!isEmpty || needed === undefined || needed.includes(key)) return false;
    const message = `"${key}" is empty and has no effect. Set a value, or remove it.`;
    this.#report.warningAt(keyStart, joinPath(path, key), message);
    return true;
  }

  #add(
    entries: Map<string, MapEntry>,
    key: string,
    entry: MapEntry,
    from: { written: string; path: string },
  ): void {
    const present = entries.get(key);
    if (present === undefined) {
      entries.set(key, entry);
    } else if (key === 'preconditions') {
      entries.set(key, { keyStart: present.keyStart, node: joinLists(present.node, entry.node) });
    } else {
      const { line } = this.#report.lines.locate(present.keyStart);
      this.#report.errorAt(
        entry.keyStart,
        joinPath(from.path, from.written),
        `Duplicate field "${key}": "${from.written}" has the same meaning as the field in line ${line}. Keep one of them.`,
      );
    }
  }
}

function isBlank(node: SourceNode): boolean {
  switch (node.kind) {
    case 'scalar':
      return typeof node.value === 'string' && node.value.trim() === '';
    case 'list':
      return node.items.length === 0;
    case 'map':
      return node.entries.size === 0 && node.incomplete !== true;
  }
}

/** Copies the entries before one of them. */
function copyEntriesBefore(entries: ReadonlyMap<string, MapEntry>, end: string): Map<string, MapEntry> {
  const copy = new Map<string, MapEntry>();
  for (const [key, entry] of entries) {
    if (key === end) break;
    copy.set(key, entry);
  }
  return copy;
}

/** Whether an item of the list of parameters has a name, and another field of a typed parameter. */
function isTypedParam(node: SourceNode): boolean {
  if (node.kind !== 'map' || !node.entries.has('name')) return false;
  const known = new Set([...typedParamShape.keys].map(normalizeKey));
  return [...node.entries.keys()].some((key) => key !== 'name' && known.has(normalizeKey(key)));
}

/** Merges `precondition` and `preconditions`. */
function joinLists(first: SourceNode, second: SourceNode): ListNode {
  const items = [first, second].flatMap((node) => (node.kind === 'list' ? node.items : [node]));
  return { kind: 'list', start: first.start, items };
}

/** Looks up own keys only, because a file may have a key such as `constructor`. */
function findAlias(written: string, { aliases = {} }: Shape): string | undefined {
  const folded = normalizeKey(written);
  return Object.hasOwn(aliases, folded) ? aliases[folded] : undefined;
}

function normalizeKeys(aliases: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(aliases).map(([alias, key]) => [normalizeKey(alias), key]));
}

function formatUnknownKey(written: string, { keys, aliases = {}, foreign }: Shape): string {
  // Other workflow languages have the events directly below `on`.
  if (keys === triggerShape.keys && webhookEventNames.includes(written))
    return `Unknown field "${written}". Write it as "webhook: { event: ${written} }".`;
  const translation = foreign && suggestField(written, foreign);
  if (translation !== undefined) return `Unknown field "${written}". ${translation}`;
  const near = findNearest(written, [...keys, ...Object.keys(aliases)]);
  if (near === undefined && /\s/.test(written)) {
    return `Unknown field "${written.slice(0, 60)}". If this is text that contains ": ", put the whole text in quotes.`;
  }
  const hint =
    near === undefined
      ? `Known fields: ${[...keys].join(', ')}.`
      : `Did you mean "${aliases[near] ?? near}"?`;
  return `Unknown field "${written.slice(0, 60)}". ${hint}`;
}
