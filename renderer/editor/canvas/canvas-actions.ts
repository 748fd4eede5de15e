import { createContext, useContext, useMemo, useCallback, useEffect, useRef } from 'react';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import { showToast } from '../../ui/toasts.tsx';
import { nodeId } from '../../graph/build-graph.ts';
import { isTextInput } from '../../navigation/key-bindings.ts';
import { useEditorSession, useSessionView } from '../session/panel-state.ts';
import type { DocumentAnswers } from '../session/workflow-document.ts';
import { type CanvasCommand, findChosenCommand } from './canvas-keys.ts';
import { createEditActions, type EditActions } from './edit-actions.ts';
import { createFoldActions, type FoldActions, createViewActions, type ViewActions } from './view-actions.ts';
import { createSelectActions, type SelectActions } from './select-actions.ts';
import { type CanvasPorts, type GetCanvasPorts, useCanvasStore } from './canvas-store.ts';

/**
 * Writes text to the clipboard outside of a browser copy event, for example from a menu. If the page has no
 * permission, displays a notice that names the keyboard shortcut, which needs none.
 * @returns whether the text was written
 */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showToast('error', 'This page has no access to the clipboard. Press Ctrl+C or Ctrl+X on the canvas.');
    return false;
  }
}

/** @returns the clipboard text; undefined if the page may not read it, in which case a notice is shown */
export async function readClipboard(): Promise<string | undefined> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    showToast('error', 'This page cannot read the clipboard. Press Ctrl+V on the canvas.');
    return undefined;
  }
}

/** All actions of the canvas, called by keys, menus, buttons and the page. */
export interface CanvasActions extends EditActions, ViewActions {
  readonly selection: SelectActions;
  readonly folding: FoldActions;
  /** @param key the key that was pressed, for commands with a direction */
  run(command: CanvasCommand, key?: string): void;
}

export function createCanvasActions(read: GetCanvasPorts): CanvasActions {
  const view = createViewActions(read);
  const edits = createEditActions(read);
  const selection = createSelectActions(read, view);
  const actions: Omit<CanvasActions, 'run'> = {
    ...{ ...edits, ...view, selection },
    folding: createFoldActions(read, view),
  };
  const all = { ...actions, ...listCommands(read, actions) };
  return { ...all, run: (command, key = '') => all.commands[command](key) };
}

type Commands = Readonly<Record<CanvasCommand, (key: string) => void>>;

const zoomStep = 1.25;

function listCommands(
  read: GetCanvasPorts,
  actions: Omit<CanvasActions, 'run'>,
): { readonly commands: Commands } {
  const { selection } = actions;
  const show = (overlay: Parameters<typeof showOverlay>[1]): void => showOverlay(read(), overlay);
  const overlayPosition = (): { readonly x: number; readonly y: number } => getViewCenter(read());
  return {
    commands: {
      add() {
        const after = read().selection.at(-1);
        show({ kind: 'picker', target: { at: overlayPosition(), ...(after && { after }) } });
      },
      edit: () => withOne(read, (ref) => read().page.edit(ref)),
      rename: () => withOne(read, (ref) => startRenaming(read(), ref)),
      connect: () =>
        withOne(read, (from) => {
          if (from.section === 'step') show({ kind: 'connect', from, at: overlayPosition() });
        }),
      delete: () => removeSelected(read(), actions, false),
      deleteReconnect: () => removeSelected(read(), actions, true),
      duplicate: () => actions.duplicate(read().selection),
      copy: () => void copyToClipboard(read(), actions),
      cut: () =>
        void copyToClipboard(read(), actions).then(
          (isDone) => isDone && removeSelected(read(), actions, true),
        ),
      paste: () => void readClipboard().then((text) => text !== undefined && actions.paste(text)),
      selectAll: selection.all,
      clear() {
        selection.clearHighlight();
        read().select([]);
        read().store.setState({ selectedEdge: undefined, notice: undefined, isMoving: false });
      },
      step: selection.step,
      extendUp: () => selection.extend('up'),
      extendDown: () => selection.extend('down'),
      nudge: selection.nudge,
      place: selection.startMoving,
      fold: () => actions.folding.toggleAt(selectedOrCurrent(read())),
      focusNeighbours() {
        if (read().store.getState().highlighted) selection.clearHighlight();
        else selection.highlight('both', 1);
      },
      layOut: () => read().positions.layOut(),
      ...listZoomCommands(actions),
      search: () => read().store.setState({ isSearching: true }),
      menu() {
        const ref = read().selection.at(-1);
        if (ref) show({ kind: 'menu', subject: { kind: 'node', ref }, at: overlayPosition() });
      },
      runAll: () => read().page.run.runAll(),
      runUpTo: () => withStep(read, ({ name }) => read().page.run.runUpTo(name)),
      runStep: () => withStep(read, ({ name }) => read().page.run.runStep(name)),
      showLog: () => withOne(read, (ref) => read().page.run.showLog(ref)),
      keys: () => show({ kind: 'keys' }),
    },
  };
}

const listZoomCommands = (actions: ViewActions) => ({
  fit: actions.fit,
  actualSize: () => actions.zoomTo(1),
  zoomIn: () => actions.zoomBy(zoomStep),
  zoomOut: () => actions.zoomBy(1 / zoomStep),
  zoomSelection: actions.zoomToSelection,
});

const showOverlay = (
  { store }: CanvasPorts,
  overlay: NonNullable<ReturnType<CanvasPorts['store']['getState']>['overlay']>,
): void => store.setState({ overlay });

function startRenaming({ store }: CanvasPorts, { section, name }: CanvasPorts['selection'][number]): void {
  if (section === 'step') store.setState({ renaming: nodeId(section, name) });
}

/** Returns the selected steps, or the focused step when none is selected. */
function selectedOrCurrent({ selection, store, graph }: CanvasPorts): CanvasPorts['selection'] {
  const current = graph.byId.get(store.getState().current ?? '');
  return selection.length === 0 && current ? [current.ref] : selection;
}

function withOne(read: GetCanvasPorts, act: (ref: CanvasPorts['selection'][number]) => void): void {
  const ref = read().selection.at(-1);
  if (ref) act(ref);
}

function withStep(read: GetCanvasPorts, act: (ref: CanvasPorts['selection'][number]) => void): void {
  withOne(read, (ref) => {
    if (ref.section !== 'step') return;
    if (ref.document === undefined) return act(ref);
    showToast('info', 'Steps of a sub-workflow cannot run on their own. Run the step that calls it.');
  });
}

function removeSelected(
  { store, graph, selection }: CanvasPorts,
  actions: Pick<CanvasActions, 'remove' | 'disconnect'>,
  reconnect: boolean,
): void {
  const line = graph.edges.find(({ id }) => id === store.getState().selectedEdge);
  const [source, target] = [graph.byId.get(line?.source ?? ''), graph.byId.get(line?.target ?? '')];
  if (source && target) actions.disconnect({ source: source.ref, target: target.ref });
  else actions.remove(selection, reconnect);
}

async function copyToClipboard(
  { selection }: Pick<CanvasPorts, 'selection'>,
  { copy }: Pick<CanvasActions, 'copy'>,
): Promise<boolean> {
  const text = await copy(selection);
  return text !== undefined && writeClipboard(text);
}

/** Returns where to open an overlay of the current card: its lower left corner, in window pixels. */
function getViewCenter({ box, store }: CanvasPorts): { readonly x: number; readonly y: number } {
  const { current } = store.getState();
  const card =
    current === undefined
      ? null
      : box.current?.querySelector(`[data-node-id="${CSS.escape(current)}"]`)?.getBoundingClientRect();
  if (card) return { x: card.left, y: card.bottom };
  const frame = box.current?.getBoundingClientRect();
  return frame ? { x: frame.left + frame.width / 2 - 190, y: frame.top + 60 } : { x: 0, y: 0 };
}

const ActionsContext = createContext<CanvasActions | undefined>(undefined);
export const CanvasActionsProvider = ActionsContext.Provider;

/** Returns the canvas actions from context. */
export function useCanvasActions(): CanvasActions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error('useCanvasActions is used outside CanvasActionsProvider');
  return actions;
}

const isField = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, [contenteditable]');

/** Keeps the YAML of the selected steps ready, because a browser copy event cannot wait for it. */
function useCopiedSteps(selection: readonly NodeRef[]) {
  const session = useEditorSession();
  const analysis = useSessionView((view) => view.analysis);
  const ready = useRef<{ selection: typeof selection; text: string; copied: DocumentAnswers['copy'] }>(null);
  useEffect(() => {
    if (selection.length === 0 || analysis === undefined) return;
    const { text } = session;
    session.ask({ kind: 'copy', refs: selection }).then(
      (copied) => {
        ready.current = { selection, text, copied };
      },
      () => undefined,
    );
  }, [session, selection, analysis]);
  return useCallback(
    () =>
      ready.current?.selection === selection && ready.current.text === session.text
        ? ready.current.copied
        : undefined,
    [session, selection],
  );
}

/** Copies, cuts and pastes steps as YAML through browser events, which need no permission. */
export function useClipboard(actions: CanvasActions, selection: readonly NodeRef[]) {
  const getCopied = useCopiedSteps(selection);
  return useMemo(() => {
    const copy = async (event: React.ClipboardEvent): Promise<boolean> => {
      if (isField(event.target) || selection.length === 0) return false;
      event.preventDefault();
      const copied = getCopied();
      if (!copied?.ok) return copyToClipboard({ selection }, actions);
      event.clipboardData.setData('text/plain', copied.text);
      return true;
    };
    return {
      onCopy: (event: React.ClipboardEvent) => void copy(event),
      onCut: (event: React.ClipboardEvent) =>
        void copy(event).then((isDone) => isDone && actions.remove(selection, true)),
      onPaste(event: React.ClipboardEvent) {
        const text = event.clipboardData.getData('text/plain');
        if (isField(event.target) || text.trim() === '') return;
        event.preventDefault();
        actions.paste(text);
      },
    };
  }, [actions, selection, getCopied]);
}

/** Whether a key belongs to a field or button inside the canvas. */
function isElsewhere(target: EventTarget, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input, textarea, select, [contenteditable]')) return true;
  const isCard = target.matches('[data-node-id], [data-canvas]');
  return !isCard && (key === 'Enter' || key === ' ' || key === 'Tab');
}

/** Handles keyboard shortcuts while the focus is inside the canvas and not in a field. */
export function useCanvasKeys(actions: CanvasActions): (event: React.KeyboardEvent) => void {
  const store = useCanvasStore();
  return useCallback(
    (event) => {
      if (event.defaultPrevented || isElsewhere(event.target, event.key)) return;
      const line = (event.target as Element).closest<HTMLElement>('.react-flow__edge')?.dataset['id'];
      if (line !== undefined) store.setState({ selectedEdge: line });
      const chosenCommand = findChosenCommand(event.nativeEvent);
      if (!chosenCommand) return;
      // On an empty canvas, Tab moves the focus as usual.
      if (chosenCommand.command === 'add' && !isOnCard(event.target)) return;
      event.preventDefault();
      // Undo and save are handled by the page; all other keys are handled here.
      event.stopPropagation();
      actions.run(chosenCommand.command, event.key);
    },
    [actions, store],
  );
}

/**
 * Opens the list of shortcuts on `?`, wherever the focus is except in fields, including when nothing is
 * focused.
 */
export function useShortcutHelpKey(actions: CanvasActions): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTextInput(event.target)) return;
      const chosenCommand = findChosenCommand(event);
      if (chosenCommand?.command !== 'keys') return;
      event.preventDefault();
      actions.run(chosenCommand.command, event.key);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [actions]);
}

const isOnCard = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.matches('[data-node-id]');
