import { Chart } from '../../ui/chart/chart.tsx';
import { Section } from './section.tsx';
import styles from './gallery.module.css';

const begin = Date.parse('2026-01-31T04:00:00Z');
const points = Array.from({ length: 60 }, (_, index) => ({
  timestamp: new Date(begin + index * 5000 + (index > 40 ? 60_000 : 0)).toISOString(),
  value: 40 + 30 * Math.sin(index / 7) + (index % 5),
}));
const format = (value: number): string => `${value.toFixed(0)} %`;

/** Time series: with a peak, with a gap, and without data. */
export function ChartSamples() {
  return (
    <Section title="Charts">
      <div className={`${styles.box} ${styles.padded}`}>
        <Chart title="CPU" note="with peak" points={points} format={format} max={100} showsPeak />
        <Chart title="Memory" note="no data" points={[]} format={format} max={100} />
      </div>
    </Section>
  );
}
