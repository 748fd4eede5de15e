import { toIso } from '../../base/clock.ts';
import type { DraftSummaryView, DraftView } from '../../contract/drafts.ts';
import type { Draft, DraftLocation } from '../../home/library/drafts.ts';
import type { LayoutView } from '../../contract/dag-files.ts';
import type { Layout } from '../../home/library/layouts.ts';
import type { EngineContext } from '../engine-context.ts';
import type { HandlersFor } from './handlers.ts';

type DraftOperation =
  | 'drafts.list'
  | 'drafts.get'
  | 'drafts.put'
  | 'drafts.delete'
  | 'drafts.getNew'
  | 'drafts.putNew'
  | 'drafts.deleteNew';

/** Operations on drafts. */
export const draftHandlers: HandlersFor<DraftOperation> = {
  'drafts.list': (_input, { editor, library }) => {
    const present = new Set(library.list().map(({ fileName }) => fileName));
    return { drafts: editor.drafts.list().map((entry) => toSummary(entry, present)) };
  },
  'drafts.get': ({ fileName }, context) => readDraft(context, { fileName }),
  'drafts.put': ({ fileName, ...draft }, { editor, library }, { name: by }) => {
    // A file that another program has deleted may still be open in a window.
    if (editor.drafts.get({ fileName }) === undefined) library.peek(fileName);
    return toDraftVersion(editor.drafts.put({ fileName }, { ...draft, by }));
  },
  'drafts.delete': ({ fileName, revision }, { editor }) => ({
    removed: editor.drafts.remove({ fileName }, revision),
  }),
  'drafts.getNew': ({ draftId }, context) => readDraft(context, { draftId }),
  'drafts.putNew': ({ draftId, ...draft }, { editor }, { name: by }) =>
    toDraftVersion(editor.drafts.put({ draftId }, { ...draft, by })),
  'drafts.deleteNew': ({ draftId, revision }, { editor }) => ({
    removed: editor.drafts.remove({ draftId }, revision),
  }),
};

function readDraft({ editor }: EngineContext, location: DraftLocation): { draft?: DraftView } {
  const draft = editor.drafts.get(location);
  return draft === undefined ? {} : { draft: { ...draft, at: toIso(draft.at) } };
}

const toDraftVersion = ({ revision, at }: Draft) => ({ revision, at: toIso(at) });

function toSummary(
  { draft, ...draftLocation }: DraftLocation & { readonly draft: Draft },
  present: ReadonlySet<string>,
): DraftSummaryView {
  const { spec, at, ...info } = draft;
  return {
    ...draftLocation,
    fileExists: 'fileName' in draftLocation && present.has(draftLocation.fileName),
    bytes: Buffer.byteLength(spec),
    ...info,
    at: toIso(at),
  };
}

/** Operations on layouts. */
export const layoutHandlers: HandlersFor<'layouts.get' | 'layouts.put'> = {
  'layouts.get': ({ fileName, document = '' }, { editor }) => {
    const layout = editor.layouts.get(fileName, document);
    return layout === undefined ? {} : { layout: toView(layout) };
  },
  'layouts.put': ({ fileName, document = '', ...layout }, { editor, library }) => {
    library.peek(fileName);
    editor.layouts.put(fileName, document, layout);
    return layout;
  },
};

const toView = ({ direction, nodes, collapsed, expanded }: Layout): LayoutView => ({
  direction,
  nodes: { ...nodes },
  collapsed: collapsed && [...collapsed],
  expanded: expanded && { ...expanded },
});
