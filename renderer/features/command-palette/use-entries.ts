import { Contrast, Keyboard, Play, Plus, Rows3, Search, Sparkles, SquarePen, Workflow } from 'lucide-react';
import { useDags } from '../../api/queries/workflows/workflow-queries.ts';
import { useCan } from '../../api/session/permissions.ts';
import { usePageActions } from '../../app/actions.ts';
import { bindings, navigationShortcutId, keysForBinding } from '../../app/keys/bindings.ts';
import { paths, withQuery } from '../../app/paths.ts';
import { setPreferences, usePreferences } from '../../app/preferences.ts';
import { useVisibleNavigationItems } from '../../app/use-navigation-items.ts';
import { toggleTheme } from '../../app/toggle-theme.ts';
import { openTour } from '../tour/tour-store.ts';
import { type Entry, type EntryGroup, findEntries } from './entries.ts';
import { showWindow } from './palette-store.ts';
import { useApprovalEntries } from './use-approval-entries.ts';
import { useFileEntries } from './use-file-entries.ts';
import { useFileLineMatches, useRunMatches, useDebounced } from './use-found.ts';

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
  const pageEntries = usePlaceEntries(doors);
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

const useShortcutsOf = (): ((id: string) => string | undefined) => {
  const chosen = usePreferences((state) => state.keys);
  return (id) => {
    const binding = bindings.find((each) => each.id === id);
    return binding && keysForBinding(binding, chosen)[0];
  };
};

function usePlaceEntries({ go }: PaletteActions): readonly Entry[] {
  const readKeys = useShortcutsOf();
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
  return findEntries([...open, ...act], query, maxPerGroup);
}

function useCommandEntries({ go }: PaletteActions): readonly Entry[] {
  const readKeys = useShortcutsOf();
  const density = usePreferences((chosen) => chosen.density);
  const files = useFileEntries();
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
  title: `Search workflow files for “${query}”`,
  icon: Search,
  run: () => go(withQuery(paths.search, { q: query })),
});
