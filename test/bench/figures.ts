/** A figure that was measured. */
export interface Figure {
  readonly name: string;
  readonly measured: number;
  /** The maximum; infinite for figures that are only reported. */
  readonly bound: number;
  /** Such as `ms`; `×` for a ratio. */
  readonly unit: string;
  /** The measurements behind the figure. */
  readonly from?: string;
}

/** The ratio of two times, both in milliseconds and measured the same way. */
export const proportion = (
  name: string,
  [one, other]: readonly [number, number],
  bound: number,
  how: string,
): Figure => ({
  name,
  measured: one / other,
  bound,
  unit: '×',
  from: `${one.toFixed(2)} / ${other.toFixed(2)} ms, ${how}`,
});

/** A figure without a bound. */
export const reported = (name: string, measured: number, unit: string, from = ''): Figure => ({
  name,
  measured,
  unit,
  from,
  bound: Number.POSITIVE_INFINITY,
});

export const isReached = ({ measured, bound }: Figure): boolean => measured <= bound;

const rounded = (value: number): string => {
  const digits = value < 1 ? 3 : value < 100 ? 2 : 0;
  return String(Number(value.toFixed(digits)));
};

const withUnit = (value: number, unit: string): string => `${rounded(value)}${unit === '' ? '' : ` ${unit}`}`;

const COLUMNS = ['figure', 'measured', 'bound', '', 'from'];

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The header of a table of figures, in Markdown. */
export const tableHead = (): string => [row(COLUMNS), row(COLUMNS.map(() => '---'))].join('\n');

/** A figure as a row of the table. */
export const tableRow = (figure: Figure): string => {
  const { name, measured, bound, unit, from = '' } = figure;
  const verdict = isReached(figure) ? 'ok' : 'missed';
  const bounded = Number.isFinite(bound) ? [`≤ ${withUnit(bound, unit)}`, verdict] : ['', ''];
  return row([name, withUnit(measured, unit), ...bounded, from]);
};
