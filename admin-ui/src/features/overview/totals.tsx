import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { inDigits } from '../../components/locale.ts';
import classes from './overview.module.css';
import type { Overview } from './overview-queries.ts';

/** How much there is, and how much of it was fetched. Each figure leads to what it counts. */
export const Totals = ({ totals, fetches }: Pick<Overview, 'totals' | 'fetches'>) => {
  const { prompts, secrets } = fetches.at(-1) ?? { prompts: 0, secrets: 0 };
  const total = classes.total ?? '';
  return (
    <div className={classes.totals}>
      <Link to="/prompts" className={total}>
        <Figure value={totals.prompts} one="prompt" many="prompts" />
      </Link>
      <Link to="/secrets" className={total}>
        <Figure value={totals.secrets} one="secret" many="secrets" />
      </Link>
      <Link to="/api-keys" search={{ status: 'active' }} className={total}>
        <Figure value={totals.keys} one="active API key" many="active API keys" />
      </Link>
      <Link to="/prompts" search={{ fetched: 'yes', sort: 'fetched', order: 'desc' }} className={total}>
        <Figure value={prompts} one="prompt fetch today (UTC)" many="prompt fetches today (UTC)" />
      </Link>
      <Link to="/audit" search={{ kind: 'read', period: 'today' }} className={total}>
        <Figure value={secrets} one="read of secrets today (UTC)" many="reads of secrets today (UTC)" />
      </Link>
    </div>
  );
};

interface FigureProps {
  readonly value: number;
  readonly one: string;
  readonly many: string;
}

const Figure = ({ value, one, many }: FigureProps) => (
  <>
    <span className={classes.figure}>{inDigits(value)}</span>{' '}
    <Text span c="dimmed">
      {value === 1 ? one : many}
    </Text>
  </>
);
