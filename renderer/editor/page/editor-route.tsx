// A file of its own: part of the first load, unlike the editor.
import { Suspense, useEffect } from 'react';
import { useCan } from '../../api/session-queries.ts';
import { useSavedLayout } from '../canvas/layout-file.ts';
import { warmUpDocumentWorker } from '../session/document-client.ts';
import { useEditorStart } from '../save/load-editor.ts';
import { lazyComponent } from '../../base/lazy-component.ts';

// It includes the drawing library and the code editor.
const EditorPage = lazyComponent(async () => (await import('./editor-page.tsx')).EditorPage);

interface EditorRouteProps {
  readonly fileName: string;
}

/** The route of the editor. It requests its data while its code is loading, not after that. */
export function EditorRoute({ fileName }: EditorRouteProps) {
  const may = useCan('dags.updateSpec').allowed;
  return (
    <>
      {may && <StartAhead fileName={fileName} />}
      <Suspense fallback={<div />}>
        <EditorPage fileName={fileName} />
      </Suspense>
    </>
  );
}

/** Requests file, draft and positions, and starts the worker; renders nothing. */
function StartAhead({ fileName }: EditorRouteProps): null {
  useEditorStart(fileName);
  useSavedLayout(fileName, undefined);
  useEffect(() => {
    if ('Worker' in globalThis) warmUpDocumentWorker();
  }, []);
  return null;
}
