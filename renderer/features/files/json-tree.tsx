import { Fragment, useState } from 'react';
import type { JsonNode } from './json-node.ts';
import styles from './files.module.css';

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
