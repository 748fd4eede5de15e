import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Clock, Dispose } from '../../../core/base/clock.ts';
import type { LayoutView } from '../../../core/contract/dag-files.ts';
import { useBridge } from '../../api/bridge.ts';
import { useCan } from '../../api/session-queries.ts';
import { systemClock } from '../../base/clock.ts';
import { showToast } from '../../ui/toasts.tsx';

/** Pause after the last move before positions are saved. */
const pauseMs = 600;

interface KeeperPorts {
  readonly clock: Clock;
  readonly put: (layout: LayoutView) => Promise<unknown>;
  /** Called when positions could not be saved; the next save may succeed. */
  readonly onFailure: (failure: unknown) => void;
}

/** Saves the latest positions of the cards after a pause, with one write at a time. */
export class LayoutAutosave {
  readonly #ports: KeeperPorts;
  #newest: LayoutView | undefined;
  #cancel: Dispose | undefined;
  #isBusy = false;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
  }

  keep(layout: LayoutView): void {
    this.#newest = layout;
    this.#cancel?.();
    this.#cancel = this.#ports.clock.after(pauseMs, () => this.flush());
  }

  /** Writes pending changes immediately. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const layout = this.#newest;
    if (layout === undefined || this.#isBusy) return;
    this.#newest = undefined;
    this.#isBusy = true;
    void this.#ports
      .put(layout)
      .catch(this.#ports.onFailure)
      .finally(() => {
        this.#isBusy = false;
        if (this.#cancel === undefined) this.flush();
      });
  }
}

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
  const autosave = useMemo(
    () =>
      new LayoutAutosave({
        clock: systemClock,
        put: (layout) => bridge.call('layouts.put', { ...address, ...layout }),
        onFailure: (failure) =>
          showToast('error', `Could not save the layout: ${(failure as Error).message}`),
      }),
    [bridge, address],
  );
  useEffect(() => () => autosave.flush(), [autosave]);
  return useMemo(
    () => ({ saved, keep: (layout: LayoutView) => may && autosave.keep(layout) }),
    [saved, autosave, may],
  );
}
