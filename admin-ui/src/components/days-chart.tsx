import { Box, Group, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import classes from './days-chart.module.css';
import { inDigits, LOCALE } from './locale.ts';
import { stepFor } from './scale.ts';

const HEIGHT = 200;
const LEFT = 44;
/** Radius of the marks, which are above the bars. */
const DOT = 5;
const TOP = 2 * DOT + 4;
const BOTTOM = 22;
const WIDEST_BAR = 28;
/** Pixels that the name of a day needs. */
const DAY_WIDTH = 56;

const DAY = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const nameOf = (day: string): string => DAY.format(new Date(day));

interface DaysChartProps {
  /** Such as "Fetches per day (UTC)". */
  title: string;
  series: readonly { readonly name: string; readonly color: string }[];
  /** Days (UTC, `YYYY-MM-DD`) in order, with the count of each series. */
  days: readonly { readonly day: string; readonly counts: readonly number[] }[];
  /** What happened on some of the days. */
  marks?: readonly { readonly day: string; readonly text: string }[];
}

const CHANGE = { name: 'change', color: 'var(--mantine-color-dimmed)' };

/** Counts per day as stacked bars, with marks; screen readers get a table. */
export const DaysChart = (props: DaysChartProps) => {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const { series, days, title, marks = [] } = props;
  return (
    <>
      <div aria-hidden="true">
        <div ref={ref} style={{ height: HEIGHT }}>
          {width > LEFT && <Drawing {...props} width={width} />}
        </div>
        <Group justify="center" gap="4px 16px" mt={6} fz="xs">
          {[...series, ...(marks.length > 0 ? [CHANGE] : [])].map(({ name, color }) => (
            <span key={name}>
              <Box component="i" display="inline-block" w={10} h={10} mr={6} bdrs={5} bg={color} />
              {name}
            </span>
          ))}
        </Group>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, counts }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {series.map(({ name }, index) => (
                  <td key={name}>{counts[index]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
};

const LOOK = {
  fill: 'var(--mantine-color-dimmed)',
  fontSize: 12,
  style: { display: 'block', overflow: 'visible' },
};
const LINE = { stroke: 'var(--cv-line)', strokeDasharray: '4 4' };

const Drawing = ({ series, days, marks = [], width }: DaysChartProps & { readonly width: number }) => {
  const most = Math.max(0, ...days.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0)));
  const step = stepFor(most);
  const top = Math.max(step, Math.ceil(most / step) * step);
  const bottom = HEIGHT - BOTTOM;
  const y = (count: number) => bottom - (count / top) * (bottom - TOP);
  const slot = (width - LEFT) / Math.max(1, days.length);
  const bar = Math.min(WIDEST_BAR, slot * 0.8);
  const x = (index: number) => LEFT + (index + 0.5) * slot;
  const every = Math.max(1, Math.ceil(DAY_WIDTH / slot));
  const lines = Array.from({ length: top / step + 1 }, (_, index) => index * step);
  return (
    <svg {...{ width, height: HEIGHT, ...LOOK }} aria-hidden="true">
      {lines.map((count) => (
        <g key={count}>
          <line x1={LEFT} x2={width} y1={y(count)} y2={y(count)} {...LINE} />
          <text x={LEFT - 8} y={y(count)} textAnchor="end" dominantBaseline="middle">
            {inDigits(count)}
          </text>
        </g>
      ))}
      {days.map(({ day, counts }, index) => (
        <g key={day} className={classes.day}>
          <title>
            {[nameOf(day), ...series.map(({ name }, i) => `${name}: ${inDigits(counts[i] ?? 0)}`)].join('\n')}
          </title>
          <rect x={x(index) - slot / 2} y={TOP} width={slot} height={bottom - TOP} fill="transparent" />
          {counts.map((count, i) => {
            const below = counts.slice(0, i).reduce((sum, each) => sum + each, 0);
            return (
              <rect
                key={series[i]?.name}
                x={x(index) - bar / 2}
                y={y(below + count)}
                width={bar}
                height={y(below) - y(below + count)}
                fill={series[i]?.color}
              />
            );
          })}
          {index % every === 0 && x(index) + DAY_WIDTH / 2 <= width && (
            <text x={x(index)} y={HEIGHT - 6} textAnchor="middle">
              {nameOf(day)}
            </text>
          )}
        </g>
      ))}
      {marks.map((mark) => (
        <circle
          key={mark.day}
          cx={x(days.findIndex(({ day }) => day === mark.day))}
          cy={DOT}
          r={DOT}
          fill={CHANGE.color}
        >
          <title>{mark.text}</title>
        </circle>
      ))}
    </svg>
  );
};
