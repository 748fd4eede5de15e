import { useLayoutEffect, useState } from 'react';

/** Pixels; 0 until the element is there. */
interface ViewSize {
  readonly width: number;
  readonly height: number;
}

/** The size of an element on the page, without its scroll bars. */
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
