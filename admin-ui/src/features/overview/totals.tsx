import { Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { inDigits } from '../../components/locale.ts';
import classes from './overview.module.css';
import type { Overview } from './overview-queries.ts';

/** How much there is, and how much of it was fetched. Each figure leads to what it counts. */
export const Totals = ({ totals, fetches }: Pick<Overview, 'totals' | 'fetches'>) => {
  const { prompts, secrets } = fetches.at(-1) ?? { prompts: 0, secrets: 0 };
  const today = 'today (UTC)';
  const fetched = { fetched: 'yes', sort: 'fetched', order: 'desc' } as const;
  return (
    <div className={classes.totals}>
      <Total value={totals.prompts} one="prompt" to="/prompts" />
      <Total value={totals.secrets} one="secret" to="/secrets" />
      <Total value={totals.keys} one="active API key" to="/api-keys" search={{ status: 'active' }} />
      <Total
        {...{ value: prompts, one: `prompt fetch ${today}`, many: `prompt fetches ${today}` }}
        to="/prompts"
        search={fetched}
      />
      <Total
        {...{ value: secrets, one: `read of secrets ${today}`, many: `reads of secrets ${today}` }}
        to="/audit"
        search={{ kind: 'read', period: 'today' }}
      />
    </div>
  );
};

type TotalProps = LinkProps & { readonly value: number; readonly one: string; readonly many?: string };

const Total = ({ value, one, many = `${one}s`, ...link }: TotalProps) => (
  <Link {...link} className={classes.total ?? ''}>
    <span className={classes.figure}>{inDigits(value)}</span>{' '}
    <Text span c="dimmed">
      {value === 1 ? one : many}
    </Text>
  </Link>
);
