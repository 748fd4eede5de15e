/** What the page reports while it is measured. */
export interface PageProbe {
  /**
   * Times from the start of navigation to the cards on the canvas, and to the end of the last task that
   * blocked the page.
   */
  whenOpen(hash: string): Promise<{ readonly drawnMs: number; readonly quietMs: number }>;
  startFrames(): void;
  /** The 95th percentile of the times between frames since {@link startFrames}. */
  stopFrames(): number;
  startTasks(): void;
  /** The longest task since {@link startTasks}; 0 if none took 50 ms. */
  stopTasks(): Promise<number>;
  /** Starts waiting for a key and its effect on the page: text in the elements matching a selector. */
  awaitText(selector: string, text: string): void;
  /** Starts waiting for a key that moves cards on the canvas, or the viewport. */
  awaitMove(): void;
  /** Time from the key to its effect. */
  awaited(): Promise<number>;
  /** An empty position on the canvas, well inside. */
  emptySpot(): { readonly x: number; readonly y: number };
}

declare global {
  var probe: PageProbe;
}

/** Installs {@link PageProbe}; runs in the page before its own scripts. */
export function installProbe(): void {
  const tasks: { start: number; end: number }[] = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      tasks.push({ start: startTime, end: startTime + duration });
  }).observe({ type: 'longtask', buffered: true });
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const untilFrame = (isThere: () => boolean): Promise<number> =>
    new Promise((resolve, reject) => {
      const late = performance.now() + 60_000;
      const checkPage = (): void => {
        // It is on screen one frame later.
        if (isThere()) requestAnimationFrame(() => resolve(performance.now()));
        else if (performance.now() > late) reject(new Error('It has not come within a minute.'));
        else requestAnimationFrame(checkPage);
      };
      checkPage();
    });
  const isDrawn = (): boolean =>
    document.querySelector('[data-canvas] :is([data-node-id], [data-cards])') !== null;
  const fromKey = async (isThere: () => boolean): Promise<number> => {
    const started = await new Promise<number>((resolve) =>
      addEventListener('keydown', ({ timeStamp }) => resolve(timeStamp), { capture: true, once: true }),
    );
    return Math.round((await untilFrame(isThere)) - started);
  };
  const listPlaces = (): string =>
    Array.from(
      document.querySelectorAll('[data-canvas] :is(.react-flow__viewport, .react-flow__node)'),
      (one) => one.getAttribute('style'),
    ).join();
  let answer = Promise.resolve(0);
  let frames: number[] = [];
  let isCounting = false;
  let since = 0;
  globalThis.probe = {
    async whenOpen(hash) {
      const started = performance.now();
      location.hash = hash;
      const drawn = await untilFrame(isDrawn);
      let quiet = drawn;
      // The page is idle after this long without a long task.
      do {
        await pause(400);
        const last = tasks.at(-1);
        if (last && last.end > quiet) quiet = last.end;
      } while (performance.now() - quiet < 400);
      return { drawnMs: Math.round(drawn - started), quietMs: Math.round(quiet - started) };
    },
    startFrames() {
      frames = [];
      isCounting = true;
      const count = (at: number): void => {
        frames.push(at);
        if (isCounting) requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
    },
    stopFrames() {
      isCounting = false;
      const gaps = frames.slice(1).map((at, index) => at - frames[index]!);
      return Math.round(gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length * 0.95)] ?? 0);
    },
    startTasks() {
      since = performance.now();
    },
    async stopTasks() {
      // The browser reports a long task some time after it ends.
      await pause(300);
      return Math.round(
        Math.max(0, ...tasks.filter(({ end }) => end > since).map(({ start, end }) => end - start)),
      );
    },
    awaitText(selector, text) {
      answer = fromKey(() =>
        Array.from(document.querySelectorAll(selector)).some((one) => one.outerHTML.includes(text)),
      );
    },
    awaitMove() {
      const before = listPlaces();
      answer = fromKey(() => listPlaces() !== before);
    },
    awaited: () => answer,
    emptySpot() {
      const { left, top, width, height } = document.querySelector('[data-canvas]')!.getBoundingClientRect();
      for (let y = top + height * 0.4; y < top + height - 60; y += 5)
        for (let x = left + width * 0.3; x < left + width - 40; x += 5)
          if (document.elementFromPoint(x, y)?.matches('.react-flow__pane')) return { x, y };
      throw new Error('The canvas has no empty place.');
    },
  };
}
