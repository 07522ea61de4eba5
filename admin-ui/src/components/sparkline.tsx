const WIDTH = 89;
const HEIGHT = 18;
const GAP = 1;

interface SparklineProps {
  /** Oldest first. */
  values: readonly number[];
  /** The value of the highest bar, the same for all that are compared. */
  most: number;
  /** The same in words. */
  label: string;
}

export const Sparkline = ({ values, most, label }: SparklineProps) => {
  const width = (WIDTH + GAP) / Math.max(1, values.length) - GAP;
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} style={{ display: 'block' }}>
      <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke="var(--cv-line)" />
      {values.map((value, index) => {
        const height = value === 0 ? 0 : Math.max(2, (value / Math.max(1, most)) * HEIGHT);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar has no identity other than its index
            key={index}
            x={index * (width + GAP)}
            y={HEIGHT - height}
            width={width}
            height={height}
            rx={1}
            fill="var(--mantine-color-spruce-5)"
          />
        );
      })}
    </svg>
  );
};
