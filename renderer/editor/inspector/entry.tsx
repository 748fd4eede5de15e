import { Plus, ArrowDown, ArrowUp, Braces, Ellipsis, X } from 'lucide-react';
import { useRef } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { AuthoredPath } from '../../../core/edit/outline.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ActionMenu, type MenuAction } from '../../ui/menu.tsx';
import { useForm, useStableCaret, useDraft, type Form } from './form-context.ts';
import styles from './inspector.module.css';
import { FieldIssues } from './field-issues.tsx';
import type { EntryMove, EntryMoves } from './entry-rows.ts';

const focusable = 'input, textarea, select, button, [contenteditable="true"]';

/** Returns the focusable controls of an entry, in order. */
const findControls = (entry: Element): HTMLElement[] => [...entry.querySelectorAll<HTMLElement>(focusable)];

/**
 * Focuses an entry of a list, or the last one if there are fewer.
 * @param control index of its control; the first focusable one if that cannot be focused
 */
function focusEntry(list: Element, index: number, control: number): void {
  const entry = list.children[Math.min(index, list.children.length - 1)];
  if (!entry) return;
  const controls = findControls(entry);
  const requested = controls[control];
  const isUsable = requested !== undefined && !requested.matches(':disabled');
  (isUsable ? requested : controls.find((one) => !one.matches(':disabled')))?.focus();
}

/**
 * Adds an entry to the list of a field and focuses it, with its initial text selected.
 * @param from the pressed button
 * @param add returns whether the entry was added
 */
async function addEntry(from: Element, add: () => Promise<boolean>): Promise<void> {
  const field = from.closest('[data-field], [role="listitem"]');
  if (!(await add())) return;
  const added = field?.querySelector('[role="list"]')?.lastElementChild;
  const control = added?.querySelector<HTMLElement>('input, textarea, select');
  control?.focus();
  if (control instanceof HTMLInputElement) control.select();
}

interface AdderProps {
  /** The noun of an entry: `tag`, `item`. */
  readonly noun: string;
  readonly onPress: () => Promise<boolean>;
}

/** Button that adds an entry and focuses it. */
export const AddEntryButton = ({ noun, onPress }: AdderProps) => (
  <div>
    <Button size="small" variant="quiet" icon={Plus} onPress={({ target }) => void addEntry(target, onPress)}>
      {`Add ${noun}`}
    </Button>
  </div>
);

interface CellProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string | undefined;
  readonly isLive?: boolean;
  /** The path of the entry, to show whether it has a problem. */
  readonly at?: AuthoredPath;
  readonly onCommit: (text: string) => Promise<boolean>;
}

/** A field within a table or list. */
export function Cell({ label, value, placeholder, isLive = true, at, onCommit }: CellProps) {
  const form = useForm();
  const { draft, value: typed } = useDraft({ text: value, commit: onCommit, isLive });
  const control = useStableCaret<HTMLInputElement>(typed);
  const isInvalid = at !== undefined && form.issuesAt(at, []).some(({ severity }) => severity === 'error');
  return (
    <input
      ref={control}
      className={styles.input}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      // Most of a long value is not visible.
      title={typed.length > 24 ? typed : undefined}
      value={typed}
      placeholder={placeholder}
      spellCheck="false"
      autoComplete="off"
      onChange={(event) => draft.change(event.target.value)}
      onBlur={draft.leave}
      onKeyDown={(event) => event.key === 'Enter' && draft.flush()}
    />
  );
}

/** The entries of a list or map, in order. */
export const Entries = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: React.ReactNode;
}) => (
  <div role="list" aria-label={label} className={styles.rows}>
    {children}
  </div>
);

interface EntryProps {
  /** The label of the entry: `Tags 2`. */
  readonly label: string;
  /** Messages at this path are shown in the entry. */
  readonly at: AuthoredPath;
  /** The path that is removed with the entry. */
  readonly removed: AuthoredPath;
  /** Index among the shown entries. */
  readonly index: number;
  readonly moves: EntryMoves;
  /** The content of the first line, for an entry with several lines. */
  readonly head?: React.ReactNode;
  /** Paths of inner fields, which show their own messages. */
  readonly rows?: readonly AuthoredPath[];
  readonly children?: React.ReactNode;
}

/**
 * An entry, on one line or as a card with a head. Its buttons and Alt with an arrow key move it, the last
 * button removes it. The focus stays on the entry or moves to its neighbor.
 */
export function Entry({ label, at, removed, index, moves, head, rows = [], children }: EntryProps) {
  const form = useForm();
  const box = useRef<HTMLDivElement>(null);
  const work = { form, box, label, index };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    if (!moves.up && !moves.down) return;
    event.preventDefault();
    event.stopPropagation();
    const isUp = event.key === 'ArrowUp';
    const move = isUp ? moves.up : moves.down;
    if (move) void moveEntry(work, move);
    else form.say({ text: `${label} is already ${isUp ? 'first' : 'last'}.` });
  };
  const state = form.getState(at);
  const tools = (
    <>
      <EntryMenu
        label={label}
        moves={moves}
        onMove={(move) => void moveEntry(work, move)}
        onShow={state && (() => form.show(state))}
      />
      <IconButton
        size="small"
        icon={X}
        label={`Remove ${label}`}
        onPress={() => void removeEntry(work, removed)}
      />
    </>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys that bubble from its fields
    <div
      ref={box}
      role="listitem"
      aria-label={label}
      className={head === undefined ? styles.entry : styles.card}
      data-current={form.current === JSON.stringify(at) || undefined}
      onKeyDown={onKeyDown}
    >
      <div className={styles.row}>
        {head ?? children}
        {tools}
      </div>
      {head !== undefined && children}
      <FieldIssues found={form.issuesAt(at, rows)} />
    </div>
  );
}

interface EntryMenuProps {
  readonly label: string;
  readonly moves: EntryMoves;
  readonly onMove: (move: EntryMove) => void;
  /** Highlights it in the code; absent if it is not written there. */
  readonly onShow: (() => void) | undefined;
}

function EntryMenu({ label, moves: { up, down }, onMove, onShow }: EntryMenuProps) {
  const actions: MenuAction[] = [
    ...(up ? [{ id: 'up', label: 'Move up', keys: 'Alt+↑', icon: ArrowUp, run: () => onMove(up) }] : []),
    ...(down
      ? [{ id: 'down', label: 'Move down', keys: 'Alt+↓', icon: ArrowDown, run: () => onMove(down) }]
      : []),
    ...(onShow ? [{ id: 'show', label: 'Show in YAML', icon: Braces, run: onShow }] : []),
  ];
  if (actions.length === 0) return null;
  return (
    <ActionMenu label={`Actions for ${label}`} actions={actions}>
      <AriaButton
        className={styles.entryMenu}
        aria-label={`Actions for ${label}`}
        aria-keyshortcuts={up || down ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
        data-entry-menu=""
      >
        <Ellipsis size={14} aria-hidden="true" />
      </AriaButton>
    </ActionMenu>
  );
}

interface Work {
  readonly form: Form;
  readonly box: React.RefObject<HTMLDivElement | null>;
  readonly label: string;
  readonly index: number;
}

async function moveEntry({ form, box, label, index }: Work, move: EntryMove): Promise<void> {
  const [entry, list] = [box.current!, box.current!.parentElement!];
  const controls = findControls(entry);
  const focused = controls.indexOf(document.activeElement as HTMLElement);
  // If it was chosen from the menu, the focus returns to the menu button.
  const control = focused === -1 ? controls.findIndex((one) => 'entryMenu' in one.dataset) : focused;
  // Typed text is written before the entry moves.
  (document.activeElement as HTMLElement | null)?.blur();
  const request = { kind: 'move', target: form.target, ...move } as const;
  const isDone = await form.edit(move.field, request, `move ${label}`);
  const now = isDone ? move.shownAt : index;
  focusEntry(list, now, control);
  if (isDone) form.say({ text: `${label} is now ${now + 1} of ${list.children.length}.` });
}

async function removeEntry({ form, box, label, index }: Work, removed: AuthoredPath): Promise<void> {
  const list = box.current!.parentElement!;
  const field = list.closest('[data-field]');
  const words = `remove ${label}`;
  const isDone = await form.edit(removed, { kind: 'set', target: form.target, field: removed }, words);
  if (!isDone) return;
  form.say({ text: `${label[0]!.toUpperCase()}${label.slice(1)} removed.`, undoes: words });
  if (list.isConnected && list.children.length > 0) focusEntry(list, index, -1);
  else field?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
}
