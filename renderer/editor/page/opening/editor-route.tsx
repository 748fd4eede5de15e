import { Suspense, useEffect } from 'react';
import { useMay } from '../../../api/session/permissions.ts';
import { useSavedLayout } from '../../canvas/places/use-layout-file.ts';
import { warmUpAnalyst } from '../../session/worker-analyst.ts';
import { useEditorStart } from './use-editor-start.ts';
import { lazyPart } from '../../../loading/lazy-part.ts';

// It brings the drawing library and the code editor.
const EditorPage = lazyPart(async () => (await import('../editor-page.tsx')).EditorPage);

interface EditorRouteProps {
  readonly fileName: string;
}

/** The page of the editor. What it begins with is asked for while its program is loaded, not behind that. */
export function EditorRoute({ fileName }: EditorRouteProps) {
  const may = useMay('dags.updateSpec').allowed;
  return (
    <>
      {may && <StartAhead fileName={fileName} />}
      <Suspense fallback={<div />}>
        <EditorPage fileName={fileName} />
      </Suspense>
    </>
  );
}

/** Asks for file, draft and places, and starts the worker; draws nothing. */
function StartAhead({ fileName }: EditorRouteProps): null {
  useEditorStart(fileName);
  useSavedLayout(fileName, undefined);
  useEffect(() => {
    if ('Worker' in globalThis) warmUpAnalyst();
  }, []);
  return null;
}
