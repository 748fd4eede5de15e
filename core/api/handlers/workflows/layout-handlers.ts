import type { LayoutView } from '../../../contract/workflows/layouts.ts';
import type { Layout } from '../../../library/editor/layouts.ts';
import type { HandlersFor } from '../handlers.ts';

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
