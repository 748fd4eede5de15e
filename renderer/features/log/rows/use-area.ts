import { useLayoutEffect, useState } from 'react';

/** The height of an element on the page, pixels; 0 until it is there. */
export function useHeight(box: React.RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const read = (): void => setHeight(element.clientHeight);
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return height;
}
