import { useQuery } from '@tanstack/react-query';
import { useBridge } from '../../../api/bridge.ts';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import { loadEditor } from '../../save/load-editor.ts';

/** What a visit of the editor begins with. */
export function useEditorStart(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.editedSpec(fileName),
    queryFn: () => loadEditor(bridge, fileName),
    // Read once for each visit; from then on the session watches the file.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}
