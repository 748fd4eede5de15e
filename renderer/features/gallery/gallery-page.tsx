import { stepStatuses } from '../../../core/model/run.ts';
import { statusToken } from '../../format/labels.ts';
import { Chart } from '../../ui/chart.tsx';
import { preferenceOptions, setPreferences, usePreferences } from '../../base/preferences.ts';
import { Segmented } from '../../ui/choices.tsx';
import { Page } from '../../ui/page.tsx';
import styles from './gallery.module.css';
import { Section, ControlSamples, FieldSamples } from './control-samples.tsx';
import { LayoutSamples, OverlaySamples } from './layout-samples.tsx';
import { ListSamples, StatusSamples } from './list-samples.tsx';

const sizes = [12, 13, 14, 16, 20, 28];
const groups: Readonly<Record<string, readonly string[]>> = {
  Surfaces: ['ground', 'panel', 'raised', 'inset', 'hover', 'selected', 'tooltip'].map(
    (name) => `surface-${name}`,
  ),
  Lines: ['border', 'border-strong', 'canvas-dot', 'focus'],
  Text: ['text', 'text-muted', 'text-faint', 'accent', 'accent-hover', 'accent-soft'],
  Status: stepStatuses.flatMap((status) =>
    ['', '-text', '-soft'].map((variant) => `status-${statusToken(status)}${variant}`),
  ),
  Terminal: ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'].map(
    (name) => `ansi-${name}`,
  ),
};

/** The type scale in both typefaces. */
function TypeSamples() {
  return (
    <Section title="Type">
      {sizes.map((size) => (
        <p key={size} style={{ fontSize: `var(--size-${size})`, lineHeight: 1.4 }}>
          {size} Calm, dense, exact 0123456789 <code>engine start etl.yaml -- DATE=2026-01-01</code>
        </p>
      ))}
    </Section>
  );
}

const spaces = [1, 2, 3, 4, 5, 6, 8, 12];

/** The spacing scale and the radii. */
function SizeSamples() {
  return (
    <Section title="Space and corners">
      <div className={styles.row}>
        {spaces.map((step) => (
          <span key={step} className={styles.size}>
            <i style={{ width: `var(--space-${step})` }} />
            <code>space-{step}</code>
          </span>
        ))}
        {['radius-small', 'radius'].map((token) => (
          <span key={token} className={styles.size}>
            <i className={styles.corner} style={{ borderRadius: `var(--${token})` }} />
            <code>{token}</code>
          </span>
        ))}
      </div>
    </Section>
  );
}

/** Every color token as a swatch. */
function ColourSamples() {
  return Object.entries(groups).map(([title, tokens]) => (
    <Section key={title} title={title}>
      <div className={styles.swatches}>
        {tokens.map((token) => (
          <div key={token} className={styles.swatch}>
            <i style={{ background: `var(--${token})` }} />
            <code>{token}</code>
          </div>
        ))}
      </div>
    </Section>
  ));
}

const begin = Date.parse('2026-01-31T04:00:00Z');
const points = Array.from({ length: 60 }, (_, index) => ({
  timestamp: new Date(begin + index * 5000 + (index > 40 ? 60_000 : 0)).toISOString(),
  value: 40 + 30 * Math.sin(index / 7) + (index % 5),
}));
const format = (value: number): string => `${value.toFixed(0)}%`;

/** Time series: with a peak, with a gap, and without data. */
function ChartSamples() {
  return (
    <Section title="Charts">
      <div className={`${styles.box} ${styles.padded}`}>
        <Chart title="CPU" note="with peak" points={points} format={format} max={100} showsPeak />
        <Chart title="Memory" note="no data" points={[]} format={format} max={100} />
      </div>
    </Section>
  );
}

/** Every token, status and component in every state, for review and screenshots. Not in the navigation. */
export function GalleryPage() {
  const density = usePreferences((chosen) => chosen.density);
  return (
    <Page
      title="Design gallery"
      below={<p className={styles.lead}>All components.</p>}
      actions={
        <Segmented
          label="Density"
          value={density}
          choices={preferenceOptions.density.map((value) => ({
            value,
            label: value === 'compact' ? 'Compact' : 'Comfortable',
          }))}
          onChange={(next) => setPreferences({ density: next })}
        />
      }
    >
      <div className={styles.scroll}>
        <div className={styles.gallery}>
          <StatusSamples />
          <ControlSamples />
          <FieldSamples />
          <LayoutSamples />
          <ListSamples />
          <ChartSamples />
          <OverlaySamples />
          <TypeSamples />
          <SizeSamples />
          <ColourSamples />
        </div>
      </div>
    </Page>
  );
}
