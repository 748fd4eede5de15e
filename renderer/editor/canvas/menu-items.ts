import {
  AlignHorizontalSpaceAround,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceAround,
  ClipboardPaste,
  Copy,
  CopyPlus,
  FileText,
  Focus,
  FoldVertical,
  Keyboard,
  LayoutTemplate,
  LogIn,
  Maximize,
  Move,
  MoveLeft,
  MoveRight,
  PenLine,
  Plus,
  Scissors,
  ScrollText,
  Search,
  Spline,
  SquareDashedMousePointer,
  StepForward,
  Target,
  Trash2,
  UnfoldVertical,
  Unlink,
  Unplug,
  type LucideIcon,
} from 'lucide-react';
import type { Point } from '../../graph/compute-layout.ts';
import type { CanvasCommand } from './canvas-keys.ts';
import type { CanvasActions } from './canvas-actions.ts';
import type { FoldTarget } from './view-actions.ts';
import type { CanvasNode } from './canvas-graph.ts';
import { foldBlocker } from './resolve-folds.ts';
import type { EdgeRef, PickerTarget } from './canvas-store.ts';

/** An item of a menu. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The command whose shortcut is shown. */
  readonly command?: CanvasCommand;
  readonly run: () => void;
}

/** A group of items between separators. */
export type MenuSection = readonly MenuItem[];

interface MenuPorts {
  readonly actions: CanvasActions;
  readonly openPicker: (target: Omit<PickerTarget, 'at'>) => void;
}

const byCommand =
  (actions: CanvasActions) =>
  (command: CanvasCommand, label: string, icon: LucideIcon): MenuItem => ({
    ...{ id: command, label, icon, command },
    run: () => actions.run(command),
  });

/** Optional items that depend on the node. */
export interface NodeMenuOptions {
  /** The steps it depends on. */
  readonly sources: readonly CanvasNode[];
  /** Opens the workflow that it runs; undefined if it runs none. */
  readonly enter: (() => void) | undefined;
}

/** @param many number of selected nodes */
export function nodeMenu(
  node: CanvasNode,
  many: number,
  { sources, enter }: NodeMenuOptions,
  ports: MenuPorts,
): MenuSection[] {
  const { actions, openPicker } = ports;
  const item = byCommand(actions);
  // Only steps of the main workflow can be run.
  const isRunnable = node.ref.document === undefined;
  const clipboard = [
    item('duplicate', 'Duplicate', CopyPlus),
    item('copy', 'Copy as YAML', Copy),
    item('cut', 'Cut', Scissors),
  ];
  if (many > 1) return [arrangeItems(actions), clipboard, sight(actions), deletion(item)];
  if (node.section === 'handler')
    return [
      [item('edit', 'Edit', FileText), ...(isRunnable ? [item('showLog', 'Show log', ScrollText)] : [])],
      [item('delete', 'Delete', Trash2)],
    ];
  return [
    [
      item('edit', 'Edit', FileText),
      item('rename', 'Rename', PenLine),
      item('place', 'Move to…', Move),
      ...(enter ? [{ id: 'enter', label: 'Open sub-workflow', icon: LogIn, run: enter }] : []),
      ...foldItems(node, actions),
    ],
    [
      item('add', 'Add step after…', Plus),
      {
        id: 'addBefore',
        label: 'Add step before…',
        icon: MoveLeft,
        run: () => openPicker({ before: node.ref }),
      },
      item('connect', 'Connect to…', Spline),
      ...sources.map((source) => ({
        id: `disconnect ${source.name}`,
        label: `Disconnect from ${source.name}`,
        icon: Unplug,
        run: () => actions.disconnect({ source: source.ref, target: node.ref }),
      })),
    ],
    ...(isRunnable ? [runItems(item)] : []),
    clipboard,
    sight(actions),
    deletion(item),
  ];
}

/**
 * Returns the label of folding or expanding; undefined for a part that cannot be expanded, whose card has the
 * reason.
 */
export function foldMenuLabel(
  found: FoldTarget,
): { readonly label: string; readonly isOpen: boolean } | undefined {
  if (found.kind === 'group')
    return found.isFolded
      ? { label: 'Expand parallel group', isOpen: false }
      : { label: 'Collapse parallel group', isOpen: true };
  if (foldBlocker(found.fold) !== undefined) return undefined;
  return found.fold.state === 'open'
    ? { label: 'Collapse sub-workflow', isOpen: true }
    : { label: 'Expand sub-workflow', isOpen: false };
}

function foldItems({ ref }: CanvasNode, { folding, run }: CanvasActions): MenuItem[] {
  const found = folding.find(ref);
  const words = found && foldMenuLabel(found);
  if (!words) return [];
  return [
    {
      ...{ id: 'fold', label: words.label, command: 'fold' },
      icon: words.isOpen ? FoldVertical : UnfoldVertical,
      run: () => run('fold'),
    },
  ];
}

const runItems = (item: ReturnType<typeof byCommand>): MenuSection => [
  item('runStep', 'Run this step only', Target),
  item('runUpTo', 'Run to this step', StepForward),
  item('showLog', 'Show log', ScrollText),
];

const deletion = (item: ReturnType<typeof byCommand>): MenuSection => [
  item('delete', 'Delete', Trash2),
  item('deleteReconnect', 'Delete and reconnect', Unlink),
];

const arrangeItems = ({ selection, run }: CanvasActions): MenuSection => [
  { id: 'place', label: 'Move to…', icon: Move, command: 'place', run: () => run('place') },
  { id: 'left', label: 'Align left', icon: AlignStartVertical, run: () => selection.alignCards('left') },
  { id: 'top', label: 'Align top', icon: AlignStartHorizontal, run: () => selection.alignCards('top') },
  {
    id: 'columns',
    label: 'Distribute horizontally',
    icon: AlignHorizontalSpaceAround,
    run: () => selection.alignCards('columns'),
  },
  {
    id: 'rows',
    label: 'Distribute vertically',
    icon: AlignVerticalSpaceAround,
    run: () => selection.alignCards('rows'),
  },
];

const sight = ({ selection, run }: CanvasActions): MenuSection => [
  {
    id: 'near',
    label: 'Highlight neighbors',
    icon: Focus,
    command: 'focusNeighbours',
    run: () => selection.highlight('both', 1),
  },
  { id: 'near2', label: 'Highlight two levels', icon: Focus, run: () => selection.highlight('both', 2) },
  {
    id: 'upstream',
    label: 'Highlight dependencies',
    icon: MoveLeft,
    run: () => selection.highlight('up', Infinity),
  },
  {
    id: 'downstream',
    label: 'Highlight dependents',
    icon: MoveRight,
    run: () => selection.highlight('down', Infinity),
  },
  {
    id: 'zoom',
    label: 'Zoom to step',
    icon: Maximize,
    command: 'zoomSelection',
    run: () => run('zoomSelection'),
  },
];

export function edgeMenu(edge: EdgeRef, { actions, openPicker }: MenuPorts): MenuSection[] {
  return [
    [{ id: 'insert', label: 'Insert step…', icon: Plus, run: () => openPicker({ edge }) }],
    [
      {
        id: 'disconnect',
        label: 'Disconnect',
        icon: Unplug,
        command: 'delete',
        run: () => actions.disconnect(edge),
      },
    ],
  ];
}

/** @param position position of the pointer on the canvas */
export function paneMenu(position: Point, { actions, openPicker }: MenuPorts): MenuSection[] {
  const item = byCommand(actions);
  return [
    [
      { id: 'add', label: 'Add step…', icon: Plus, run: () => openPicker({ position }) },
      item('paste', 'Paste', ClipboardPaste),
    ],
    [item('selectAll', 'Select all', SquareDashedMousePointer), item('search', 'Search', Search)],
    [item('fit', 'Fit to view', Maximize), item('layOut', 'Auto-layout', LayoutTemplate)],
    [item('keys', 'Keyboard shortcuts', Keyboard)],
  ];
}
