import styles from './graph.module.css';

/** SVG markers for arrow heads, referenced as `url(#arrow-LOOK)`; one set serves all lines of a canvas. */
export function ArrowHeads({ variants }: { readonly variants: readonly string[] }) {
  return (
    <svg className={styles.markers} aria-hidden="true">
      <defs>
        {variants.map((variant) => (
          <marker
            key={variant}
            id={`arrow-${variant}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path className={styles.arrow} data-variant={variant} d="M1 1l6 3-6 3z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
