const WIDTH = 72;
const HEIGHT = 18;
const GAP = 2;

/** Small bars, oldest first. `label` says the same in words. */
export const Sparkline = ({ values, label }: { values: readonly number[]; label: string }) => {
  const most = Math.max(1, ...values);
  const width = (WIDTH + GAP) / Math.max(1, values.length) - GAP;
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} style={{ display: 'block' }}>
      <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke="var(--cv-line)" />
      {values.map((value, index) => {
        const height = value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT);
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
