import { stepStatuses } from '../../../core/model/run/status.ts';
import { statusToken } from '../../format/status.ts';
import styles from './gallery.module.css';
import { Section } from './section.tsx';

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
export function TypeSamples() {
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
export function SizeSamples() {
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
export function ColourSamples() {
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
