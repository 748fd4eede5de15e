import {
  type LucideIcon,
  Hand,
  FileClock,
  FolderOpen,
  FileSearch,
  Contrast,
  Copy,
  FolderInput,
  TextCursorInput,
  Trash2,
  Keyboard,
  Play,
  Plus,
  Rows3,
  Search,
  SlidersHorizontal,
  Sparkles,
  SquarePen,
  Workflow,
} from 'lucide-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RunStatus } from '../../core/model/run.ts';
import { maxQueryLength, type DagSummaryView } from '../../core/contract/dags.ts';
import { organize } from '../features/organize/use-organize.ts';
import { useOpenApprovals, getFirstLine } from '../api/approval-queries.ts';
import { paths, withQuery } from '../navigation/address.ts';
import { useBridge } from '../api/bridge.ts';
import { useDesktopQuery } from '../features/settings/desktop-queries.ts';
import { useRecentRuns } from '../api/run-queries.ts';
import { systemClock } from '../base/clock.ts';
import { formatDayAndTime } from '../format/time.ts';
import { statusLabels } from '../format/labels.ts';
import { useDags } from '../api/workflow-queries.ts';
import { useCan } from '../api/session-queries.ts';
import { usePageActions, showWindow, useVisibleNavigationItems } from '../navigation/navigation-items.ts';
import { bindings, navigationShortcutId, keysForBinding } from '../navigation/key-bindings.ts';
import { setPreferences, usePreferences, toggleTheme } from '../base/preferences.ts';
import { openTour } from '../features/tour/tour.tsx';

/** An entry of the palette. */
export interface Entry {
  /** Unique in the palette. */
  readonly id: string;
  readonly title: string;
  /** Muted text next to the title: location or time. */
  readonly note?: string | undefined;
  readonly icon?: LucideIcon | undefined;
  /** Its status icon replaces the icon. */
  readonly status?: RunStatus | undefined;
  /** The shortcut of the same action. */
  readonly keys?: string | undefined;
  /** Why it is unavailable; the entry is shown with the reason. */
  readonly unavailable?: string | undefined;
  /** Additional search terms. */
  readonly words?: string;
  readonly run: () => void;
}

interface EntryGroup {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const getWords = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Scores an entry for the query: 0 for no match, higher is better. */
export function rankEntry({ title, note = '', words = '' }: Entry, query: string): number {
  const searchWords = getWords(query);
  if (searchWords.length === 0) return 1;
  const head = title.toLowerCase();
  const all = `${head} ${note} ${words}`.toLowerCase();
  if (!searchWords.every((word) => all.includes(word))) return 0;
  const [first = ''] = searchWords;
  if (head.startsWith(searchWords.join(' '))) return 4;
  if (getWords(head).some((word) => word.startsWith(first))) return 3;
  return head.includes(first) ? 2 : 1;
}

/** Returns up to `most` entries that match the query, best first. */
export function findEntries(entries: readonly Entry[], query: string, max: number): Entry[] {
  return entries
    .map((entry) => ({ entry, rank: rankEntry(entry, query) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, max)
    .map(({ entry }) => entry);
}

/** Returns an entry per open approval, which opens it. */
const useApprovalEntries = (go: (to: string) => void): readonly Entry[] =>
  (useOpenApprovals().data ?? []).map(({ id, name, step, question }) => ({
    id: `approval ${id}`,
    title: getFirstLine(question),
    note: `${name} › ${step}`,
    icon: Hand,
    words: 'approve reject answer approval question',
    run: () => go(withQuery(paths.approvals, { approval: id })),
  }));

/** Entries that open files, in the desktop app only: a file dialog, and recent files. */
function useFileEntries(): readonly Entry[] {
  const { desktop } = useBridge();
  const recent = useDesktopQuery('files.recent').data?.files ?? [];
  if (desktop === undefined) return [];
  return [
    {
      id: 'open file',
      title: 'Open workflow file…',
      icon: FolderOpen,
      words: 'yaml import',
      run: () => void desktop.call('files.open', {}),
    },
    ...recent.map(({ path, name }) => ({
      id: `recent ${path}`,
      title: `Open ${name}`,
      note: path,
      icon: FileClock,
      words: 'recent file',
      run: () => void desktop.call('files.openRecent', { path }),
    })),
  ];
}

/** Delay after the last key press, so that not every one sends a request. */
const settleMs = 180;
const minQueryLength = 2;
const maxRuns = 8;
const maxFiles = 6;

/** Returns the text once it has not changed for a moment. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => systemClock.after(settleMs, () => setSettled(text)), [text]);
  return settled;
}

/** Finds runs by name, id, parameters or reason; the newest ones for an empty query. */
function useRunMatches(query: string, go: (to: string) => void): readonly Entry[] {
  const bridge = useBridge();
  const recent = useRecentRuns().data;
  const found = useQuery({
    queryKey: ['palette', 'runs', query],
    queryFn: () => bridge.call('runs.list', { text: query, limit: maxRuns }),
    enabled: query.length >= minQueryLength,
    placeholderData: keepPreviousData,
    select: ({ dagRuns }) => dagRuns,
  }).data;
  const shown = query.length >= minQueryLength ? found : recent?.slice(0, maxRuns);
  return (shown ?? []).map(({ name, dagRunId, status, createdAt }) => ({
    id: `run ${name} ${dagRunId}`,
    title: name,
    note: `${statusLabels[status]}, ${formatDayAndTime(createdAt)}`,
    status,
    run: () => go(paths.run(name, dagRunId)),
  }));
}

/** Finds lines of workflow files, and so their steps, that contain the text. */
function useFileLineMatches(query: string, go: (to: string) => void): readonly Entry[] {
  const bridge = useBridge();
  const found = useQuery({
    queryKey: ['palette', 'lines', query],
    queryFn: () => bridge.call('dags.search', { q: query.slice(0, maxQueryLength), limit: maxFiles }),
    enabled: query.length >= minQueryLength,
    placeholderData: keepPreviousData,
  }).data;
  if (query.length < minQueryLength || !found) return [];
  return found.results.slice(0, maxFiles).flatMap(({ fileName, name, matches: [match] }) => {
    if (!match) return [];
    const line = match.lines[match.lineNumber - match.startLine]?.trim() ?? '';
    return {
      id: `line ${fileName}`,
      title: line,
      note: `${name}, line ${match.lineNumber}`,
      icon: FileSearch,
      run: () => go(withQuery(paths.workflow(fileName), { tab: 'yaml', line: String(match.lineNumber) })),
    };
  });
}

const maxPerGroup = 8;

/** Callbacks that run an entry. */
export interface PaletteActions {
  readonly go: (to: string) => void;
  readonly start: (fileName: string) => void;
}

/** Returns all entries that match the query, in groups; empty groups are omitted. */
export function useEntryGroups(query: string, doors: PaletteActions): readonly EntryGroup[] {
  const settled = useDebounced(query.trim());
  const onPage = usePageEntries();
  const approvalEntries = useApprovalEntries(doors.go);
  const pageEntries = useNavigationEntries(doors);
  const workflows = useWorkflowEntries(query, doors);
  const commands = useCommandEntries(doors);
  const runs = useRunMatches(settled, doors.go);
  const lines = useFileLineMatches(settled, doors.go);
  const pick = (entries: readonly Entry[], max = maxPerGroup): Entry[] => findEntries(entries, query, max);
  const groups: EntryGroup[] = [
    { title: 'On this page', entries: pick(onPage) },
    { title: 'Waiting for approval', entries: pick(approvalEntries) },
    { title: 'Workflows', entries: workflows },
    { title: 'Go to', entries: pick(pageEntries, query === '' ? pageEntries.length : maxPerGroup) },
    { title: 'Commands', entries: pick(commands) },
    // The engine matches more than what is shown, so these are not filtered again.
    { title: query === '' ? 'Recent runs' : 'Runs', entries: runs },
    { title: 'Workflow files', entries: lines },
    { title: 'Search', entries: query.trim() === '' ? [] : [searchEverywhere(query.trim(), doors)] },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

function usePageEntries(): readonly Entry[] {
  const offers = usePageActions((state) => state.offers);
  return [...offers].flatMap(([owner, actions]) =>
    actions.map((action) => ({ ...action, id: `page ${owner} ${action.id}` })),
  );
}

const useShortcutLookup = (): ((id: string) => string | undefined) => {
  const chosen = usePreferences((state) => state.keys);
  return (id) => {
    const binding = bindings.find((each) => each.id === id);
    return binding && keysForBinding(binding, chosen)[0];
  };
};

function useNavigationEntries({ go }: PaletteActions): readonly Entry[] {
  const readKeys = useShortcutLookup();
  return useVisibleNavigationItems().map(({ href, label, icon }) => ({
    id: `place ${href}`,
    title: label,
    icon,
    keys: readKeys(navigationShortcutId({ label })),
    words: 'go to page',
    run: () => go(href),
  }));
}

function useWorkflowEntries(query: string, { go, start }: PaletteActions): readonly Entry[] {
  const dags = useDags().data ?? [];
  const mayStart = useCan('dags.start');
  const mayManage = useCan('dags.rename');
  const open = dags.map(({ fileName, name, tags }): Entry => ({
    id: `workflow ${fileName}`,
    title: name,
    note: tags.join(', '),
    icon: Workflow,
    words: `${fileName} open workflow`,
    run: () => go(paths.workflow(fileName)),
  }));
  if (query.trim() === '') return open.slice(0, 5);
  const act = dags.flatMap(({ fileName, name, valid }): Entry[] => [
    {
      id: `start ${fileName}`,
      title: `Run ${name}`,
      icon: Play,
      words: 'start',
      unavailable: valid ? mayStart.reason : 'Fix the errors in this workflow first.',
      run: () => start(fileName),
    },
    {
      id: `edit ${fileName}`,
      title: `Edit ${name}`,
      icon: SquarePen,
      run: () => go(paths.editor(fileName)),
    },
  ]);
  return findEntries(
    [...open, ...act, ...listOrganizeEntries(dags, query, mayManage.reason)],
    query,
    maxPerGroup,
  );
}

/** Returns the actions that begin with the first word of the query, for every workflow. */
function listOrganizeEntries(
  dags: readonly DagSummaryView[],
  query: string,
  unavailable: string | undefined,
): readonly Entry[] {
  const [verb = ''] = getWords(query);
  return paletteActions
    .filter(({ label }) => label.toLowerCase().startsWith(verb))
    .flatMap(({ kind, label, icon }) =>
      dags.map((dag) => ({
        id: `${kind} ${dag.fileName}`,
        title: `${label} ${dag.name}…`,
        icon,
        words: dag.fileName,
        unavailable,
        run: () => organize(kind, [dag]),
      })),
    );
}

const paletteActions = [
  { kind: 'rename', label: 'Rename', icon: TextCursorInput },
  { kind: 'duplicate', label: 'Duplicate', icon: Copy },
  { kind: 'move', label: 'Move', icon: FolderInput },
  { kind: 'delete', label: 'Delete', icon: Trash2 },
] as const;

/** Settings of the installation. */
function useSettingEntries(go: (to: string) => void): readonly Entry[] {
  const { reason: unavailable } = useCan('config.get');
  return [
    {
      id: 'installation',
      title: 'Installation settings',
      icon: SlidersHorizontal,
      words: 'configuration retention time zone mail server smtp queues limits test mail',
      unavailable,
      run: () => go(paths.installation),
    },
    {
      id: 'base configuration',
      title: 'Edit base configuration',
      icon: SquarePen,
      words: 'base.yaml defaults settings',
      unavailable,
      run: () => go(paths.baseConfig),
    },
  ];
}

function useCommandEntries({ go }: PaletteActions): readonly Entry[] {
  const readKeys = useShortcutLookup();
  const density = usePreferences((chosen) => chosen.density);
  const files = useFileEntries();
  const settings = useSettingEntries(go);
  return [
    ...files,
    {
      id: 'new workflow',
      title: 'New workflow',
      icon: Plus,
      keys: readKeys('new'),
      words: 'create add',
      run: () => go(paths.newWorkflow()),
    },
    ...settings,
    {
      id: 'theme',
      title: 'Toggle light and dark theme',
      icon: Contrast,
      keys: readKeys('theme'),
      words: 'theme colour mode toggle',
      run: toggleTheme,
    },
    {
      id: 'density',
      title: density === 'compact' ? 'Comfortable row height' : 'Compact row height',
      icon: Rows3,
      words: 'density compact comfortable',
      run: () => setPreferences({ density: density === 'compact' ? 'comfortable' : 'compact' }),
    },
    {
      id: 'keys',
      title: 'Keyboard shortcuts',
      icon: Keyboard,
      keys: readKeys('help'),
      words: 'keyboard shortcuts help',
      run: () => showWindow('keys'),
    },
    { id: 'tour', title: 'Take the tour', icon: Sparkles, words: 'help introduction', run: openTour },
  ];
}

const searchEverywhere = (query: string, { go }: PaletteActions): Entry => ({
  id: 'search',
  title: `Search workflow files for "${query}"`,
  icon: Search,
  run: () => go(withQuery(paths.search, { q: query })),
});
