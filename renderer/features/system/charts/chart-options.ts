import type UPlot from 'uplot';

interface ChartWish {
  readonly element: HTMLElement;
  readonly format: (value: number) => string;
  readonly most?: number | undefined;
  /** Told of the reading that the pointer is at. */
  readonly onPoint: (index: number | undefined) => void;
  readonly timeOf: (seconds: number) => string;
}

/** How a chart looks, in the colours that the tokens have at its place. */
export function makeOptions({ element, format, most, onPoint, timeOf }: ChartWish): UPlot.Options {
  // A token may be `light-dark(…)`, which only a property that takes a colour resolves.
  const { color, borderColor, accentColor, backgroundColor, fontFamily } = getComputedStyle(element);
  const grid = { stroke: borderColor, width: 1 };
  const font = `12px ${fontFamily}`;
  const axis = { stroke: color, grid, ticks: { show: false }, font };
  return {
    width: element.clientWidth || 400,
    height: element.clientHeight || 140,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: true },
      y: { range: (_plot, _least, high) => [0, most ?? Math.max(1, high * 1.15)] },
    },
    axes: [
      { ...axis, space: 70, size: 26, values: (_plot, seconds) => seconds.map(timeOf) },
      { ...axis, size: 52, space: 36, values: (_plot, values) => values.map(format) },
    ],
    series: [
      {},
      {
        stroke: accentColor,
        fill: backgroundColor,
        width: 1.5,
        points: { show: false },
        spanGaps: false,
      },
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
  };
}
