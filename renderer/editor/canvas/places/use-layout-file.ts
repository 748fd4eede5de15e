import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { LayoutView } from '../../../../core/contract/workflows/layouts.ts';
import { useBridge } from '../../../api/bridge.ts';
import { useCan } from '../../../api/session/permissions.ts';
import { systemClock } from '../../../app/clock.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { LayoutKeeper } from './layout-keeper.ts';

/** The side file with the card positions of a workflow. */
export interface LayoutFile {
  /** Its contents when the canvas was opened; undefined while loading, `null` if there is no file. */
  readonly saved: LayoutView | null | undefined;
  readonly keep: (layout: LayoutView) => void;
}

/**
 * Returns the contents of the side file at the first request, made by the canvas or in advance.
 * @param document name of a further workflow of the file; the main workflow when undefined
 */
export function useSavedLayout(fileName: string, document: string | undefined): LayoutFile['saved'] {
  const bridge = useBridge();
  return useQuery({
    queryKey: ['canvas-layout', fileName, document ?? ''],
    // Without positions the canvas is laid out automatically, so a failure is not shown as an error.
    queryFn: () =>
      bridge.call('layouts.get', { fileName, ...(document !== undefined && { document }) }).then(
        ({ layout }) => layout ?? null,
        () => null,
      ),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  }).data;
}

/** @param document as for {@link useSavedLayout} */
export function useLayoutFile(fileName: string, document: string | undefined): LayoutFile {
  const bridge = useBridge();
  const may = useCan('layouts.put').allowed;
  const address = useMemo(
    () => ({ fileName, ...(document !== undefined && { document }) }),
    [fileName, document],
  );
  const saved = useSavedLayout(fileName, document);
  const keeper = useMemo(
    () =>
      new LayoutKeeper({
        clock: systemClock,
        put: (layout) => bridge.call('layouts.put', { ...address, ...layout }),
        onFailure: (failure) =>
          showToast('error', `Could not save the layout: ${(failure as Error).message}`),
      }),
    [bridge, address],
  );
  useEffect(() => () => keeper.flush(), [keeper]);
  return useMemo(
    () => ({ saved, keep: (layout: LayoutView) => may && keeper.keep(layout) }),
    [saved, keeper, may],
  );
}
