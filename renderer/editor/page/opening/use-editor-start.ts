import { useQuery } from '@tanstack/react-query';
import { useBridge } from '../../../api/bridge.ts';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import { loadEditor } from '../../save/load-editor.ts';

/** Loads the initial data of the editor. */
export function useEditorStart(fileName: string) {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.editedSpec(fileName),
    queryFn: () => loadEditor(bridge, fileName),
    // Read once per visit; after that the session watches the file.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}
