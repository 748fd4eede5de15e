import { Fragment, useState } from 'react';
import styles from './files.module.css';

/** A part of a JSON value, prepared for display. */
export type JsonNode =
  | { readonly kind: 'value'; readonly type: 'string' | 'number' | 'boolean' | 'null'; readonly text: string }
  | {
      readonly kind: 'list' | 'object';
      /** Number of items, including those that `entries` omits. */
      readonly size: number;
      readonly entries: readonly (readonly [key: string, node: JsonNode])[];
    };

/** A value of 25 MB can have millions of parts. The page receives only this many. */
const maxNodes = 20_000;
const maxEntries = 1_000;
const maxTextLength = 5_000;

interface OpenContainer {
  readonly entries: [string, JsonNode][];
  readonly content: object;
}

/** Prepares a value for display, level by level up to a maximum number of nodes. */
export function toJsonNode(value: unknown): JsonNode {
  let count = 0;
  const waiting: OpenContainer[] = [];
  const make = (content: unknown): JsonNode => {
    count += 1;
    if (typeof content !== 'object' || content === null) return toLeaf(content);
    const entries: [string, JsonNode][] = [];
    waiting.push({ entries, content });
    return Array.isArray(content)
      ? { kind: 'list', size: content.length, entries }
      : { kind: 'object', size: Object.keys(content).length, entries };
  };
  const root = make(value);
  for (let index = 0; index < waiting.length; index += 1) {
    const { entries, content } = waiting[index]!;
    for (const key of Object.keys(content).slice(0, maxEntries)) {
      if (count >= maxNodes) return root;
      entries.push([key, make((content as Record<string, unknown>)[key])]);
    }
  }
  return root;
}

function toLeaf(value: unknown): JsonNode {
  if (typeof value === 'string')
    return { kind: 'value', type: 'string', text: shorten(JSON.stringify(value)) };
  if (value === null || value === undefined) return { kind: 'value', type: 'null', text: 'null' };
  return {
    kind: 'value',
    type: typeof value === 'number' ? 'number' : 'boolean',
    text: JSON.stringify(value),
  };
}

const shorten = (text: string): string =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`;

/** Parses JSON whose root is a list or an object, as workflow outputs are strings. Undefined for anything else. */
export function parseContainer(value: unknown): JsonNode | undefined {
  if (typeof value === 'object' && value !== null) return toJsonNode(value);
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
  try {
    return toJsonNode(JSON.parse(value));
  } catch {
    return undefined;
  }
}

/** Entries shown at first, and added by each press. */
const pageSize = 100;
/** Containers up to this size open with their parent. */
const smallSize = 8;

type Container = Exclude<JsonNode, { kind: 'value' }>;

interface JsonTreeProps {
  readonly label: string;
  readonly root: JsonNode;
  /** Whether it is next to other values. */
  readonly isInline?: boolean;
}

/** A JSON value whose lists and objects can be expanded. */
export function JsonTree({ label, root, isInline = false }: JsonTreeProps) {
  return (
    <div className={styles.tree} data-inline={isInline || undefined} role="group" aria-label={label}>
      {root.kind === 'value' ? <Leaf node={root} /> : <Branch node={root} depth={0} />}
    </div>
  );
}

interface BranchProps {
  readonly name?: string;
  readonly node: Container;
  readonly depth: number;
}

function Branch({ name, node, depth }: BranchProps) {
  const [isOpen, setOpen] = useState(depth === 0 || (depth < 3 && node.size <= smallSize));
  const { kind, size } = node;
  const [open, close] = kind === 'list' ? ['[', ']'] : ['{', '}'];
  if (size === 0)
    return (
      <span className={styles.leaf}>
        {name !== undefined && <Key name={name} />}
        {`${open}${close}`}
      </span>
    );
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name !== undefined && <Key name={name} />}
        {open}
        <span className={styles.size}>{countItems(kind, size)}</span>
        {close}
      </summary>
      {isOpen && <Entries node={node} depth={depth} />}
    </details>
  );
}

function Entries({ node: { entries, size }, depth }: Pick<BranchProps, 'node' | 'depth'>) {
  const [shown, setShown] = useState(pageSize);
  const omitted = size - entries.length;
  return (
    <ul>
      {entries.slice(0, shown).map(([key, child]) => (
        <li key={key}>
          {child.kind === 'value' ? (
            <span className={styles.leaf}>
              <Key name={key} />
              <Leaf node={child} />
            </span>
          ) : (
            <Branch name={key} node={child} depth={depth + 1} />
          )}
        </li>
      ))}
      {shown < entries.length ? (
        <li>
          <button type="button" className={styles.more} onClick={() => setShown(shown + pageSize)}>
            Show {Math.min(pageSize, entries.length - shown)} more of {size.toLocaleString('en')}
          </button>
        </li>
      ) : (
        omitted > 0 && (
          <li className={styles.omitted}>
            {omitted.toLocaleString('en')} more not shown. Download the file to see them.
          </li>
        )
      )}
    </ul>
  );
}

const Key = ({ name }: { readonly name: string }) => (
  <Fragment>
    <span className={styles.key}>{name}</span>
    {': '}
  </Fragment>
);

const Leaf = ({ node: { type, text } }: { readonly node: Extract<JsonNode, { kind: 'value' }> }) => (
  <span data-type={type}>{text}</span>
);

const countItems = (kind: Container['kind'], size: number): string =>
  `${size.toLocaleString('en')} ${kind === 'list' ? 'item' : 'field'}${size === 1 ? '' : 's'}`;
