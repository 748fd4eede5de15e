import styles from './state.module.css';

/* Pictures of empty pages: outlined cards on a soft ground, with one part in the accent color. */

interface CardProps {
  readonly x: number;
  readonly y: number;
  readonly width?: number;
  readonly height?: number;
  /** Whether it is the part that the illustration is about. */
  readonly isAccent?: boolean;
}

/** A card with a mark and a line of text. */
function Card({ x, y, width = 40, height = 22, isAccent = false }: CardProps) {
  const middle = y + height / 2;
  return (
    <g data-accent={isAccent || undefined}>
      <rect className={styles.paper} x={x} y={y} width={width} height={height} rx="5" />
      <circle className={styles.dot} cx={x + 10} cy={middle} r="3" />
      <path className={styles.text} d={`M${x + 18} ${middle}H${x + width - 8}`} />
    </g>
  );
}

/** A machine with two drives. */
function Machine({ x, y, isAccent = false }: CardProps) {
  return (
    <g data-accent={isAccent || undefined}>
      <rect className={styles.paper} x={x} y={y} width="40" height="32" rx="5" />
      <path className={styles.text} d={`M${x + 8} ${y + 11}H${x + 24}M${x + 8} ${y + 21}H${x + 24}`} />
      <circle className={styles.dot} cx={x + 32} cy={y + 11} r="2" />
      <circle className={styles.dot} cx={x + 32} cy={y + 21} r="2" />
    </g>
  );
}

const rows = [24, 48, 72] as const;
const days = [0, 1, 2, 3, 4] as const;

const illustrations = {
  workflows: (
    <>
      <path
        className={styles.line}
        d="M48 48C58 48 54 24 64 24M48 48C58 48 54 72 64 72M104 24C114 24 110 48 120 48M104 72C114 72 110 48 120 48"
      />
      <Card x={8} y={37} />
      <Card x={64} y={13} />
      <Card x={64} y={61} />
      <Card x={120} y={37} isAccent />
    </>
  ),
  runs: (
    <>
      <path className={styles.line} d="M36 12V84" />
      {rows.map((y, index) => (
        <g key={y} data-accent={index === 2 || undefined}>
          <circle className={styles.paper} cx="36" cy={y} r="8" />
          <path
            className={styles.illustrationMark}
            d={index === 2 ? `M34 ${y - 4}V${y + 4}L40 ${y}Z` : `M32 ${y}l3 3 5-6`}
          />
          <rect
            className={styles.paper}
            x={54 + index * 14}
            y={y - 7}
            width={72 - index * 16}
            height="14"
            rx="5"
          />
        </g>
      ))}
    </>
  ),
  queues: (
    <>
      <path className={styles.line} d="M104 14V82M96 48H110" />
      <Card x={8} y={37} width={32} />
      <Card x={32} y={37} width={32} />
      <Card x={56} y={37} />
      <Card x={118} y={37} isAccent />
    </>
  ),
  schedule: (
    <>
      <rect className={styles.paper} x="40" y="14" width="88" height="70" rx="6" />
      <path className={styles.line} d="M40 34H128M62 8V20M106 8V20" />
      {[46, 58, 70].map((y) =>
        days.map((day) => (
          <circle key={`${day} ${y}`} className={styles.faint} cx={56 + day * 14} cy={y} r="3" />
        )),
      )}
      <g data-accent>
        <circle className={styles.paper} cx="112" cy="70" r="15" />
        <path className={styles.line} d="M112 61V70L118 74" />
      </g>
    </>
  ),
  webhooks: (
    <>
      <path
        className={styles.line}
        d="M68 48H76C92 48 88 22 104 22H112M76 48H112M76 48C92 48 88 74 104 74H112"
      />
      <g data-accent>
        <circle className={styles.paper} cx="48" cy="48" r="20" />
        <path className={styles.line} d="M36 48H43L46 39 51 57 54 48H60" />
      </g>
      <Card x={112} y={11} />
      <Card x={112} y={37} />
      <Card x={112} y={63} />
    </>
  ),
  workers: (
    <>
      <path className={styles.line} strokeDasharray="4 4" d="M52 48H72M92 48H84V24H116M84 48V72H116" />
      <Machine x={12} y={32} isAccent />
      <circle className={styles.dot} cx="84" cy="48" r="4" />
      <Machine x={116} y={8} />
      <Machine x={116} y={56} />
    </>
  ),
  approvals: (
    <>
      <rect className={styles.paper} x="34" y="12" width="100" height="72" rx="6" />
      <path className={styles.text} d="M46 28H104M46 40H86" />
      <rect className={styles.paper} x="46" y="54" width="34" height="18" rx="5" />
      <path className={styles.line} d="M59 59l8 8M67 59l-8 8" />
      <g data-accent>
        <rect className={styles.paper} x="88" y="54" width="34" height="18" rx="5" />
        <path className={styles.line} d="M100 63l4 4 7-8" />
      </g>
    </>
  ),
  audit: (
    <>
      <rect className={styles.paper} x="40" y="10" width="88" height="76" rx="6" />
      {rows.slice(0, 2).map((y) => (
        <g key={y}>
          <circle className={styles.dot} cx="54" cy={y + 2} r="3" />
          <path className={styles.text} d={`M64 ${y + 2}H${y === 24 ? 112 : 100}`} />
        </g>
      ))}
      <g data-accent>
        <circle className={styles.dot} cx="54" cy="72" r="3" />
        <path className={styles.text} d="M64 72H106" />
      </g>
    </>
  ),
  tokens: (
    <>
      <rect className={styles.paper} x="24" y="26" width="120" height="44" rx="6" />
      <path className={styles.text} d="M84 42H130M84 54H112" />
      <g data-accent>
        <circle className={styles.paper} cx="46" cy="48" r="10" />
        <path className={styles.line} d="M56 48H74V55M67 48V53" />
      </g>
    </>
  ),
  search: (
    <>
      <rect className={styles.paper} x="36" y="10" width="72" height="76" rx="6" />
      <path className={styles.text} d="M48 26H84M48 38H96M48 62H90M48 74H72" />
      <g data-accent>
        <path className={styles.text} d="M48 50H78" />
        <circle className={styles.lens} cx="106" cy="52" r="18" />
        <path className={styles.line} d="M119 65L132 78" />
      </g>
    </>
  ),
} as const;

export type IllustrationName = keyof typeof illustrations;

/** The illustration of an empty page; decorative. */
export function Illustration({ name }: { readonly name: IllustrationName }) {
  return (
    <svg className={styles.illustration} viewBox="0 0 168 96" width="196" height="112" aria-hidden="true">
      <ellipse className={styles.ground} cx="84" cy="50" rx="82" ry="42" />
      {illustrations[name]}
    </svg>
  );
}
