import { useLayoutEffect, useState } from 'react';

/** In pixels; 0 until the element is mounted. */
interface ViewSize {
  readonly width: number;
  readonly height: number;
}

/** Tracks the size of an element without its scroll bars. */
export function useViewSize(box: React.RefObject<HTMLElement | null>): ViewSize {
  const [size, setSize] = useState<ViewSize>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const read = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
}
